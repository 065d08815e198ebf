-- The log of partners' requests (src/requests/): a row for each request, for a number of days. Nothing refers to it and it
-- refers to nothing: keys and partners are never deleted, so no foreign key is checked.

create sequence request_log_id;
create table request_log (
  id bigint not null default nextval('request_log_id'), -- in the order of insertion
  recorded_at timestamptz not null, -- real time, for the retention
  answered_at timestamptz not null, -- business time
  request_id text collate "C" not null, -- searched by prefix
  partner_id uuid not null,
  key_id uuid not null,
  method text not null,
  route text, -- the pattern; null: unknown route
  path text,
  status smallint not null,
  code text,
  message text,
  failed_check text,
  reason text,
  hints text[] not null,
  ignored_parameters text[] not null,
  details json,
  duration_ms real not null,
  booking_id uuid,
  user_agent text,
  bodies json -- sandbox only
) partition by range (recorded_at);
create table request_log_default partition of request_log default;

create index request_log_id_idx on request_log (id);
create index request_log_partner_idx on request_log (partner_id, id);
create index request_log_answered_idx on request_log (partner_id, answered_at);
create index request_log_request_idx on request_log (request_id);
create index request_log_booking_idx on request_log (booking_id) where booking_id is not null;
