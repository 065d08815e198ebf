import { type Clock, DAY, type Instant, MINUTE } from '../base/clock.ts';
import { takeLateBookings } from '../bookings/late-queries.ts';
import type { EventName } from '../bookings/rules.ts';
import type { Tracking } from '../bookings/tracking.ts';
import type { Db, Tx } from '../db/connection.ts';
import { placeEvents } from '../events/queries.ts';
import { type Notifier, NotifierError } from '../payments/notifier.ts';
import type { Logger } from '../runtime/logger.ts';
import type { Metrics } from '../runtime/metrics.ts';
import {
  awaitCursor,
  beginSending,
  changedBookings,
  countMessages,
  delayMessage,
  dueBookings,
  endLeases,
  findToldVisits,
  finishMessage,
  insertMessages,
  lockCursor,
  lockPlanned,
  moveCursor,
  type NewMessage,
  type PlannedRow,
  type ToldVisit,
} from './message-queries.ts';
import { dropReason, isSame, RETRY_AFTER, type Wanted, wantedMessages } from './message-rules.ts';
import { messageText } from './message-texts.ts';
import { MESSAGE_STATUSES } from './table.ts';

/** Milliseconds for which messages are kept. */
export const MESSAGE_RETENTION = 90 * DAY;
/** Places of the feed that are planned in one transaction. */
const PLACES = 500;
/** Messages that are sent at once: few, so that each is sent right after it was checked. */
const AT_ONCE = 8;
/** Milliseconds after which nobody sends a message any more: longer than a provider is waited for. */
const LEASE = 2 * MINUTE;

export type MessageDeps = {
  db: Db;
  clock: Clock;
  notifier: Notifier;
  tracking: Tracking;
  logger: Pick<Logger, 'warn'>;
};

/** One round: plans the messages of new events, and sends those that are due. */
export async function sendMessages(deps: MessageDeps): Promise<void> {
  const { db, clock, logger } = deps;
  await placeEvents(db);
  while (await planMessages(deps, clock.now()));
  const unknown = await endLeases(db, clock.now(), clock.now() - clock.offset());
  if (unknown.length > 0) {
    logger.warn(
      { messages: unknown.length },
      'messages to customers may have been sent by a process that died',
    );
    await settleAfter(deps, unknown, async () => {});
  }
  for (;;) {
    const { found, due } = await claimMessages(deps);
    if (found === 0) return;
    await Promise.all(due.map((one) => sendMessage(deps, one)));
  }
}

/** Plans the messages of the next events and delays; false: there are none, or another process does. */
function planMessages(deps: MessageDeps, now: Instant): Promise<boolean> {
  const { db } = deps;
  return db.transaction(async (tx) => {
    const after = await lockCursor(tx);
    if (after === null) return false;
    const late = await takeLateBookings(tx);
    const changed = await changedBookings(tx, after, PLACES);
    const events = changed?.events ?? new Map<string, readonly EventName[]>();
    await settleMessages(deps, tx, now, { bookingIds: [...new Set([...events.keys(), ...late])], events });
    if (changed !== null) await moveCursor(tx, changed.lastPlace);
    return changed !== null;
  });
}

type Looked = { bookingIds: readonly string[]; events: ReadonlyMap<string, readonly EventName[]> };
/** A message that may be sent now, with its visit and the others of its booking. */
type Due = { message: PlannedRow; visit: ToldVisit; own: readonly PlannedRow[] };

/**
 * Makes the waiting messages of the bookings those that are wanted: drops, delays and adds. Returns those that are due. The
 * cursor must be locked: one process looks at a time.
 */
