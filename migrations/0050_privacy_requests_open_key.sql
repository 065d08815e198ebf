-- compatible since: 0.1.0
-- One open request of a kind for a number: with one partner, or with all.

create unique index privacy_requests_open_key on privacy_requests (kind, phone, partner_id) nulls not distinct
  where status = 'OPEN';
