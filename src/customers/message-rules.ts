import { addDays, DAY, dateOf, HOUR, type Instant, MINUTE, startOfDate } from '../base/clock.ts';
import {
  type AppointmentStatus,
  type BookingStatus,
  type EventName,
  FAILURE_REASONS,
  type FailureReason,
  statusesIn,
} from '../bookings/rules.ts';
import type { ChosenKind, MessageKind } from '../partners/account-rules.ts';

/**
 * Messages follow a difference: what the customer was told last, and what is so now (docs/decisions/customer-page.md).
 * Nothing here knows which changes led there.
 */

/** What is so now. */
export type Visit = {
  status: BookingStatus;
  appointment_status: AppointmentStatus;
  /** When the appointment got its status; null: not known. */
  since: Instant | null;
  starts_at: Instant;
  ends_at: Instant;
  /** How far the work had come when it was cancelled. */
  work_reached: AppointmentStatus | null;
  failure_reason: string | null;
  /** The delay that was reported of this start; null: none. */
  late_minutes: number | null;
  /** The start that the message with the payment link told, and when; null: there was none. */
  link_starts_at: Instant | null;
  link_sent_at: Instant | null;
  /** The start that she knows of her series, and since when; null: it is none of a series, or the one that tells of it. */
  series_starts_at: Instant | null;
  series_told_at: Instant | null;
  /** The kinds that the partner has chosen. */
  kinds: readonly ChosenKind[];
  /** The customer wants no messages. */
  is_stopped: boolean;
};

/** What a message tells. */
export type Fact = {
  kind: MessageKind;
  starts_at: Instant;
  /** Of LATE. */
  late_minutes: number | null;
  /** Of ON_THE_WAY. */
  left_at: Instant | null;
};

/** A message that was planned before. */
export type Planned = Fact & {
  version: number;
  status: 'QUEUED' | 'SENDING' | 'SENT' | 'FAILED' | 'DROPPED' | 'UNKNOWN';
  due_at: Instant;
  finished_at: Instant | null;
};

/** A message to be: from when the night lets it go, and when it is due, which may be later while it settles. */
export type Wanted = Fact & { from: Instant; due_at: Instant };

/** What the customer was told last. */
type Belief = {
  starts_at: Instant;
  /** When she was told of this start. */
  told_at: Instant;
  /** The departure; null: the team was not on the way. */
  left_at: Instant | null;
  late_minutes: number;
  /** How it ended; null: the visit takes place. */
  ended: MessageKind | null;
  /** She has the payment link, and no more. */
  is_reserved: boolean;
};

/** Why a message is not sent. `TOLD`: she knows it, or another message tells it. */
export const DROP_REASONS = [
  'ERASED',
  'STOPPED',
  'MOVED',
  'CANCELLED',
  'OVER',
  'QUIET_HOURS',
  'TOO_LATE',
  'SWITCHED_OFF',
  'TOLD',
] as const;
export type DropReason = (typeof DROP_REASONS)[number];

/** Riyadh hours in which only what concerns the next hours is sent. */
const QUIET = { from: 21, until: 9, tells: 12 * HOUR } as const;
const REMINDS_BEFORE = DAY;
/** Milliseconds before a reminder within which she has just been told. */
const JUST_TOLD = 12 * HOUR;
/** Milliseconds for which a visit may be moved on, or back, before its customer is told. */
const SETTLES = 2 * MINUTE;
/** Milliseconds after which news is none. */
const NEWS_FOR = { ON_THE_WAY: HOUR, DONE: 6 * HOUR, ENDED: DAY };
/** Minutes by which a delay must grow to be told again. */
const LATER_BY = 15;

/** Pauses before a message that the provider did not take is tried again. */
export const RETRY_AFTER: readonly number[] = [MINUTE, 5 * MINUTE, 15 * MINUTE];

const BEFORE_WORK = statusesIn('planned');
const COMING: readonly AppointmentStatus[] = [...BEFORE_WORK, 'In The Way'];
const DONE = statusesIn('done');
/** Kinds that tell a date and time. */
const TELL_TIME: readonly MessageKind[] = ['BOOKED', 'MOVED', 'ANOTHER_VISIT', 'NOT_YET', 'DAY_BEFORE'];
const ENDS: readonly MessageKind[] = ['CANCELLED', 'NOT_DONE', 'UNPAID', 'DONE'];

