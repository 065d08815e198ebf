-- Processes cache keys and settings of partners; the counter `access` invalidates the cache. A partner's restriction
-- also changes its view of the catalogue.

create or replace trigger partners_change before insert or update or delete on partners
  for each statement execute function bump_change_counter('access');
create or replace trigger partners_catalogue_change before update of service_restricted on partners
  for each statement execute function bump_change_counter('catalogue');
-- Not for last_used_at, which every request changes.
create or replace trigger api_keys_change before insert or delete
  or update of hash, previous_hash, previous_expires_at, permissions, ip_allowlist, expires_at, status on api_keys
  for each statement execute function bump_change_counter('access');
