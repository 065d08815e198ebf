import { sql } from 'kysely';
import { type CalendarDate, type Instant, toUtcIso } from '../base/clock.ts';
import { changedSince } from '../bookings/list-queries.ts';
import type { AppointmentStatus, BookingStatus } from '../bookings/rules.ts';
import type { SeenChanges } from '../bookings/updated-since.ts';
import { each, some } from '../db/columns.ts';
import type { Queryable, Tx } from '../db/connection.ts';
import type { Page, Window } from '../db/pages.ts';
import { stampedRows } from '../db/stamped-rows.ts';
import { first, hotStatement, pg, type Row, rows } from '../db/statement.ts';
import { firstOf, pageOf, rowsOf, tablesOf } from '../db/tables.ts';
import type { PaymentResponsibility } from '../partners/rules.ts';
import { isOn, type SchedulePeriod } from '../teams/schedule-rules.ts';
import { isPaused, type Place, placesFrom, type SeriesStatus, type StopReason } from './rules.ts';
import { SERIES, SERIES_VISITS, type SeriesRow, type SeriesTable, type SeriesVisitTable } from './table.ts';

const tables = tablesOf<{ series: SeriesTable; series_visits: SeriesVisitTable }>();

export const seriesRows = stampedRows<SeriesTable>('series');

/** A series with what decides whether it may place visits. */
export const FIND_SERIES = hotStatement({
  name: 'find-series',
  takes: { id: pg.uuid, partnerId: pg.nullable(pg.uuid) },
  returns: {
    ...SERIES,
    is_suspended: pg.boolean,
    payment_responsibility: pg.typed<PaymentResponsibility>(pg.text),
    horizon_days: pg.int,
    duration_minutes: pg.int,
  },
  text: `
    select ${each(SERIES, (name) => `s.${name}`)}, p.status <> 'ACTIVE' as is_suspended, p.payment_responsibility,
      v.booking_horizon_days as horizon_days, v.duration_minutes
    from series s join partners p on p.id = s.partner_id join services v on v.id = s.service_id
    where s.id = :id and (:partnerId::uuid is null or s.partner_id = :partnerId)`,
});
export type FoundSeries = Row<typeof FIND_SERIES>;

/** The series of the partner (null: of any); null: there is none. */
export const findSeries = (
  db: Queryable,
  { id, partnerId }: { id: string; partnerId: string | null },
): Promise<FoundSeries | null> => first(db, FIND_SERIES, { id, partnerId });

/** The partner's series with the reference; null: there is none. */
export const findByReference = (db: Queryable, partnerId: string, reference: string) =>
  firstOf(
    db,
    tables
      .selectFrom('series')
      .select(['id', 'creation_hash'])
      .where('partner_id', '=', partnerId)
      .where('external_reference', '=', reference),
  );

/** The customer's series of a service at an address, the oldest first. */
export const listSeriesAt = (
  db: Queryable,
  { contactId, addressId, serviceId }: { contactId: string; addressId: string; serviceId: string },
): Promise<SeriesRow[]> => {
  const query = tables.selectFrom('series').selectAll().where('contact_id', '=', contactId);
  const own = query.where('address_id', '=', addressId).where('service_id', '=', serviceId);
  return rowsOf(db, own.orderBy('created_at').orderBy('id'));
};

/** The visit of a series with its booking as it is now; null: there was none. */
export const LIST_SERIES_VISITS = hotStatement({
  name: 'list-series-visits',
  takes: { seriesIds: pg.uuids },
  returns: {
    ...SERIES_VISITS,
    status: pg.nullable(pg.typed<BookingStatus>(pg.text)),
    appointment_status: pg.nullable(pg.typed<AppointmentStatus>(pg.text)),
    tracking_reference: pg.nullable(pg.text),
    starts_at: pg.nullable(pg.timestamptz),
    ends_at: pg.nullable(pg.timestamptz),
    team_id: pg.nullable(pg.uuid),
    amount: pg.nullable(pg.numeric),
  },
  text: `
    select ${each(SERIES_VISITS, (name) => `v.${name}`)}, b.status, a.status as appointment_status,
      a.name as tracking_reference, a.starts_at, a.ends_at, a.team_id, b.amount
    from series_visits v
    left join bookings b on b.id = v.booking_id
    left join appointments a on a.booking_id = b.id
    where v.series_id = any (:seriesIds::uuid[]) order by v.series_id, v.index`,
});
export type VisitRow = Row<typeof LIST_SERIES_VISITS>;

