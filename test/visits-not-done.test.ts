import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { APPOINTMENT_STATUSES } from '../src/bookings/rules.ts';
import { OUTCOMES } from '../src/policies/words.ts';
import {
  booked,
  cancel,
  data,
  payloadsOf,
  quote,
  read,
  reasonOf,
  refusedWith,
  type Scene,
  withPolicy,
} from './fee-fixtures.ts';
import { createWorld } from './fixtures.ts';
import { startTestService } from './harness.ts';
import { awaited, isSent, withMoyasar } from './operator-payment-fixtures.ts';
import { givenBack, keptOf } from './payment-flows.ts';
import { tally } from './storm.ts';

/** Visits that could not be done, and what the operator decides about them. */

async function scene(t: TestContext, teams = 3): Promise<Scene> {
  const service = await startTestService(t);
  return { service, world: await createWorld(service, { teams }) };
}

/** The visit of the booking is `Cannot Complete`. */
async function notDone(it: Scene, bookingId: string, why: Record<string, unknown> = {}): Promise<void> {
  const { appointmentId } = await read(it, bookingId);
  const path = `/appointments/${appointmentId}`;
  for (const status of ['In The Way', 'In The location'])
    data(await it.service.operator('PATCH', path, { status }));
  data(await it.service.operator('PATCH', path, { status: 'Cannot Complete', ...why }));
}

const close = async ({ service }: Scene, bookingId: string, body: Record<string, unknown> = {}) =>
  service.operator('POST', `/bookings/${bookingId}/close`, {
    reasonId: await reasonOf({ service }),
    ...body,
  });

const SLOT = { date: '2026-11-25', timeslot: { startAt: '14:00', endAt: '16:00' } };
const revisit = ({ service }: Scene, bookingId: string, body: Record<string, unknown> = {}) =>
  service.operator('POST', `/bookings/${bookingId}/revisit`, { ...SLOT, ...body });

const concerned = async ({ service }: Scene): Promise<string[]> =>
  data(await service.operator('GET', '/appointments?attention=cannot-complete')).map(
    ({ bookingId }: { bookingId: string }) => bookingId,
  );

test('a visit that could not be done tells its outcome, to the partner too', async (t) => {
  const it = await scene(t);
  const [given, known, unknown] = [await booked(it), await booked(it), await booked(it)];
  await notDone(it, given, { outcome: 'WEATHER' });
  await notDone(it, known, { statusReason: 'CUSTOMER_ABSENT' });
  await notDone(it, unknown, { statusReason: 'WRONG_ADDRESS' });
  const outcomes = await Promise.all([given, known, unknown].map(async (id) => (await read(it, id)).outcome));
  assert.deepEqual(outcomes, ['WEATHER', 'CUSTOMER_ABSENT', null]);
  const [last] = (await payloadsOf(it, given, 'booking.appointment_status_changed')).slice(-1);
  assert.deepEqual([last.outcome, last.appointmentStatusChange.to], ['WEATHER', 'Cannot Complete']);
  const { appointmentId } = await read(it, given);
  const path = `/appointments/${appointmentId}`;
  const refused = await it.service.operator('PATCH', path, { status: 'Scheduled', outcome: 'CREW' });
  assert.deepEqual(refusedWith(refused, 400, 'VALIDATION_ERROR').message, ['outcome is for Cannot Complete']);
  const body = { status: 'In The location', reason: 'The wrong visit' };
  data(await it.service.operator('POST', `${path}/correct`, body));
  assert.equal((await read(it, given)).outcome, null);
});

test('closing charges a no-show for what the customer caused, and nothing for the rest', async (t) => {
  const it = await scene(t, OUTCOMES.length);
  await withPolicy(it);
  const ids: Record<string, string> = {};
  for (const outcome of OUTCOMES) ids[outcome] = await booked(it);
  for (const outcome of OUTCOMES) {
    const id = ids[outcome]!;
    await notDone(it, id, { outcome });
    assert.ok((await concerned(it)).includes(id));
    const fee = ['CUSTOMER_ABSENT', 'NO_ACCESS', 'REFUSED'].includes(outcome) ? 120 : 0;
    assert.equal(data(await quote(it, id, 'cancel')).fee, fee);
    const closed = data(await close(it, id, { notes: 'Called twice' }));
    assert.deepEqual([closed.status, closed.cancellation.fee, closed.outcome], ['canceled', fee, outcome]);
    const shown = await read(it, id);
    assert.deepEqual([shown.cancellation.by, shown.cancellation.fee], ['OPERATOR', fee]);
    assert.deepEqual(await payloadsOf(it, id, 'booking.cancelled'), [shown]);
    assert.ok(!(await concerned(it)).includes(id));
    refusedWith(await close(it, id), 422, 'INVALID_TRANSITION');
  }
});

