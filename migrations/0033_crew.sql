-- compatible since: 0.1.0
-- The crew's page (docs/decisions/crew.md): links that the operator makes for a team, the telephones that opened them, and the
-- steps that these sent. Of links and sessions only the SHA-256 is stored. Their times are real, also in a sandbox whose clock is
-- ahead.

create table crew_links (
  id uuid primary key default gen_random_uuid(),
  team_id uuid not null references teams (id) on delete cascade,
  hash bytea not null unique check (octet_length(hash) = 32),
  -- Of the token with the PIN; null: none is asked for.
  pin_hash bytea check (octet_length(pin_hash) = 32),
  -- Wrong PINs since the last right one.
  pin_failures integer not null default 0,
  created_by text not null check (char_length(created_by) between 1 and 200),
  created_at timestamptz not null,
  expires_at timestamptz check (expires_at > created_at), -- null: when it is revoked
  revoked_at timestamptz
);
create index crew_links_team_idx on crew_links (team_id, created_at desc, id desc);

create table crew_sessions (
  id uuid primary key default gen_random_uuid(),
  link_id uuid not null references crew_links (id) on delete cascade,
  hash bytea not null unique check (octet_length(hash) = 32),
  browser text check (char_length(browser) <= 50),
  system text check (char_length(system) <= 50),
  created_at timestamptz not null,
  last_seen_at timestamptz not null
);
create index crew_sessions_link_idx on crew_sessions (link_id);

-- Steps that telephones sent, the refused ones too. The key makes a repetition the same step.
create table crew_steps (
  team_id uuid not null references teams (id) on delete cascade,
  key uuid not null,
  link_id uuid not null references crew_links (id) on delete cascade,
  appointment_id uuid not null,
  status text not null check (status in ('In The Way', 'In The location', 'In Progress', 'Finished', 'Cannot Complete')),
  reason text,
  notes text check (char_length(notes) <= 500),
  -- In business time, by the telephone's account.
  happened_at timestamptz not null,
  received_at timestamptz not null,
  refusal text, -- null: done
  primary key (team_id, key)
);
create index crew_steps_refused_idx on crew_steps (received_at desc) where refusal is not null;
