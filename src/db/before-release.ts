import { createHash } from 'node:crypto';

/**
 * Databases from before release 0.1, whose migrations the baseline replaces. This file is removed after release 0.1: from
 * then on, a database must pass through it.
 */

/** Hash of the sorted names of these migrations, one per line. */
const LAST_SCHEMA = 'bf5dfcb2f897fdbd485b00b03eaa550b76d80cbf28ac3d87645a19360c69eaf4';

/** Whether the database has exactly the migrations from before the baseline. */
export function isLastBeforeRelease(names: readonly string[]): boolean {
  const digest = createHash('sha256').update(names.toSorted().join('\n')).digest('hex');
  return digest === LAST_SCHEMA;
}

/**
 * Empties the list of migrations, and drops all triggers and functions except those that belong to a table or an
 * extension.
 */
export const FORGET_BEFORE_RELEASE = `
  delete from schema_migrations;
  alter table schema_migrations add column compatible_since text;
  do $$
  declare
    it record;
  begin
    for it in
      select tgname, tgrelid::regclass as place from pg_trigger t join pg_class c on c.oid = t.tgrelid
      where not tgisinternal and tgparentid = 0 and c.relnamespace = current_schema()::regnamespace
    loop
      execute format('drop trigger %I on %s', it.tgname, it.place);
    end loop;
    for it in
      select p.oid::regprocedure as name from pg_proc p
      where p.pronamespace = current_schema()::regnamespace
        and not exists (select from pg_depend where classid = 'pg_proc'::regclass and objid = p.oid and deptype = 'e')
        and not exists (select from pg_depend where refclassid = 'pg_proc'::regclass and refobjid = p.oid)
    loop
      execute format('drop function %s', it.name);
    end loop;
  end
  $$`;
