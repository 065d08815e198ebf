import {
  APPOINTMENT_MOVES,
  type AppointmentStatus,
  type BookingStatus,
  CLOSED_BOOKINGS,
  MOVABLE_BY_OPERATOR,
  UNPAID_APPOINTMENT,
} from '../bookings/rules.ts';
import type { RequestFaults } from '../http/validation.ts';

/** Who is behind what the simulator does: in events, histories and the audit log. */
export const SIMULATOR = 'simulator';

/** What a partner can ask for: who acts, and to which end. */
export const SCRIPTS = [
  'complete',
  'cannot-complete',
  'operator-moves',
  'operator-cancels',
  'customer-pays',
  'payment-fails',
] as const;
export type Script = (typeof SCRIPTS)[number];

/** What only a customer with one of the numbers of magic-customers.ts does. */
export const CUSTOMER_SCRIPTS = [
  'customer-pays-late',
  'customer-declines',
  'customer-declines-once',
] as const;
export type RunScript = Script | (typeof CUSTOMER_SCRIPTS)[number];

export const RUN_STATUSES = ['RUNNING', 'COMPLETED', 'FAILED', 'STOPPED'] as const;
export type RunStatus = (typeof RUN_STATUSES)[number];
export const STEP_STATUSES = ['WAITING', 'DONE', 'FAILED', 'SKIPPED'] as const;
export type StepStatus = (typeof STEP_STATUSES)[number];
/** Who started a run: a request, the header of the booking's creation, or the customer's phone number. */
export const STARTERS = ['request', 'creation', 'phone'] as const;
export type Starter = (typeof STARTERS)[number];

export const ACTIONS = ['appointment', 'move', 'cancel', 'pay', 'decline', 'fail-payment'] as const;
export type Action = (typeof ACTIONS)[number];

/** Seconds between two steps, of business time. */
export const DEFAULT_EVERY = 5;
export const MAX_EVERY = 3_600;

/** One step: what is done, and after how many seconds since the step before. */
export type PlannedStep =
  | { action: 'appointment'; to: AppointmentStatus; after: number }
  | { action: Exclude<Action, 'appointment'>; to: null; after: number };

/** What decides where an appointment can go. */
export type Situation = { appointmentStatus: AppointmentStatus; bookingStatus: BookingStatus };

/** On the way to Completed. */
const NEXT: Readonly<Partial<Record<AppointmentStatus, AppointmentStatus>>> = {
  New: 'Scheduled',
  Scheduled: 'Confirmed',
  Confirmed: 'In The Way',
  'In The Way': 'In The location',
  'In The location': 'In Progress',
  'In Progress': 'Finished',
  Finished: 'Completed',
};

/** Where the appointment may go now, as the operator may move it (docs/STATES.md). */
export function movesFrom({ appointmentStatus, bookingStatus }: Situation): AppointmentStatus[] {
  if (CLOSED_BOOKINGS.includes(bookingStatus)) return [];
  const moves: readonly AppointmentStatus[] = APPOINTMENT_MOVES[appointmentStatus];
  return bookingStatus === 'waiting payment'
    ? moves.filter((status) => UNPAID_APPOINTMENT.includes(status))
    : [...moves];
}

/** The next status on the way to Completed; null when there is none, or the booking is not paid for. */
export function nextStatus(situation: Situation): AppointmentStatus | null {
  const next = NEXT[situation.appointmentStatus];
  return next !== undefined && movesFrom(situation).includes(next) ? next : null;
}

/** The statuses after `from` until `to`, which is on the way; null when it is not. */
function wayTo(from: AppointmentStatus, to: AppointmentStatus): AppointmentStatus[] | null {
  const way: AppointmentStatus[] = [];
  for (let status = from; status !== to; ) {
    const next = NEXT[status];
    if (next === undefined) return null;
    way.push(next);
    status = next;
  }
  return way;
}

/** The steps of a script from here, each so many seconds after the one before; null: it cannot be played from here. */
export function stepsOf(script: RunScript, situation: Situation, every: number): PlannedStep[] | null {
  const { appointmentStatus, bookingStatus } = situation;
  const isOpen = !CLOSED_BOOKINGS.includes(bookingStatus);
  const waits = bookingStatus === 'waiting payment';
  const one = (action: Exclude<Action, 'appointment'>, after = every): PlannedStep => ({
    action,
    to: null,
    after,
  });
  const onTheWay = (way: AppointmentStatus[] | null): PlannedStep[] | null => {
    if (!isOpen || way === null || way.length === 0) return null;
    const steps = way.map((to): PlannedStep => ({ action: 'appointment', to, after: every }));
    // No team goes out unpaid.
    return waits ? [one('pay'), ...steps] : steps;
  };
  switch (script) {
    case 'complete':
      return onTheWay(wayTo(appointmentStatus, 'Completed'));
    case 'cannot-complete': {
      const hasArrived = appointmentStatus === 'In Progress';
      const way = hasArrived ? [] : wayTo(appointmentStatus, 'In The location');
      return onTheWay(way && [...way, 'Cannot Complete']);
    }
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

/** The run that `complete; every=5` asks for; null when it is not of that form. */
export function parseRunHeader(header: string): WantedRun | null {
  const [, script, every] = HEADER.exec(header) ?? [];
  const everySeconds = every === undefined ? DEFAULT_EVERY : Number(every);
  return isScript(script) && everySeconds <= MAX_EVERY ? { script, everySeconds } : null;
}

/** What is wrong with an X-Sandbox-Run as it was sent. */
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

/** Milliseconds until a step that waits for a payment link, which a worker is making, is looked at again. */
export const LOOK_AGAIN = 250;
/** How often a step is tried that fails for a reason of ours. */
export const MAX_TRIES = 8;

/** Milliseconds until the next try after so many. */
export function tryAgainAfter(tries: number): number {
  return Math.min(250 * 2 ** tries, 30_000);
}