/** The decided dates of the series, by index. */
export const listVisits = (db: Queryable, seriesIds: readonly string[]): Promise<VisitRow[]> =>
  rows(db, LIST_SERIES_VISITS, { seriesIds: [...seriesIds] });

/** Series with something to place: a date that the horizon has reached, or one that was not tried today. */
export const DUE_SERIES = hotStatement({
  name: 'due-series',
  takes: { today: pg.date, limit: pg.bigint, after: pg.nullable(pg.uuid) },
  returns: { id: pg.uuid },
  text: `
    select s.id from series s join services v on v.id = s.service_id
    where (:after::uuid is null or s.id > :after)
      and (s.status <> 'STOPPED' or s.tried_on < :today) and s.reason is distinct from 'CUSTOMER_ERASED'
      and (s.status <> 'ENDED' and s.next_date <= :today::date + v.booking_horizon_days + 1
        or s.id = any (array(select u.series_id from series_visits u
          where u.state = 'UNPLACED' and u.tried_on < :today and u.date >= :today)))
    order by s.id limit :limit`,
});

export async function dueSeries(db: Queryable, today: CalendarDate, after: string | null): Promise<string[]> {
  return (await rows(db, DUE_SERIES, { today, after, limit: 100 })).map(({ id }) => id);
}

export const SAVE_VISIT = hotStatement({
  name: 'save-series-visit',
  takes: {
    ...some(SERIES_VISITS, [
      'series_id',
      'index',
      'date',
      'start',
      'state',
      'booking_id',
      'reason',
      'tried_on',
      'is_known',
    ]),
  },
  returns: {},
  text: `
    insert into series_visits (series_id, index, date, start, state, booking_id, reason, tried_on, is_known)
    values (:series_id, :index, :date, :start, :state, :booking_id, :reason, :tried_on, :is_known)
    on conflict (series_id, index) do update set date = excluded.date, start = excluded.start, state = excluded.state,
      booking_id = coalesce(excluded.booking_id, series_visits.booking_id), reason = excluded.reason,
      tried_on = excluded.tried_on, is_known = excluded.is_known`,
});

type Decided = Pick<SeriesVisitTable, 'state' | 'booking_id' | 'reason'> & { is_known?: boolean };

/** Decides about a date of the series, which the transaction has locked. */
export async function saveVisit(
  tx: Tx,
  seriesId: string,
  { index, date, start }: Place,
  { today, is_known = true, ...decided }: Decided & { today: CalendarDate },
): Promise<void> {
  await rows(tx, SAVE_VISIT, {
    series_id: seriesId,
    index,
    date,
    start,
    tried_on: today,
    is_known,
    ...decided,
  });
}

export const NOTE_PLACED = hotStatement({
  name: 'note-series-placed',
  takes: {
    id: pg.uuid,
    bookingId: pg.uuid,
    replacesCrew: pg.boolean,
    tells: pg.boolean,
    now: pg.timestamptz,
  },
  returns: {},
  text: `
    update series s set team_id = case when s.team_id is null or :replacesCrew then a.team_id else s.team_id end,
      told_with = coalesce(s.told_with, case when :tells then :bookingId::uuid end), updated_at = :now
    from appointments a where s.id = :id and a.booking_id = :bookingId`,
});

/** Notes the booking of a visit: its crew, if the series has none that can come, and (`tells`) that its customer is told with it. */
export async function notePlaced(
  tx: Tx,
  now: Instant,
  placed: { id: string; bookingId: string; replacesCrew: boolean; tells: boolean },
): Promise<void> {
  await rows(tx, NOTE_PLACED, { ...placed, now });
}

/** Changes columns of the series, which the transaction has locked. */
export async function saveSeries(
  tx: Tx,
  now: Instant,
  id: string,
  { terms, pauses, ...columns }: Partial<Omit<SeriesRow, 'id' | 'created_at' | 'updated_at' | 'changed_in'>>,
): Promise<void> {
  const json = {
    ...(terms && { terms: sql`${JSON.stringify(terms)}::jsonb` }),
    ...(pauses && { pauses: sql`${JSON.stringify(pauses)}::jsonb` }),
  };
  const query = tables.updateTable('series').set({ ...columns, ...json, updated_at: toUtcIso(now) } as never);
  await rowsOf(tx, query.where('id', '=', id));
}

