-- compatible since: 0.1.0
-- Outside of a transaction. Any part of district and street, as they are searched.

create index concurrently addresses_folded_places_idx on addresses
  using gin (search_fold(coalesce(district_name, '') || ' ' || coalesce(street_name, '')) gin_trgm_ops);
