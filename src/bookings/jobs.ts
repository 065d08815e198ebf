import { HOUR, type Instant } from '../clock.ts';
import type { Db } from '../db/connection.ts';
import { newId } from '../ids.ts';
import { insertEvent, lockUnassigned, setAppointmentStatus } from './change-queries.ts';
import { ASSIGN_BEFORE_HOURS, appointmentAfter } from './rules.ts';
import { appointmentStatusChangedView } from './view.ts';

const BATCH = 50;

/**
 * Assigns the deferred appointments that start within 24 hours and that the operator has not assigned:
 * New → Scheduled, with its booking.appointment_status_changed event. Returns how many.
 */
export async function confirmDueAssignments(db: Db, now: Instant): Promise<number> {
  let assigned = 0;
  for (let batch = BATCH; batch === BATCH; assigned += batch) {
    batch = await db.transaction(async (tx) => {
      const due = await lockUnassigned(tx, now + ASSIGN_BEFORE_HOURS * HOUR, BATCH);
      for (const row of due) {
        const from = row.appointment_status;
        const to = appointmentAfter('assigned', from)!;
        await setAppointmentStatus(tx, now, row.appointment_id, to);
        await insertEvent(tx, now, row, {
          id: newId(now),
          name: 'booking.appointment_status_changed',
          payload: appointmentStatusChangedView(
            { ...row, appointment_status: to },
            { from, to, changedAt: now },
          ),
          actor: 'worker',
        });
      }
      return due.length;
    });
  }
  return assigned;
}
