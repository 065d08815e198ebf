import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { DAY, dateOf, HOUR, MINUTE, SECOND, timeOf } from '../src/base/clock.ts';
import { decideOverdue } from '../src/closings/fee-decisions.ts';
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
  update,
  withPolicy,
} from './fee-fixtures.ts';
import { createWorld } from './fixtures.ts';
import { alsoOnServer, startTestService } from './harness.ts';
import type { MoyasarServer } from './moyasar-server.ts';
import { awaited, isSent, withMoyasar } from './operator-payment-fixtures.ts';
import { givenBack, keptOf } from './payment-flows.ts';

/** Money follows who decided: fees after changes by the operator, undecided visits, and what is given back. */

const START = Date.parse('2026-11-23T10:00:00+03:00');

async function scene(t: TestContext, terms: Record<string, unknown> = {}): Promise<Scene> {
  const service = await startTestService(t);
  const it = { service, world: await createWorld(service, { teams: 10 }) };
  await withPolicy(it, terms);
  return it;
}

type WithMoyasar = Scene & { moyasar: MoyasarServer };

async function sceneWithMoney(t: TestContext): Promise<WithMoyasar> {
  const it = await withMoyasar(t);
  await withPolicy(it);
  return it;
}

/** A booking that is paid by its link, with its invoice. */
async function paid(it: WithMoyasar) {
  const id = await booked(it);
  const { gatewayReference } = await awaited(it.service, id, isSent);
  await it.moyasar.pay(gatewayReference);
  await awaited(it.service, id, ({ status }) => status === 'PAID');
  return { id, invoice: it.moyasar.invoices.get(gatewayReference)! };
}

const appointmentOf = async (it: Scene, id: string): Promise<string> =>
  (await detail(it, id)).appointment.id as string;

const detail = async ({ service }: Scene, id: string) =>
  data(await service.operator('GET', `/bookings/${id}`));

async function setStatus(it: Scene, id: string, ...statuses: (string | Record<string, unknown>)[]) {
  const appointmentId = await appointmentOf(it, id);
  for (const status of statuses) {
    const change = typeof status === 'string' ? { status } : status;
    data(await it.service.operator('PATCH', `/appointments/${appointmentId}`, change));
  }
}

/** The operator moves the booking to the start. */
async function moveTo(it: Scene, id: string, startsAt: number, more: Record<string, unknown> = {}) {
  const timeslot = { startAt: timeOf(startsAt), endAt: timeOf(startsAt + 2 * HOUR) };
  const change = { date: dateOf(startsAt), timeslot, force: true, reason: 'test', ...more };
  return it.service.operator('PATCH', `/appointments/${await appointmentOf(it, id)}`, change);
}

const fees = async (it: Scene, id: string) => {
  const [toCancel, toMove] = [data(await quote(it, id, 'cancel')), await quote(it, id, 'reschedule')];
  return { cancel: toCancel.fee, earlier: toCancel.earlierFees, reschedule: data(toMove).fee };
};

const outcome = (it: Scene, id: string, body: Record<string, unknown>) =>
  it.service.operator('POST', `/bookings/${id}/outcome`, { reason: 'test', ...body });
const waive = (it: Scene, id: string, amount: number) =>
  it.service.operator('POST', `/bookings/${id}/fees/waive`, { amount, reason: 'A gesture' });
const NOT_DONE = ['In The Way', 'In The location', 'Cannot Complete'];

