import { type Instant, parseOffsetDateTime } from '../base/clock.ts';
import { newId } from '../base/ids.ts';
import { REPORTED_DELAY } from '../bookings/late-queries.ts';
import type { AppointmentStatus, BookingStatus, EventName } from '../bookings/rules.ts';
import { each, some } from '../db/columns.ts';
import type { Queryable, Tx } from '../db/connection.ts';
import { first, hotStatement, pg, type Row, rowList, rows } from '../db/statement.ts';
import type { Language } from '../http/bilingual-pages.ts';
import type { ChosenKind } from '../partners/account-rules.ts';
import type { Visit, Wanted } from './message-rules.ts';
import { LAST_CHANGE, type LastChange } from './page-queries.ts';
import { MESSAGES, type MessageStatus } from './table.ts';

// ---------------------------------------------------------------------------
// Planning

export const LOCK_CURSOR = hotStatement({
  name: 'lock-messages-cursor',
  takes: {},
  returns: { place: pg.bigint },
  text: 'select place from customer_messages_cursor for update skip locked',
});

/** Locks the place up to which messages were planned; null: another process plans. */
export async function lockCursor(tx: Tx): Promise<number | null> {
  return (await first(tx, LOCK_CURSOR, {}))?.place ?? null;
}

export const AWAIT_CURSOR = hotStatement({
  ...LOCK_CURSOR,
  name: 'await-messages-cursor',
  text: 'select place from customer_messages_cursor for update',
});

/** Locks the place as soon as no other process plans. */
export async function awaitCursor(tx: Tx): Promise<void> {
  await rows(tx, AWAIT_CURSOR, {});
}

export const MOVE_CURSOR = hotStatement({
  name: 'move-messages-cursor',
  takes: { place: pg.bigint },
  returns: {},
  text: 'update customer_messages_cursor set place = :place',
});

export async function moveCursor(tx: Tx, place: number): Promise<void> {
  await rows(tx, MOVE_CURSOR, { place });
}

export const CHANGED_BOOKINGS = hotStatement({
  name: 'changed-bookings',
  takes: { after: pg.bigint, limit: pg.bigint },
  returns: {
    last_place: pg.bigint,
    booking_id: pg.nullable(pg.uuid),
    events: pg.nullable(pg.typed<EventName[]>(pg.texts)),
  },
  // The last place also when no customer of these events has messages.
  text: `
    with next as materialized (
      select place, partner_id, event_id, created_at from event_places
      where place > :after order by place limit :limit
    ), changed as (
      select e.booking_id, array_agg(e.event order by next.place) as events
      from next
      join partners p on p.id = next.partner_id
      join events e on e.id = next.event_id and e.created_at = next.created_at
      where p.customer_messages <> '{}'
        or exists (select from customer_messages m where m.booking_id = e.booking_id)
        or exists (select from payments y where y.booking_id = e.booking_id and y.sent_at is not null)
      group by e.booking_id
    )
    select l.last_place, c.booking_id, c.events
    from (select max(place) as last_place from next having count(*) > 0) l
    left join changed c on true order by c.booking_id`,
});

/** Bookings with events in the next places after this one, whose customers get messages; null: there are no such places. */
export async function changedBookings(
  tx: Tx,
  after: number,
  limit: number,
): Promise<{ lastPlace: number; events: Map<string, readonly EventName[]> } | null> {
  const found = await rows(tx, CHANGED_BOOKINGS, { after, limit });
  if (found.length === 0) return null;
  const named = found.filter(({ booking_id }) => booking_id !== null);
  return {
    lastPlace: found[0]!.last_place,
    events: new Map(named.map(({ booking_id, events }) => [booking_id!, events!])),
  };
}

/** SQL: the start that the series gives the visit `v`. */
const SERIES_START = `(v.date::timestamp at time zone 'Asia/Riyadh' + v.start * interval '1 minute')`;

