-- compatible since: 0.1.0
-- Files of the builds of the browser pages that processes have lately run: a page finds its files also when another build answers.

create table page_files (
  base text not null check (char_length(base) between 1 and 50),
  name text not null check (char_length(name) between 1 and 150),
  body bytea not null check (octet_length(body) <= 16777216),
  -- In real time: when a process last had it.
  used_at timestamptz not null,
  primary key (base, name)
);
