-- compatible since: 0.1.0
-- A hold that gave way to a sold visit is known as such: its customer books another slot at its price.

alter table holds add column displaced_at timestamptz;
