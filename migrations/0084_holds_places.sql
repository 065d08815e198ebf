-- compatible since: 0.1.0
-- A hold before there is a customer: it has coordinates instead of a contact and an address, until it ends. A reference names one
-- live hold of the account.

alter table holds
  alter column contact_id drop not null,
  alter column address_id drop not null,
  add column latitude numeric,
  add column longitude numeric,
  add column reference text;

alter table holds
  add constraint holds_place_check check ((contact_id is null) = (address_id is null)
    and (latitude is null) = (longitude is null)
    and (latitude is not null) = (contact_id is null and ended_at is null)) not valid,
  add constraint holds_reference_check check (length(reference) between 1 and 150) not valid;
