import { randomUUID } from 'node:crypto';
import { HOUR, type Instant } from '../clock.ts';
import type { Db } from '../platform/db.ts';
import { insertEvent, lockUnassigned, setAppointmentStatus } from './queries.ts';
import { ASSIGN_BEFORE_HOURS } from './rules.ts';
import { appointmentStatusChangedView } from './view.ts';

const BATCH = 50;

/**
 * Assigns the deferred appointments that start within 24 hours and that the operator has not assigned:
 * New → Scheduled, with its booking.appointment_status_changed event. Answers how many.
 */
export async function confirmDueAssignments(db: Db, now: Instant): Promise<number> {
  let assigned = 0;
  for (let batch = BATCH; batch === BATCH; assigned += batch) {
    batch = await db.transaction(async (tx) => {
      const due = await lockUnassigned(tx, now + ASSIGN_BEFORE_HOURS * HOUR, BATCH);
      for (const row of due) {
        await setAppointmentStatus(tx, now, row.appointment_id, 'Scheduled');
        const change = { from: 'New', to: 'Scheduled', changedAt: now } as const;
        await insertEvent(tx, now, row, {
          id: randomUUID(),
          name: 'booking.appointment_status_changed',
          payload: appointmentStatusChangedView({ ...row, appointment_status: 'Scheduled' }, change),
          actor: 'worker',
        });
      }
      return due.length;
    });
  }
  return assigned;
}
