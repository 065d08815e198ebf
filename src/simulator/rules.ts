import {
  APPOINTMENT_MOVES,
  type AppointmentStatus,
  type BookingStatus,
  CLOSED_BOOKINGS,
  MOVABLE_BY_OPERATOR,
  UNPAID_APPOINTMENT,
} from '../bookings/rules.ts';
import { crewActor, isCrewStatus } from '../crew/rules.ts';
import type { Actor } from '../db/audit.ts';
import type { ChangeAppointment } from '../dispatch/schema.ts';
import type { RequestFaults } from '../http/validation.ts';

/** The actor of the simulator's office in events, histories and the audit log. */
export const SIMULATOR = 'simulator';

/** The scripts that a partner can start. */
export const SCRIPTS = [
  'complete',
  'cannot-complete',
  'late-cancel',
  'no-show',
  'revisit',
  'operator-moves',
  'operator-cancels',
  'customer-pays',
  'payment-fails',
] as const;
export type Script = (typeof SCRIPTS)[number];

/** Scripts of the customers with one of the numbers of scripted-customers.ts. */
export const CUSTOMER_SCRIPTS = [
  'customer-pays-late',
  'customer-declines',
  'customer-declines-once',
] as const;
export type RunScript = Script | (typeof CUSTOMER_SCRIPTS)[number];

/** Endings of the holds of customers with one of the numbers of scripted-customers.ts. */
export const HOLD_ENDINGS = ['hold-expires', 'hold-lost', 'hold-dearer', 'hold-limit'] as const;
export type HoldEnding = (typeof HOLD_ENDINGS)[number];

export const RUN_STATUSES = ['RUNNING', 'COMPLETED', 'FAILED', 'STOPPED'] as const;
export type RunStatus = (typeof RUN_STATUSES)[number];
export const STEP_STATUSES = ['WAITING', 'DONE', 'FAILED', 'SKIPPED'] as const;
export type StepStatus = (typeof STEP_STATUSES)[number];
/** The cause of a run: a request, the header of the booking's creation, or the customer's phone number. */
export const STARTERS = ['request', 'creation', 'phone'] as const;
export type Starter = (typeof STARTERS)[number];

export const ACTIONS = [
  'appointment',
  'move',
  'cancel',
  'pay',
  'decline',
  'fail-payment',
  'late-cancel',
  'no-show',
  'close',
  'revisit',
] as const;
export type Action = (typeof ACTIONS)[number];

/** Seconds between two steps, of business time. */
export const DEFAULT_EVERY = 5;
export const MAX_EVERY = 3_600;

/** One step, `after` so many seconds from the step before. */
export type PlannedStep =
  | { action: 'appointment'; to: AppointmentStatus; after: number }
  | { action: Exclude<Action, 'appointment'>; to: null; after: number };

/** The statuses that decide which moves are allowed. */
export type Statuses = { appointmentStatus: AppointmentStatus; bookingStatus: BookingStatus };

/** The status after this one on the way to Completed. */
const after = (status: AppointmentStatus): AppointmentStatus | undefined => APPOINTMENT_MOVES[status][0];

/** The statuses that the operator may give the appointment now (docs/STATES.md). */
export function movesFrom({ appointmentStatus, bookingStatus }: Statuses): AppointmentStatus[] {
  if (CLOSED_BOOKINGS.includes(bookingStatus)) return [];
  const moves: readonly AppointmentStatus[] = APPOINTMENT_MOVES[appointmentStatus];
  return bookingStatus === 'waiting payment'
    ? moves.filter((status) => UNPAID_APPOINTMENT.includes(status))
    : [...moves];
}

/** The next status on the way to Completed; null when there is none, or the booking is not paid for. */
export function nextStatus(statuses: Statuses): AppointmentStatus | null {
  const next = after(statuses.appointmentStatus);
  return next !== undefined && movesFrom(statuses).includes(next) ? next : null;
}

/** The change to a status as its crew reports it, with a reason; the other statuses are the office's. */
export function moveTo(
  status: AppointmentStatus,
  { team_id }: { team_id: string },
): { actor: Actor; changes: ChangeAppointment } {
  if (!isCrewStatus(status)) return { actor: SIMULATOR, changes: { status, force: true } };
  const reason = status === 'Cannot Complete' && { statusReason: 'CUSTOMER_ABSENT' as const };
  return { actor: crewActor(team_id), changes: { status, ...reason } };
}

