-- Operator tokens beside the first one, which is OPERATOR_TOKEN; and the clock of a sandbox.

create table operator_tokens (
  id uuid primary key default gen_random_uuid(),
  name text not null check (char_length(name) between 1 and 200),
  role text not null check (role in ('admin', 'dispatcher', 'viewer')),
  hash bytea not null constraint operator_tokens_hash_key unique check (octet_length(hash) = 32), -- of the token
  prefix text not null,
  last4 text not null,
  status text not null default 'ACTIVE' check (status in ('ACTIVE', 'REVOKED')),
  last_used_at timestamptz,
  created_at timestamptz not null,
  updated_at timestamptz not null
);

-- The offset of business time to real time. One row, read with the change counters.
create table sandbox_clock (
  only_row boolean primary key default true check (only_row),
  offset_seconds bigint not null default 0 check (offset_seconds between 0 and 315360000) -- 10 years
);
insert into sandbox_clock default values;
