import { type InferResult, type Selectable, sql } from 'kysely';
import { HOUR, type Instant, parseOffsetDateTime, toUtcIso } from '../base/clock.ts';
import { REPORTED_DELAY } from '../bookings/late-queries.ts';
import {
  type AppointmentTable,
  BOOKINGS,
  type BookingAccessTable,
  type BookingTable,
  type EventTable,
} from '../bookings/table.ts';
import { SOLD_IN_ARABIC, SOLD_NAME } from '../catalogue/sold-names.ts';
import type { ServiceTable } from '../catalogue/table.ts';
import { type AddressTable, type ContactTable, PLACE_COLUMNS } from '../contacts/table.ts';
import type { Queryable, Tx } from '../db/connection.ts';
import type { Page, Window } from '../db/pages.ts';
import { hotStatement, pg, rows } from '../db/statement.ts';
import { firstOf, firstOrThrow, instant, pageOf, rowsOf, tablesOf } from '../db/tables.ts';
import { columnsShown } from '../http/fields.ts';
import type { CrewStepRow, CrewStepTable } from './table.ts';

/** Visits as crews see them, and the steps that they sent. */

const tables = tablesOf<{
  appointments: AppointmentTable;
  bookings: BookingTable;
  booking_access: BookingAccessTable;
  contacts: ContactTable;
  addresses: AddressTable;
  services: ServiceTable;
  events: EventTable;
  crew_steps: CrewStepTable;
  teams: { id: string; name: string; name_ar: string | null };
}>();

const FIELDS = columnsShown(BOOKINGS, 'crew').map((name) => `b.${name}` as const);

const visits = tables
  .selectFrom('appointments as a')
  .innerJoin('bookings as b', 'b.id', 'a.booking_id')
  .innerJoin('contacts as c', 'c.id', 'b.contact_id')
  .innerJoin('addresses as d', 'd.id', 'b.address_id')
  .innerJoin('services as s', 's.id', 'b.service_id')
  .leftJoin('booking_access as x', 'x.id', 'b.id')
  .select(['a.id', 'a.booking_id', 'a.name', 'a.team_id', 'a.status', 'a.starts_at', 'a.ends_at'])
  .select(['b.status as booking_status', 'b.payment_status', 'b.amount', 'x.value as access'])
  .select(FIELDS)
  .select(['a.reported_at', 'c.name as contact_name', 'c.phone'])
  .select(PLACE_COLUMNS)
  .select([
    sql<number | null>`${sql.raw(REPORTED_DELAY)}`.as('late_minutes'),
    sql<string>`${sql.raw(SOLD_NAME)}`.as('service_name'),
    sql<string>`${sql.raw(SOLD_IN_ARABIC)}`.as('service_name_ar'),
  ]);

export type VisitRow = InferResult<typeof visits>[number];

/** A check of the table bounds the length of appointments. */
const MAX_LENGTH = 32 * HOUR;

/** The team's visits that start in the period, and those before it that reach into it or are under way, by start. */
export function listVisits(
  db: Queryable,
  teamId: string,
  { from, until }: { from: Instant; until: Instant },
): Promise<VisitRow[]> {
  const query = visits
    .where('a.team_id', '=', teamId)
    .where('a.starts_at', '<', instant(until))
    .where('a.starts_at', '>=', instant(from - MAX_LENGTH))
    .where('a.status', 'not in', ['New', 'Held' as 'New'])
    .where(
      sql<boolean>`(a.starts_at >= ${instant(from)} or a.status <> 'Cancelled' and (a.ends_at > ${instant(from)}
        or a.status in ('In The Way', 'In The location', 'In Progress')))`,
    )
    .orderBy('a.starts_at')
    .orderBy('a.id');
  return rowsOf(db, query);
}

/** The visit of any team; null: there is none that crews see. */
export function findVisit(db: Queryable, appointmentId: string): Promise<VisitRow | null> {
  return firstOf(db, visits.where('a.id', '=', appointmentId));
}

/** When the appointment got its status, as its last event says; null: there is no such event any more. */
export async function statusSince(db: Queryable, bookingId: string): Promise<Instant | null> {
  const query = tables
    .selectFrom('events')
    .select(sql<string>`payload -> 'appointmentStatusChange' ->> 'changedAt'`.as('at'))
    .where('booking_id', '=', bookingId)
    .where('event', '=', 'booking.appointment_status_changed')
    .orderBy('sequence', 'desc')
    .limit(1);
  const found = await firstOf(db, query);
  return found === null ? null : parseOffsetDateTime(found.at);
}

// ---------------------------------------------------------------------------
// Steps

export type NewCrewStep = Omit<
  Selectable<CrewStepTable>,
  'starts_at' | 'happened_at' | 'received_at' | 'refusal' | 'decision'
> & {
  startsAt: Instant;
  happenedAt: Instant;
  receivedAt: Instant;
};

