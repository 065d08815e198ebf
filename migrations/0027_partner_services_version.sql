-- What a partner may book, and at which prices, is replaced as a whole: it has a version of its own (0018), so that
-- other settings of the partner may change meanwhile.
alter table partners add column services_version integer not null default 1;
