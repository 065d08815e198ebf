-- compatible since: 0.1.0
-- The customer's page of a booking (docs/decisions/customer-page.md): whether a partner's account has it, what it shows of
-- the partner, and the key that its addresses are made with.

alter table partners
  add column tracking_page boolean not null default false,
  add column page_colour text check (page_colour ~ '^#[0-9a-f]{6}$'), -- null: the service's
  add column contact_text_en text check (char_length(contact_text_en) between 1 and 300),
  add column contact_text_ar text check (char_length(contact_text_ar) between 1 and 300),
  add column contact_number text check (contact_number ~ '^\+?[0-9]{3,15}$');

-- One key of the database's own, sealed: a rotation of SECRETS_KEY seals it again and keeps the addresses.
create table tracking_keys (
  id uuid primary key default '00000000-0000-0000-0000-000000000001'
    check (id = '00000000-0000-0000-0000-000000000001'),
  value text not null
);