test('every way in which the operator changes the start frees the customer, until the visit begins', async (t) => {
  const it = await scene(t, { cancel: [{ hoursBefore: 72, percent: 25 }] });
  const { service } = it;
  const far = { date: '2026-12-01' };
  const soon = START + 6 * HOUR;
  const ways: Record<string, (id: string) => Promise<unknown>> = {
    'a move': async (id) => data(await moveTo(it, id, soon)),
    'a plan for an absent team': async (id) => {
      const { appointment, team } = await detail(it, id);
      const place = { teamId: team.id, date: dateOf(soon), timeslot: { startAt: '16:00', endAt: '18:00' } };
      const undo = { apply: [{ appointmentId: appointment.id, version: appointment.version, ...place }] };
      data(await service.operator('POST', '/appointments/reassignments/undo', undo));
    },
    'a delay': async (id) => {
      const { appointment, team } = await detail(it, id);
      const apply = [{ appointmentId: appointment.id, version: appointment.version }];
      const delay = { date: '2026-12-01', minutes: 30, apply };
      data(await service.operator('POST', `/teams/${team.id}/delays`, delay));
    },
    'another visit': async (id) => {
      await setStatus(it, id, 'In The Way', 'Cannot Complete');
      const revisit = { date: dateOf(soon), timeslot: { startAt: '16:00', endAt: '18:00' } };
      data(
        await service.operator('POST', `/bookings/${id}/revisit`, {
          ...revisit,
          force: true,
          reason: 'test',
        }),
      );
    },
  };
  for (const [way, change] of Object.entries(ways)) {
    const id = await booked(it, far);
    await change(id);
    const startsAt = Date.parse((await detail(it, id)).appointment.scheduledStartDateTime);
    service.clock.set(startsAt - SECOND);
    assert.deepEqual(await fees(it, id), { cancel: 0, earlier: 0, reschedule: 0 }, way);
    const canceled = data(await cancel(it, id, { maxFee: 0 }));
    assert.deepEqual([canceled.cancellation.fee, canceled.cancellation.kept], [0, 0], way);
    service.clock.set(START - 48 * HOUR);
  }
});

test('what was due by her own choice stays, what she has paid stays, and a small change is none', async (t) => {
  const it = await scene(t);
  const { clock } = it.service;
  const [inside, own, small, again] = [
    await booked(it),
    await booked(it),
    await booked(it),
    await booked(it),
  ];
  clock.set(START - 2 * HOUR);
  data(await moveTo(it, inside, START + 2 * DAY));
  assert.deepEqual(await fees(it, inside), { cancel: 75, earlier: 0, reschedule: 20 });
  data(await update(it, own, { date: '2026-11-30', maxFee: 20 }));
  data(await moveTo(it, own, START + 9 * DAY));
  assert.deepEqual(await fees(it, own), { cancel: 0, earlier: 20, reschedule: 0 });
  data(await moveTo(it, small, START + 20 * MINUTE));
  assert.deepEqual(await fees(it, small), { cancel: 75, earlier: 0, reschedule: 20 });
  // What stays can be waived before it is charged.
  data(await waive(it, inside, 75));
  assert.deepEqual(await fees(it, inside), { cancel: 0, earlier: 0, reschedule: 0 });
  assert.equal(data(await cancel(it, inside, { maxFee: 0 })).cancellation.kept, 0);
  // Her next move begins a new count.
  data(await moveTo(it, again, START + 2 * DAY));
  data(await update(it, again, { date: '2026-11-30', maxFee: 20 }));
  clock.set(START + 7 * DAY - 4 * HOUR);
  assert.deepEqual(await fees(it, again), { cancel: 37.5, earlier: 20, reschedule: 20 });
});

