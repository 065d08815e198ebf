import type { Instant } from '../base/clock.ts';
import { each, listed } from '../db/columns.ts';
import type { Queryable, Tx } from '../db/connection.ts';
import { first, hotStatement, pg, type Row, type RowOf, rowList, rows } from '../db/statement.ts';
import { TO_CHANGE, TO_CHANGE_COLUMNS } from './queries.ts';
import type { EventName } from './rules.ts';
import { BOOKINGS } from './table.ts';

// "no key": foreign key checks do not wait for the lock. Both rows are locked, so that a transaction that waited sees the
// newest version of both. Parameters are selected: otherwise PostgreSQL would plan again for each list.
const toChangeStatement = (name: string, lock: string) =>
  hotStatement({
    name,
    takes: { bookingIds: pg.uuids, partnerIds: pg.typed<(string | null)[]>(pg.uuids) },
    returns: {
      place: pg.bigint,
      ...TO_CHANGE_COLUMNS,
      team_id: pg.uuid,
      zone_id: pg.uuid,
    },
    text: `
    select w.place, ${TO_CHANGE}, a.team_id, a.zone_id
    from unnest((select :bookingIds::uuid[]), (select :partnerIds::uuid[])) with ordinality as w (booking_id, partner_id, place)
    join bookings b on b.id = w.booking_id and (w.partner_id is null or b.partner_id = w.partner_id)
    join appointments a on a.booking_id = b.id
    ${lock}`,
  });

export const LOCK_BOOKING = toChangeStatement('lock-booking', 'for no key update of b, a');
export const LOCK_FREE_BOOKINGS = toChangeStatement(
  'lock-free-bookings',
  'for no key update of b, a skip locked',
);
export const FIND_TO_CHANGE = toChangeStatement('find-to-change', '');

/** A booking that is locked for a change, with its appointment. */
export type LockedBooking = Omit<Row<typeof LOCK_BOOKING>, 'place'>;

/** A booking; `partnerId` null: of any partner, for the operator. */
export type BookingKey = { partnerId: string | null; bookingId: string };

/**
 * Locks the bookings until the end of the transaction, in the order of the keys. A single one is waited for, and null when
 * there is none; of several, those that another transaction has locked are null, too.
 */
export async function lockBookings(tx: Tx, keys: readonly BookingKey[]): Promise<(LockedBooking | null)[]> {
  const found = await rows(tx, keys.length === 1 ? LOCK_BOOKING : LOCK_FREE_BOOKINGS, {
    bookingIds: keys.map(({ bookingId }) => bookingId),
    partnerIds: keys.map(({ partnerId }) => partnerId),
  });
  const byPlace = new Map(found.map(({ place, ...booking }) => [place, booking]));
  return keys.map((_, index) => byPlace.get(index + 1) ?? null);
}

/** Locks the booking until the end of the transaction; `partnerId` null: of any partner (operator). */
export async function lockBooking(
  tx: Tx,
  partnerId: string | null,
  bookingId: string,
): Promise<LockedBooking | null> {
  return (await lockBookings(tx, [{ partnerId, bookingId }]))[0]!;
}

export const LOCK_BOOKING_OF = hotStatement({
  name: 'lock-booking-of',
  takes: { appointmentId: pg.uuid },
  returns: { ...TO_CHANGE_COLUMNS, team_id: pg.uuid, zone_id: pg.uuid },
  text: `
    select ${TO_CHANGE}, a.team_id, a.zone_id
    from appointments a join bookings b on b.id = a.booking_id
    where a.id = :appointmentId for no key update of b, a`,
});

/** Locks the appointment's booking until the end of the transaction; null: there is no such appointment. */
export function lockBookingOf(tx: Tx, appointmentId: string): Promise<LockedBooking | null> {
  return first(tx, LOCK_BOOKING_OF, { appointmentId });
}

