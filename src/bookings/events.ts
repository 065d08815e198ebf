import type { Instant } from '../base/clock.ts';
import { newId } from '../base/ids.ts';
import type { NewEvent } from './change-queries.ts';
import type { BookingRow } from './queries.ts';
import { appointmentStatusChangedView } from './view.ts';

/**
 * booking.appointment_status_changed (section 6) when the change of the booking changes its appointment, else none.
 * `changedAt`: when it happened, if that was earlier than now.
 */
export function appointmentEvents(
  before: BookingRow,
  after: BookingRow,
  now: Instant,
  changedAt = now,
): NewEvent[] {
  const [from, to] = [before.appointment_status, after.appointment_status];
  if (from === to) return [];
  return [
    {
      id: newId(now),
      name: 'booking.appointment_status_changed',
      payload: appointmentStatusChangedView(after, { from, to, changedAt }),
    },
  ];
}
