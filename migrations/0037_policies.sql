-- compatible since: 0.1.0
-- Policies: the price of changing a booking (docs/decisions/change-fees.md). A row is one version of a policy and never changes; a
-- booking and a hold keep the version that they were made under.

create table policies (
  id uuid primary key,
  policy_id uuid not null references policies (id), -- the first version
  version integer not null check (version >= 1),
  name_en text not null check (char_length(name_en) between 1 and 200),
  name_ar text not null check (char_length(name_ar) between 1 and 200),
  terms jsonb not null,
  created_by text not null,
  created_at timestamptz not null,
  constraint policies_version_key unique (policy_id, version)
);

-- For whom the newest version of a policy holds: a partner, a service (null: any), or both.
create table policy_assignments (
  policy_id uuid not null references policies (id),
  version_id uuid not null references policies (id),
  partner_id uuid references partners (id) on delete cascade,
  service_id uuid references services (id) on delete cascade,
  check (partner_id is not null or service_id is not null),
  constraint policy_assignments_key unique nulls not distinct (partner_id, service_id)
);
create index policy_assignments_service_idx on policy_assignments (service_id);
create index policy_assignments_policy_idx on policy_assignments (policy_id);

-- Null: none.
alter table bookings add column policy_id uuid,
  -- [{ action, amount, at, counts_from }], oldest first; null: none.
  add column fees jsonb,
  add constraint bookings_policy_id_fkey foreign key (policy_id) references policies (id) not valid;
-- Why the visit could not be done; null: it is not so, or nobody said why.
alter table appointments add column outcome text,
  add constraint appointments_outcome_check check (outcome in ('CUSTOMER_ABSENT', 'NO_ACCESS', 'REFUSED', 'UNSAFE', 'CREW',
    'WEATHER')) not valid;
alter table holds add column policy_id uuid,
  add constraint holds_policy_id_fkey foreign key (policy_id) references policies (id) not valid;
