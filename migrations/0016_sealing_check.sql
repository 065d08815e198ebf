-- One value under the key of secrets, so that a start with another key is noticed before anything is written.
create table sealing_check (
  id uuid primary key default '00000000-0000-0000-0000-000000000001'
    check (id = '00000000-0000-0000-0000-000000000001'),
  value text not null
);