test('what the operator does on behalf of the customer costs what it costs her, and the partner is told', async (t) => {
  const it = await scene(t, { maxReschedules: 1 });
  const id = await booked(it);
  it.service.clock.set(START - 2 * HOUR);
  const onBehalfOf = 'CUSTOMER';
  const refused = refusedWith(
    await moveTo(it, id, START + 2 * DAY, { onBehalfOf, maxFee: 19.99 }),
    409,
    'FEE_CHANGED',
  );
  assert.equal(refused.quote.fee, 20);
  data(await moveTo(it, id, START + 2 * DAY, { onBehalfOf, maxFee: 20 }));
  const [told] = await payloadsOf(it, id, 'booking.updated');
  assert.equal(told.onBehalfOf, onBehalfOf);
  assert.deepEqual(
    told.fees.map(({ at: _, ...fee }: { at: string }) => fee),
    [{ action: 'reschedule', amount: 20, onBehalfOf }],
  );
  const details = refusedWith(
    await moveTo(it, id, START + 3 * DAY, { onBehalfOf }),
    422,
    'BOOKING_NOT_EDITABLE',
  );
  assert.equal(details.maxReschedules, 1);
  const ending = { reasonId: await reasonOf(it), onBehalfOf };
  refusedWith(
    await it.service.operator('POST', `/bookings/${id}/cancel`, { ...ending, maxFee: 74 }),
    409,
    'FEE_CHANGED',
  );
  const canceled = data(
    await it.service.operator('POST', `/bookings/${id}/cancel`, { ...ending, maxFee: 75 }),
  );
  const { fee, kept, onBehalfOf: asked } = canceled.cancellation;
  assert.deepEqual([fee, kept, asked], [75, 95, onBehalfOf]);
  assert.equal((await read(it, id)).cancellation.onBehalfOf, onBehalfOf);
  const log = data(await it.service.operator('GET', `/audit?target=booking:${id}`));
  assert.equal(log[0].after.cancellation.onBehalfOf, onBehalfOf);
});

for (const way of ['unreported', 'not done'] as const)
  test(`nobody knows why (${way}): nothing is charged, the fee follows the outcome, and then only falls`, async (t) => {
    const it = await scene(t);
    const { service } = it;
    const id = await booked(it);
    service.clock.set(START + HOUR);
    if (way === 'not done') await setStatus(it, id, ...NOT_DONE);
    const asked = data(await quote(it, id, 'cancel'));
    assert.deepEqual([asked.fee, asked.feeAtMost, asked.refund], [null, 120, null]);
    refusedWith(await cancel(it, id, { maxFee: 119 }), 409, 'FEE_CHANGED');
    const { cancellation, fees: charged } = data(await cancel(it, id, { maxFee: 120 }));
    assert.deepEqual(
      [cancellation.fee, cancellation.feeToDecide, cancellation.kept, charged],
      [null, true, null, []],
    );
    const attention = data(await service.operator('GET', '/attention'));
    assert.deepEqual(
      attention.feesToDecide.rows.map(({ bookingId }: { bookingId: string }) => bookingId),
      [id],
    );
    data(await outcome(it, id, { outcome: 'NO_ACCESS' }));
    const decided = await read(it, id);
    assert.deepEqual(
      [decided.cancellation.fee, decided.cancellation.feeToDecide, decided.outcome],
      [120, false, 'NO_ACCESS'],
    );
    const [event] = await payloadsOf(it, id, 'booking.fees_changed');
    assert.deepEqual([event.feesChange.cause, event.feesChange.kept], ['DECIDED', 120]);
    // Repeated, nothing changes; corrected, it falls, and does not rise again.
    const { version } = await detail(it, id);
    data(await outcome(it, id, { outcome: 'NO_ACCESS' }));
    assert.equal((await detail(it, id)).version, version);
    data(await outcome(it, id, { outcome: 'CREW' }));
    assert.deepEqual((await read(it, id)).cancellation.kept, 0);
    data(await outcome(it, id, { outcome: 'CUSTOMER_ABSENT' }));
    assert.deepEqual((await read(it, id)).cancellation.kept, 0);
    const { feeHistory } = await detail(it, id);
    assert.deepEqual(
      feeHistory.map(({ what, change, total, outcome: why, reason }: Record<string, unknown>) => [
        what,
        change,
        total,
        why,
        reason,
      ]),
      [
        ['cancel', 0, 0, null, null],
        ['decide', 120, 120, 'NO_ACCESS', 'test'],
        ['decide', -120, 0, 'CREW', 'test'],
      ],
    );
    service.clock.advance(30 * DAY + HOUR);
    refusedWith(await outcome(it, id, { outcome: 'UNSAFE' }), 422, 'INVALID_TRANSITION');
  });

