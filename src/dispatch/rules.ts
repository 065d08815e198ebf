import { type CalendarDate, DAY, parseOffsetDateTime } from '../base/clock.ts';
import { type TimeslotInput, timeslotFaults } from '../bookings/timeslots.ts';

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
  'NOBODY_HOME',
  'NO_ACCESS',
  'REFUSED',
  'UNSAFE',
  'WRONG_ADDRESS',
  'SCOPE_DIFFERS',
  'CREW',
  'OTHER',
] as const;

/** Faults of a change of an appointment beside those of its timeslot. */
export function statusFaults(given: readonly string[]): string[] {
  if (given.includes('status')) return [];
  return ['statusReason', 'statusNotes']
    .filter((name) => given.includes(name))
    .map((name) => `${name} is for a change of status`);
}

/** Milliseconds: the longest period of one request. */
const MAX_AWAY = 31 * DAY;

/** Faults of a request to reassign, beyond its form. */
export function reassignFaults({
  from,
  to,
  apply = [],
}: {
  from?: string;
  to?: string;
  apply?: readonly (
    | { appointmentId?: string; date?: CalendarDate; timeslot?: Partial<TimeslotInput> }
    | undefined
  )[];
}): string[] {
  const faults: string[] = [];
  if (from !== undefined && to !== undefined) {
    const length = parseOffsetDateTime(to)! - parseOffsetDateTime(from)!;
    if (length <= 0) faults.push('to must be after from');
    if (length > MAX_AWAY) faults.push('to must be at most 31 days after from');
  }
  const ids = apply.flatMap((move) => move?.appointmentId?.toLowerCase() ?? []);
  if (new Set(ids).size < ids.length) faults.push('apply must name each appointment once');
  const slotFaults = apply.flatMap((move, index) =>
    timeslotFaults(move ?? {}).map((fault) => `apply.${index}.${fault}`),
  );
  return [...faults, ...slotFaults];
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
