import type { CalendarDate, Instant } from '../base/clock.ts';
import { newId } from '../base/ids.ts';
import type { AppointmentStatus, BookingStatus, EventName } from '../bookings/rules.ts';
import type { Queryable, Tx } from '../db/connection.ts';
import { first, hotStatement, pg, type Row, rowList, rows } from '../db/statement.ts';
import { columnsOf } from '../db/tables.ts';
import type { MessageKind } from '../partners/account-rules.ts';
import type { DropReason, NewMessage, Visit } from './message-rules.ts';
import type { MessageStatus } from './table.ts';

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

export const MOVE_CURSOR = hotStatement({
  name: 'move-messages-cursor',
  takes: { place: pg.bigint },
  returns: {},
  text: 'update customer_messages_cursor set place = :place',
});

export async function moveCursor(tx: Tx, place: number): Promise<void> {
  await rows(tx, MOVE_CURSOR, { place });
}

export const CHANGED_VISITS = hotStatement({
  name: 'changed-visits',
  takes: { after: pg.bigint, limit: pg.bigint },
  returns: {
    last_place: pg.bigint,
    booking_id: pg.nullable(pg.uuid),
    events: pg.nullable(pg.typed<EventName[]>(pg.texts)),
    status: pg.nullable(pg.typed<BookingStatus>(pg.text)),
    appointment_status: pg.nullable(pg.typed<AppointmentStatus>(pg.text)),
    starts_at: pg.nullable(pg.timestamptz),
    kinds: pg.nullable(pg.typed<MessageKind[]>(pg.texts)),
  },
  // The last place also when no partner of these events has messages.
  text: `
    with next as materialized (
      select place, partner_id, event_id, created_at from event_places
      where place > :after order by place limit :limit
    ), changed as (
      select e.booking_id, array_agg(e.event order by next.place) as events
      from next
      join partners p on p.id = next.partner_id and p.customer_messages <> '{}'
      join events e on e.id = next.event_id and e.created_at = next.created_at
      group by e.booking_id
    )
    select l.last_place, c.booking_id, c.events, b.status, a.status as appointment_status, a.starts_at,
      p.customer_messages as kinds
    from (select max(place) as last_place from next having count(*) > 0) l
    left join (changed c
      join bookings b on b.id = c.booking_id
      join appointments a on a.booking_id = b.id
      join partners p on p.id = b.partner_id) on true
    order by c.booking_id`,
});

export type ChangedVisit = Visit & { booking_id: string; events: readonly EventName[] };

/** Bookings with events in the next places after this one, of partners with messages; null: there are no such places. */
export async function changedVisits(
  tx: Tx,
  after: number,
  limit: number,
): Promise<{ lastPlace: number; visits: ChangedVisit[] } | null> {
  const found = await rows(tx, CHANGED_VISITS, { after, limit });
  if (found.length === 0) return null;
  return {
    lastPlace: found[0]!.last_place,
    visits: found.filter(({ booking_id }) => booking_id !== null) as ChangedVisit[],
  };
}

export const PLANNED_MESSAGES = hotStatement({
  name: 'planned-messages',
  takes: { bookingIds: pg.uuids },
  returns: {
    id: pg.uuid,
    booking_id: pg.uuid,
    kind: pg.typed<MessageKind>(pg.text),
    version: pg.int,
    status: pg.typed<MessageStatus>(pg.text),
    starts_at: pg.timestamptz,
    due_at: pg.timestamptz,
    reason: pg.nullable(pg.text),
  },
  text: `
    select id, booking_id, kind, version, status, starts_at, due_at, reason from customer_messages
    where booking_id = any (:bookingIds::uuid[]) order by version for update`,
});

/** Locks the messages of the bookings, by version. */
export function lockPlanned(tx: Tx, bookingIds: readonly string[]): Promise<Row<typeof PLANNED_MESSAGES>[]> {
  return rows(tx, PLANNED_MESSAGES, { bookingIds: [...bookingIds] });
}

const NEW_MESSAGES = rowList({
  id: pg.uuid,
  booking_id: pg.uuid,
  kind: pg.text,
  version: pg.int,
  starts_at: pg.timestamptz,
  due_at: pg.timestamptz,
  reason: pg.text,
});

