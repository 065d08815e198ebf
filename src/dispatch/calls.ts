import { type Instant, parseOffsetDateTime } from '../base/clock.ts';
import { type Actor, audit } from '../db/audit.ts';
import type { Db } from '../db/connection.ts';
import { readAppointment } from './appointments.ts';
import { insertCall } from './call-queries.ts';
import type { AppointmentRow } from './queries.ts';
import type { RecordCall } from './schema.ts';

/** Keeps what a customer answered on the telephone about a start of her visit. Throws RESOURCE_NOT_FOUND. */
export function recordCall(
  db: Db,
  now: Instant,
  actor: Actor,
  { appointmentId, answer, startsAt }: RecordCall & { appointmentId: string },
): Promise<AppointmentRow> {
  return db.transaction(async (tx) => {
    const { id, booking_id, name } = await readAppointment(tx, appointmentId);
    const call = { answer, starts_at: parseOffsetDateTime(startsAt)!, at: now, by: actor };
    await insertCall(tx, id, call);
    const after = { bookingId: booking_id, trackingReference: name, answer, startsAt };
    await audit(tx, now, { actor, action: 'appointment.call', target: `appointment:${id}`, after });
    return readAppointment(tx, id);
  });
}
