-- Partners and their API keys.

create table partners (
  id uuid primary key default gen_random_uuid(),
  name text not null check (char_length(name) between 1 and 200),
  status text not null default 'ACTIVE' check (status in ('ACTIVE', 'SUSPENDED')),
  -- The collector of the customers' payments.
  payment_responsibility text not null default 'PARTNER' check (payment_responsibility in ('PARTNER', 'PLATFORM')),
  rate_limit_per_minute integer check (rate_limit_per_minute between 1 and 1000000), -- null: the service's default
  allowed_domains text[] not null default '{}',
  sandbox_domains text[] not null default '{}',
  allowed_webhook_domains text[] not null default '{}',
  require_https_webhooks boolean not null default true,
  -- true: only the services in partner_services; false: every active service.
  service_restricted boolean not null default false,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  language text not null default 'en' constraint partners_language_check check (language in ('en', 'ar')),
  -- The services and prices of a partner are replaced as a whole, with a version of their own (If-Match).
  services_version integer not null default 1
);
create unique index partners_name_key on partners (lower(name));
create index partners_created_at_idx on partners (created_at desc, id desc);

create table api_keys (
  id uuid primary key default gen_random_uuid(),
  partner_id uuid not null references partners (id),
  name text not null check (char_length(name) between 1 and 200),
  hash bytea not null constraint api_keys_hash_key unique check (octet_length(hash) = 32), -- of the secret
  prefix text not null,
  last4 text not null,
  -- The secret before the last rotation, while it is valid.
  previous_hash bytea constraint api_keys_previous_hash_key unique check (octet_length(previous_hash) = 32),
  previous_expires_at timestamptz,
  permissions text[] not null,
  ip_allowlist text[] not null default '{}',
  expires_at timestamptz,
  status text not null default 'ACTIVE' check (status in ('ACTIVE', 'REVOKED')),
  last_used_at timestamptz,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  check ((previous_hash is null) = (previous_expires_at is null))
);
create index api_keys_partner_idx on api_keys (partner_id, created_at desc, id desc);
