-- Which days' appointments changed in which transaction. A process that keeps a day's appointments in memory asks whether there
-- are rows of transactions it had not seen: one look into an index instead of reading the day.

create table busy_changes (
  day date not null,
  changed_in xid8 not null default pg_current_xact_id()
);
create index busy_changes_day_idx on busy_changes (day, changed_in);
