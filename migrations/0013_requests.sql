-- What partners asked and were answered, for a number of days (docs/decisions/request-log.md). A row holds up to 1,000 requests of
-- one partner that one process answered within half a second, packed; what is looked for stands beside the packed part, so that
-- rows without it are passed over unread. Nothing refers to it and it refers to nothing: keys and partners are never deleted.
--
-- In partitions by day (src/db/partitions.ts): an ID begins with the time (request_batch_id), so that it is their key.

create sequence request_batch_number;

create table request_batches_first (
  id bigint not null default nextval('request_batch_number'),
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
  bodies bytea, -- sandbox only
  constraint request_batches_pkey primary key (id)
);
-- Packed already, or beyond packing; and read by parts. Not even tried to compress.
alter table request_batches_first
  alter column request_ids set storage external, alter column booking_ids set storage external,
  alter column entries set storage external, alter column bodies set storage external;
create index request_batches_partner_idx on request_batches_first (partner_id, id desc);
create index request_batches_range_idx on request_batches_first (partner_id, last_at);
create table request_batches (like request_batches_first including defaults including storage)
  partition by range (id);
alter table request_batches attach partition request_batches_first for values from (minvalue) to (maxvalue);
