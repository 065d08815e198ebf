import { addDays, DAY, dateOf, HOUR, type Instant, MINUTE, startOfDate } from '../base/clock.ts';
import { type AppointmentStatus, type BookingStatus, type EventName, statusesIn } from '../bookings/rules.ts';
import type { MessageKind } from '../partners/account-rules.ts';

/** A booking as far as messages depend on it. */
export type Visit = {
  status: BookingStatus;
  appointment_status: AppointmentStatus;
  starts_at: Instant;
  /** The kinds of its partner's account. */
  kinds: readonly MessageKind[];
};

/** A message of a booking that was planned before. */
export type Planned = { kind: MessageKind; version: number; starts_at: Instant; reason: string | null };

export type NewMessage = {
  kind: MessageKind;
  version: number;
  startsAt: Instant;
  dueAt: Instant;
  /** Why it is not sent at all; null: it is. */
  dropped: DropReason | null;
};

/**
 * Why a message is not sent: the visit was moved, cancelled or has gone on, it would come at night or too late, or the
 * customer was erased.
 */
export const DROP_REASONS = [
  'ERASED',
  'MOVED',
  'CANCELLED',
  'OVER',
  'QUIET_HOURS',
  'TOO_LATE',
  'SWITCHED_OFF',
] as const;
export type DropReason = (typeof DROP_REASONS)[number];

/** Riyadh hours between which nobody gets a message. */
const QUIET = { from: 21, until: 9 } as const;
const REMINDS_BEFORE = DAY;
/** Milliseconds after which news is none. */
const NEWS_FOR: Record<'ON_THE_WAY' | 'DONE', number> = { ON_THE_WAY: HOUR, DONE: 6 * HOUR };

/** Pauses before a message that the provider did not take is tried again. */
export const RETRY_AFTER: readonly number[] = [MINUTE, 5 * MINUTE, 15 * MINUTE];

const BEFORE_WORK = statusesIn('planned');
const DONE = statusesIn('done');

/** Whether the instant is in quiet hours; if so, their end. */
export function endOfQuietHours(at: Instant): Instant | null {
  const date = dateOf(at);
  const morning = startOfDate(date) + QUIET.until * HOUR;
  if (at < morning) return morning;
  return at >= startOfDate(date) + QUIET.from * HOUR
    ? startOfDate(addDays(date, 1)) + QUIET.until * HOUR
    : null;
}

const afterQuietHours = (at: Instant): Instant => endOfQuietHours(at) ?? at;

/** Events that tell a date and time to the customer. */
const TELLS_TIME: readonly EventName[] = ['booking.created', 'booking.updated', 'booking.payment_succeeded'];

/** Whether the visit is such that this message is right. */
function fits(kind: MessageKind, { status, appointment_status }: Visit): boolean {
  if (status !== 'in progress' && status !== 'success') return false;
  if (kind === 'ON_THE_WAY') return appointment_status === 'In The Way';
  if (kind === 'DONE') return DONE.includes(appointment_status);
  return BEFORE_WORK.includes(appointment_status);
}

/**
 * The messages that a change of a booking calls for: of each kind one for each start that the visit gets, except that one
 * which was never sent because of a move is planned again when the visit moves back.
 */
export function newMessages(
  visit: Visit,
  events: readonly EventName[],
  planned: readonly Planned[],
  now: Instant,
): NewMessage[] {
  return visit.kinds.flatMap((kind) => {
    if (!fits(kind, visit)) return [];
    const dueAt = dueTime(kind, visit, events, now);
    if (dueAt === null) return [];
    const ofKind = planned.filter((message) => message.kind === kind);
    if (ofKind.findLast(({ reason }) => reason !== 'MOVED')?.starts_at === visit.starts_at) return [];
    const version = (ofKind.at(-1)?.version ?? 0) + 1;
    const dropped = kind in NEWS_FOR && endOfQuietHours(dueAt) !== null ? 'QUIET_HOURS' : null;
    return [{ kind, version, startsAt: visit.starts_at, dueAt, dropped }];
  });
}

function dueTime(
  kind: MessageKind,
  { starts_at }: Visit,
  events: readonly EventName[],
  now: Instant,
): Instant | null {
  if (kind === 'ON_THE_WAY' || kind === 'DONE') return now;
  if (starts_at <= now) return null;
  if (kind === 'BOOKED')
    return events.some((event) => TELLS_TIME.includes(event)) ? afterQuietHours(now) : null;
  // A customer who books later than that has just been told.
  return starts_at - REMINDS_BEFORE > now ? afterQuietHours(starts_at - REMINDS_BEFORE) : null;
}

/** Why a message must not be sent any more; null: it may. Asked again right before it is sent. */
export function staleBecause(
  { kind, starts_at, due_at }: { kind: MessageKind; starts_at: Instant; due_at: Instant },
  visit: Visit,
  now: Instant,
): DropReason | null {
  if (!visit.kinds.includes(kind)) return 'SWITCHED_OFF';
  if (visit.starts_at !== starts_at) return 'MOVED';
  if (visit.status === 'canceled' || visit.status === 'failed' || visit.appointment_status === 'Cancelled')
    return 'CANCELLED';
  if (!fits(kind, visit)) return 'OVER';
  if (kind === 'ON_THE_WAY' || kind === 'DONE') {
    if (endOfQuietHours(now) !== null) return 'QUIET_HOURS';
    return now >= due_at + NEWS_FOR[kind] ? 'TOO_LATE' : null;
  }
  return now >= starts_at ? 'TOO_LATE' : null;
}
