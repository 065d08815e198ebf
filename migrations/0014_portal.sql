-- The partners' portal: links that operators create, each for one sign-in, and the sessions of links and keys. Of their
-- tokens only the SHA-256 is stored.

create table portal_links (
  id uuid primary key default gen_random_uuid(),
  partner_id uuid not null references partners (id),
  hash bytea not null unique,
  read_only boolean not null,
  created_by text not null check (char_length(created_by) between 1 and 200),
  created_at timestamptz not null,
  expires_at timestamptz not null check (expires_at > created_at),
  used_at timestamptz,
  revoked_at timestamptz
);
create index portal_links_partner_idx on portal_links (partner_id, created_at desc, id desc);

create table portal_sessions (
  id uuid primary key default gen_random_uuid(),
  partner_id uuid not null references partners (id),
  -- A link opens one session.
  link_id uuid unique references portal_links (id),
  key_id uuid references api_keys (id),
  -- The secret that was used: a rotation replaces it.
  key_hash bytea,
  hash bytea not null unique,
  created_at timestamptz not null,
  expires_at timestamptz not null check (expires_at > created_at),
  check ((link_id is null) <> (key_id is null)),
  check ((key_id is null) = (key_hash is null))
);
create index portal_sessions_partner_idx on portal_sessions (partner_id);
