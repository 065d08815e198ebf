-- Outside of a transaction.
-- Names by their beginning, with what a search needs to choose the best of them (docs/decisions/search-by-parts.md).
create index concurrently contacts_name_idx on contacts (search_text(name) text_pattern_ops) include (name, id);
