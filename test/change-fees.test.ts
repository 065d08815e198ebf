import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { HOUR, MINUTE, SECOND } from '../src/base/clock.ts';
import {
  booked,
  cancel,
  data,
  MARKET,
  payloadsOf,
  quote,
  read,
  reasonOf,
  refusedWith,
  type Scene,
  update,
  withPolicy,
} from './fee-fixtures.ts';
import { createWorld, type WorldOptions } from './fixtures.ts';
import { call, startTestService } from './harness.ts';
import { tally } from './storm.ts';

/** Fees of changes by a policy. */

/** The start of a world's bookings: 23 November 2026, 10:00 in Riyadh. */
const START = Date.parse('2026-11-23T10:00:00+03:00');

async function scene(t: TestContext, options: WorldOptions = { teams: 3 }): Promise<Scene> {
  const service = await startTestService(t);
  return { service, world: await createWorld(service, options) };
}

test('quotes, cancellations and moves cost what the policy says at each second around its limits', async (t) => {
  const it = await scene(t, { teams: 10 });
  await withPolicy(it);
  const { clock } = it.service;
  const at: [number, number | null, number][] = [
    [START - 12 * HOUR, 0, 0],
    [START - 12 * HOUR + SECOND, 37.5, 0],
    [START - 6 * HOUR, 37.5, 0],
    [START - 6 * HOUR + SECOND, 37.5, 20],
    [START - 3 * HOUR, 37.5, 20],
    [START - 3 * HOUR + SECOND, 75, 20],
    [START, 75, 20],
    // Nobody has reported anything: the operator decides.
    [START + SECOND, null, 0],
  ];
  const ids: string[] = [];
  for (let index = 0; index < at.length; index++) ids.push(await booked(it));
  for (const [index, [now, toCancel, toMove]] of at.entries()) {
    const id: string = ids[index]!;
    clock.set(now);
    const found = data(await quote(it, id, 'cancel'));
    assert.deepEqual(
      [found.fee, found.earlierFees, found.refund, found.feeAtMost],
      [toCancel, 0, toCancel === null ? null : 0, toCancel ?? 120],
    );
    assert.equal(data(await quote(it, id, 'reschedule')).fee, toMove);
    if (index % 2 === 0) {
      const canceled = data(await cancel(it, id, { maxFee: toCancel }));
      assert.equal(canceled.cancellation.fee, toCancel);
      assert.deepEqual(canceled.fees[0].amount, toCancel);
      assert.deepEqual(await payloadsOf(it, id, 'booking.cancelled'), [canceled]);
    } else {
      const moved = data(await update(it, id, { date: '2026-12-07', maxFee: toMove }));
      assert.deepEqual(
        moved.fees.map(({ action, amount }: Record<string, unknown>) => [action, amount]),
        [['reschedule', toMove]],
      );
      assert.deepEqual(await payloadsOf(it, id, 'booking.updated'), [moved]);
    }
  }
});

test('a quote says until when it holds, and tells the policy in words', async (t) => {
  const it = await scene(t);
  await withPolicy(it);
  const id = await booked(it);
  const found = data(await quote(it, id, 'cancel'));
  assert.equal(found.validUntil, '2026-11-22T22:00:00+03:00');
  assert.equal(found.policy.id, (await read(it, id)).policyId);
  assert.equal(
    found.policy.textEn,
    'Free of charge within 10 minutes of booking. Cancelling: from 12 h before the start 25% of the price, from 3 h ' +
      'before the start 50% of the price. Rescheduling: from 6 h before the start 20.00 SAR. Once the work has begun, or ' +
      'the team is there at the start: 100% of the price. If nobody is there: 80% of the price. Free of charge when we ' +
      'have changed the time.',
  );
  assert.match(found.policy.textAr, /الإلغاء: ابتداءً من 12 ساعة/);
  assert.deepEqual(found.policy.steps, MARKET.cancel);
  const moved = data(await quote(it, id, 'reschedule'));
  assert.equal(moved.validUntil, '2026-11-23T04:00:00+03:00');
  assert.deepEqual(moved.policy.steps, MARKET.reschedule);
  data(await cancel(it, id));
  refusedWith(await quote(it, id, 'cancel'), 422, 'BOOKING_ALREADY_CANCELLED');
  refusedWith(await quote(it, id, 'reschedule'), 422, 'BOOKING_NOT_EDITABLE');
});

