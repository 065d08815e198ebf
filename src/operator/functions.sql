-- Every process caches the operator's tokens; the counter `access` invalidates them. Not for last_used_at, which every
-- request changes.
create or replace trigger operator_tokens_change before insert or delete or update of hash, role, status,
  expires_at on operator_tokens for each statement execute function bump_change_counter('access');
