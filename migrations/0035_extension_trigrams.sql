-- For any part of a text (docs/decisions/search-by-parts.md).
create extension if not exists pg_trgm;
