-- A delivery that has arrived may be sent once more by hand, as a delivery of its own of the same event: `replay` counts
-- these, 0 is the one that the event has made (docs/decisions/webhook-delivery.md).
alter table webhook_deliveries
  add column replay integer not null default 0 check (replay >= 0),
  drop constraint webhook_deliveries_event_subscription_key,
  add constraint webhook_deliveries_event_subscription_key unique (event_id, subscription_id, replay);
