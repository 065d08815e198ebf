import type { Queryable } from '../db/connection.ts';
import { AS_PEOPLE_SORT } from '../db/pages.ts';
import { hotStatement, pg, type Row, rows } from '../db/statement.ts';

export const LIST_NAMED = hotStatement({
  name: 'list-named',
  takes: {},
  returns: {
    kind: pg.typed<'zone' | 'team' | 'partner'>(pg.text),
    id: pg.uuid,
    name: pg.text,
    name_ar: pg.nullable(pg.text),
    is_active: pg.boolean,
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
