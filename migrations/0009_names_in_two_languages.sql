-- Services have an Arabic name beside the English one, and a partner chooses which of them it is answered.

-- The English name stays in `name`, so processes of the previous version read and write what they did. Null: there is
-- no Arabic name, and the English one stands for it.
alter table services add column name_ar text check (char_length(name_ar) between 1 and 200);

alter table partners add column language text not null default 'en'
  constraint partners_language_check check (language in ('en', 'ar'));

-- The name of a service in a language. Immutable and of one expression, so the planner puts it into the statement.
create function name_in(language text, name_en text, name_ar text) returns text
language sql immutable parallel safe
return case when language = 'ar' then coalesce(name_ar, name_en) else name_en end;
