-- compatible since: 0.1.0
-- Outside of a transaction.

create unique index concurrently holds_reference_key on holds (partner_id, reference)
  where ended_at is null and reference is not null;