export const TOLD_VISITS = hotStatement({
  name: 'told-visits',
  takes: { bookingIds: pg.uuids },
  returns: {
    booking_id: pg.uuid,
    status: pg.typed<BookingStatus>(pg.text),
    failure_reason: pg.nullable(pg.text),
    appointment_status: pg.typed<AppointmentStatus>(pg.text),
    appointment_name: pg.text,
    last_change: pg.nullable(pg.jsonb<LastChange>()),
    starts_at: pg.timestamptz,
    ends_at: pg.timestamptz,
    work_reached: pg.nullable(pg.typed<AppointmentStatus>(pg.text)),
    late_minutes: pg.nullable(pg.int),
    link_starts_at: pg.nullable(pg.timestamptz),
    link_sent_at: pg.nullable(pg.timestamptz),
    series_starts_at: pg.nullable(pg.timestamptz),
    series_told_at: pg.nullable(pg.timestamptz),
    /** Of the visit that tells of its series. */
    every_weeks: pg.nullable(pg.int),
    /** Whether visits after it were cancelled with it. */
    ends_more: pg.boolean,
    kinds: pg.typed<ChosenKind[]>(pg.texts),
    partner_name: pg.text,
    tracking_page: pg.boolean,
    phone: pg.nullable(pg.text),
    language: pg.nullable(pg.typed<Language>(pg.text)),
    is_stopped: pg.boolean,
  },
  text: `
    select b.id as booking_id, b.status, b.failure_reason, a.status as appointment_status,
      a.name as appointment_name, ${LAST_CHANGE} as last_change, a.starts_at, a.ends_at, a.work_reached,
      ${REPORTED_DELAY} as late_minutes, y.told_starts_at as link_starts_at, y.sent_at as link_sent_at,
      case when s.told_with is distinct from b.id and v.is_known then ${SERIES_START} end as series_starts_at,
      s.created_at - case when s.known_before then interval '1 day' else interval '0' end as series_told_at,
      case when s.told_with = b.id and a.starts_at = ${SERIES_START} and (s.status <> 'ENDED' or exists (
        select from series_visits n where n.series_id = s.id and n.index > v.index and n.state = 'PLACED')) then s.every_weeks end
        as every_weeks,
      coalesce(v.state = 'SKIPPED', false) and exists (
        select from series_visits n where n.series_id = v.series_id and n.index > v.index and n.state = 'SKIPPED'
          and not n.is_known and n.tried_on = v.tried_on) as ends_more,
      p.customer_messages as kinds, p.name as partner_name, p.tracking_page, c.phone, c.language,
      c.messages_stopped is not null as is_stopped
    from bookings b
    join appointments a on a.booking_id = b.id
    join partners p on p.id = b.partner_id
    join contacts c on c.id = b.contact_id
    left join payments y on y.booking_id = b.id
    left join series s on s.id = b.series_id
    left join series_visits v on v.booking_id = b.id
    where b.id = any (:bookingIds::uuid[]) order by b.id`,
});

/** `phone` null: the customer was erased. */
export type ToldVisit = Visit &
  Pick<VisitRow, 'booking_id' | 'appointment_name' | 'partner_name'> &
  Pick<VisitRow, 'tracking_page' | 'phone' | 'language' | 'every_weeks' | 'ends_more'>;
type VisitRow = Row<typeof TOLD_VISITS>;

/** The visits as they are now, with their customers. */
export async function findToldVisits(tx: Tx, bookingIds: readonly string[]): Promise<ToldVisit[]> {
  const found = await rows(tx, TOLD_VISITS, { bookingIds: [...bookingIds] });
  return found.map(({ last_change, ...visit }) => ({
    ...visit,
    since: last_change?.to === visit.appointment_status ? parseOffsetDateTime(last_change.changedAt) : null,
  }));
}

const { reason: _, leased_until: __, ...PLANNED } = MESSAGES;

