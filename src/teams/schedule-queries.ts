import { sql } from 'kysely';
import { type Instant, toUtcIso } from '../base/clock.ts';
import type { Queryable, Tx } from '../db/connection.ts';
import type { Page, Window } from '../db/pages.ts';
import { first, hotStatement, pg } from '../db/statement.ts';
import { contains, firstOf, isOneOf, nameOrder, pageOf, rowsOf, sortedBy, tablesOf } from '../db/tables.ts';
import { paging } from '../http/envelope.ts';
import type { Schedule } from './schedule-rules.ts';
import type { SchedulesQuery } from './schedule-schema.ts';
import type { SchedulePeriodTable, ScheduleRow, ScheduleTable } from './table.ts';

/** SQL: all schedules, the strongest first (of equal ones the last made), as `Schedule`. */
export const SCHEDULES = `
        (select coalesce(json_agg(json_build_object(
            'id', s.id, 'name_en', s.name_en, 'name_ar', s.name_ar, 'zone_ids', s.zone_ids, 'team_ids', s.team_ids,
            'weekly', s.weekly, 'breaks', s.breaks,
            'periods', (select coalesce(json_agg(json_build_array(first_date, last_date)), '[]')
              from schedule_periods where schedule_id = s.id)) order by s.priority desc, s.id desc), '[]')
          from schedules s)`;

export const LOAD_SCHEDULES = hotStatement({
  name: 'load-schedules',
  takes: {},
  returns: { schedules: pg.json<Schedule[]>() },
  text: `select ${SCHEDULES} as schedules`,
});

/** All schedules, the strongest first. */
export async function loadSchedules(db: Queryable): Promise<Schedule[]> {
  return (await first(db, LOAD_SCHEDULES, {}))!.schedules;
}

const tables = tablesOf<{
  schedules: ScheduleTable;
  schedule_periods: SchedulePeriodTable;
  teams: { id: string };
}>();

const schedules = tables
  .selectFrom('schedules')
  .selectAll()
  .select(
    sql<ScheduleRow['periods']>`(
      select coalesce(json_agg(json_build_array(first_date, last_date) order by first_date), '[]')
      from schedule_periods where schedule_id = schedules.id)`.as('periods'),
  );

/** null: there is none. */
export function findSchedule(db: Queryable, id: string): Promise<ScheduleRow | null> {
  return firstOf(db, schedules.where('id', '=', id));
}

const NAMES = { nameEn: [nameOrder('name_en')], nameAr: [nameOrder('name_ar')] };
const ORDERS = { priority: ['priority', ...NAMES.nameEn], ...NAMES, createdAt: ['created_at'] };

/** A page of the schedules, the strongest first unless sorted otherwise; `search` is a part of a name, `from` and `to` are dates. */
export function listSchedules(
  db: Queryable,
  { search, from, to, ...sorting }: SchedulesQuery,
  page: Window = paging(sorting),
): Promise<Page<ScheduleRow>> {
  const touching = sql<boolean>`exists (
    select from schedule_periods where schedule_id = schedules.id
      and first_date <= coalesce(${to ?? null}::date, 'infinity')
      and coalesce(last_date, 'infinity') >= coalesce(${from ?? null}::date, '-infinity'))`;
  const query = schedules
    .$if(search !== undefined, (found) => found.where(contains(['name_en', 'name_ar'], search!)))
    .$if(from !== undefined || to !== undefined, (found) => found.where(touching));
  return pageOf(db, sortedBy(query, ORDERS, sorting, { by: 'priority', order: 'DESC' }), page);
}

/** The columns of a schedule, apart from its times of change. */
export type ScheduleFields = Omit<ScheduleRow, 'id' | 'version' | 'created_at' | 'updated_at'>;

const columnsOf = ({ periods: _, weekly, breaks, yearly, ...plain }: ScheduleFields) => ({
  ...plain,
  weekly: weekly && JSON.stringify(weekly),
  breaks: JSON.stringify(breaks),
  yearly: yearly && JSON.stringify(yearly),
});

/** Inserts a schedule with its periods. */
export async function insertSchedule(
  tx: Tx,
  now: Instant,
  { id, ...fields }: ScheduleFields & { id: string },
): Promise<void> {
  const at = toUtcIso(now);
  const values = { id, ...columnsOf(fields), created_at: at, updated_at: at };
  await rowsOf(tx, tables.insertInto('schedules').values(values));
  await insertPeriods(tx, id, fields.periods);
}

/** Replaces the fields and periods of a schedule. */
export async function updateSchedule(
  tx: Tx,
  now: Instant,
  id: string,
  fields: ScheduleFields,
): Promise<void> {
  const query = tables.updateTable('schedules').set({ ...columnsOf(fields), updated_at: toUtcIso(now) });
  await rowsOf(tx, query.where('id', '=', id));
  await rowsOf(tx, tables.deleteFrom('schedule_periods').where('schedule_id', '=', id));
  await insertPeriods(tx, id, fields.periods);
}

async function insertPeriods(tx: Tx, schedule_id: string, periods: ScheduleRow['periods']): Promise<void> {
  const values = periods.map(([first_date, last_date]) => ({ schedule_id, first_date, last_date }));
  if (values.length > 0) await rowsOf(tx, tables.insertInto('schedule_periods').values(values));
}

/** Deletes a schedule with its periods. */
export async function deleteSchedule(tx: Tx, id: string): Promise<void> {
  await rowsOf(tx, tables.deleteFrom('schedules').where('id', '=', id));
}

/** Those of the ids that are teams. */
export async function knownTeams(db: Queryable, ids: readonly string[]): Promise<Set<string>> {
  const rows = await rowsOf(db, tables.selectFrom('teams').select('id').where(isOneOf('id', ids)));
  return new Set(rows.map((row) => row.id));
}
