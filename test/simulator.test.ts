import assert from 'node:assert/strict';
import { test } from 'node:test';
import { MINUTE, manualClock } from '../src/base/clock.ts';
import { SCRIPTED_CUSTOMERS, withScriptedCustomers } from '../src/simulator/scripted-customers.ts';
import { withPolicy } from './fee-fixtures.ts';
import { createPartnerKey, createWorld, WORLD_DATE, type World } from './fixtures.ts';
import { type Answer, alsoOnServer, startTestService, TEST_NOW, type TestService } from './harness.ts';
import { startUnifonic } from './unifonic-server.ts';
import { nothingDue, until } from './until.ts';

/** Simulations of partners in a sandbox: the field, the operator and customers (docs/sandbox.md). */

const MISSING = '5f0c6a6e-3c1b-4b5e-9a53-0d5a2f1c7b10';
const SECOND = 1_000;

const sandbox = (bookingId: string, rest: string): string =>
  `/partners/sandbox/bookings/${bookingId}/${rest}`;

let taken = 0;

/** A booking at an unused time; four fit into a day. */
async function booked(
  world: World,
  headers: Record<string, string> = {},
  overrides: Record<string, unknown> = {},
  service?: TestService,
): Promise<string> {
  const hour = 8 + 3 * (taken % 4);
  const date = `2026-12-${String(1 + Math.floor(taken / 4)).padStart(2, '0')}`;
  taken++;
  const pad = (value: number): string => `${String(value).padStart(2, '0')}:00`;
  const body = { date, timeslot: { startAt: pad(hour), endAt: pad(hour + 2) }, ...overrides };
  const answer =
    service === undefined
      ? await world.book(body)
      : await service.v1(
          world.key,
          'POST',
          '/partners/bookings',
          { contactId: world.contactId, addressId: world.addressId, serviceId: world.serviceId, ...body },
          headers,
        );
  assert.equal(answer.status, 200, answer.text);
  return answer.body.data.bookingId;
}

type Partner = { service: TestService; world: World };

const post = ({ service, world }: Partner, path: string, body?: unknown): Promise<Answer> =>
  service.v1(world.key, 'POST', path, body);

async function advanced(it: Partner, bookingId: string, body?: unknown) {
  const answer = await post(it, sandbox(bookingId, 'advance'), body);
  assert.equal(answer.status, 200, answer.text);
  return answer.body.data;
}

async function started(it: Partner, bookingId: string, script: string, everySeconds = 60) {
  const answer = await post(it, sandbox(bookingId, 'runs'), { script, everySeconds });
  assert.equal(answer.status, 200, answer.text);
  return answer.body.data;
}

async function read({ service, world }: Partner, path: string) {
  const answer = await service.v1(world.key, 'GET', path);
  assert.equal(answer.status, 200, answer.text);
  return answer.body.data;
}

const statusOf = (it: Partner, bookingId: string) => read(it, `/partners/bookings/${bookingId}/status`);

/** Waits until the run has ended. */
function ended(it: Partner, bookingId: string, runId: string) {
  return until(async () => {
    const run = await read(it, sandbox(bookingId, `runs/${runId}`));
    return run.status !== 'RUNNING' && run;
  });
}

/** Waits until that many steps are done. */
function done(it: Partner, bookingId: string, runId: string, count: number) {
  return until(async () => {
    const run = await read(it, sandbox(bookingId, `runs/${runId}`));
    const steps = run.steps.filter(({ status }: { status: string }) => status === 'DONE');
    return steps.length >= count && run;
  });
}

async function eventsOf({ service }: Partner, bookingId: string) {
  // biome-ignore lint/suspicious/noExplicitAny: tests look into payloads freely
  return service.deps.db.rows<{ event: string; actor: string; payload: any }>({
    text: 'select event, actor, payload from events where booking_id = $1 order by sequence',
    values: [bookingId],
  });
}

const addReason = (service: TestService): Promise<Answer> =>
  service.operator('POST', '/cancellation-reasons', { nameEn: 'Moved away', nameAr: 'انتقل' });

/** Crews report what happens in the street, the office the rest. */
const actorOf = ({ teamIds }: World, to: string): string =>
  ['Scheduled', 'Confirmed', 'Completed', 'Cancelled'].includes(to) ? 'simulator' : `crew:${teamIds[0]}`;

