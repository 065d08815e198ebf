-- The plans of these statements, and of the foreign keys that they check, are kept as long as a connection lives. Made while
-- there were few customers they would read all of many, until somebody has analysed the tables: the key from an address to
-- its contact took 59 us of 175 for a customer, with 10,000 of them.
alter function find_or_create_contact(uuid, text, text, text, boolean, numeric, numeric, text, text, text, timestamptz)
  set enable_seqscan = off;
