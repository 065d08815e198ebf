-- Shared by all slices: extensions, change counters, the audit log, histories of the data.

-- Exclusion constraints over a key and a range.
create extension if not exists btree_gist;
-- Any part of a text (docs/decisions/list-and-as-of.md).
create extension if not exists pg_trgm;

-- Every process keeps keys, settings and the catalogue in memory, and compares these numbers to notice that another changed
-- them. Triggers move them, so a change made with psql counts too (src/db/functions.sql).
create table change_counters (
  name text primary key,
  version bigint not null default 1
);
insert into change_counters (name) values ('access'), ('catalogue');

-- Log of the operators' changes: append-only, numbered without a gap in the order of their commits, and each carries the hash of
-- the one before it: a change or a removal shows (docs/decisions/roles-and-audit.md).
create table audit_log (
  id uuid primary key default gen_random_uuid(),
  position bigint generated always as identity constraint audit_log_position_key unique,
  at timestamptz not null,
  actor text not null,
  action text not null,
  target text not null,
  before jsonb,
  after jsonb,
  -- The chain, filled in at the commit.
  number bigint constraint audit_log_number_key unique,
  previous_hash bytea,
  hash bytea,
  -- Entries of one request form a group.
  group_id uuid
);
create index audit_log_target_idx on audit_log (target, position desc);
create index audit_log_group_idx on audit_log (group_id) where group_id is not null;
revoke update, delete, truncate on audit_log from public, current_user;
grant update (number, previous_hash, hash) on audit_log to current_user;

-- The histories of the data (docs/decisions/event-feed.md). Where data went back, places in the feed and numbers of tracking
-- references that were lost would be given out again. A promotion, a restore and a restored dump begin a history, and so does
-- every start of the server, which may follow a copy of its folder. A cursor of an earlier history is valid up to what both share.
create table histories (
  number integer primary key,
  id text not null unique, -- random: after the next restore another history may have the same number
  origin text not null, -- where it was begun (history_origin)
  server_started timestamptz not null, -- the start of the server on which it was begun
  last_place bigint not null, -- of the feed, when it began: what it shares with the histories before it
  last_reference bigint not null -- numbers of tracking references up to this one may have been given out before it
);

-- One value under SECRETS_KEY, so that a start with another key is noticed before anything is written.
create table sealing_check (
  id uuid primary key default '00000000-0000-0000-0000-000000000001'
    check (id = '00000000-0000-0000-0000-000000000001'),
  value text not null
);
