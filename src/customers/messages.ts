import { type Clock, DAY, type Instant, MINUTE } from '../base/clock.ts';
import type { Tracking } from '../bookings/tracking.ts';
import type { Db } from '../db/connection.ts';
import { placeEvents } from '../events/queries.ts';
import { type Notifier, NotifierError } from '../payments/notifier.ts';
import type { Logger } from '../runtime/logger.ts';
import type { Metrics } from '../runtime/metrics.ts';
import {
  beginSending,
  changedVisits,
  countMessages,
  type DueMessage,
  delayMessage,
  endLeases,
  finishMessage,
  insertMessages,
  lockCursor,
  lockDueMessages,
  lockPlanned,
  moveCursor,
} from './message-queries.ts';
import { endOfQuietHours, type NewMessage, newMessages, RETRY_AFTER, staleBecause } from './message-rules.ts';
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
  if (unknown > 0)
    logger.warn({ messages: unknown }, 'messages to customers may have been sent by a process that died');
  for (;;) {
    const { due, right } = await claimMessages(deps);
    if (due === 0) return;
    await Promise.all(right.map((message) => sendMessage(deps, message)));
  }
}

/** The kinds of the account, as long as something sends them. */
const kindsOf = <Kind>({ notifier }: MessageDeps, kinds: readonly Kind[]): readonly Kind[] =>
  notifier.name === 'none' ? [] : kinds;

/** Plans the messages of the next events; false: there are none, or another process does. */
function planMessages(deps: MessageDeps, now: Instant): Promise<boolean> {
  const { db } = deps;
  return db.transaction(async (tx) => {
    const after = await lockCursor(tx);
    const changed = after === null ? null : await changedVisits(tx, after, PLACES);
    if (changed === null) return false;
    const { visits, lastPlace } = changed;
    const bookingIds = visits.map(({ booking_id }) => booking_id);
    const planned = Map.groupBy(await lockPlanned(tx, bookingIds), ({ booking_id }) => booking_id);
    const made: (NewMessage & { bookingId: string })[] = [];
    for (const changed of visits) {
      const visit = { ...changed, kinds: kindsOf(deps, changed.kinds) };
      const own = planned.get(visit.booking_id) ?? [];
      for (const message of own) {
        message.reason = message.status === 'QUEUED' ? staleBecause(message, visit, now) : message.reason;
        if (message.status !== 'QUEUED' || message.reason === null) continue;
        await finishMessage(tx, now, message.id, { status: 'DROPPED', reason: message.reason });
      }
      for (const message of newMessages(visit, visit.events, own, now))
        made.push({ ...message, bookingId: visit.booking_id });
    }
    await insertMessages(tx, now, made);
    await moveCursor(tx, lastPlace);
    return true;
  });
}

type MessageToSend = DueMessage & { phone: string };

/**
 * The due messages that may still be sent, marked before they are: a process that dies meanwhile leaves it unknown whether
 * they were, and none is sent twice.
 */
function claimMessages(deps: MessageDeps): Promise<{ due: number; right: MessageToSend[] }> {
  const { db, clock } = deps;
  const now = clock.now();
  return db.transaction(async (tx) => {
    const due = await lockDueMessages(tx, now, AT_ONCE);
    const right: MessageToSend[] = [];
    for (const message of due) {
      const kinds = kindsOf(deps, message.kinds);
      const visit = { ...message, kinds, starts_at: message.visit_starts_at };
      const { phone } = message;
      const stale = phone === null ? 'ERASED' : staleBecause(message, visit, now);
      const night = endOfQuietHours(now);
      if (stale !== null) await finishMessage(tx, now, message.id, { status: 'DROPPED', reason: stale });
      else if (night !== null) await delayMessage(tx, message.id, { dueAt: night, reason: null });
      else right.push({ ...message, phone: phone! });
    }
    await beginSending(
      tx,
      right.map(({ id }) => id),
      now - clock.offset() + LEASE,
    );
    return { due: due.length, right };
  });
}

async function sendMessage(
  { db, clock, notifier, tracking, logger }: MessageDeps,
  message: MessageToSend,
): Promise<void> {
  const { id, booking_id, phone, tries } = message;
  const url = message.tracking_page ? tracking.urlOf(booking_id) : null;
  try {
    const text = messageText(message, url);
    await notifier.send({ id, to: phone, language: 'both', kind: message.kind, text, url });
  } catch (error) {
    if (!(error instanceof NotifierError)) throw error;
    logger.warn({ err: error, messageId: id }, 'a message to a customer could not be sent');
    const pause = error.temporary ? RETRY_AFTER[tries] : undefined;
    const now = clock.now();
    // The same text again: a provider that has sent it refuses it as a duplicate.
    if (pause !== undefined) await delayMessage(db, id, { dueAt: now + pause, reason: error.message });
    else await finishMessage(db, now, id, { status: 'FAILED', reason: error.message });
    return;
  }
  await finishMessage(db, clock.now(), id, { status: 'SENT', reason: null });
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
