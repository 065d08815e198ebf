import { HOUR, type Instant, MINUTE } from '../base/clock.ts';
import type { AppointmentStatus } from '../bookings/rules.ts';
import type { FaultKind } from '../simulator/fault-rules.ts';

export const POINT_IDS = [
  'reference',
  'repeat',
  'slot-taken',
  'rate-limit',
  'reschedule',
  'duplicate',
  'bad-signature',
  'old-event',
  'lost-event',
  'cancel',
] as const;
export type PointId = (typeof POINT_IDS)[number];

export const POINT_STATES = ['waiting', 'passed', 'failed', 'not-applicable'] as const;
export type PointState = (typeof POINT_STATES)[number];

/** What was seen of one point. */
export type Finding = {
  state: PointState;
  /** One sentence; what is missing, or what was wrong. */
  found: string;
  /** `X-Request-Id` of the requests that show it. */
  requestIds: string[];
  deliveryIds: string[];
};
export type Findings = Record<PointId, Finding>;

/** Those that are decided; no later look changes them. */
export function decidedOf(findings: Findings): Partial<Findings> {
  return Object.fromEntries(
    Object.entries(findings).filter(([, { state }]) => state === 'passed' || state === 'failed'),
  );
}

/** What the service does for each point, and what it waits for. */
export const POINTS: Record<PointId, { title: string; does: string; waitsFor: string }> = {
  reference: {
    title: 'Creates bookings with an externalReference',
    does: 'Nothing. Create a booking as your integration does.',
    waitsFor: 'A booking; the first that is created has an externalReference.',
  },
  repeat: {
    title: 'Repeats a creation safely',
    does: 'Nothing. Have your integration send a creation again, as after an answer that got lost.',
    waitsFor:
      'The same externalReference once more (409 DUPLICATE_EXTERNAL_REFERENCE), then a read of the booking that has it.',
  },
  'slot-taken': {
    title: 'Takes another time when the wanted one is gone',
    does: 'Nothing. Ask for a time that nobody offers, 03:10 to 05:10 for instance.',
    waitsFor:
      '422 BOOKING_CREATION_FAILED, then a booking at one of details.alternatives, or timeslots asked for again and a booking.',
  },
  'rate-limit': {
    title: 'Waits when the limit is used up',
    does: 'Nothing. Send more requests in a minute than your limit allows.',
    waitsFor:
      '429 RATE_LIMIT_EXCEEDED, no further request of the key for Retry-After seconds, then one more.',
  },
  reschedule: {
    title: 'Follows a booking that the operator moves',
    does: 'Moves one of your bookings to another time.',
    waitsFor: 'The webhook is answered 2xx, and the booking, the list or the feed is read after it.',
  },
  duplicate: {
    title: 'Accepts a webhook that comes twice',
    does: 'Sends one delivery twice.',
    waitsFor: 'Both are answered 2xx. That you act once only, is for you to check.',
  },
  'bad-signature': {
    title: 'Refuses a forged webhook',
    does: 'Sends a delivery that is signed with another secret, then the genuine one.',
    waitsFor: 'The forged one is answered 4xx, the genuine one 2xx.',
  },
  'old-event': {
    title: 'Is not misled by an event that comes late',
    does: 'Sends two events of a booking in the wrong order.',
    waitsFor: 'Both are answered 2xx, and the booking, the list or the feed is read after the second.',
  },
  'lost-event': {
    title: 'Finds a lost event in the feed',
    does: 'Loses a delivery.',
    waitsFor: 'GET /partners/events returns the event to you.',
  },
  cancel: {
    title: 'Follows a booking that the operator cancels',
    does: 'Cancels one of your bookings.',
    waitsFor: 'The webhooks are answered 2xx, and the booking, the list or the feed is read after them.',
  },
};

/** What is provoked, one after the other: with which fault, and how; `events` is how many there will be of it. */
export type Step = {
  point: PointId;
  fault: FaultKind | null;
  act: 'operator-moves' | 'operator-cancels' | 'advance';
  times: number;
  events: number;
  /** The statuses from which the appointment allows it. */
  from: readonly AppointmentStatus[];
};

const UNDER_WAY = ['Scheduled', 'Confirmed', 'In The Way', 'In The location'] as const;
const step = (
  point: PointId,
  act: Step['act'],
  fault: FaultKind | null,
  from: Step['from'],
  times = 1,
  events = times,
): Step => ({ point, act, fault, from, times, events });

export const STEPS: readonly Step[] = [
  step('reschedule', 'operator-moves', null, ['Scheduled', 'Confirmed']),
  step('duplicate', 'advance', 'duplicate', [...UNDER_WAY, 'In Progress']),
  step('bad-signature', 'advance', 'bad-signature', [...UNDER_WAY, 'In Progress']),
  step('old-event', 'advance', 'reorder', UNDER_WAY, 2),
  step('lost-event', 'advance', 'lose', [...UNDER_WAY, 'In Progress']),
  step('cancel', 'operator-cancels', null, [...UNDER_WAY, 'In Progress', 'Finished'], 1, 2),
];

/** A step that was provoked: the events of the booking after this sequence are its own. */
export type Provoked = { point: PointId; bookingId: string; afterSequence: number; at: Instant };

/** Business time for a partner to do what a point waits for once it was provoked. */
export const PATIENCE = 10 * MINUTE;
/** After this time a certification is finished, whatever is missing. */
export const LASTS = 24 * HOUR;
/** For how long a worker has a step to itself: when it ends meanwhile, another provokes it again. */
export const ACTS_FOR = MINUTE;

/** The events that a subscription of a certification must be for. */
export const WANTED_EVENTS = [
  'booking.updated',
  'booking.cancelled',
  'booking.appointment_status_changed',
] as const;

export type Score = { passed: number; of: number; percent: number };

/** Points that do not apply do not count. */
export function scoreOf(findings: Findings): Score {
  const states = Object.values(findings).map(({ state }) => state);
  const of = states.filter((state) => state !== 'not-applicable').length;
  const passed = states.filter((state) => state === 'passed').length;
  return { passed, of, percent: of === 0 ? 0 : Math.floor((100 * passed) / of) };
}

/** Is nothing waited for any more? */
export const isDecided = (findings: Findings): boolean =>
  Object.values(findings).every(({ state }) => state !== 'waiting');