/** The statuses after `from` up to `to`; null when `to` does not come after `from`. */
function statusesUntil(from: AppointmentStatus, to: AppointmentStatus): AppointmentStatus[] | null {
  const way: AppointmentStatus[] = [];
  for (let status = from; status !== to; ) {
    const next = after(status);
    if (next === undefined) return null;
    way.push(next);
    status = next;
  }
  return way;
}

/** The steps of a script from these statuses, `every` seconds apart; null: it cannot be played from them. */
export function stepsOf(script: RunScript, statuses: Statuses, every: number): PlannedStep[] | null {
  const { appointmentStatus, bookingStatus } = statuses;
  const isOpen = !CLOSED_BOOKINGS.includes(bookingStatus);
  const waits = bookingStatus === 'waiting payment';
  const one = (action: Exclude<Action, 'appointment'>, after = every): PlannedStep => ({
    action,
    to: null,
    after,
  });
  const onTheWay = (
    way: AppointmentStatus[] | null,
    ...then: Exclude<Action, 'appointment'>[]
  ): PlannedStep[] | null => {
    if (!isOpen || way === null || way.length + then.length === 0) return null;
    const steps = way.map((to): PlannedStep => ({ action: 'appointment', to, after: every }));
    // An unpaid appointment does not proceed.
    return [...(waits ? [one('pay')] : []), ...steps, ...then.map((action) => one(action))];
  };
  const hasBegun = appointmentStatus === 'In Progress';
  const untilPlace = hasBegun ? [] : statusesUntil(appointmentStatus, 'In The location');
  const notDone = appointmentStatus === 'Cannot Complete';
  switch (script) {
    case 'complete':
      return onTheWay(statusesUntil(appointmentStatus, 'Completed'));
    case 'cannot-complete':
      return onTheWay(untilPlace && [...untilPlace, 'Cannot Complete']);
    case 'late-cancel':
      return onTheWay(hasBegun ? [] : statusesUntil(appointmentStatus, 'In Progress'), 'late-cancel');
    case 'no-show':
      return notDone ? onTheWay([], 'close') : onTheWay(untilPlace, 'no-show', 'close');
    case 'revisit':
      return notDone ? onTheWay([], 'revisit') : onTheWay(untilPlace, 'no-show', 'revisit');
    case 'operator-moves':
      return isOpen && MOVABLE_BY_OPERATOR.includes(appointmentStatus) ? [one('move')] : null;
    case 'operator-cancels':
      return bookingStatus === 'canceled' ? null : [one('cancel')];
    case 'customer-pays':
    case 'customer-pays-late':
      return waits ? [one('pay')] : null;
    case 'payment-fails':
      return waits ? [one('fail-payment')] : null;
    case 'customer-declines':
      return waits ? [one('decline')] : null;
    case 'customer-declines-once':
      return waits ? [one('decline'), one('pay')] : null;
  }
}

// ---------------------------------------------------------------------------
// The header X-Sandbox-Run

export type WantedRun = { script: Script; everySeconds: number };

const HEADER = /^\s*([a-z-]{1,40})\s*(?:;\s*every\s*=\s*(\d{1,4})\s*)?$/;

function isScript(text: string | undefined): text is Script {
  return (SCRIPTS as readonly (string | undefined)[]).includes(text);
}

/** The run of a header like `complete; every=5`; null when it has another form. */
export function parseRunHeader(header: string): WantedRun | null {
  const [, script, every] = HEADER.exec(header) ?? [];
  const everySeconds = every === undefined ? DEFAULT_EVERY : Number(every);
  return isScript(script) && everySeconds <= MAX_EVERY ? { script, everySeconds } : null;
}

/** Faults of the header X-Sandbox-Run. */
export function runHeaderFaults(header: unknown): RequestFaults {
  if (header === undefined || (typeof header === 'string' && parseRunHeader(header) !== null))
    return { messages: [], hints: [] };
  return {
    messages: ['X-Sandbox-Run must be a script, and how many seconds apart its steps are: complete; every=5'],
    hints: [
      `X-Sandbox-Run: the scripts are ${SCRIPTS.join(', ')}`,
      `X-Sandbox-Run: every is a whole number of seconds from 0 to ${MAX_EVERY}; left out, it is ${DEFAULT_EVERY}`,
    ],
  };
}

// ---------------------------------------------------------------------------
// Tries

/** Milliseconds between two looks at a step that waits until a worker has made the payment link. */
export const LINK_POLL_INTERVAL = 250;
/** Tries of a step that fails for an internal reason. */
export const MAX_TRIES = 8;

/** Milliseconds until the next try. */
export function retryAfter(tries: number): number {
  return Math.min(250 * 2 ** tries, 30_000);
}
