-- compatible since: 0.1.0
-- Outside of a transaction. Any part of district and street, in any spelling of Arabic, for the operator's searches.

create index concurrently addresses_places_idx on addresses
  using gin (search_text(coalesce(district_name, '') || ' ' || coalesce(street_name, '')) gin_trgm_ops);