test(
  'an appointment advances step by step, with its events, and returns the next statuses',
  alsoOnServer,
  async (t) => {
    const service = await startTestService(t);
    const it = { service, world: await createWorld(service) };
    const id = await booked(it.world);
    const way = ['Confirmed', 'In The Way', 'In The location', 'In Progress', 'Finished', 'Completed'];
    let from = 'Scheduled';
    for (const to of way) {
      const answer = await advanced(it, id);
      assert.deepEqual([answer.from, answer.to, answer.booking.appointment.status], [from, to, to]);
      if (to === 'In The Way')
        assert.deepEqual(answer.next, ['In The location', 'Cannot Complete', 'Cancelled']);
      from = to;
    }
    // Before its start, which the simulator does not wait for.
    assert.equal((await statusOf(it, id)).status, 'success');
    const events = await eventsOf(it, id);
    assert.deepEqual(
      events.slice(1).map(({ event, actor, payload }) => [event, actor, payload.appointmentStatusChange.to]),
      way.map((to) => ['booking.appointment_status_changed', actorOf(it.world, to), to]),
    );
    const { body } = await service.operator('GET', `/audit?limit=100`);
    assert.equal(
      body.data.filter(
        ({ actor, action }: Record<string, string>) =>
          /^simulator$|^crew:/.test(actor!) && action === 'appointment.update',
      ).length,
      way.length,
    );

    await t.test('a forbidden step is refused with the allowed ones, and changes nothing', async () => {
      const refused = await post(it, sandbox(id, 'advance'));
      assert.deepEqual(
        [refused.status, refused.body.error.code, refused.body.error.details.allowed],
        [422, 'INVALID_TRANSITION', []],
      );
      const other = await booked(it.world);
      const skipped = await post(it, sandbox(other, 'advance'), { to: 'Completed' });
      assert.equal(skipped.status, 422);
      assert.deepEqual(skipped.body.error.details.allowed, ['Confirmed', 'In The Way', 'Cancelled']);
      assert.equal((await eventsOf(it, other)).length, 1);
      // Sent twice, done once.
      for (let time = 0; time < 2; time++) {
        assert.equal((await advanced(it, other, { to: 'In The Way' })).to, 'In The Way');
      }
      assert.equal((await eventsOf(it, other)).length, 2);
      assert.equal((await advanced(it, other, { to: 'Cancelled' })).booking.appointment.status, 'Cancelled');
    });

    await t.test('two simultaneous advances are two steps', async () => {
      const other = await booked(it.world);
      const answers = await Promise.all([advanced(it, other), advanced(it, other)]);
      assert.deepEqual(answers.map(({ to }) => to).sort(), ['Confirmed', 'In The Way']);
    });

    await t.test("another partner's booking is not found, and validation errors", async () => {
      const stranger = { service, world: await createWorld(service) };
      for (const [path, body] of [
        ['advance', {}],
        ['runs', { script: 'complete' }],
      ] as const) {
        for (const who of [stranger, it]) {
          const bookingId = who === it ? MISSING : id;
          const answer = await post(who, sandbox(bookingId, path), body);
          assert.deepEqual([answer.status, answer.body.error.code], [404, 'RESOURCE_NOT_FOUND'], answer.text);
        }
      }
      for (const path of ['runs', `runs/${MISSING}`]) {
        assert.equal((await service.v1(stranger.world.key, 'GET', sandbox(id, path))).status, 404);
      }
      assert.equal((await service.v1(it.world.key, 'GET', sandbox(id, `runs/${MISSING}`))).status, 404);
      assert.equal((await service.v1(it.world.key, 'DELETE', sandbox(id, `runs/${MISSING}`))).status, 404);
      const faulty = await post(it, sandbox(id, 'runs'), { script: 'dance', everySeconds: 3_601, every: 1 });
      assert.equal(faulty.status, 400);
      assert.equal(faulty.body.error.details.message.length, 3, faulty.text);
      const wrong = await post(it, sandbox(id, 'advance'), { to: 'Done', status: 'Done' });
      assert.equal(wrong.body.error.details.message.length, 2, wrong.text);
    });
  },
);