test('a quote for a new time is refused where the move would be, and free where nothing moves', async (t) => {
  const it = await scene(t, { teams: 1 });
  const { service, world } = it;
  await withPolicy(it);
  const id = await booked(it);
  service.clock.set(START - 5 * HOUR);
  const asked = (time: string) => quote(it, id, `reschedule${time}`);
  assert.equal(data(await asked('&date=2026-11-25')).fee, 20);
  assert.equal(data(await asked('&startAt=14:00&endAt=16:00')).fee, 20);
  const same = data(await asked('&date=2026-11-23&startAt=10:00&endAt=12:00'));
  assert.deepEqual([same.fee, same.policy.id], [0, (await read(it, id)).policyId]);
  data(await world.book({ date: '2026-11-25' }));
  for (const time of ['&date=2026-11-25', '&startAt=03:10&endAt=05:10', '&date=2026-11-22']) {
    const refused = refusedWith(await asked(time), 422, 'BOOKING_CREATION_FAILED');
    const { date, startAt, endAt } = Object.fromEntries(new URLSearchParams(time));
    const body = { ...(date && { date }), ...(startAt && { timeslot: { startAt, endAt } }) };
    assert.deepEqual(refused, refusedWith(await update(it, id, body), 422, 'BOOKING_CREATION_FAILED'), time);
  }
  const { message } = refusedWith(await asked('&startAt=14:00'), 400, 'VALIDATION_ERROR');
  assert.deepEqual(message, ['startAt and endAt must be given together']);
  assert.equal((await read(it, id)).date.slice(0, 10), '2026-11-23', 'nothing has changed');
});

test('a change that costs more than was agreed to is refused with the quote, and nothing is done', async (t) => {
  const it = await scene(t);
  await withPolicy(it);
  const id = await booked(it);
  const before = await read(it, id);
  it.service.clock.set(START - 5 * HOUR);
  const found = data(await quote(it, id, 'cancel'));
  assert.equal(found.fee, 37.5);
  it.service.clock.set(START - 2 * HOUR);
  const { quote: known } = refusedWith(await cancel(it, id, { maxFee: found.fee }), 409, 'FEE_CHANGED');
  assert.deepEqual(known, data(await quote(it, id, 'cancel')));
  assert.equal(known.fee, 75);
  const move = { date: '2026-11-25', maxFee: 19.99, notes: 'Ring twice' };
  const refused = refusedWith(await update(it, id, move), 409, 'FEE_CHANGED');
  assert.deepEqual(refused.quote, data(await quote(it, id, 'reschedule')));
  assert.deepEqual(await read(it, id), before);
  const kept = await it.service.deps.db.first<{ notes: string | null; event_count: number }>({
    text: 'select notes, event_count from bookings where id = $1',
    values: [id],
  });
  assert.deepEqual(kept, { notes: null, event_count: 1 });
  // A fee that is lower than agreed to is no reason to refuse, and notes cost nothing.
  data(await update(it, id, { notes: 'Ring twice', maxFee: 0 }));
  assert.equal(data(await cancel(it, id, { maxFee: 150 })).cancellation.fee, 75);
});

test('who moves when a fee is due, and cancels afterwards, pays by the earlier start', async (t) => {
  const it = await scene(t);
  await withPolicy(it);
  const [dodger, early] = [await booked(it), await booked(it)];
  it.service.clock.set(START - 24 * HOUR);
  data(await update(it, early, { date: '2026-11-30' }));
  it.service.clock.set(START - 2 * HOUR);
  data(await update(it, dodger, { date: '2026-11-30' }));
  const found = data(await quote(it, dodger, 'cancel'));
  assert.deepEqual([found.fee, found.earlierFees], [75, 20]);
  assert.equal(data(await cancel(it, dodger)).cancellation.fee, 75);
  assert.equal(data(await cancel(it, early)).cancellation.fee, 0);
});

