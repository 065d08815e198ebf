-- A delivery that has arrived may be sent once more by hand, as a delivery of its own of the same event: `replay` counts
-- these, 0 is the one that the event has made (docs/decisions/webhook-delivery.md).
alter table webhook_deliveries
  add column replay integer not null default 0,
  add constraint webhook_deliveries_replay_check check (replay >= 0) not valid;
