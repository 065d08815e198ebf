-- An issued statement, its lines and its files are for ever.
create or replace function refuse_statement_change() returns trigger language plpgsql as $$
declare
  v_statement uuid;
begin
  if tg_op <> 'TRUNCATE' then
    v_statement := case when tg_table_name = 'statements' then (to_jsonb(old) ->> 'id')::uuid
      else (to_jsonb(coalesce(new, old)) ->> 'statement_id')::uuid end;
    if not exists (select from statements where id = v_statement and status = 'ISSUED')
      and (tg_op <> 'UPDATE' or tg_table_name = 'statements')
    then return coalesce(new, old); end if;
  end if;
  raise exception 'an issued statement never changes' using errcode = 'insufficient_privilege';
end $$;

create or replace trigger statements_never_change before update or delete on statements
  for each row execute function refuse_statement_change();
create or replace trigger statements_never_emptied before truncate on statements
  for each statement execute function refuse_statement_change();
create or replace trigger statement_lines_never_change before insert or update or delete on statement_lines
  for each row execute function refuse_statement_change();
create or replace trigger statement_lines_never_emptied before truncate on statement_lines
  for each statement execute function refuse_statement_change();
create or replace trigger statement_files_never_change before insert or update or delete on statement_files
  for each row execute function refuse_statement_change();
create or replace trigger statement_files_never_emptied before truncate on statement_files
  for each statement execute function refuse_statement_change();