async function settleMessages(
  { notifier }: MessageDeps,
  tx: Tx,
  now: Instant,
  { bookingIds, events }: Looked,
): Promise<Due[]> {
  if (bookingIds.length === 0) return [];
  const planned = Map.groupBy(await lockPlanned(tx, bookingIds), ({ booking_id }) => booking_id);
  const visits = await findToldVisits(tx, bookingIds);
  const added: NewMessage[] = [];
  const due: Due[] = [];
  for (const visit of visits) {
    const own = planned.get(visit.booking_id) ?? [];
    const situation = { planned: own, events: events.get(visit.booking_id) ?? [], now };
    const isSilent = notifier.name === 'none' || visit.phone === null;
    const wanted = isSilent ? [] : wantedMessages(visit, situation);
    for (const message of own.filter(({ status }) => status === 'QUEUED')) {
      const found = wanted.findIndex((one) => isSame(one, message));
      if (found < 0) {
        const silence = visit.phone === null ? 'ERASED' : 'SWITCHED_OFF';
        const reason = isSilent ? silence : dropReason(message, visit, now);
        await finishMessage(tx, now, message.id, { status: 'DROPPED', reason });
        continue;
      }
      const [{ from, due_at }] = wanted.splice(found, 1) as [Wanted];
      if (message.due_at > now) continue;
      // One that had time to settle is due; only the night delays it further.
      if (from > now) await delayMessage(tx, message.id, { dueAt: due_at, reason: null });
      else due.push({ message, visit, own });
    }
    const last = Math.max(0, ...own.map(({ version }) => version));
    added.push(
      ...wanted.map((one, index) => ({ ...one, booking_id: visit.booking_id, version: last + 1 + index })),
    );
  }
  await insertMessages(tx, now, added);
  return due;
}

/**
 * The due messages that are still right, marked before they are sent: a process that dies meanwhile leaves it unknown whether
 * they were, and none is sent twice.
 */
function claimMessages(deps: MessageDeps): Promise<{ found: number; due: Due[] }> {
  const { db, clock } = deps;
  const now = clock.now();
  return db.transaction(async (tx) => {
    const isAlone = (await lockCursor(tx)) !== null;
    const bookingIds = isAlone ? await dueBookings(tx, now, AT_ONCE) : [];
    const due = await settleMessages(deps, tx, now, { bookingIds, events: new Map() });
    await beginSending(
      tx,
      due.map(({ message }) => message.id),
      now - clock.offset() + LEASE,
    );
    return { found: bookingIds.length, due };
  });
}

/** Ends messages of these bookings, and looks whether their customers are still to be told of something. */
function settleAfter(
  deps: MessageDeps,
  bookingIds: readonly string[],
  end: (tx: Tx) => Promise<void>,
): Promise<void> {
  return deps.db.transaction(async (tx) => {
    await awaitCursor(tx);
    await end(tx);
    await settleMessages(deps, tx, deps.clock.now(), { bookingIds, events: new Map() });
  });
}

async function sendMessage(deps: MessageDeps, { message, visit, own }: Due): Promise<void> {
  const { db, clock, notifier, tracking, logger } = deps;
  const finish = (result: { status: 'SENT' | 'FAILED'; reason: string | null }): Promise<void> =>
    settleAfter(deps, [visit.booking_id], (tx) => finishMessage(tx, clock.now(), id, result));
  const { id, kind, tries } = message;
  const url = visit.tracking_page ? tracking.shortUrlOf(visit) : null;
  const isRepeated = own.some(
    (other) => other !== message && other.status !== 'DROPPED' && isSame(other, message),
  );
  try {
    const text = messageText({ ...message, ...visit, starts_at: message.starts_at, url, isRepeated });
    const language = visit.language ?? 'both';
    await notifier.send({ id, to: visit.phone!, language, kind, text, url });
  } catch (error) {
    if (!(error instanceof NotifierError)) throw error;
    logger.warn({ err: error, messageId: id }, 'a message to a customer could not be sent');
    const pause = error.temporary ? RETRY_AFTER[tries] : undefined;
    // The same text again: a provider that has sent it refuses it as a duplicate.
    if (pause !== undefined)
      await delayMessage(db, id, { dueAt: clock.now() + pause, reason: error.message });
    else await finish({ status: 'FAILED', reason: error.message });
    return;
  }
  await finish({ status: 'SENT', reason: null });
}

/** Messages of the last day, and those that wait. */
export function messageMetrics(metrics: Metrics, db: Db, clock: Clock): void {
  metrics.gauge(
    'customer_messages',
    'Messages to customers that wait, and those of the last 24 hours, by status',
    'status',
    async () => {
      const counted = await countMessages(db, clock.now() - DAY);
      const counts = Object.fromEntries(MESSAGE_STATUSES.map((status) => [status, 0]));
      for (const { status, count } of counted) counts[status] = count;
      return counts;
    },
  );
}
