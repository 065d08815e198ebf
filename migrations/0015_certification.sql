-- Scripted checks of a partner's integration, in a sandbox only (src/certification/). The row has the progress of the
-- script; the evidence is in the request log and the deliveries, until the check is finished and its result is stored.

create table certifications (
  id uuid primary key,
  partner_id uuid not null references partners (id),
  subscription_id uuid not null references webhook_subscriptions (id),
  token text not null constraint certifications_token_key unique, -- of its page
  status text not null default 'RUNNING' check (status in ('RUNNING', 'FINISHED')),
  started_at timestamptz not null,
  finished_at timestamptz,
  steps integer not null default 0, -- provoked steps so far
  acting_until timestamptz, -- the lease of the worker that provokes the next one
  provoked jsonb not null default '[]',
  result jsonb,
  decided jsonb not null default '{}', -- decisions of a running check are final
  check ((status = 'FINISHED') = (finished_at is not null)),
  check ((finished_at is null) = (result is null))
);
create unique index certifications_running_key on certifications (partner_id) where status = 'RUNNING';
