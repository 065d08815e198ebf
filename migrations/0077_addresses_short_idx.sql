-- compatible since: 0.1.0
-- Outside of a transaction. Short addresses, by which customers and bookings are searched.

create index concurrently addresses_short_idx on addresses (short_address) where short_address is not null;
