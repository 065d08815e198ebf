-- Bookings that wait for payment are few among all; the operator's page of what needs attention counts them.
create index bookings_waiting_idx on bookings (id) where status = 'waiting payment';
