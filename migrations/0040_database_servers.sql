-- The servers that took writes, each by the microseconds since 1970 at which it was started. A replica that has the row of
-- the primary follows it, whichever it followed before: positions in the log can be compared only then
-- (src/runtime/replica.ts). One row for each start of a server.
create table database_servers (
  started_us bigint primary key
);
