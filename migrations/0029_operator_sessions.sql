-- compatible since: 0.1.0
-- Operator tokens may expire. A link that works once, and a token, open a session of the console
-- (docs/decisions/roles-and-audit.md). Of links and sessions only the SHA-256 is stored. Their times are real, also in a
-- sandbox whose clock is ahead.

alter table operator_tokens add column expires_at timestamptz; -- null: never

create table operator_links (
  id uuid primary key default gen_random_uuid(),
  token_id uuid not null references operator_tokens (id) on delete cascade, -- whose session it opens
  hash bytea not null unique check (octet_length(hash) = 32),
  created_at timestamptz not null,
  expires_at timestamptz not null check (expires_at > created_at and expires_at <= created_at + interval '72 hours'),
  used_at timestamptz
);
-- A new link replaces the one that was not used.
create unique index operator_links_token_key on operator_links (token_id) where used_at is null;

create table operator_sessions (
  id uuid primary key default gen_random_uuid(),
  token_id uuid references operator_tokens (id) on delete cascade,
  -- Of OPERATOR_TOKEN, when it opened the session: another one ends it.
  first_hash bytea check (octet_length(first_hash) = 32),
  hash bytea not null unique check (octet_length(hash) = 32),
  browser text check (char_length(browser) <= 50),
  system text check (char_length(system) <= 50),
  created_at timestamptz not null,
  expires_at timestamptz not null check (expires_at > created_at),
  last_seen_at timestamptz not null,
  check ((token_id is null) <> (first_hash is null))
);
create index operator_sessions_token_idx on operator_sessions (token_id);