test('of what nobody has decided nothing is kept after seven days', async (t) => {
  const it = await sceneWithMoney(t);
  const { id, invoice } = await paid(it);
  it.service.clock.set(START + HOUR);
  const canceled = data(await cancel(it, id));
  assert.deepEqual([canceled.cancellation.fee, canceled.refund.status], [null, 'TO_DECIDE']);
  it.service.clock.set(START + HOUR + 7 * DAY - SECOND);
  assert.equal(await decideOverdue(it.service.deps.db, it.service.clock.now()), 0);
  it.service.clock.advance(SECOND);
  await decideOverdue(it.service.deps.db, it.service.clock.now());
  await awaited(it.service, id, ({ refund }) => refund?.status === 'DONE');
  assert.deepEqual([givenBack(invoice), keptOf(invoice)], [15_000, 0]);
  assert.equal((await read(it, id)).cancellation.kept, 0);
});

test('where no policy could charge, nothing waits', async (t) => {
  const it = await scene(t, { noShowPercent: 0 });
  const id = await booked(it);
  it.service.clock.set(START + HOUR);
  const { cancellation } = data(await cancel(it, id));
  assert.deepEqual([cancellation.fee, cancellation.feeToDecide], [0, false]);
});

test(
  'a fee that was kept is given back, once however often it is asked for, and not more than it was',
  alsoOnServer,
  async (t) => {
    const it = await sceneWithMoney(t);
    const { id, invoice } = await paid(it);
    it.service.clock.set(START - HOUR);
    data(await cancel(it, id));
    await awaited(it.service, id, ({ refund }) => refund?.status === 'DONE');
    assert.equal(keptOf(invoice), 7_500);
    refusedWith(await waive(it, id, 75.01), 400, 'VALIDATION_ERROR');
    const answers = await Promise.all([waive(it, id, 50), waive(it, id, 50)]);
    for (const answer of answers) assert.equal(data(answer).feesGivenBack, 50);
    await awaited(it.service, id, ({ keptAmount, refund }) => keptAmount === 25 && refund?.status === 'DONE');
    assert.deepEqual([givenBack(invoice), keptOf(invoice)], [12_500, 2_500]);
    refusedWith(await waive(it, id, 49), 400, 'VALIDATION_ERROR');
    const attention = data(await it.service.operator('GET', '/attention'));
    assert.deepEqual([attention.feesGivenBack.count, attention.feesGivenBack.sum], [1, 50]);
    // Charged back at the gateway: that is not kept any more, and not given back twice.
    await it.moyasar.giveBack(invoice.payments[0]!, 2_500);
    // The next look at a link that has ended.
    it.service.clock.advance(3 * DAY);
    await awaited(it.service, id, ({ keptAmount }) => keptAmount === 0);
    refusedWith(await waive(it, id, 75), 400, 'VALIDATION_ERROR');
    const { feeHistory, cancellation } = await detail(it, id);
    assert.deepEqual(
      feeHistory.map(({ what, total }: Record<string, unknown>) => [what, total]),
      [
        ['cancel', 75],
        ['waive', 25],
        ['gateway', 0],
      ],
    );
    assert.equal(cancellation.kept, 0);
    const told = await payloadsOf(it, id, 'booking.fees_changed');
    assert.deepEqual(
      told.map(({ feesChange }: { feesChange: { cause: string; kept: number } }) => [
        feesChange.cause,
        feesChange.kept,
      ]),
      [
        ['WAIVED', 25],
        ['GATEWAY', 0],
      ],
    );
  },
);

test('closing costs what the quote of the outcome says, and not more than was agreed to', async (t) => {
  const it = await scene(t);
  const id = await booked(it);
  it.service.clock.set(START + HOUR);
  await setStatus(it, id, 'In The Way', 'In The location', {
    status: 'Cannot Complete',
    statusReason: 'CREW',
  });
  const asked = async (what: string) =>
    data(await it.service.operator('GET', `/bookings/${id}/quote?action=cancel&outcome=${what}`)).fee;
  assert.deepEqual([await asked('CUSTOMER_ABSENT'), await asked('CREW')], [120, 0]);
  const closing = { reasonId: await reasonOf(it), outcome: 'CUSTOMER_ABSENT' };
  const close = (maxFee: number) =>
    it.service.operator('POST', `/bookings/${id}/close`, { ...closing, maxFee });
  refusedWith(await close(0), 409, 'FEE_CHANGED');
  assert.equal(data(await close(120)).cancellation.kept, 120);
  // After the end it is what recording the outcome keeps, which only falls.
  assert.deepEqual([await asked('CUSTOMER_ABSENT'), await asked('CREW')], [120, 0]);
  data(await outcome(it, id, { outcome: 'CREW' }));
  assert.equal(await asked('CUSTOMER_ABSENT'), 0);
});

