-- compatible since: 0.1.0
-- People of the office (docs/decisions/roles-and-audit.md): a person's link enrols the browser that opens it for 90 days, and her
-- PIN opens sessions there. Times are real, also in a sandbox whose clock is ahead.

-- Those who had a link are people; other tokens are of programs.
alter table operator_tokens add column is_person boolean not null default false;
update operator_tokens set is_person = true where id in (select token_id from operator_links);

create table operator_enrolments (
  id uuid primary key default gen_random_uuid(),
  token_id uuid not null references operator_tokens (id) on delete cascade, -- the person
  hash bytea not null unique check (octet_length(hash) = 32), -- SHA-256 of the cookie
  -- scrypt of the PIN, with the cookie as its salt.
  pin_hash bytea not null check (octet_length(pin_hash) = 32),
  -- Wrong PINs since the last right one.
  pin_failures integer not null default 0 check (pin_failures between 0 and 5),
  created_at timestamptz not null,
  expires_at timestamptz not null check (expires_at > created_at and expires_at <= created_at + interval '2160 hours')
);
create index operator_enrolments_token_idx on operator_enrolments (token_id);

-- Whose PIN opened it; null: a token did.
alter table operator_sessions add column enrolment_id uuid references operator_enrolments (id) on delete cascade;
create index operator_sessions_enrolment_idx on operator_sessions (enrolment_id);
