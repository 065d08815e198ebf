-- compatible since: 0.1.0
-- A confirmation or cancellation that the network delivers twice is told that its first copy was accepted.

alter table bookings add column decided_by_request text;