/**
 * Takes the key for the step; false: it was taken. Of two transactions the second waits for the first. A verdict is set
 * by `judged`.
 */
export async function insertStep(
  tx: Tx,
  { startsAt, happenedAt, receivedAt, ...columns }: NewCrewStep,
): Promise<boolean> {
  const query = tables
    .insertInto('crew_steps')
    .values({
      ...columns,
      starts_at: toUtcIso(startsAt),
      happened_at: toUtcIso(happenedAt),
      received_at: toUtcIso(receivedAt),
      refusal: null,
    })
    .onConflict((conflict) => conflict.columns(['team_id', 'key']).doNothing())
    .returning('key');
  return (await firstOf(tx, query)) !== null;
}

type StepKey = Pick<CrewStepTable, 'team_id' | 'key'>;

/** Sets the refusal of a step, and when it happened by its own account, limited by what came before it. */
export async function saveVerdict(
  tx: Tx,
  { team_id, key }: StepKey,
  { refusal, happenedAt }: { refusal: CrewStepTable['refusal']; happenedAt: Instant },
): Promise<void> {
  const query = tables
    .updateTable('crew_steps')
    .set({ refusal, happened_at: toUtcIso(happenedAt) })
    .where('team_id', '=', team_id)
    .where('key', '=', key);
  await rowsOf(tx, query);
}

/** The recorded step of the key. */
export function findStep(db: Queryable, { team_id, key }: StepKey) {
  const query = tables.selectFrom('crew_steps').selectAll();
  return firstOrThrow(db, query.where('team_id', '=', team_id).where('key', '=', key));
}

export const DELETE_CREW_STEPS = hotStatement({
  name: 'delete-crew-steps',
  takes: { before: pg.timestamptz },
  returns: {},
  text: `
    delete from crew_steps where (team_id, key) in (
      select team_id, key from crew_steps where received_at < :before limit 1000
    )`,
});

/** Deletes steps that came before this time. */
export async function deleteSteps(db: Queryable, before: Instant): Promise<void> {
  await rows(db, DELETE_CREW_STEPS, { before });
}

const stepRows = tables
  .selectFrom('crew_steps as s')
  .innerJoin('teams as t', 't.id', 's.team_id')
  .innerJoin('appointments as a', 'a.id', 's.appointment_id')
  .selectAll('s')
  .select([
    't.name as team_name',
    't.name_ar as team_name_ar',
    'a.name as appointment_name',
    'a.status as appointment_status',
  ])
  .select('a.booking_id');

/** The step with its visit; null: there is none. */
export function findStepRow(
  db: Queryable,
  { teamId, key }: { teamId: string; key: string },
): Promise<CrewStepRow | null> {
  return firstOf(db, stepRows.where('s.team_id', '=', teamId).where('s.key', '=', key));
}

/** Refused steps of the team for the visit about which the office has not decided, as they happened. */
export function listUndecidedSteps(tx: Tx, appointmentId: string, teamId: string): Promise<CrewStepRow[]> {
  const query = stepRows
    .where('s.appointment_id', '=', appointmentId)
    .where('s.team_id', '=', teamId)
    .where('s.refusal', 'is not', null)
    .where('s.decision', 'is', null)
    .where('s.status', '<>', 'Late')
    .orderBy('s.happened_at')
    .orderBy('s.received_at');
  return rowsOf(tx, query);
}

/** Notes what the office did with a refused step. */
export async function saveDecision(
  tx: Tx,
  { team_id, key }: StepKey,
  decision: 'TAKEN' | 'LEFT',
): Promise<void> {
  const query = tables.updateTable('crew_steps').set({ decision });
  await rowsOf(tx, query.where('team_id', '=', team_id).where('key', '=', key));
}

export type StepFilter = {
  teamId?: string;
  appointmentId?: string;
  outcome?: 'DONE' | 'REFUSED' | 'UNDECIDED';
  since?: Instant;
};

/** The steps of all teams, newest first. */
export function listStepRows(
  db: Queryable,
  { teamId, appointmentId, outcome, since }: StepFilter,
  page: Window,
): Promise<Page<CrewStepRow>> {
  const query = stepRows
    .$if(teamId !== undefined, (found) => found.where('s.team_id', '=', teamId!))
    .$if(appointmentId !== undefined, (found) => found.where('s.appointment_id', '=', appointmentId!))
    .$if(outcome !== undefined, (found) =>
      found.where('s.refusal', outcome === 'DONE' ? 'is' : 'is not', null),
    )
    .$if(outcome === 'UNDECIDED', (found) =>
      found.where('s.decision', 'is', null).where('s.status', '<>', 'Late'),
    )
    .$if(since !== undefined, (found) => found.where('s.received_at', '>=', instant(since!)))
    .orderBy('s.received_at', 'desc')
    .orderBy('s.team_id')
    .orderBy('s.key');
  return pageOf(db, query, page);
}
