import type { Queryable } from '../db/connection.ts';
import { AS_PEOPLE_SORT } from '../db/pages.ts';
import { boolean, hotStatement, nullable, type Row, rows, text, typed, uuid } from '../db/statement.ts';

export const LIST_NAMED = hotStatement({
  name: 'list-named',
  takes: {},
  returns: {
    kind: typed<'zone' | 'team' | 'partner'>(text),
    id: uuid,
    name: text,
    name_ar: nullable(text),
    is_active: boolean,
  },
  text: `
    select * from (
      select 'zone' as kind, id, name, name_ar, is_active from zones
      union all select 'team', id, name, name_ar, is_active from teams
      union all select 'partner', id, name, null, status = 'ACTIVE' from partners
    ) named order by name ${AS_PEOPLE_SORT}, id`,
});

export type NamedRow = Row<typeof LIST_NAMED>;

/** All zones, teams and partners by name. */
export function listNamed(db: Queryable): Promise<NamedRow[]> {
  return rows(db, LIST_NAMED, {});
}
