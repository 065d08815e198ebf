-- Outside of a transaction.
-- The flats of a building are several addresses at one point (docs/decisions/contacts-and-addresses.md).
create unique index concurrently addresses_point_texts_key on addresses (
  contact_id, round(latitude, 6), round(longitude, 6), lower(coalesce(city_name, '')), lower(coalesce(district_name, '')),
  lower(coalesce(street_name, ''))
) where latitude is not null;
