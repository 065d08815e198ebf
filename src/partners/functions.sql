-- Every process keeps keys and settings of partners in memory; the counter `access` tells it to read them again. A partner's
-- restriction is a part of what it is shown of the catalogue.

create or replace trigger partners_change before insert or update or delete on partners
  for each statement execute function bump_change_counter('access');
create or replace trigger partners_catalogue_change before update of service_restricted on partners
  for each statement execute function bump_change_counter('catalogue');
-- Not for last_used_at, which every request moves.
create or replace trigger api_keys_change before insert or delete
  or update of hash, previous_hash, previous_expires_at, permissions, ip_allowlist, expires_at, status on api_keys
  for each statement execute function bump_change_counter('access');
