-- What is decided of a certification under way stays decided.
alter table certifications add column decided jsonb not null default '{}';
