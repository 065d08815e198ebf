-- compatible since: 0.1.0
-- Outside of a transaction. Beginnings of names as they are searched, with the columns that rank results.

create index concurrently contacts_folded_name_idx on contacts (search_fold(name) text_pattern_ops) include (name, id);
