-- The operator finds customers and bookings while typing, at 100,000 bookings too (GET /operator/search).

-- As people type names: whatever the case, without the marks of Arabic and with its letters of one sound as one.
create function search_text(name text) returns text
language sql immutable strict parallel safe as $$
  select translate(lower(name), 'أإآٱىةؤئ' || 'ـًٌٍَُِّْٰ', 'اااايهوي')
$$;

-- Words by their beginnings.
create index contacts_words_idx on contacts using gin (to_tsvector('simple', search_text(name)));
-- A phone by its beginning, and by its last digits.
create index contacts_phone_idx on contacts (phone text_pattern_ops);
create index contacts_phone_end_idx on contacts (reverse(phone) text_pattern_ops);
create index appointments_name_start_idx on appointments (name text_pattern_ops);
create index bookings_reference_start_idx on bookings (lower(external_reference) text_pattern_ops)
  where external_reference is not null;
