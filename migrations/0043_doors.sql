-- compatible since: 0.1.0
-- Details by which crews find a door (docs/decisions/contacts-and-addresses.md), and their access to it.

alter table addresses
  add column short_address text, -- of the National Address, in capitals
  add column building_number text,
  add column unit text,
  add column floor text,
  add column postal_code text,
  add column directions text,
  drop constraint addresses_check1;
alter table addresses add constraint addresses_check1 check (latitude is not null or coalesce(city_name, district_name,
  street_name, short_address, building_number, unit, floor, postal_code, directions) is not null) not valid;
alter table addresses add constraint addresses_short_address_check check (short_address ~ '^[A-Z]{4}[0-9]{4}$') not valid;
alter table addresses add constraint addresses_building_number_check check (char_length(building_number) between 1 and 20) not valid;
alter table addresses add constraint addresses_unit_check check (char_length(unit) between 1 and 20) not valid;
alter table addresses add constraint addresses_floor_check check (char_length(floor) between 1 and 20) not valid;
alter table addresses add constraint addresses_postal_code_check check (postal_code ~ '^[0-9]{5}$') not valid;
alter table addresses add constraint addresses_directions_check check (char_length(directions) between 1 and 500) not valid;

-- Instructions and access code of a booking as JSON, sealed (docs/decisions/secrets-at-rest.md).
create table booking_access (
  id uuid primary key references bookings (id),
  value text not null
);