test('a policy allows only so many moves', async (t) => {
  const it = await scene(t);
  await withPolicy(it, { maxReschedules: 1 });
  const id = await booked(it);
  data(await update(it, id, { date: '2026-11-25' }));
  const details = refusedWith(await update(it, id, { date: '2026-11-26' }), 422, 'BOOKING_NOT_EDITABLE');
  assert.deepEqual([details.maxReschedules, details.reschedules], [1, 1]);
  refusedWith(await quote(it, id, 'reschedule'), 422, 'BOOKING_NOT_EDITABLE');
  data(await update(it, id, { notes: 'Ring twice', date: '2026-11-25' }));
  data(await cancel(it, id));
});

test('a change of a policy is a new version, and never touches what was sold or held before', async (t) => {
  const it = await scene(t);
  const { service, world } = it;
  const free = await booked(it);
  const policy = await withPolicy(it);
  const slot = { date: '2026-11-24', timeslot: { startAt: '10:00', endAt: '12:00' } };
  const { addressId, serviceId, contactId } = world;
  const hold = data(
    await service.v1(world.key, 'POST', '/partners/holds', { addressId, serviceId, contactId, ...slot }),
  );
  const [first, second] = [await booked(it), await booked(it)];
  const path = `/policies/${policy.id}`;
  const changed = data(
    await service.operator('PATCH', path, { cancel: [{ hoursBefore: 24, percent: 90 }], graceMinutes: 0 }),
  );
  assert.deepEqual([policy.version, changed.version, changed.id], [1, 2, policy.id]);
  assert.deepEqual(data(await service.operator('PATCH', path, { nameEn: 'Market' })), changed);
  const versions = data(await service.operator('GET', `${path}/versions`));
  assert.deepEqual(
    versions.map(({ versionId, cancel }: typeof policy) => [versionId, cancel]),
    [
      [changed.versionId, changed.cancel],
      [policy.versionId, MARKET.cancel],
    ],
  );
  assert.equal(hold.policyId, policy.versionId);
  const fromHold = await booked(it, { ...slot, holdId: hold.holdId });
  const fresh = await booked(it, { date: '2026-11-24', timeslot: { startAt: '14:00', endAt: '16:00' } });
  const policyOf = async (id: string) => (await read(it, id)).policyId;
  assert.deepEqual(await Promise.all([free, first, fromHold, fresh].map(policyOf)), [
    null,
    policy.versionId,
    policy.versionId,
    changed.versionId,
  ]);
  // Between quote and act, too.
  service.clock.set(START - 2 * HOUR);
  const { fee } = data(await quote(it, second, 'cancel'));
  data(await service.operator('PATCH', path, { cancel: [{ hoursBefore: 48, percent: 100 }] }));
  assert.equal(data(await cancel(it, second, { maxFee: fee })).cancellation.fee, 75);
  assert.equal(data(await cancel(it, free)).cancellation.fee, null);
  await assert.rejects(
    service.deps.db.rows({ text: 'delete from policies where id = $1', values: [policy.versionId] }),
  );
});

test('a hold that was made without a policy keeps its booking free, an expired one does not', async (t) => {
  const it = await scene(t);
  const { service, world } = it;
  const { addressId, serviceId } = world;
  const held = async (startAt: string, endAt: string) => {
    const slot = { date: '2026-11-24', timeslot: { startAt, endAt } };
    const body = { addressId, serviceId, ...slot };
    const { holdId } = data(await service.v1(world.key, 'POST', '/partners/holds', body));
    return { ...slot, holdId };
  };
  const hold = await held('10:00', '12:00');
  await withPolicy(it);
  assert.equal((await read(it, await booked(it, hold))).policyId, null);
  const expired = await held('14:00', '16:00');
  const { id } = data(await service.operator('GET', '/policies')).find(() => true);
  const { versionId } = data(await service.operator('PATCH', `/policies/${id}`, { noShowPercent: 1 }));
  service.clock.advance(20 * MINUTE);
  assert.equal((await read(it, await booked(it, expired))).policyId, versionId);
});