/** The booking as a change would find it, without a lock; null: there is none. */
export async function findToChange(db: Queryable, key: BookingKey): Promise<LockedBooking | null> {
  return first(db, FIND_TO_CHANGE, { bookingIds: [key.bookingId], partnerIds: [key.partnerId] });
}

const CHANGED = listed(BOOKINGS, 'change');

const CHANGES = rowList({
  ...CHANGED,
  appointment_status: pg.text,
  saved_at: pg.timestamptz,
  actor: pg.text,
  events: pg.int,
});
const EVENTS = rowList({
  event_id: pg.uuid,
  event_booking_id: pg.uuid,
  /** Among those of its booking, from 1. */
  event_place: pg.int,
  event: pg.typed<EventName>(pg.text),
  payload: pg.jsonb<unknown>(),
});

export const SAVE_BOOKINGS = hotStatement({
  name: 'save-bookings',
  takes: { ...CHANGES.takes, ...EVENTS.takes },
  returns: {},
  text: `
    with change as materialized (
      select * from ${CHANGES.as('c')}
    ), booking as (
      update bookings b set ${each(CHANGED, (name) => `${name} = c.${name}`)},
        updated_at = c.saved_at, version = b.version + 1, event_count = b.event_count + c.events
      from change c where b.id = c.id
      returning b.id, b.partner_id, b.event_count - c.events as events_before, c.saved_at, c.actor
    ), appointment as (
      update appointments a set status = c.appointment_status, updated_at = c.saved_at, version = a.version + 1
      from change c where a.booking_id = c.id and a.status <> c.appointment_status
    )
    insert into events (id, partner_id, booking_id, sequence, event, payload, created_at, actor)
    select e.event_id, b.partner_id, b.id, b.events_before + e.event_place, e.event, e.payload, b.saved_at, b.actor
    from ${EVENTS.as('e')} join booking b on b.id = e.event_booking_id
    order by e.place`,
});

export type NewEvent = { id: string; name: EventName; payload: unknown };

export type Change = {
  after: RowOf<typeof CHANGED> & Pick<LockedBooking, 'appointment_status'>;
  events: readonly NewEvent[];
  /** The actor. */
  by: string;
};

/**
 * Saves changes that were decided on locked bookings: their rows, the statuses of their appointments, and their events. A
 * taken external reference raises bookings_external_reference_key, a deleted reason bookings_cancellation_reason_id_fkey.
 * `commits`: nothing follows in the transaction.
 */
export async function saveBookings(
  tx: Tx,
  changes: readonly (Change & { now: Instant })[],
  { commits = false } = {},
): Promise<void> {
  const events = changes.flatMap(({ after, events }) =>
    events.map((event, index) => ({
      event_id: event.id,
      event_booking_id: after.id,
      event_place: index + 1,
      event: event.name,
      payload: event.payload,
    })),
  );
  const changed = changes.map(({ after, now, by, events }) => ({
    ...after,
    saved_at: now,
    actor: by,
    events: events.length,
  }));
  const values = { ...CHANGES.valuesOf(changed), ...EVENTS.valuesOf(events) };
  await rows(tx, SAVE_BOOKINGS, values, { commits });
}

/** `saveBookings` of one, at `now`. */
export const saveBooking = (
  tx: Tx,
  now: Instant,
  change: Change,
  options?: { commits: boolean },
): Promise<void> => saveBookings(tx, [{ ...change, now }], options);

export const SET_WORK_BEGAN = hotStatement({
  name: 'set-work-began',
  takes: { appointmentId: pg.uuid, at: pg.timestamptz, reportedAt: pg.nullable(pg.timestamptz) },
  returns: {},
  text: 'update appointments set began_at = :at, reported_at = :reportedAt where id = :appointmentId',
});

/** Sets when the work began, where the trigger has noted when that became known, and when the office reported its end. */
export async function setWorkBegan(
  tx: Tx,
  appointmentId: string,
  times: { at: Instant; reportedAt: Instant | null },
): Promise<void> {
  await rows(tx, SET_WORK_BEGAN, { appointmentId, ...times });
}