export const PLANNED_MESSAGES = hotStatement({
  name: 'planned-messages',
  takes: { bookingIds: pg.uuids },
  returns: PLANNED,
  text: `
    select ${each(PLANNED)}
    from customer_messages where booking_id = any (:bookingIds::uuid[]) order by version, id for update`,
});
export type PlannedRow = Row<typeof PLANNED_MESSAGES>;

/** Locks the messages of the bookings, by version. */
export function lockPlanned(tx: Tx, bookingIds: readonly string[]): Promise<PlannedRow[]> {
  return rows(tx, PLANNED_MESSAGES, { bookingIds: [...bookingIds] });
}

const NEW_MESSAGES = rowList(
  some(MESSAGES, ['id', 'booking_id', 'kind', 'version', 'starts_at', 'late_minutes', 'left_at', 'due_at']),
);

export const INSERT_MESSAGES = hotStatement({
  name: 'insert-messages',
  takes: { now: pg.timestamptz, ...NEW_MESSAGES.takes },
  returns: {},
  text: `
    insert into customer_messages (id, booking_id, kind, version, starts_at, late_minutes, left_at, due_at, status,
      created_at)
    select m.id, m.booking_id, m.kind, m.version, m.starts_at, m.late_minutes, m.left_at, m.due_at, 'QUEUED',
      :now::timestamptz
    from ${NEW_MESSAGES.as('m')}`,
});

export type NewMessage = Wanted & { booking_id: string; version: number };

export async function insertMessages(tx: Tx, now: Instant, messages: readonly NewMessage[]): Promise<void> {
  if (messages.length === 0) return;
  const made = messages.map((message) => ({ ...message, id: newId(now) }));
  await rows(tx, INSERT_MESSAGES, { now, ...NEW_MESSAGES.valuesOf(made) });
}

// ---------------------------------------------------------------------------
// Sending

export const DUE_BOOKINGS = hotStatement({
  name: 'bookings-of-due-messages',
  takes: { now: pg.timestamptz, limit: pg.bigint },
  returns: { booking_id: pg.uuid },
  text: `
    select m.booking_id from customer_messages m
    where m.status = 'QUEUED' and m.due_at <= :now and not exists (
      select from customer_messages o where o.booking_id = m.booking_id and o.status = 'SENDING'
    )
    order by m.due_at, m.id limit :limit`,
});

/** The bookings of due messages, those due first first; none of which a message is being sent. */
export async function dueBookings(tx: Tx, now: Instant, limit: number): Promise<string[]> {
  return [...new Set((await rows(tx, DUE_BOOKINGS, { now, limit })).map(({ booking_id }) => booking_id))];
}

export const BEGIN_SENDING = hotStatement({
  name: 'begin-sending',
  takes: { ids: pg.uuids, leasedUntil: pg.timestamptz },
  returns: {},
  text: `
    update customer_messages set status = 'SENDING', tries = tries + 1, leased_until = :leasedUntil, reason = null
    where id = any (:ids::uuid[])`,
});

/** Notes that the messages are being sent. `leasedUntil` is real time. */
export async function beginSending(tx: Tx, ids: readonly string[], leasedUntil: Instant): Promise<void> {
  if (ids.length > 0) await rows(tx, BEGIN_SENDING, { ids: [...ids], leasedUntil });
}

/**
 * SQL: when a message of `m` ends, and not before what its customer was told earlier: the order of these instants is what she
 * believes, and a clock may be set back.
 */
const ENDS_AT = `greatest(:now,
      (select max(o.finished_at) from customer_messages o where o.booking_id = m.booking_id and o.status in ('SENT', 'UNKNOWN')),
      (select max(y.sent_at) from payments y where y.booking_id = m.booking_id))`;