test('work that was done does not vanish with a cancellation', async (t) => {
  const it = await scene(t);
  const [begun, done] = [await booked(it), await booked(it)];
  it.service.clock.set(START + 3 * HOUR);
  await setStatus(it, begun, 'In The Way', 'In The location', 'In Progress');
  await setStatus(it, done, 'In The Way', 'In The location', 'In Progress', 'Finished', 'Completed');
  for (const [id, reached] of [
    [begun, 'In Progress'],
    [done, 'Completed'],
  ] as const) {
    assert.equal(data(await cancel(it, id)).cancellation.workReached, reached);
    assert.equal((await detail(it, id)).cancellation.workReached, reached);
  }
  const { workCancelled } = data(await it.service.operator('GET', '/attention'));
  assert.equal(workCancelled.count, 2);
  const { text } = await it.service.v1(it.world.key, 'GET', '/partners/bookings/export?month=2026-11');
  const ends = [begun, done].map((id) =>
    text
      .split('\r\n')
      .find((line) => line.startsWith(id))!
      .split(',')
      .at(-1),
  );
  assert.deepEqual(ends, ['In Progress', 'Completed']);
});

test('a partner confirms a payment also when the appointment alone was cancelled, and attention tells it', async (t) => {
  const it = await scene(t);
  const id = await booked(it);
  await setStatus(it, id, 'Cancelled');
  const confirmed = await it.service.v1(it.world.key, 'POST', `/partners/bookings/${id}/confirm-payment`, {});
  assert.equal(data(confirmed).paymentStatus, 'PAID');
  const { paidCancelled } = data(await it.service.operator('GET', '/attention'));
  assert.equal(paidCancelled.count, 1);
});

test('alternatives to a refused move never name the time that the booking has', async (t) => {
  const it = await scene(t);
  const id = await booked(it);
  const refused = refusedWith(
    await update(it, id, { timeslot: { startAt: '10:07', endAt: '12:07' } }),
    422,
    'BOOKING_CREATION_FAILED',
  );
  assert.ok(refused.alternatives.length > 0);
  const own = (await read(it, id)).appointment.scheduledStartDateTime as string;
  for (const { date, startAt } of refused.alternatives)
    assert.notEqual(`${date}T${startAt}`, own.slice(0, 16));
});

test('what was kept by a decision from before the ledger can be given back, too', async (t) => {
  const it = await sceneWithMoney(t);
  const { id, invoice } = await paid(it);
  await setStatus(it, id, 'In The Way', 'In The location', 'In Progress');
  const ending = { reasonId: await reasonOf(it) };
  data(await it.service.operator('POST', `/bookings/${id}/cancel`, ending));
  const { payment } = await detail(it, id);
  data(await it.service.operator('POST', `/payments/${payment.id}/refund`, { amount: 50, reason: 'Half' }));
  await awaited(it.service, id, ({ refund }) => refund?.status === 'DONE');
  await it.service.deps.db.rows({ text: 'update bookings set fees = null where id = $1', values: [id] });
  assert.equal((await detail(it, id)).cancellation.kept, 100);
  data(await waive(it, id, 40));
  await awaited(it.service, id, ({ keptAmount, refund }) => keptAmount === 60 && refund?.status === 'DONE');
  assert.deepEqual([givenBack(invoice), keptOf(invoice)], [9_000, 6_000]);
  assert.equal((await detail(it, id)).cancellation.kept, 60);
});
