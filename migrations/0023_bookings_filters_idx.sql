-- compatible since: 0.1.0
-- Outside of a transaction. The order of creation, with the columns of more filters than before;
-- ascending, so that its pages fill up.

create index concurrently bookings_partner_filters_idx on bookings (partner_id, created_at, id)
  include (service_date, status, payment_status, service_id, updated_at);
