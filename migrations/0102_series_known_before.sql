-- compatible since: 0.1.0
-- Customers who came with their weekly visits know of them: no message tells them.

alter table series add column known_before boolean not null default false;