/** Ends the series for now or for good. */
export const stopSeries = (
  tx: Tx,
  now: Instant,
  id: string,
  { reason, today }: { reason: StopReason; today: CalendarDate },
): Promise<void> =>
  saveSeries(tx, now, id, {
    status: reason === 'OVER' || reason === 'ENDED' || reason === 'CUSTOMER_ERASED' ? 'ENDED' : 'STOPPED',
    reason,
    tried_on: today,
  });

export const SEEN_SERIES = hotStatement({
  name: 'seen-series',
  takes: {},
  returns: { history: pg.nullable(pg.text), snapshot: pg.text },
  text: 'select current_history() as history, pg_current_snapshot()::text as snapshot',
});

/** Names for the operator, of the series. */
export const SERIES_NAMES = hotStatement({
  name: 'series-names',
  takes: { ids: pg.uuids },
  returns: {
    id: pg.uuid,
    partner_name: pg.text,
    contact_name: pg.text,
    service_name: pg.text,
    service_name_ar: pg.nullable(pg.text),
    crew_name: pg.nullable(pg.text),
    crew_name_ar: pg.nullable(pg.text),
  },
  text: `
    select s.id, p.name as partner_name, c.name as contact_name, v.name as service_name, v.name_ar as service_name_ar,
      t.name as crew_name, t.name_ar as crew_name_ar
    from series s join partners p on p.id = s.partner_id join contacts c on c.id = s.contact_id
    join services v on v.id = s.service_id left join teams t on t.id = s.team_id
    where s.id = any (:ids::uuid[])`,
});
export type SeriesNames = Row<typeof SERIES_NAMES>;

export const namesOfSeries = async (
  db: Queryable,
  ids: readonly string[],
): Promise<Map<string, SeriesNames>> =>
  new Map((await rows(db, SERIES_NAMES, { ids: [...ids] })).map((row) => [row.id, row]));

export type SeriesFilter = {
  partnerId?: string;
  status?: SeriesStatus;
  contactId?: string;
  externalReference?: string;
  unplaced?: 'true';
  updatedSince?: Instant | SeenChanges;
};

/** The snapshot before a list of changes is read; null: on a standby, which does not know the history. */
export async function readSeenSeries(db: Queryable): Promise<SeenChanges | null> {
  const { history, snapshot } = (await first(db, SEEN_SERIES, {}))!;
  return history === null ? null : { history, snapshot };
}

/** A page of series, the newest first; of changed ones the last changed. */
export function listSeriesRows(
  db: Queryable,
  today: CalendarDate,
  filter: SeriesFilter,
  page: Window,
): Promise<Page<SeriesRow>> {
  const { partnerId, status, contactId, externalReference, unplaced, updatedSince: since } = filter;
  const open = tables
    .selectFrom('series_visits as v')
    .select('v.series_id')
    .where(sql<boolean>`v.series_id = series.id`)
    .where('v.state', '=', 'UNPLACED')
    .where('v.date', '>=', today);
  const query = tables
    .selectFrom('series')
    .selectAll()
    .$if(partnerId !== undefined, (q) => q.where('partner_id', '=', partnerId!))
    .$if(status !== undefined, (q) => q.where('status', '=', status!))
    .$if(contactId !== undefined, (q) => q.where('contact_id', '=', contactId!))
    .$if(externalReference !== undefined, (q) => q.where('external_reference', '=', externalReference!))
    .$if(unplaced !== undefined, (q) =>
      q.where(({ eb, exists, or }) => or([exists(open), eb('status', '=', 'STOPPED')])),
    )
    .$if(since !== undefined, (q) => q.where(changedSince('series', since!)));
  return pageOf(
    db,
    query.orderBy(since === undefined ? 'created_at' : 'updated_at', 'desc').orderBy('id', 'desc'),
    page,
  );
}

/** Series with a date in the periods that nothing was decided about. */
export async function listPlannedSeries(db: Queryable, periods: readonly SchedulePeriod[]) {
  const ends = periods.map(([, date]) => date ?? '9999-12-31');
  const last = ends.sort().at(-1)!;
  const query = tables.selectFrom('series').selectAll().where('status', '<>', 'ENDED');
  return (await rowsOf(db, query.where('next_date', '<=', last))).filter((series) =>
    placesFrom(series, series.next_index, last).some(
      ({ date }) => isOn({ periods }, date) && !isPaused(series, date),
    ),
  );
}