export const FINISH_MESSAGE = hotStatement({
  name: 'finish-message',
  takes: {
    id: pg.uuid,
    status: pg.typed<MessageStatus>(pg.text),
    reason: pg.nullable(pg.text),
    now: pg.timestamptz,
  },
  returns: {},
  text: `
    update customer_messages m set status = :status, finished_at = ${ENDS_AT}, leased_until = null,
      reason = case when :status <> 'FAILED' or not is_erased(booking_id) then :reason end
    where id = :id and status in ('QUEUED', 'SENDING', 'UNKNOWN')`,
});

/** Ends a message; also one whose lease has ended meanwhile, of which more is known now. */
export async function finishMessage(
  db: Queryable,
  now: Instant,
  id: string,
  { status, reason }: { status: 'SENT' | 'FAILED' | 'DROPPED'; reason: string | null },
): Promise<void> {
  await rows(db, FINISH_MESSAGE, { id, status, reason, now });
}

export const DELAY_MESSAGE = hotStatement({
  name: 'delay-message',
  takes: { id: pg.uuid, dueAt: pg.timestamptz, reason: pg.nullable(pg.text) },
  returns: {},
  text: `
    update customer_messages set status = 'QUEUED', due_at = :dueAt, leased_until = null,
      reason = case when not is_erased(booking_id) then :reason end
    where id = :id and status in ('QUEUED', 'SENDING')`,
});

/** Queues the message again: the provider has not taken it, or it is night. */
export async function delayMessage(
  db: Queryable,
  id: string,
  { dueAt, reason }: { dueAt: Instant; reason: string | null },
): Promise<void> {
  await rows(db, DELAY_MESSAGE, { id, dueAt, reason });
}

export const END_LEASES = hotStatement({
  name: 'end-message-leases',
  takes: { realNow: pg.timestamptz, now: pg.timestamptz },
  returns: { booking_id: pg.uuid },
  text: `
    update customer_messages m set status = 'UNKNOWN', finished_at = ${ENDS_AT}, leased_until = null
    where status = 'SENDING' and leased_until <= :realNow returning booking_id`,
});

/** Messages whose process died while it sent them: they may have arrived, and are not repeated. Returns their bookings. */
export async function endLeases(db: Queryable, now: Instant, realNow: Instant): Promise<string[]> {
  return (await rows(db, END_LEASES, { now, realNow })).map(({ booking_id }) => booking_id);
}

// ---------------------------------------------------------------------------
// Results

const LISTED = some(MESSAGES, [
  'id',
  'kind',
  'status',
  'reason',
  'starts_at',
  'due_at',
  'created_at',
  'finished_at',
]);

export const LIST_MESSAGES = hotStatement({
  name: 'list-messages',
  takes: { bookingId: pg.uuid },
  returns: LISTED,
  text: `
    select ${each(LISTED)} from customer_messages
    where booking_id = :bookingId
    order by version, id`,
});
export type MessageRow = Row<typeof LIST_MESSAGES>;

/** The messages of a booking, oldest first. */
export function listMessages(db: Queryable, bookingId: string): Promise<MessageRow[]> {
  return rows(db, LIST_MESSAGES, { bookingId });
}

export const COUNT_MESSAGES = hotStatement({
  name: 'count-messages',
  takes: { since: pg.timestamptz },
  returns: { status: pg.typed<MessageStatus>(pg.text), count: pg.bigint },
  text: `
    select status, count(*) as count from customer_messages
    where status in ('QUEUED', 'SENDING') or created_at >= :since group by status`,
});

/** Messages that wait, and those since this time, by status. */
export function countMessages(
  db: Queryable,
  since: Instant,
): Promise<{ status: MessageStatus; count: number }[]> {
  return rows(db, COUNT_MESSAGES, { since });
}

export const DELETE_MESSAGES = hotStatement({
  name: 'delete-messages',
  takes: { before: pg.timestamptz },
  returns: {},
  text: `
    delete from customer_messages where id in (
      select id from customer_messages where created_at < :before and finished_at is not null limit 1000
    )`,
});

export async function deleteMessages(db: Queryable, before: Instant): Promise<void> {
  await rows(db, DELETE_MESSAGES, { before });
}
