import { sql } from 'kysely';
import { type Instant, toUtcIso } from '../base/clock.ts';
import type { AppointmentStatus } from '../bookings/rules.ts';
import type { Queryable, Tx } from '../db/connection.ts';
import { firstOf, firstOrThrow, instant, rowsOf, tablesOf } from '../db/tables.ts';
import type { Attempt } from '../webhooks/table.ts';
import type { Findings, Provoked } from './rules.ts';
import type { CertificationRow, CertificationTable } from './table.ts';

const tables = tablesOf<{ certifications: CertificationTable }>();

/** Inserts a running certification. */
export function insertCertification(
  tx: Tx,
  now: Instant,
  columns: { id: string; partner_id: string; subscription_id: string; token: string },
): Promise<CertificationRow> {
  const query = tables.insertInto('certifications').values({ ...columns, started_at: toUtcIso(now) });
  return firstOrThrow(tx, query.returningAll());
}

const certifications = tables.selectFrom('certifications').selectAll();

/** The partner's certification; null: there is none. */
export function findCertification(
  db: Queryable,
  partnerId: string,
  id: string,
): Promise<CertificationRow | null> {
  return firstOf(db, certifications.where('id', '=', id).where('partner_id', '=', partnerId));
}

/** The certification whose page has this token; null: there is none. */
export function findCertificationByToken(db: Queryable, token: string): Promise<CertificationRow | null> {
  return firstOf(db, certifications.where('token', '=', token));
}

/** The partner's running certification; null: there is none. */
export function findRunning(db: Queryable, partnerId: string): Promise<CertificationRow | null> {
  return firstOf(db, certifications.where('partner_id', '=', partnerId).where('status', '=', 'RUNNING'));
}

/** The partner's certifications, newest first. */
export function listLatest(db: Queryable, partnerId: string, limit: number): Promise<CertificationRow[]> {
  const query = certifications.where('partner_id', '=', partnerId).orderBy('started_at', 'desc');
  return rowsOf(db, query.orderBy('id').limit(limit));
}

/** The running certifications, oldest first. */
export function listRunning(db: Queryable, limit: number): Promise<CertificationRow[]> {
  return rowsOf(db, certifications.where('status', '=', 'RUNNING').orderBy('started_at').limit(limit));
}

/** Claims the next step until then; false: another worker has claimed it or done it. */
export async function claimStep(
  db: Queryable,
  now: Instant,
  { id, steps }: CertificationRow,
  until: Instant,
): Promise<boolean> {
  const query = tables
    .updateTable('certifications')
    .set({ acting_until: toUtcIso(until) })
    .where('id', '=', id)
    .where('steps', '=', steps)
    .where('status', '=', 'RUNNING')
    .where((row) => row.or([row('acting_until', 'is', null), row('acting_until', '<=', instant(now))]))
    .returning('id');
  return (await firstOf(db, query)) !== null;
}

/** Ends the claim, with the provoked step; null: to try it again. */
export async function releaseStep(
  db: Queryable,
  { id, steps }: CertificationRow,
  provoked: Provoked | null,
): Promise<void> {
  const query = tables
    .updateTable('certifications')
    .set({ acting_until: null })
    .$if(provoked !== null, (update) =>
      update.set({
        steps: steps + 1,
        provoked: sql<string>`provoked || ${JSON.stringify([provoked])}::jsonb`,
      }),
    )
    .where('id', '=', id)
    .where('steps', '=', steps);
  await rowsOf(db, query);
}

/** Saves newly decided findings and returns all decided ones, of which the first decision counts. null: not running. */
export async function saveDecided(
  db: Queryable,
  id: string,
  decided: Partial<Findings>,
): Promise<Partial<Findings> | null> {
  const query = tables
    .updateTable('certifications')
    .set({ decided: sql<string>`${JSON.stringify(decided)}::jsonb || decided` })
    .where('id', '=', id)
    .where('status', '=', 'RUNNING')
    .returning('decided');
  return (await firstOf(db, query))?.decided ?? null;
}

/** Ends a running certification with its findings. */
export async function finishCertification(
  db: Queryable,
  now: Instant,
  id: string,
  findings: Findings,
): Promise<void> {
  const query = tables
    .updateTable('certifications')
    .set({ status: 'FINISHED', finished_at: toUtcIso(now), result: JSON.stringify(findings) })
    .where('id', '=', id)
    .where('status', '=', 'RUNNING');
  await rowsOf(db, query);
}

/** The partner's oldest booking since then whose appointment may be moved, with its last event; null: there is none. */
export function findBookingToMove(
  db: Queryable,
  partnerId: string,
  since: Instant,
  from: readonly AppointmentStatus[],
): Promise<{ id: string; event_count: number } | null> {
  return db.first({
    text: `
      select b.id, b.event_count from bookings b join appointments a on a.booking_id = b.id
      where b.partner_id = $1 and b.created_at >= $2 and b.status in ('in progress', 'success') and a.status = any ($3)
      order by b.created_at, b.id limit 1`,
    values: [partnerId, toUtcIso(since), from],
  });
}

/** The first event since then that tells the outcome of a visit; null: there is none. */
export async function findFirstOutcome(
  db: Queryable,
  partnerId: string,
  since: Instant,
): Promise<{ bookingId: string; at: Instant } | null> {
  return db.first({
    text: `
      select booking_id as "bookingId", created_at as at from events
      where partner_id = $1 and created_at >= $2 and event = 'booking.appointment_status_changed'
        and payload ->> 'outcome' is not null
      order by created_at, sequence limit 1`,
    values: [partnerId, toUtcIso(since)],
  });
}

export type StepDelivery = {
  id: string | null;
  event_id: string;
  event: string;
  sequence: number;
  status: 'PENDING' | 'DELIVERED' | 'FAILED' | null;
  attempts: Attempt[] | null;
};

/** Events of the booking after the sequence with their deliveries to the subscription, in order. */
export function listStepDeliveries(
  db: Queryable,
  subscriptionId: string,
  { bookingId, afterSequence, limit }: { bookingId: string; afterSequence: number; limit: number },
): Promise<StepDelivery[]> {
  return db.rows({
    text: `
      select d.id, e.id as event_id, e.event, e.sequence, d.status, d.attempts
      from events e left join webhook_deliveries d
        on d.event_id = e.id and d.created_at = e.created_at and d.subscription_id = $1 and d.replay = 0
      where e.booking_id = $2 and e.sequence > $3 order by e.sequence limit $4`,
    values: [subscriptionId, bookingId, afterSequence, limit],
  });
}
