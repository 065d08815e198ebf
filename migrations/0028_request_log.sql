-- What partners asked and were answered, for a number of days (src/requests/). A row holds up to 1,000 requests of one
-- partner that one process answered within half a second, packed: a row and four index entries for each request cost
-- 34 microseconds of the database and the process, more than a tenth of a status read. What is looked for stands beside
-- the packed part, so that rows without it are passed over unread. Nothing refers to it and it refers to nothing: no
-- foreign key is checked, and keys and partners are never deleted.
create table request_batches (
  id bigint generated always as identity constraint request_batches_pkey primary key,
  partner_id uuid not null,
  recorded_at timestamptz not null, -- real time, which the retention goes by; the others are business time
  first_at timestamptz not null,
  last_at timestamptz not null,
  key_ids uuid[] not null,
  routes text[] not null, -- each with its method
  statuses integer[] not null,
  codes text[] not null,
  request_ids text not null, -- in their order, each after a space
  booking_ids text, -- the same, `-` for none; null: none at all
  failures json, -- how often which refusal came; null: none
  seconds json not null, -- how many requests of each key in each second
  entries bytea not null,
  bodies bytea -- sandbox only
);
-- Packed already, or beyond packing; and read by parts.
alter table request_batches alter request_ids set storage external, alter booking_ids set storage external,
  alter entries set storage external, alter bodies set storage external;

create index request_batches_partner_idx on request_batches (partner_id, id desc);
create index request_batches_range_idx on request_batches (partner_id, last_at);
create index request_batches_recorded_idx on request_batches (recorded_at);
