-- compatible since: 0.1.0
-- Outside of a transaction. The flats of a building are several addresses at one point.

create unique index concurrently addresses_door_key on addresses (
  contact_id, round(latitude, 6), round(longitude, 6), lower(city_name), lower(district_name), lower(street_name),
  short_address, lower(building_number), lower(unit)
) nulls not distinct;