/** Whether the instant is in quiet hours; if so, their end. */
export function endOfQuietHours(at: Instant): Instant | null {
  const date = dateOf(at);
  const morning = startOfDate(date) + QUIET.until * HOUR;
  if (at < morning) return morning;
  return at >= startOfDate(date) + QUIET.from * HOUR
    ? startOfDate(addDays(date, 1)) + QUIET.until * HOUR
    : null;
}

/** When something that concerns this instant is sent: at night once it is within the next twelve hours. */
const sendingTime = (at: Instant, concerns: Instant): Instant =>
  Math.max(at, Math.min(endOfQuietHours(at) ?? at, concerns - QUIET.tells));

/** The order of ends; messages in sending come last. */
function byEnd(a: Planned, b: Planned): number {
  const at = ({ finished_at }: Planned): Instant => finished_at ?? Number.MAX_SAFE_INTEGER;
  return at(a) - at(b) || a.version - b.version;
}

/** Messages sent, in sending or possibly sent, in that order. */
const toldOf = (planned: readonly Planned[]): Planned[] =>
  planned
    .filter(({ status }) => status === 'SENT' || status === 'UNKNOWN' || status === 'SENDING')
    .sort(byEnd);

/** What she was told, by messages and the payment link. */
function beliefOf(visit: Visit, { planned, now }: Situation): Belief | null {
  const { link_sent_at: linkAt } = visit;
  const messages = toldOf(planned);
  const before =
    linkAt === null ? 0 : messages.filter(({ finished_at }) => (finished_at ?? now) < linkAt).length;
  let belief: Belief | null = beliefOfSeries(visit);
  const tellLink = (): void => {
    if (linkAt === null) return;
    const starts_at = visit.link_starts_at ?? visit.starts_at;
    belief = { ...NEVER, starts_at, told_at: linkAt, is_reserved: true };
  };
  for (const [place, message] of messages.entries()) {
    if (place === before) tellLink();
    belief = beliefAfter(belief, message, visit, now);
  }
  if (before === messages.length) tellLink();
  return belief;
}

/** A visit of a series is known with the message about the series, and has none of its own. */
const beliefOfSeries = ({ kinds, series_starts_at, series_told_at }: Visit): Belief | null =>
  series_starts_at === null || !kinds.includes('BOOKED')
    ? null
    : { ...NEVER, starts_at: series_starts_at, told_at: series_told_at! };

function beliefAfter(
  belief: Belief | null,
  { kind, starts_at, left_at, late_minutes, finished_at }: Planned,
  visit: Visit,
  now: Instant,
): Belief {
  const before = { ...(belief ?? NEVER), starts_at };
  if (ENDS.includes(kind)) return { ...before, ended: kind };
  if (kind === 'LATE') return { ...before, late_minutes: late_minutes ?? 0 };
  // One of an earlier release does not say which departure it told.
  if (kind === 'ON_THE_WAY') return { ...before, left_at: left_at ?? visit.since ?? starts_at, ended: null };
  const told_at = finished_at ?? now;
  // A reminder says nothing of a delay.
  if (kind === 'DAY_BEFORE' && belief?.starts_at === starts_at) return { ...before, told_at, ended: null };
  const is_reserved = kind !== 'BOOKED' && (belief?.is_reserved ?? false);
  return { ...NEVER, starts_at, told_at, is_reserved };
}
const NEVER: Belief = {
  starts_at: 0,
  told_at: 0,
  left_at: null,
  late_minutes: 0,
  ended: null,
  is_reserved: false,
};

/** Events that tell a date and time to a customer who was told nothing. */
const BOOKS: readonly EventName[] = ['booking.created', 'booking.updated', 'booking.payment_succeeded'];
const isBookedBy = (events: readonly EventName[]): boolean => events.some((event) => BOOKS.includes(event));

/** A telling that was called for and did not reach her: a step reported by mistake drops it, and is taken back. */
const UNSENT: readonly Planned['status'][] = ['QUEUED', 'DROPPED'];

/** What is known beside the visit. */
type Situation = { planned: readonly Planned[]; events: readonly EventName[]; now: Instant };

