import { type CalendarDate, DAY, parseOffsetDateTime } from '../base/clock.ts';
import { type TimeslotInput, timeslotFaults } from '../bookings/timeslots.ts';
import { repeatFaults } from '../http/id-lists.ts';
import type { Outcome } from '../policies/words.ts';

/** The orders of the operator's lists. */
export const BOOKING_ORDERS = [
  'createdAt',
  'updatedAt',
  'date',
  'status',
  'externalReference',
  'amount',
  'startsAt',
] as const;
export const APPOINTMENT_ORDERS = ['startsAt', 'endsAt', 'createdAt', 'status', 'name'] as const;

/** Reasons of a status, above all of `Cannot Complete`. */
export const STATUS_REASONS = [
  'CUSTOMER_ABSENT',
  'NO_ACCESS',
  'REFUSED',
  'UNSAFE',
  'WRONG_ADDRESS',
  'SCOPE_DIFFERS',
  'CREW',
  'OTHER',
] as const;
export type StatusReason = (typeof STATUS_REASONS)[number];

/** The outcomes that these reasons are, to the partner; null: none. */
const OUTCOME_OF: Record<StatusReason, Outcome | null> = {
  CUSTOMER_ABSENT: 'CUSTOMER_ABSENT',
  NO_ACCESS: 'NO_ACCESS',
  REFUSED: 'REFUSED',
  UNSAFE: 'UNSAFE',
  WRONG_ADDRESS: null,
  SCOPE_DIFFERS: null,
  CREW: 'CREW',
  OTHER: null,
};

/** The outcome of a visit that becomes `Cannot Complete`; null: it is not known. */
export function outcomeOf(given: { outcome?: Outcome; statusReason?: StatusReason }): Outcome | null {
  return given.outcome ?? (given.statusReason === undefined ? null : OUTCOME_OF[given.statusReason]);
}

/** The fault of an outcome with another status. */
export function outcomeFaults({ outcome, status }: { outcome?: string; status?: string }): string[] {
  return outcome === undefined || status === 'Cannot Complete' ? [] : ['outcome is for Cannot Complete'];
}

/** Faults of a change of an appointment beside those of its timeslot. */
export function statusFaults(given: readonly string[]): string[] {
  if (given.includes('status')) return [];
  return ['statusReason', 'statusNotes']
    .filter((name) => given.includes(name))
    .map((name) => `${name} is for a change of status`);
}

/** Milliseconds: the longest period of one request. */
const MAX_AWAY = 31 * DAY;

type MoveInput = { appointmentId?: string; date?: CalendarDate; timeslot?: Partial<TimeslotInput> };

/** Faults of a request to reassign the appointments of a team that is away, beyond its form. */
export function reassignFaults({
  from,
  to,
  apply = [],
}: {
  from?: string;
  to?: string;
  apply?: readonly (MoveInput | undefined)[];
}): string[] {
  const faults: string[] = [];
  if (from !== undefined && to !== undefined) {
    const length = parseOffsetDateTime(to)! - parseOffsetDateTime(from)!;
    if (length <= 0) faults.push('to must be after from');
    if (length > MAX_AWAY) faults.push('to must be at most 31 days after from');
  }
  return [...faults, ...moveFaults(apply)];
}

/** Faults of a request to reassign chosen appointments, beyond its form. */
export function reassignChosenFaults({
  appointmentIds,
  apply = [],
}: {
  appointmentIds?: readonly (string | undefined)[];
  apply?: readonly (MoveInput | undefined)[];
}): string[] {
  return [...repeatFaults('appointmentIds', appointmentIds), ...moveFaults(apply)];
}

/** Faults of a request to take reassignments back, beyond its form. */
export function undoFaults({ apply = [] }: { apply?: readonly (MoveInput | undefined)[] }): string[] {
  return moveFaults(apply);
}

function moveFaults(moves: readonly (MoveInput | undefined)[]): string[] {
  const ids = moves.flatMap((move) => move?.appointmentId?.toLowerCase() ?? []);
  const slotFaults = moves.flatMap((move, index) =>
    timeslotFaults(move ?? {}).map((fault) => `apply.${index}.${fault}`),
  );
  return [
    ...(new Set(ids).size < ids.length ? ['apply must name each appointment once'] : []),
    ...slotFaults,
  ];
}

/** Faults of a request to delay a team, beyond its form. */
export function delayFaults({
  minutes,
  apply = [],
}: {
  minutes?: number;
  apply?: readonly ({ appointmentId?: string } | undefined)[];
}): string[] {
  const ids = apply.flatMap((visit) => visit?.appointmentId?.toLowerCase() ?? []);
  return [
    ...(minutes === 0 ? ['minutes must not be 0'] : []),
    ...(new Set(ids).size < ids.length ? ['apply must name each appointment once'] : []),
  ];
}
