-- Outside of a transaction.
-- One index of names instead of two: it finds beginnings, and equals are equal in it as in any other.
create unique index concurrently appointments_name_once_idx on appointments (name text_pattern_ops);