/**
 * The messages that the difference calls for: one for what has changed, and the reminder. `events`: since the last look;
 * a customer who was told nothing is told of a booking when it is made, moved or paid.
 */
export function wantedMessages(visit: Visit, situation: Situation): Wanted[] {
  const belief = beliefOf(visit, situation);
  const found = newsOf(visit, belief, situation);
  const news = found === null || isRefused(found, situation.planned) ? null : found;
  const calledFor = news?.kind === 'BOOKED' ? [] : bookingCalledFor(visit, belief, situation);
  return [
    ...(news === null ? [] : [news]),
    ...calledFor,
    ...reminderOf(visit, belief, { ...situation, news }),
  ];
}

/**
 * The message of a booking that is further by the first look at it: it will be dropped, and so remembered, as a step reported by
 * mistake is taken back.
 */
function bookingCalledFor(
  visit: Visit,
  belief: Belief | null,
  { planned, events, now }: Situation,
): Wanted[] {
  const { status, starts_at, kinds, is_stopped } = visit;
  if (status !== 'in progress' && status !== 'success') return [];
  if (is_stopped || now >= starts_at || !kinds.includes('BOOKED') || !isBookedBy(events)) return [];
  if (belief !== null && !belief.is_reserved) return [];
  const due_at = sendingTime(now, starts_at);
  const booked = {
    kind: 'BOOKED',
    starts_at,
    late_minutes: null,
    left_at: null,
    from: due_at,
    due_at,
  } as const;
  return isRefused(booked, planned) ? [] : [booked];
}

/** Whether the provider has refused it, and she was told nothing since. */
function isRefused(fact: Fact, planned: readonly Planned[]): boolean {
  const last = toldOf(planned).findLast(({ status }) => status !== 'SENDING');
  return planned.some(
    (message) =>
      message.status === 'FAILED' &&
      isSame(message, fact) &&
      (last === undefined || byEnd(message, last) > 0),
  );
}

/** Whether both tell the same. */
export const isSame = (a: Fact, b: Fact): boolean =>
  a.kind === b.kind &&
  a.starts_at === b.starts_at &&
  a.late_minutes === b.late_minutes &&
  a.left_at === b.left_at;

/** The only thing that she does not know; null: there is none. */
function newsOf(visit: Visit, belief: Belief | null, { planned, events, now }: Situation): Wanted | null {
  const { status, appointment_status: appointment, starts_at, ends_at } = visit;
  const { late_minutes, is_stopped } = visit;
  const since = visit.since ?? now;
  const chose = (kind: ChosenKind): boolean => visit.kinds.includes(kind);
  const told = Math.min(belief?.starts_at ?? starts_at, starts_at);
  const open = sendingTime(now, told);
  const tell = (kind: MessageKind, more: Partial<Wanted> = {}): Wanted => {
    const { due_at = open } = more;
    const from = Math.min(open, due_at);
    return { kind, starts_at, late_minutes: null, left_at: null, ...more, from, due_at };
  };
  const settled = { due_at: sendingTime(now + SETTLES, told) };

  const ending = endOf(visit, now);
  if (ending !== null) {
    if (belief === null || now >= Math.max(belief.starts_at, starts_at) + NEWS_FOR.ENDED) return null;
    // She expects nobody, or somebody came.
    if (belief.ended !== null && !(belief.ended === 'DONE' && ending === 'NOT_DONE')) return null;
    return tell(ending, { starts_at: belief.starts_at });
  }
  if (is_stopped) return null;
  const isTimeWrong = belief !== null && belief.starts_at !== starts_at && now < ends_at;
  if (status === 'waiting payment') return isTimeWrong ? tell('MOVED', settled) : null;
  if (DONE.includes(appointment)) {
    if (belief?.ended === 'DONE' || now >= since + NEWS_FOR.DONE || endOfQuietHours(now) !== null)
      return null;
    return chose('DONE') || (belief?.ended ?? null) !== null ? tell('DONE', { due_at: now }) : null;
  }
  if (!COMING.includes(appointment)) return null;

  const isPlanned = BEFORE_WORK.includes(appointment);
  // A departure whose moment nobody knows is none to tell.
  if (!isPlanned && visit.since !== null && chose('ON_THE_WAY') && belief?.left_at !== since)
    if (now < since + NEWS_FOR.ON_THE_WAY) return tell('ON_THE_WAY', { left_at: since, due_at: now });
  if (belief === null || belief.is_reserved) {
    const isAsked =
      isBookedBy(events) ||
      planned.some(({ kind, status }) => UNSENT.includes(status) && TELL_TIME.includes(kind));
    if (isPlanned && chose('BOOKED') && isAsked && now < starts_at) return tell('BOOKED');
  }
  if (belief !== null && now < ends_at) {
    if (belief.ended !== null) return tell('ANOTHER_VISIT');
    if (isTimeWrong) return tell('MOVED', settled);
    if (isPlanned && belief.left_at !== null) return tell('NOT_YET', settled);
  }
  const late = late_minutes ?? 0;
  const known = belief?.starts_at === starts_at ? belief.late_minutes : 0;
  if (chose('LATE') && late > 0 && (known === 0 || late >= known + LATER_BY))
    if (now < starts_at + late * MINUTE) return tell('LATE', { late_minutes: late, due_at: now });
  return null;
}

