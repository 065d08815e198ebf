-- Every process keeps the operator's tokens in memory; the counter `access` tells it to read them again. Not for last_used_at,
-- which every request moves.
create or replace trigger operator_tokens_change before insert or delete or update of hash, role, status on operator_tokens
  for each statement execute function bump_change_counter('access');
