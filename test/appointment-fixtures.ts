import assert from 'node:assert/strict';
import type { AppointmentStatus } from '../src/bookings/rules.ts';
import { auditedOf } from './audited.ts';
import type { World } from './fixtures.ts';
import type { Answer, TestService } from './harness.ts';

/** Appointments that the operator changes, and the effects of a change. */

export const ACTOR = 'operator:first-token';

export type Booked = {
  bookingId: string;
  appointmentId: string;
  trackingReference: string;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers freely
  [field: string]: any;
};

export async function booked(
  world: World,
  startAt = '10:00',
  overrides: Record<string, unknown> = {},
): Promise<Booked> {
  const endAt = `${String(Number(startAt.slice(0, 2)) + 2)}${startAt.slice(2)}`;
  const answer = await world.book({ timeslot: { startAt, endAt }, ...overrides });
  assert.equal(answer.status, 200, answer.text);
  return answer.body.data;
}

export const patch = (service: TestService, { appointmentId }: Booked, body: unknown): Promise<Answer> =>
  service.operator('PATCH', `/appointments/${appointmentId}`, body);

export async function patched(service: TestService, booking: Booked, body: unknown) {
  const answer = await patch(service, booking, body);
  assert.equal(answer.status, 200, answer.text);
  return answer.body.data;
}

export async function shown(service: TestService, { appointmentId }: Booked) {
  const answer = await service.operator('GET', `/appointments/${appointmentId}`);
  assert.equal(answer.status, 200, answer.text);
  return answer.body.data;
}

export async function asPartner(service: TestService, world: World, { bookingId }: Booked) {
  const answer = await service.v1(world.key, 'GET', `/partners/bookings/${bookingId}/status`);
  assert.equal(answer.status, 200, answer.text);
  return answer.body.data;
}

/** The rows that a change could affect. */
export async function traces(service: TestService, { bookingId, appointmentId }: Booked) {
  const { db } = service.deps;
  return {
    booking: await db.first({ text: 'select * from bookings where id = $1', values: [bookingId] }),
    appointment: await db.first({
      text: 'select * from appointments where id = $1',
      values: [appointmentId],
    }),
    // biome-ignore lint/suspicious/noExplicitAny: tests look into payloads freely
    events: await db.rows<{ event: string; actor: string; payload: any }>({
      text: 'select event, actor, payload from events where booking_id = $1 order by sequence',
      values: [bookingId],
    }),
    audit: await auditedOf(db, `appointment:${appointmentId}`),
  };
}

export const slot = (startAt: string, endAt: string) => ({ startAt, endAt });

export async function setState(
  service: TestService,
  { bookingId, appointmentId }: Booked,
  state: { appointment?: AppointmentStatus; booking?: string },
): Promise<void> {
  const { db } = service.deps;
  if (state.appointment !== undefined)
    await db.rows({
      text: 'update appointments set status = $2 where id = $1',
      values: [appointmentId, state.appointment],
    });
  if (state.booking !== undefined)
    await db.rows({
      text: 'update bookings set status = $2 where id = $1',
      values: [bookingId, state.booking],
    });
}

/** The appointment in the audit log: without the customer, calls to her, and the team's phone. */
export function audited(appointment: Record<string, unknown>) {
  const { contact: _contact, address: _address, lastCall: _call, ...rest } = appointment;
  const { phone: _phone, ...team } = rest.team as { phone: string | null };
  return { ...rest, team };
}
