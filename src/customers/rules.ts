import { DAY, HOUR, type Instant, MINUTE } from '../base/clock.ts';
import type { AppointmentStatus, BookingStatus } from '../bookings/rules.ts';

/** Milliseconds after the end of the visit for which its page can be read. */
const PAGE_ENDS_AFTER = 7 * DAY;

/** Whether the page of a visit can no longer be read. An erased customer's ends here too. */
export const isPageOver = ({ ends_at }: { ends_at: Instant }, now: Instant): boolean =>
  now >= ends_at + PAGE_ENDS_AFTER;

/** States of a visit in the words of its customer. */
export type VisitState =
  | 'waiting'
  | 'booked'
  | 'confirmed'
  | 'late'
  | 'unreported'
  | 'onTheWay'
  | 'arrived'
  | 'underWay'
  | 'done'
  | 'notDone'
  | 'over'
  | 'visitCanceled'
  | 'canceled'
  | 'failed';

const BY_APPOINTMENT: Record<AppointmentStatus, VisitState> = {
  New: 'booked',
  Scheduled: 'booked',
  Confirmed: 'confirmed',
  'In The Way': 'onTheWay',
  'In The location': 'arrived',
  'In Progress': 'underWay',
  Finished: 'done',
  Completed: 'done',
  'Cannot Complete': 'notDone',
  Cancelled: 'visitCanceled',
};

/** null: that of the appointment. */
const BY_BOOKING: Record<BookingStatus, VisitState | null> = {
  'in progress': null,
  'waiting payment': 'waiting',
  success: null,
  canceled: 'canceled',
  failed: 'failed',
};

/** Milliseconds after its end for which a visit may still be under way without another report. */
const WORKS_ON = 12 * HOUR;

type VisitFacts = {
  status: BookingStatus;
  appointment_status: AppointmentStatus;
  starts_at: Instant;
  ends_at: Instant;
  /** The delay that was reported; null: none. */
  late_minutes: number | null;
};

/** When the team is expected: at the start, or as much later as was reported. */
export const expectedAt = ({
  starts_at,
  late_minutes,
}: Pick<VisitFacts, 'starts_at' | 'late_minutes'>): Instant => starts_at + (late_minutes ?? 0) * MINUTE;

/**
 * The state of a visit. `late`: a delay was reported. `unreported`: the team was expected before now, and nobody has
 * reported. `over`: so until the end of the visit, or no report of the end came.
 */
export function visitState(visit: VisitFacts, now: Instant): VisitState {
  const state = BY_BOOKING[visit.status] ?? BY_APPOINTMENT[visit.appointment_status];
  const expected = expectedAt(visit);
  const end = visit.ends_at + expected - visit.starts_at;
  if (state === 'arrived' || state === 'underWay') return now >= end + WORKS_ON ? 'over' : state;
  if (state !== 'booked' && state !== 'confirmed' && state !== 'onTheWay') return state;
  if (now >= end) return 'over';
  if (state === 'onTheWay') return state;
  if (now >= expected) return 'unreported';
  return expected > visit.starts_at ? 'late' : state;
}

/** The states of a visit that is still to come. */
export const AHEAD: readonly VisitState[] = ['waiting', 'booked', 'confirmed', 'late', 'unreported'];

/** Black or white, whichever is easier to read on the colour (`#rrggbb`): at least 4.5 to 1 on every one. */
export function textOn(colour: string): '#000' | '#fff' {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const part = Number.parseInt(colour.slice(at, at + 2), 16) / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  const luminance = 0.2126 * red + 0.7152 * green + 0.0722 * blue;
  // Equal contrast with both (WCAG 2): (1.05 / (l + 0.05) = (l + 0.05) / 0.05).
  return luminance + 0.05 > Math.sqrt(1.05 * 0.05) ? '#000' : '#fff';
}