export const INSERT_MESSAGES = hotStatement({
  name: 'insert-messages',
  takes: { now: pg.timestamptz, ...NEW_MESSAGES.takes },
  returns: {},
  text: `
    insert into customer_messages (id, booking_id, kind, version, starts_at, due_at, status, reason, created_at,
      finished_at)
    select m.id, m.booking_id, m.kind, m.version, m.starts_at, m.due_at,
      case when m.reason = '' then 'QUEUED' else 'DROPPED' end, nullif(m.reason, ''), :now::timestamptz,
      case when m.reason <> '' then :now::timestamptz end
    from ${NEW_MESSAGES.as('m')}`,
});

export async function insertMessages(
  tx: Tx,
  now: Instant,
  messages: readonly (NewMessage & { bookingId: string })[],
): Promise<void> {
  if (messages.length === 0) return;
  const made = messages.map(({ dropped, ...message }) => ({
    ...columnsOf(message),
    id: newId(now),
    reason: dropped ?? '',
  }));
  await rows(tx, INSERT_MESSAGES, { now, ...NEW_MESSAGES.valuesOf(made) });
}

// ---------------------------------------------------------------------------
// Sending

export const CLAIM_MESSAGES = hotStatement({
  name: 'claim-messages',
  takes: { now: pg.timestamptz, limit: pg.bigint },
  returns: {
    id: pg.uuid,
    kind: pg.typed<MessageKind>(pg.text),
    starts_at: pg.timestamptz,
    due_at: pg.timestamptz,
    tries: pg.int,
    booking_id: pg.uuid,
    visit_starts_at: pg.timestamptz,
    status: pg.typed<BookingStatus>(pg.text),
    appointment_status: pg.typed<AppointmentStatus>(pg.text),
    appointment_name: pg.text,
    service_date: pg.typed<CalendarDate>(pg.date),
    kinds: pg.typed<MessageKind[]>(pg.texts),
    partner_name: pg.text,
    tracking_page: pg.boolean,
    phone: pg.nullable(pg.text),
    is_new_time: pg.boolean,
  },
  text: `
    select m.id, m.kind, m.starts_at, m.due_at, m.tries, m.booking_id, a.starts_at as visit_starts_at, b.status,
      a.status as appointment_status, a.name as appointment_name, b.service_date, p.customer_messages as kinds,
      p.name as partner_name, p.tracking_page, c.phone,
      exists (
        select from customer_messages o
        where o.booking_id = m.booking_id and o.kind = m.kind and o.version < m.version and o.status in ('SENT', 'UNKNOWN')
      ) as is_new_time
    from customer_messages m
    join bookings b on b.id = m.booking_id
    join appointments a on a.booking_id = b.id
    join partners p on p.id = b.partner_id
    join contacts c on c.id = b.contact_id
    where m.status = 'QUEUED' and m.due_at <= :now
    order by m.due_at, m.id limit :limit for update of m skip locked`,
});

/** `phone` null: the customer was erased. */
export type DueMessage = Row<typeof CLAIM_MESSAGES>;

/** Locks due messages with their visits as they are now. */
export function lockDueMessages(tx: Tx, now: Instant, limit: number): Promise<DueMessage[]> {
  return rows(tx, CLAIM_MESSAGES, { now, limit });
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
    update customer_messages set status = :status, finished_at = :now, leased_until = null,
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
  returns: { id: pg.uuid },
  text: `
    update customer_messages set status = 'UNKNOWN', finished_at = :now, leased_until = null
    where status = 'SENDING' and leased_until <= :realNow returning id`,
});

/** Messages whose process died while it sent them: they may have arrived, and are not repeated. Returns how many. */
export async function endLeases(db: Queryable, now: Instant, realNow: Instant): Promise<number> {
  return (await rows(db, END_LEASES, { now, realNow })).length;
}

// ---------------------------------------------------------------------------
// Results

export const LIST_MESSAGES = hotStatement({
  name: 'list-messages',
  takes: { bookingId: pg.uuid },
  returns: {
    id: pg.uuid,
    kind: pg.typed<MessageKind>(pg.text),
    status: pg.typed<MessageStatus>(pg.text),
    reason: pg.nullable(pg.typed<DropReason | string>(pg.text)),
    starts_at: pg.timestamptz,
    due_at: pg.timestamptz,
    created_at: pg.timestamptz,
    finished_at: pg.nullable(pg.timestamptz),
  },
  text: `
    select id, kind, status, reason, starts_at, due_at, created_at, finished_at from customer_messages
    where booking_id = :bookingId
    order by created_at, array_position(array['BOOKED', 'DAY_BEFORE', 'ON_THE_WAY', 'DONE'], kind), version`,
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