test("the outcome can be told with the closing; without one, or a policy, it is the operator's cancellation", async (t) => {
  const it = await scene(t);
  const free = await booked(it);
  await withPolicy(it);
  const [told, unknown] = [await booked(it), await booked(it)];
  for (const id of [free, told, unknown]) await notDone(it, id);
  const feeOf = async (id: string, body = {}) => data(await close(it, id, body)).cancellation.fee;
  assert.equal(await feeOf(free, { outcome: 'REFUSED' }), null);
  assert.equal(await feeOf(told, { outcome: 'REFUSED' }), 120);
  assert.equal(await feeOf(unknown), null);
  assert.equal((await read(it, told)).outcome, 'REFUSED');
});

test('a revisit is the same booking at another time; the first visit stays in its history', async (t) => {
  const it = await scene(t, 1);
  const { service } = it;
  await withPolicy(it);
  const id = await booked(it);
  const before = await read(it, id);
  await notDone(it, id, { outcome: 'NO_ACCESS' });
  const visited = data(await revisit(it, id));
  assert.equal(visited.appointment.status, 'Scheduled');
  const after = await read(it, id);
  assert.deepEqual(
    [after.status, after.date, after.timeslot.startAt, after.outcome, after.fees, after.policyId],
    ['in progress', '2026-11-25T00:00:00.000Z', '14:00', null, [], before.policyId],
  );
  assert.deepEqual(await payloadsOf(it, id, 'booking.updated'), [after]);
  const changes = await payloadsOf(it, id, 'booking.appointment_status_changed');
  assert.deepEqual(
    changes.map(({ outcome, appointmentStatusChange: { from, to } }: (typeof changes)[number]) => [
      from,
      to,
      outcome,
    ]),
    [
      ['Scheduled', 'In The Way', null],
      ['In The Way', 'In The location', null],
      ['In The location', 'Cannot Complete', 'NO_ACCESS'],
      ['Cannot Complete', 'Scheduled', null],
    ],
  );
  assert.deepEqual(await concerned(it), []);
  // Its time is held, by the rules of slots, and it goes on as any visit.
  assert.equal((await it.world.book(SLOT)).body.error.details.reason, 'SLOT_UNAVAILABLE');
  for (const status of ['In The Way', 'In The location', 'In Progress', 'Finished'])
    data(await service.operator('PATCH', `/appointments/${after.appointmentId}`, { status }));
  const completed = { status: 'Completed', force: true };
  data(await service.operator('PATCH', `/appointments/${after.appointmentId}`, completed));
  assert.equal((await read(it, id)).status, 'success');
});

test('a revisit where no team is free is refused with other times, and changes nothing', async (t) => {
  const it = await scene(t, 1);
  const [id, other] = [await booked(it), await booked(it, SLOT)];
  await notDone(it, id, { outcome: 'CREW' });
  const before = await read(it, id);
  const details = refusedWith(await revisit(it, id), 422, 'BOOKING_CREATION_FAILED');
  assert.ok(details.alternatives.length > 0);
  assert.deepEqual(await read(it, id), before);
  data(await cancel(it, other));
  assert.deepEqual(tally(await Promise.all([revisit(it, id), revisit(it, id), close(it, id)])), {
    200: 1,
    INVALID_TRANSITION: 2,
  });
});

test('only a visit that could not be done is decided on', async (t) => {
  const it = await scene(t, 1);
  const id = await booked(it);
  for (const status of APPOINTMENT_STATUSES.filter((one) => one !== 'Cannot Complete')) {
    const text = 'update appointments set status = $1 where booking_id = $2';
    await it.service.deps.db.rows({ text, values: [status, id] });
    for (const answer of [await close(it, id), await revisit(it, id)])
      assert.deepEqual(
        refusedWith(answer, 422, 'INVALID_TRANSITION').allowedFrom,
        ['Cannot Complete'],
        status,
      );
  }
});

test('the refund is what was paid without the fee of the outcome, and a revisit begins anew', async (t) => {
  const it = await withMoyasar(t);
  await withPolicy(it);
  for (const outcome of ['CUSTOMER_ABSENT', 'WEATHER']) {
    const id = await booked(it);
    const { gatewayReference } = await awaited(it.service, id, isSent);
    await it.moyasar.pay(gatewayReference);
    await awaited(it.service, id, ({ status }) => status === 'PAID');
    const { appointmentId } = await read(it, id);
    for (const status of ['In The Way', 'In The location', 'In Progress'])
      data(await it.service.operator('PATCH', `/appointments/${appointmentId}`, { status }));
    const path = `/appointments/${appointmentId}`;
    data(await it.service.operator('PATCH', path, { status: 'Cannot Complete', outcome }));
    if (outcome === 'WEATHER') {
      // The work of the second visit has not begun: nothing is left to decide on.
      data(await revisit(it, id));
      assert.equal(data(await quote(it, id, 'cancel')).fee, 0);
      data(await cancel(it, id));
    } else data(await close(it, id));
    const kept = outcome === 'WEATHER' ? 0 : 12_000;
    await awaited(it.service, id, ({ refund }) => refund?.status === 'DONE');
    const invoice = it.moyasar.invoices.get(gatewayReference)!;
    assert.deepEqual([givenBack(invoice), keptOf(invoice)], [15_000 - kept, kept]);
  }
});