test('the most special policy holds: both, then the partner, then the service', async (t) => {
  const it = await scene(t);
  const { service, world } = it;
  const other = { service, world: await createWorld(service) };
  const { partnerId, serviceId } = world;
  const ids: string[] = [];
  for (const assignment of [{ serviceId }, { partnerId }, { partnerId, serviceId }]) {
    const { versionId } = await withPolicy(it, { assignments: [assignment] });
    const id = await booked(it);
    assert.equal((await read(it, id)).policyId, versionId);
    ids.push(id);
    data(await cancel(it, id));
  }
  assert.equal((await read(other, await booked(other))).policyId, null);
  const taken = await service.operator('POST', '/policies', {
    ...MARKET,
    assignments: [{ partnerId: partnerId.toUpperCase() }],
  });
  refusedWith(taken, 409, 'CONFLICT');
});

test('services say what changes of a booking would cost, before it is made', async (t) => {
  const it = await scene(t);
  const { service, world } = it;
  const shown = async () => {
    const path = `/partners/services?addressId=${world.addressId}`;
    return data(await service.v1(world.key, 'GET', path))[0].services[0].policy;
  };
  assert.equal(await shown(), null);
  const general = await withPolicy(it, { assignments: [{ serviceId: world.serviceId }], nameEn: 'All' });
  assert.equal((await shown()).id, general.versionId);
  const { versionId } = await withPolicy(it);
  const policy = await shown();
  assert.equal(policy.id, versionId);
  const bookingId = await booked(it);
  const quoted = data(await quote(it, bookingId, 'cancel')).policy;
  assert.deepEqual({ ...policy, steps: policy.cancel }, quoted);
});

test("the operator's cancellation costs nothing, and waives the fees of moves", async (t) => {
  const it = await scene(t);
  const { service } = it;
  await withPolicy(it);
  const [id, failed, alone] = [await booked(it), await booked(it), await booked(it)];
  service.clock.set(START - 2 * HOUR);
  for (const one of [id, failed]) data(await update(it, one, { date: '2026-11-30' }));
  const own = data(await service.operator('GET', `/bookings/${id}/quote?action=cancel&by=OPERATOR`));
  assert.deepEqual([own.fee, own.earlierFees, own.policy.id], [0, 0, (await read(it, id)).policyId]);
  const partners = data(await service.operator('GET', `/bookings/${id}/quote?action=cancel`));
  assert.deepEqual(partners, data(await quote(it, id, 'cancel')));
  data(await service.operator('POST', `/bookings/${id}/cancel`, { reasonId: await reasonOf(it) }));
  const canceled = await read(it, id);
  assert.equal(canceled.cancellation.fee, null);
  assert.deepEqual(
    canceled.fees.map(({ amount }: { amount: number }) => amount),
    [0],
  );
  data(await service.operator('POST', `/bookings/${failed}/fail`, { reason: 'Nobody answers' }));
  assert.equal((await read(it, failed)).fees[0].amount, 0);
  // Its appointment was cancelled by the operator.
  const { appointmentId } = await read(it, alone);
  data(await service.operator('PATCH', `/appointments/${appointmentId}`, { status: 'Cancelled' }));
  assert.equal(data(await quote(it, alone, 'cancel')).fee, 0);
  assert.equal(data(await cancel(it, alone)).cancellation.fee, 0);
});

