-- What no version calls that may still run beside this one: the claims from before 0055. Those of 0055 stay for the last of them.
drop function turn_deliveries(
  timestamptz, timestamptz, integer, integer, integer, uuid, timestamptz, uuid[], uuid[], integer[], text[], jsonb[],
  integer[], integer[]
);
drop function settle_attempts(
  timestamptz, uuid[], uuid[], integer[], text[], jsonb[], integer[], integer, integer[]
);
drop function claim_deliveries(timestamptz, timestamptz, integer, integer, integer, uuid, timestamptz);
drop function settle_and_claim(
  timestamptz, uuid, double precision, integer, integer, integer, integer, integer, jsonb, jsonb, uuid[], uuid[],
  integer[], text[], jsonb[], integer[]
);
drop function claim_deliveries_by_share(
  timestamptz, uuid, double precision, integer, integer, integer, integer, integer, jsonb, jsonb
);

-- The places of events are in event_places since 0038; with it goes its index, which every new event had to open.
alter table events drop column feed_position;
