-- compatible since: 0.1.0
-- Outside of a transaction. Words of names as they are searched, joined and apart.

create index concurrently contacts_folded_words_idx on contacts
  using gin (to_tsvector('simple', search_plain(name) || ' ' || search_fold(name)));
