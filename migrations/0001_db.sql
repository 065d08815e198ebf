-- Shared by all slices: extensions, change counters, the audit log, histories of the data.

-- Exclusion constraints over a key and a range.
create extension if not exists btree_gist;
-- Any part of a text (docs/decisions/list-and-as-of.md).
create extension if not exists pg_trgm;

-- Processes cache keys, settings and the catalogue, and compare these numbers to notice changes of others. Triggers
-- increment them, so a change made with psql counts too (src/db/functions.sql).
create table change_counters (
  name text primary key,
  version bigint not null default 1
);
insert into change_counters (name) values ('access'), ('catalogue');

-- Log of the operators' changes: append-only, numbered without a gap in the order of their commits. Each entry carries
-- the hash of the previous one, so that a change or a removal is detected (docs/decisions/roles-and-audit.md).
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

-- The histories of the data (docs/decisions/event-feed.md). After a loss of commits, lost places in the feed and
-- numbers of tracking references would be assigned again. A promotion, a restore and a restored dump start a history,
-- and so does every start of the server, which may follow a copy of its folder. A cursor of an earlier history is valid
-- up to the last shared place.
create table histories (
  number integer primary key,
  id text not null unique, -- random: after the next restore another history may have the same number
  origin text not null, -- where it started (history_origin)
  server_started timestamptz not null, -- the start of the server on which it started
  last_place bigint not null, -- of the feed, when it started: the last one shared with earlier histories
  last_reference bigint not null -- numbers of tracking references up to this one may have been assigned before it
);

-- One value under SECRETS_KEY, so that a start with another key is detected before anything is written.
create table sealing_check (
  id uuid primary key default '00000000-0000-0000-0000-000000000001'
    check (id = '00000000-0000-0000-0000-000000000001'),
  value text not null
);
