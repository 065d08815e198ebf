-- Outside of a transaction.
-- One index of phones instead of two: it finds beginnings, and a partner has each phone once in it as in any other.
create unique index concurrently contacts_phone_once_idx on contacts (phone text_pattern_ops, partner_id);