test('a deferred appointment is assigned first; one that waits for payment does not advance', async (t) => {
  const service = await startTestService(t);
  const deferred = { service, world: await createWorld(service, { service: { assignment: 'deferred' } }) };
  const id = await booked(deferred.world);
  const answer = await advanced(deferred, id);
  assert.deepEqual(
    [answer.from, answer.to, answer.booking.appointment.status],
    ['New', 'Scheduled', 'Scheduled'],
  );

  const platform = {
    service,
    world: await createWorld(service, { partner: { paymentResponsibility: 'PLATFORM' } }),
  };
  const unpaid = await booked(platform.world);
  assert.deepEqual((await advanced(platform, unpaid)).next, []);
  for (const to of ['In The Way', 'Cancelled']) {
    const refused = await post(platform, sandbox(unpaid, 'advance'), { to });
    assert.equal(refused.body.error.code, 'INVALID_TRANSITION', refused.text);
    assert.equal(refused.body.error.details.hints.length, 2);
    // An operation of the operator is no advice.
    assert.doesNotMatch(refused.text, /operator\//);
  }
});

test('scripts of the field and the operator, each step when due', alsoOnServer, async (t) => {
  const service = await startTestService(t);
  const it = { service, world: await createWorld(service, { teams: 2 }) };

  await t.test('complete', async () => {
    const id = await booked(it.world);
    const run = await started(it, id, 'complete');
    assert.deepEqual(
      run.steps.map(({ to, status }: Record<string, string>) => [to, status]),
      ['Confirmed', 'In The Way', 'In The location', 'In Progress', 'Finished', 'Completed'].map((to) => [
        to,
        'WAITING',
      ]),
    );
    await nothingDue(service, 'simulator');
    assert.equal((await statusOf(it, id)).appointment.status, 'Scheduled', 'not before its time');
    service.clock.advance(60 * SECOND);
    await done(it, id, run.id, 1);
    await nothingDue(service, 'simulator');
    assert.equal((await statusOf(it, id)).appointment.status, 'Confirmed', 'and one at a time');
    // An hour at once: all the rest, in their order.
    service.clock.advance(60 * MINUTE);
    const end = await ended(it, id, run.id);
    assert.deepEqual([end.status, end.reason], ['COMPLETED', null]);
    const booking = await statusOf(it, id);
    assert.deepEqual([booking.status, booking.appointment.status], ['success', 'Completed']);
    const events = await eventsOf(it, id);
    assert.deepEqual(
      events.slice(1).map(({ actor, payload }) => [actor.split(':')[0], payload.appointmentStatusChange.to]),
      run.steps.map(({ to }: { to: string }) => [actorOf(it.world, to).split(':')[0], to]),
    );
    assert.deepEqual(
      (await read(it, sandbox(id, 'runs'))).map(({ id: runId }: { id: string }) => runId),
      [run.id],
    );
  });

  await t.test('cannot-complete', async () => {
    const id = await booked(it.world);
    const run = await started(it, id, 'cannot-complete', 0);
    assert.equal((await ended(it, id, run.id)).status, 'COMPLETED');
    assert.equal((await statusOf(it, id)).appointment.status, 'Cannot Complete');
    // By its crew, which gives a reason.
    const { actor, payload } = (await eventsOf(it, id)).at(-1)!;
    assert.match(actor, /^crew:/);
    assert.equal(payload.outcome, 'CUSTOMER_ABSENT');
  });

  await t.test('operator-moves', async () => {
    const id = await booked(it.world);
    const before = await statusOf(it, id);
    const run = await started(it, id, 'operator-moves', 0);
    assert.equal((await ended(it, id, run.id)).status, 'COMPLETED');
    const after = await statusOf(it, id);
    assert.notDeepEqual([after.date, after.timeslot], [before.date, before.timeslot]);
    const [, moved, ...rest] = await eventsOf(it, id);
    assert.deepEqual([moved?.event, moved?.actor, rest.length], ['booking.updated', 'simulator', 0]);
  });

  await t.test("operator-cancels, which needs an operator's reason", async () => {
    const id = await booked(it.world);
    const without = await started(it, id, 'operator-cancels', 0);
    assert.equal((await ended(it, id, without.id)).reason.code, 'CONFLICT');
    await addReason(service);
    const run = await started(it, id, 'operator-cancels', 0);
    assert.equal((await ended(it, id, run.id)).status, 'COMPLETED');
    assert.equal((await statusOf(it, id)).status, 'canceled');
    const events = await eventsOf(it, id);
    assert.deepEqual(
      events.slice(1).map(({ event, actor }) => [event, actor]),
      [
        ['booking.cancelled', 'simulator'],
        ['booking.appointment_status_changed', 'simulator'],
      ],
    );
  });

  await t.test('late-cancel, no-show and revisit, with the fees of the policy', async () => {
    const terms = { afterStartPercent: 90, noShowPercent: 60 };
    await withPolicy({ service, world: it.world }, terms);
    for (const [script, statuses, amount] of [
      ['late-cancel', ['canceled', 'Cancelled', null], 135],
      ['no-show', ['canceled', 'Cancelled', 'CUSTOMER_ABSENT'], 90],
      ['revisit', ['in progress', 'Scheduled', null], undefined],
    ] as const) {
      const id = await booked(it.world);
      const before = await statusOf(it, id);
      const run = await started(it, id, script, 0);
      assert.equal((await ended(it, id, run.id)).status, 'COMPLETED');
      const { status, appointment, outcome, cancellation, fees, date, timeslot } = await statusOf(it, id);
      assert.deepEqual([status, appointment.status, outcome], statuses, script);
      assert.deepEqual([cancellation?.fee, fees[0]?.amount], [amount, amount], script);
      assert.equal(
        cancellation?.by,
        { 'late-cancel': 'PARTNER', 'no-show': 'OPERATOR', revisit: undefined }[script],
      );
      assert.equal(
        date !== before.date || timeslot.startAt !== before.timeslot.startAt,
        script === 'revisit',
      );
    }
    // From where the visit could not be done, too.
    const id = await booked(it.world);
    await started(it, id, 'cannot-complete', 0).then((run) => ended(it, id, run.id));
    const run = await started(it, id, 'revisit', 0);
    assert.deepEqual(
      (await ended(it, id, run.id)).steps.map(({ action }: { action: string }) => action),
      ['revisit'],
    );
  });

  await t.test('an unknown script is refused with the known ones', async () => {
    const id = await booked(it.world);
    const refused = await post(it, sandbox(id, 'runs'), { script: 'customer-pays' });
    assert.deepEqual([refused.status, refused.body.error.code], [422, 'INVALID_TRANSITION']);
    assert.deepEqual(refused.body.error.details.allowed, [
      'complete',
      'cannot-complete',
      'late-cancel',
      'no-show',
      'revisit',
      'operator-moves',
      'operator-cancels',
    ]);
  });

  await t.test('one run at a time, also of simultaneous requests; a stopped one makes room', async () => {
    const id = await booked(it.world);
    const answers = await Promise.all(
      [1, 2].map(() => post(it, sandbox(id, 'runs'), { script: 'complete', everySeconds: 60 })),
    );
    const [first, second] = answers.sort((a, b) => a.status - b.status);
    assert.deepEqual([first?.status, second?.status, second?.body.error.code], [200, 409, 'CONFLICT']);
    const runId = first?.body.data.id;
    assert.equal(second?.body.error.details.runId, runId);
    for (let time = 0; time < 2; time++) {
      const stopped = await service.v1(it.world.key, 'DELETE', sandbox(id, `runs/${runId}`));
      assert.deepEqual([stopped.status, stopped.body.data.status], [200, 'STOPPED']);
      assert.ok(stopped.body.data.steps.every(({ status }: { status: string }) => status === 'SKIPPED'));
    }
    service.clock.advance(60 * MINUTE);
    await nothingDue(service, 'simulator');
    assert.equal((await statusOf(it, id)).appointment.status, 'Scheduled');
    assert.equal((await started(it, id, 'complete')).everySeconds, 60);
  });

  await t.test('a step that the booking no longer permits ends the run, with the reason', async () => {
    const id = await booked(it.world);
    const run = await started(it, id, 'complete');
    await advanced(it, id, { to: 'Cancelled' });
    service.clock.advance(60 * SECOND);
    const end = await ended(it, id, run.id);
    assert.deepEqual([end.status, end.reason.code], ['FAILED', 'INVALID_TRANSITION']);
    assert.match(end.reason.message, /Cancelled cannot become Confirmed/);
    assert.deepEqual(
      end.steps.map(({ status }: { status: string }) => status),
      ['FAILED', ...Array(5).fill('SKIPPED')],
    );
  });
});

test('X-Sandbox-Run starts a run with the booking, without changing the response', async (t) => {
  const service = await startTestService(t, { env: { IDEMPOTENCY: 'true' } });
  const it = { service, world: await createWorld(service) };
  const book = (headers: Record<string, string>, startAt: string) =>
    service.v1(
      it.world.key,
      'POST',
      '/partners/bookings',
      {
        contactId: it.world.contactId,
        addressId: it.world.addressId,
        serviceId: it.world.serviceId,
        date: WORLD_DATE,
        timeslot: { startAt, endAt: `${Number(startAt.slice(0, 2)) + 2}:00` },
      },
      headers,
    );
  const plain = await book({}, '11:00');
  const answer = await book({ 'x-sandbox-run': 'complete; every=30' }, '14:00');
  assert.equal(answer.status, 200, answer.text);
  assert.deepEqual(Object.keys(answer.body.data), Object.keys(plain.body.data));
  const id = answer.body.data.bookingId;
  const [run] = await read(it, sandbox(id, 'runs'));
  assert.deepEqual([run.script, run.everySeconds, run.startedBy], ['complete', 30, 'creation']);
  service.clock.advance(30 * 6 * SECOND);
  assert.equal((await ended(it, id, run.id)).status, 'COMPLETED');

  await t.test('a key without the permission may not use the header either', async () => {
    const { key } = await createPartnerKey(service, it.world.partnerId, ['partner_bookings_create']);
    const create = (headers: Record<string, string>) =>
      service.v1(key, 'POST', '/partners/bookings', {}, headers);
    const refused = await create({ 'x-sandbox-run': 'operator-cancels; every=0' });
    assert.deepEqual(
      [refused.status, refused.body.error.details.permission],
      [403, 'partner_bookings_update'],
    );
    assert.equal((await create({})).status, 400);
  });

  await t.test('a replayed creation starts no other run', async () => {
    const headers = { 'idempotency-key': 'a', 'x-sandbox-run': 'complete' };
    const first = await book(headers, '17:00');
    const again = await book(headers, '17:00');
    assert.deepEqual(again.body, first.body);
    assert.equal((await read(it, sandbox(first.body.data.bookingId, 'runs'))).length, 1);
  });

  await t.test('an invalid or unsuitable header is refused, and nothing is booked', async () => {
    for (const header of ['dance', 'complete; every=x', 'complete; every=3601', 'complete every=5', '']) {
      const refused = await book({ 'x-sandbox-run': header, 'idempotency-key': 'ä' }, '08:00');
      assert.equal(refused.status, 400, refused.text);
      assert.equal(refused.body.error.details.message.length, 2, refused.text);
      assert.equal(refused.body.error.details.hints.length, 2);
    }
    const misfit = await book({ 'x-sandbox-run': 'payment-fails' }, '08:00');
    assert.equal(misfit.status, 400, misfit.text);
    assert.match(misfit.body.error.details.hints[0], /complete, cannot-complete/);
    const listed = await read(it, `/partners/bookings?fromDate=${WORLD_DATE}`);
    assert.equal(listed.length, 3);
  });
});

test('customers pay, or do not, by the real link', async (t) => {
  const service = await startTestService(t);
  const partner = { paymentResponsibility: 'PLATFORM' as const };
  const it = { service, world: await createWorld(service, { partner, teams: 2 }) };

  await t.test('customer-pays', async () => {
    const id = await booked(it.world);
    const run = await started(it, id, 'customer-pays', 0);
    assert.equal((await ended(it, id, run.id)).status, 'COMPLETED');
    const booking = await statusOf(it, id);
    assert.deepEqual([booking.status, booking.paymentStatus], ['in progress', 'PAID']);
  });

  await t.test('payment-fails', async () => {
    const id = await booked(it.world);
    const run = await started(it, id, 'payment-fails', 0);
    assert.equal((await ended(it, id, run.id)).status, 'COMPLETED');
    const booking = await statusOf(it, id);
    assert.deepEqual([booking.status, booking.paymentStatus], ['failed', 'FAILED']);
    assert.deepEqual(
      (await eventsOf(it, id)).map(({ event }) => event),
      ['booking.created', 'booking.payment_failed', 'booking.failed', 'booking.appointment_status_changed'],
    );
  });

  await t.test('complete pays first', async () => {
    const id = await booked(it.world, { 'x-sandbox-run': 'complete; every=0' }, {}, service);
    const [run] = await read(it, sandbox(id, 'runs'));
    assert.equal(run.steps[0].action, 'pay');
    assert.equal((await ended(it, id, run.id)).status, 'COMPLETED');
    const booking = await statusOf(it, id);
    assert.deepEqual([booking.status, booking.paymentStatus], ['success', 'PAID']);
  });
});

test('customers with the phone number of a script use the link, and no message is sent', async (t) => {
  const unifonic = await startUnifonic(t);
  const clock = manualClock(TEST_NOW);
  const service = await startTestService(t, {
    clock,
    env: {
      NOTIFIER: 'unifonic',
      UNIFONIC_APP_SID: unifonic.appSid,
      UNIFONIC_SENDER_ID: unifonic.senderId,
      UNIFONIC_BASE_URL: unifonic.url,
    },
  });
  const partner = { paymentResponsibility: 'PLATFORM' as const };
  const it = { service, world: await createWorld(service, { partner, teams: 2 }) };
  const bookedFor = async (phone: string): Promise<string> => {
    const made = await it.world.contact({ phone });
    assert.equal(made.status, 200, made.text);
    assert.equal(made.body.data.phone, phone, 'a valid number, as it is');
    const { id: contactId, addressId } = made.body.data;
    return booked(it.world, {}, { contactId, addressId });
  };
  const paymentOf = (bookingId: string) =>
    service.deps.db.first<{ id: string; sent_at: number | null }>({
      text: 'select id, sent_at from payments where booking_id = $1',
      values: [bookingId],
    });
  const became = (bookingId: string, paymentStatus: string) =>
    until(async () => (await statusOf(it, bookingId)).paymentStatus === paymentStatus);
  const runOf = (bookingId: string) => until(async () => (await read(it, sandbox(bookingId, 'runs')))[0]);
  const [pays, paysLate, declinesOnce, declines, fails, ignores] = SCRIPTED_CUSTOMERS.map(
    ({ phone }) => phone,
  );
  const ids = {
    pays: await bookedFor(pays!),
    paysLate: await bookedFor(paysLate!),
    declinesOnce: await bookedFor(declinesOnce!),
    declines: await bookedFor(declines!),
    fails: await bookedFor(fails!),
    ignores: await bookedFor(ignores!),
  };
  await became(ids.pays, 'PAID');
  await became(ids.fails, 'FAILED');
  const run = await runOf(ids.pays);
  assert.deepEqual([run.script, run.startedBy], ['customer-pays', 'phone']);
  const waiting = [ids.paysLate, ids.declinesOnce, ids.declines, ids.ignores];
  for (const id of waiting) await until(async () => (await paymentOf(id))?.sent_at !== null);
  await until(async () => (await runOf(ids.declines)).status === 'COMPLETED');
  // However often the link is sent, the customer acts once.
  await withScriptedCustomers(service.deps.notifier, service.deps).send({
    id: (await paymentOf(ids.declines))!.id,
    to: declines!,
    language: 'both',
    kind: 'PAYMENT_LINK',
    text: 'Again',
    url: null,
  });
  assert.equal((await read(it, sandbox(ids.declines, 'runs'))).length, 1);
  await nothingDue(service, 'simulator');
  for (const id of waiting) assert.equal((await statusOf(it, id)).paymentStatus, 'PENDING');
  clock.advance(30 * SECOND);
  await done(it, ids.declinesOnce, (await runOf(ids.declinesOnce)).id, 1);
  clock.advance(30 * SECOND);
  await became(ids.declinesOnce, 'PAID');
  clock.advance(9 * MINUTE);
  await became(ids.paysLate, 'PAID');
  for (const id of [ids.declines, ids.ignores])
    assert.equal((await statusOf(it, id)).status, 'waiting payment');
  clock.advance(24 * 60 * MINUTE);
  for (const id of [ids.declines, ids.ignores]) await became(id, 'FAILED');
  const declined = await service.deps.db.first<{ declines: number }>({
    text: `
      select k.declines from sandbox_checkouts k join payments p on p.id = k.payment_id where p.booking_id = $1`,
    values: [ids.declinesOnce],
  });
  assert.equal(declined?.declines, 1);
  assert.equal(unifonic.messages.length, 0, "nothing is sent to a number that may be somebody's");
  await booked(it.world);
  await until(() => unifonic.messages.length === 1);
});

test('the clock of the sandbox, moved by the operator, makes steps due', async (t) => {
  const service = await startTestService(t, { sandboxClock: true });
  const it = { service, world: await createWorld(service) };
  const tomorrow = new Date(service.deps.clock.now() + 48 * 60 * MINUTE).toISOString().slice(0, 10);
  const id = await booked(it.world, {}, { date: tomorrow });
  const run = await started(it, id, 'complete', 3_600);
  await nothingDue(service, 'simulator');
  assert.equal((await statusOf(it, id)).appointment.status, 'Scheduled');
  const moved = await service.operator('POST', '/clock/advance', { seconds: 6 * 3_600 });
  assert.equal(moved.status, 200, moved.text);
  assert.equal((await ended(it, id, run.id)).status, 'COMPLETED');
});