/** That the visit does not take place, or could not be done; null: it does, or was. */
function endOf(
  { status, appointment_status: appointment, ...visit }: Visit,
  now: Instant,
): MessageKind | null {
  if (status === 'failed')
    return FAILURE_REASONS.includes(visit.failure_reason as FailureReason) ? 'UNPAID' : 'CANCELLED';
  if (status !== 'canceled' && appointment !== 'Cancelled')
    return appointment === 'Cannot Complete' ? 'NOT_DONE' : null;
  // Done before the visit was to begin is a slip, unless she was told so: she still expects somebody.
  const isDone = visit.work_reached !== null && DONE.includes(visit.work_reached) && now >= visit.starts_at;
  return isDone ? null : 'CANCELLED';
}

function reminderOf(
  visit: Visit,
  belief: Belief | null,
  { planned, now, news }: Situation & { news: Wanted | null },
): Wanted[] {
  const { status, appointment_status, starts_at, kinds, is_stopped } = visit;
  if (!kinds.includes('DAY_BEFORE') || is_stopped || now >= starts_at) return [];
  if (!BEFORE_WORK.includes(appointment_status)) return [];
  if (status !== 'in progress' && status !== 'success') return [];
  const reminder: Fact = { kind: 'DAY_BEFORE', starts_at, late_minutes: null, left_at: null };
  const isQueued = planned.some((message) => message.status === 'QUEUED' && isSame(message, reminder));
  // A customer who books later than that has just been told.
  if (starts_at - REMINDS_BEFORE <= now && !isQueued) return [];
  const due_at = sendingTime(Math.max(starts_at - REMINDS_BEFORE, now), starts_at);
  const toldAt =
    news !== null && TELL_TIME.includes(news.kind)
      ? news.due_at
      : belief?.starts_at === starts_at && belief.ended === null
        ? belief.told_at
        : Number.NEGATIVE_INFINITY;
  return due_at - toldAt < JUST_TOLD ? [] : [{ ...reminder, from: due_at, due_at }];
}

/** Why a message that waits is not wanted any more. */
export function dropReason({ kind, starts_at }: Fact, visit: Visit, now: Instant): DropReason {
  const { appointment_status: appointment, is_stopped, kinds } = visit;
  const ending = endOf(visit, now);
  if (ending === 'CANCELLED' || ending === 'UNPAID') return ENDS.includes(kind) ? 'TOLD' : 'CANCELLED';
  if (is_stopped) return 'STOPPED';
  if (
    ['BOOKED', 'DAY_BEFORE', 'ON_THE_WAY', 'LATE', 'DONE'].includes(kind) &&
    !kinds.includes(kind as ChosenKind)
  )
    return 'SWITCHED_OFF';
  if (visit.starts_at !== starts_at) return 'MOVED';
  const fitting =
    kind === 'DONE' ? DONE : kind === 'ON_THE_WAY' ? ['In The Way'] : kind === 'LATE' ? COMING : BEFORE_WORK;
  if (!ENDS.includes(kind) || kind === 'DONE') if (!fitting.includes(appointment)) return 'OVER';
  if (kind === 'DONE' && endOfQuietHours(now) !== null) return 'QUIET_HOURS';
  return now >= starts_at || kind === 'ON_THE_WAY' ? 'TOO_LATE' : 'TOLD';
}
