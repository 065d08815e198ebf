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
  'holds',
  'reconcile',
  'fees',
  'outcome',
] as const;
export type PointId = (typeof POINT_IDS)[number];

/** Points that count neither for the score nor for the end: certifications from before them stay what they are. */
const RECOMMENDED = ['holds', 'reconcile', 'fees', 'outcome'] as const satisfies PointId[];
export const isRecommended = (id: string): boolean => (RECOMMENDED as readonly string[]).includes(id);

export const POINT_STATES = ['waiting', 'passed', 'failed', 'not-applicable'] as const;
export type PointState = (typeof POINT_STATES)[number];

/** The state of one point. */
export type Finding = {
  state: PointState;
  /** One sentence: the result, or what is missing. */
  found: string;
  /** `X-Request-Id` of the requests that show it. */
  requestIds: string[];
  deliveryIds: string[];
};
/** A certification that was finished before a recommended point was added has no finding of it. */
export type Findings = Record<Exclude<PointId, (typeof RECOMMENDED)[number]>, Finding> &
  Partial<Record<PointId, Finding>>;

/** The findings that are decided; no later evaluation changes them. */
export function decidedOf(findings: Findings): Partial<Findings> {
  return Object.fromEntries(
    Object.entries(findings).filter(([, { state }]) => state === 'passed' || state === 'failed'),
  );
}

/** One provoked change: `act` happens `times` times and makes so many `events`, with the fault on their deliveries. */
export type Step = {
  point: PointId;
  fault: FaultKind | null;
  act: 'operator-moves' | 'operator-cancels' | 'advance';
  times: number;
  events: number;
  /** The statuses of the appointment that allow it. */
  from: readonly AppointmentStatus[];
};

const UNDER_WAY = ['Scheduled', 'Confirmed', 'In The Way', 'In The location'] as const;
const BEFORE_FINISH = [...UNDER_WAY, 'In Progress'] as const;

/** An advance with a fault of the webhooks. */
const advance = (point: PointId, fault: FaultKind, from: Step['from'], times = 1): Step => ({
  point,
  act: 'advance',
  fault,
  from,
  times,
  events: times,
});

export const STEPS: readonly Step[] = [
  {
    point: 'reschedule',
    act: 'operator-moves',
    fault: null,
    from: ['Scheduled', 'Confirmed'],
    times: 1,
    events: 1,
  },
  advance('duplicate', 'duplicate', BEFORE_FINISH),
  advance('bad-signature', 'bad-signature', BEFORE_FINISH),
  advance('old-event', 'reorder', UNDER_WAY, 2),
  advance('lost-event', 'lose', BEFORE_FINISH),
  {
    point: 'cancel',
    act: 'operator-cancels',
    fault: null,
    from: [...BEFORE_FINISH, 'Finished'],
    times: 1,
    events: 2,
  },
];

/** A step that was provoked; its events are those of the booking after this sequence. */
export type Provoked = { point: PointId; bookingId: string; afterSequence: number; at: Instant };

/** Milliseconds of business time in which a partner reacts to a provoked step. */
export const REACTION_TIME = 10 * MINUTE;
/** Milliseconds after which a certification is finished, even if points are undecided. */
export const DURATION = 24 * HOUR;
/** Milliseconds of a claim on a step; after it another worker provokes the step again. */
export const STEP_LEASE = MINUTE;

/** The events that a subscription of a certification must be for. */
export const WANTED_EVENTS = [
  'booking.updated',
  'booking.cancelled',
  'booking.appointment_status_changed',
] as const;

export type Score = { passed: number; of: number; percent: number };

const requiredOf = (findings: Findings): Finding[] =>
  Object.entries(findings).flatMap(([id, found]) => (isRecommended(id) ? [] : [found]));

/** Points that do not apply or are recommended do not count. */
export function scoreOf(findings: Findings): Score {
  const states = requiredOf(findings).map(({ state }) => state);
  const of = states.filter((state) => state !== 'not-applicable').length;
  const passed = states.filter((state) => state === 'passed').length;
  return { passed, of, percent: of === 0 ? 0 : Math.floor((100 * passed) / of) };
}

/** Whether every point that counts is decided. */
export const isDecided = (findings: Findings): boolean =>
  requiredOf(findings).every(({ state }) => state !== 'waiting');
