-- compatible since: 0.1.0
-- Erasing customers, and the register of what they asked for (docs/privacy.md).

create table privacy_requests (
  id uuid primary key,
  kind text not null check (kind in ('ACCESS', 'CORRECTION', 'ERASURE', 'RETENTION')),
  status text not null check (status in ('OPEN', 'DONE', 'REFUSED')),
  partner_id uuid references partners (id), -- of one partner's customer; null: of the number, with every partner
  phone text check (phone ~ '^\+966[0-9]{4,15}$'), -- E.164, while it is open
  phone_hash bytea not null check (octet_length(phone_hash) = 32), -- keyed: of the number, to find it again
  received_at timestamptz not null,
  due_at timestamptz not null,
  received_by text not null check (char_length(received_by) between 1 and 200),
  reason text check (char_length(reason) between 1 and 500),
  finished_at timestamptz,
  finished_by text check (char_length(finished_by) between 1 and 200),
  answer text check (char_length(answer) between 1 and 500), -- why it was refused, or a note
  check (due_at >= received_at),
  check ((status = 'OPEN') = (phone is not null)),
  check ((status = 'OPEN') = (finished_at is null)),
  check ((finished_at is null) = (finished_by is null))
);
create index privacy_requests_partner_idx on privacy_requests (partner_id) where partner_id is not null;
create index privacy_requests_phone_hash_idx on privacy_requests (phone_hash);
create index privacy_requests_due_idx on privacy_requests (due_at) where status = 'OPEN';
create index privacy_requests_received_idx on privacy_requests (received_at desc, id desc);

-- An erased contact has no number.
alter table contacts alter column phone drop not null, add column erasure_id uuid;
alter table contacts add constraint contacts_erasure_id_fkey foreign key (erasure_id) references privacy_requests (id) not valid;
alter table contacts add constraint contacts_erased_check check ((erasure_id is null) = (phone is not null)) not valid;