test('of two cancellations one has the fee, and a move beside one has one order', async (t) => {
  const it = await scene(t);
  await withPolicy(it);
  const [twice, both] = [await booked(it), await booked(it)];
  it.service.clock.set(START - 2 * HOUR);
  assert.deepEqual(tally(await Promise.all([cancel(it, twice), cancel(it, twice)])), {
    200: 1,
    BOOKING_ALREADY_CANCELLED: 1,
  });
  assert.deepEqual((await read(it, twice)).fees.length, 1);
  const [canceled, moved] = await Promise.all([cancel(it, both), update(it, both, { date: '2026-11-30' })]);
  assert.equal(canceled!.status, 200, canceled!.text);
  const { fees } = await read(it, both);
  const actions = fees.map(({ action }: { action: string }) => action);
  assert.deepEqual(actions, moved!.status === 200 ? ['reschedule', 'cancel'] : ['cancel']);
  assert.equal(fees.at(-1).amount, 75);
});

test('the file of a month has the fees', async (t) => {
  const it = await scene(t);
  await withPolicy(it);
  const [id, plain] = [await booked(it), await booked(it)];
  it.service.clock.set(START - 2 * HOUR);
  data(await update(it, id, { date: '2026-11-25' }));
  data(await cancel(it, id));
  const path = '/partners/bookings/export?month=2026-11';
  const { text } = await it.service.v1(it.world.key, 'GET', path);
  const [head, ...lines] = text.trim().split('\r\n');
  assert.ok(head!.endsWith(',refundAmount,cancellationFee,rescheduleFees,feeToDecide,workReached'));
  assert.ok(lines.find((line) => line.startsWith(id))!.endsWith(',75.00,20.00,,'));
  assert.ok(lines.find((line) => line.startsWith(plain))!.endsWith(',,,,'));
});

test('policies are refused that could not be understood', async (t) => {
  const it = await scene(t);
  const { service, world } = it;
  const refused = async (body: Record<string, unknown>): Promise<string[]> =>
    refusedWith(await service.operator('POST', '/policies', { ...MARKET, ...body }), 400, 'VALIDATION_ERROR')
      .message;
  assert.deepEqual(
    await refused({ cancel: [{ hoursBefore: 3 }, { hoursBefore: 3, percent: 1, amount: 2 }] }),
    [
      'cancel.0 must have percent or amount, and not both',
      'cancel.1 must have percent or amount, and not both',
      'cancel must name each hoursBefore once',
    ],
  );
  assert.deepEqual(await refused({ reschedule: [{ hoursBefore: 3, amount: 1.005 }] }), [
    'reschedule.0.amount must be a number with at most 2 decimal places',
  ]);
  const { partnerId } = world;
  assert.deepEqual(await refused({ assignments: [{}, { partnerId }, { partnerId, serviceId: null }] }), [
    'assignments.0 must have partnerId or serviceId',
    'assignments must name each pair once',
  ]);
  assert.deepEqual(await refused({ assignments: [{ partnerId: world.serviceId, serviceId: partnerId }] }), [
    'assignments.0.partnerId must be the id of a partner',
    'assignments.0.serviceId must be the id of a service',
  ]);
});

test('changes of a policy at the same time are versions in a row', async (t) => {
  const it = await scene(t);
  const { service } = it;
  const { id } = await withPolicy(it);
  const answers = await Promise.all(
    [1, 2, 3, 4].map((graceMinutes) => service.operator('PATCH', `/policies/${id}`, { graceMinutes })),
  );
  assert.deepEqual(tally(answers), { 200: 4 });
  const versions = data(await service.operator('GET', `/policies/${id}/versions`));
  assert.deepEqual(
    versions.map(({ version }: { version: number }) => version),
    [5, 4, 3, 2, 1],
  );
});

test("a version of a policy has the name of its maker's token", async (t) => {
  const service = await startTestService(t);
  const first = data(await service.operator('POST', '/policies', { ...MARKET, assignments: [] }));
  assert.deepEqual([first.createdBy, first.createdByName], ['operator:first-token', null]);
  const { token } = data(await service.operator('POST', '/tokens', { name: 'Desk', role: 'admin' }));
  const url = `${service.operatorUrl}/operator/policies/${first.id}`;
  const authorization = `Bearer ${token}`;
  const second = data(await call(url, 'PATCH', '', { graceMinutes: 5 }, { authorization }));
  assert.equal(second.createdByName, 'Desk');
});
