-- Scripted checks of a partner's integration, in a sandbox only (src/certification/). What has been provoked so far stands in the
-- row; the evidence is found in the request log and the deliveries, until the check is finished and its result is kept.

create table certifications (
  id uuid primary key,
  partner_id uuid not null references partners (id),
  subscription_id uuid not null references webhook_subscriptions (id),
  token text not null constraint certifications_token_key unique, -- of its page
  status text not null default 'RUNNING' check (status in ('RUNNING', 'FINISHED')),
  started_at timestamptz not null,
  finished_at timestamptz,
  steps integer not null default 0, -- how many have been provoked
  acting_until timestamptz, -- a worker provokes the next one until then
  provoked jsonb not null default '[]',
  result jsonb,
  decided jsonb not null default '{}', -- what is decided of a check under way stays decided
  check ((status = 'FINISHED') = (finished_at is not null)),
  check ((finished_at is null) = (result is null))
);
create unique index certifications_running_key on certifications (partner_id) where status = 'RUNNING';
