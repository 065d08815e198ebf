import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createWorld, WORLD_DATE, type World } from './fixtures.ts';
import { onPostgres, startTestService, TEST_NOW, type TestService } from './harness.ts';

const MISSING = '5f0c6a6e-3c1b-4b5e-9a53-0d5a2f1c7b10';

/** A cancellation reason straight in its table. */
async function reason(
  service: TestService,
  fields: { active?: boolean; customerFacing?: boolean } = {},
): Promise<string> {
  const row = await service.deps.db.first<{ id: string }>({
    text: `
      insert into cancellation_reasons (name_en, name_ar, is_active, is_customer_facing, created_at, updated_at)
      values ('Plans changed', 'تغيرت الخطط', $1, $2, $3, $3) returning id`,
    values: [fields.active ?? true, fields.customerFacing ?? true, new Date(TEST_NOW).toISOString()],
  });
  return row!.id;
}

const events = (service: TestService, bookingId: string) =>
  service.deps.db.rows<{ event: string; sequence: number; payload: unknown }>({
    text: 'select event, sequence, payload from events where booking_id = $1 order by sequence',
    values: [bookingId],
  });

const eventNames = async (service: TestService, bookingId: string) =>
  (await events(service, bookingId)).map(({ event }) => event);

/** Puts the booking into a state that the API alone does not reach in these tests. */
async function force(
  service: TestService,
  bookingId: string,
  status: string,
  paymentStatus: string,
): Promise<void> {
  await service.deps.db.rows({
    text: 'update bookings set status = $2, payment_status = $3 where id = $1',
    values: [bookingId, status, paymentStatus],
  });
}

async function forceAppointment(service: TestService, bookingId: string, status: string): Promise<void> {
  await service.deps.db.rows({
    text: 'update appointments set status = $2 where booking_id = $1',
    values: [bookingId, status],
  });
}

const offered = async (service: TestService, world: World, date = WORLD_DATE): Promise<string[]> => {
  const query = new URLSearchParams({ addressId: world.addressId, serviceId: world.serviceId, date });
  const answer = await service.v1(world.key, 'GET', `/partners/timeslots/available?${query}`);
  return answer.body.data.slots.map((slot: { startAt: string }) => slot.startAt);
};

test('update a booking (4.8)', async (t) => {
  const service = await startTestService(t);
  const world = await createWorld(service);
  const other = await createWorld(service);
  const patch = (id: string, body: unknown, key = world.key) =>
    service.v1(key, 'PATCH', `/partners/bookings/${id}`, body);
  const created = (await world.book({ externalReference: 'FIRST' })).body.data;
  const id = created.bookingId;

  await t.test('an empty change writes nothing, without an event', async () => {
    const answer = await patch(id, {});
    assert.equal(answer.status, 200);
    assert.deepEqual(answer.body.data, created);
    assert.deepEqual(await eventNames(service, id), ['booking.created']);
  });

  await t.test('notes are stored and never returned, without an event', async () => {
    const answer = await patch(id, { notes: 'Ring twice' });
    assert.deepEqual(answer.body.data, created);
    const stored = await service.deps.db.first({
      text: 'select notes from bookings where id = $1',
      values: [id],
    });
    assert.deepEqual(stored, { notes: 'Ring twice' });
    assert.deepEqual(await eventNames(service, id), ['booking.created']);
    const tooLong = await patch(id, { notes: 'x'.repeat(2001) });
    assert.deepEqual(tooLong.body.error.details.message, [
      'notes must be shorter than or equal to 2000 characters',
    ]);
  });

  await t.test('a new timeslot keeps the date, the team and the appointment', async () => {
    const before = await service.deps.db.first({
      text: 'select team_id from appointments where booking_id = $1',
      values: [id],
    });
    const answer = await patch(id, { timeslot: { startAt: '11:00', endAt: '13:00' } });
    assert.equal(answer.status, 200, answer.text);
    assert.deepEqual(answer.body.data, {
      ...created,
      timeslot: { startAt: '11:00', endAt: '13:00', endsAtNextDay: false },
      appointment: {
        ...created.appointment,
        scheduledStartDateTime: '2026-11-23T11:00:00+03:00',
        scheduledEndDateTime: '2026-11-23T13:00:00+03:00',
      },
    });
    const after = await service.deps.db.first({
      text: 'select team_id from appointments where booking_id = $1',
      values: [id],
    });
    assert.deepEqual(after, before);
    const [, updated] = await events(service, id);
    assert.deepEqual(updated, { event: 'booking.updated', sequence: 2, payload: answer.body.data });
    assert.deepEqual(
      (await offered(service, world)).slice(0, 3),
      ['08:00', '08:30', '13:30'],
      'the old slot is free again',
    );
  });

  await t.test('a new date keeps the times', async () => {
    const answer = await patch(id, { date: '2026-11-24' });
    assert.equal(answer.body.data.date, '2026-11-24T00:00:00.000Z');
    assert.deepEqual(answer.body.data.timeslot, { startAt: '11:00', endAt: '13:00', endsAtNextDay: false });
    assert.equal((await offered(service, world)).length, 21);
    assert.equal(
      (await service.v1(world.key, 'GET', `/partners/bookings/${id}/status`)).body.data.date,
      '2026-11-24T00:00:00.000Z',
    );
  });

  await t.test('equal values are no change', async () => {
    const before = (await eventNames(service, id)).length;
    const same = await patch(id, {
      date: '2026-11-24',
      timeslot: { startAt: '11:00', endAt: '13:00' },
      externalReference: 'FIRST',
    });
    assert.equal(same.status, 200);
    assert.equal((await eventNames(service, id)).length, before);
  });

  await t.test('the reference is set or replaced', async () => {
    assert.equal((await patch(id, { externalReference: 'SECOND' })).body.data.externalReference, 'SECOND');
    const rival = (
      await world.book({ externalReference: 'FIRST', timeslot: { startAt: '08:00', endAt: '10:00' } })
    ).body.data;
    assert.equal(rival.externalReference, 'FIRST', 'the old reference is free');
    const taken = await patch(id, { externalReference: 'FIRST' });
    assert.deepEqual([taken.status, taken.body.error.code], [409, 'DUPLICATE_EXTERNAL_REFERENCE']);
    const none = (await world.book({ timeslot: { startAt: '14:00', endAt: '16:00' } })).body.data;
    assert.equal(
      (await patch(none.bookingId, { externalReference: 'THIRD' })).body.data.externalReference,
      'THIRD',
    );
    assert.equal((await patch(none.bookingId, { externalReference: '' })).status, 400);
  });

  await t.test('a taken slot: 422, and the old one stays held', async () => {
    const first = (await world.book({ date: '2026-11-25' })).body.data;
    const second = (await world.book({ date: '2026-11-25', timeslot: { startAt: '14:00', endAt: '16:00' } }))
      .body.data;
    const refused = async (body: unknown) => {
      const answer = await patch(second.bookingId, body);
      assert.deepEqual([answer.status, answer.body.error.code], [422, 'BOOKING_CREATION_FAILED']);
      return answer.body.error.details;
    };
    const details = await refused({ timeslot: { startAt: '11:00', endAt: '13:00' }, notes: 'not saved' });
    assert.equal(details.reason, 'SLOT_UNAVAILABLE');
    assert.deepEqual(
      details.alternatives[0],
      { date: '2026-11-25', startAt: '12:30', endAt: '14:30' },
      'its own slot counts as free',
    );
    assert.equal(
      (await refused({ timeslot: { startAt: '14:10', endAt: '16:10' } })).reason,
      'SLOT_NOT_OFFERED',
    );
    assert.equal(
      (await refused({ date: '2026-11-22', timeslot: { startAt: '08:30', endAt: '10:30' } })).reason,
      'SLOT_INSIDE_NOTICE',
    );
    assert.equal((await refused({ date: '2020-01-01' })).reason, 'SLOT_IN_PAST');
    assert.deepEqual(
      (await service.v1(world.key, 'GET', `/partners/bookings/${second.bookingId}/status`)).body.data,
      second,
    );
    const stored = await service.deps.db.first({
      text: 'select notes from bookings where id = $1',
      values: [second.bookingId],
    });
    assert.deepEqual(stored, { notes: null });
    // Into a time that overlaps only with itself.
    assert.equal(
      (await patch(second.bookingId, { timeslot: { startAt: '13:00', endAt: '15:00' } })).status,
      200,
    );
    assert.ok(first);
  });

  await t.test('a withdrawn service: the refusal says that no other slot would help', async () => {
    const other = await createWorld(service);
    const { bookingId } = (await other.book()).body.data;
    const refusedMove = async () => {
      const answer = await service.v1(other.key, 'PATCH', `/partners/bookings/${bookingId}`, {
        timeslot: { startAt: '14:00', endAt: '16:00' },
      });
      assert.equal(answer.body.error.code, 'BOOKING_CREATION_FAILED');
      assert.equal(
        answer.body.error.message,
        'The timeslot is not one of those offered for this service, address and date',
      );
      const { docUrl: _, ...details } = answer.body.error.details;
      return details;
    };
    const because = (hint: string) => ({
      reason: 'SLOT_NOT_OFFERED',
      alternatives: [],
      hints: [`${hint}: no other timeslot is free for the booking`],
    });
    await service.operator('PATCH', `/zones/${other.zoneId}`, { serviceIds: [] });
    assert.deepEqual(await refusedMove(), because('the service is no longer available at the address'));
    await service.operator('PATCH', `/services/${other.serviceId}`, { isActive: false });
    assert.deepEqual(await refusedMove(), because('the service is no longer enabled for the partner'));
  });

  await t.test('the overnight flag', async () => {
    const night = await createWorld(service, {
      team: {
        shifts: [1, 2, 3, 4, 5, 6, 7].map((weekday) => ({ weekday, startAt: '20:00', endAt: '04:00' })),
      },
    });
    const booking = (await night.book({ timeslot: { startAt: '23:00', endAt: '01:00' } })).body.data;
    const change = (body: unknown) => patch(booking.bookingId, body, night.key);
    const moved = await change({ date: '2026-11-26' });
    assert.deepEqual(moved.body.data.timeslot, { startAt: '23:00', endAt: '01:00', endsAtNextDay: true });
    const earlier = await change({ timeslot: { startAt: '20:00', endAt: '22:00' } });
    assert.deepEqual(earlier.body.data.timeslot, { startAt: '20:00', endAt: '22:00', endsAtNextDay: false });
  });

  await t.test('statuses that are not editable', async () => {
    const booking = (await world.book({ date: '2026-11-30' })).body.data;
    for (const [status, paymentStatus] of [
      ['success', 'PAID'],
      ['failed', 'FAILED'],
    ] as const) {
      await force(service, booking.bookingId, status, paymentStatus);
      for (const body of [{}, { notes: 'x' }, { date: '2026-12-01' }]) {
        const answer = await patch(booking.bookingId, body);
        assert.deepEqual([answer.status, answer.body.error.code], [422, 'BOOKING_NOT_EDITABLE'], status);
      }
      const taken = await patch(booking.bookingId, { externalReference: 'FIRST' });
      assert.deepEqual([taken.status, taken.body.error.code], [409, 'DUPLICATE_EXTERNAL_REFERENCE'], status);
    }
    await force(service, booking.bookingId, 'waiting payment', 'PENDING');
    assert.equal((await patch(booking.bookingId, { date: '2026-12-01' })).status, 200);
  });

  await t.test('an appointment that has begun, and an unknown booking', async () => {
    const booking = (await world.book({ date: '2026-12-02' })).body.data;
    await forceAppointment(service, booking.bookingId, 'In The Way');
    const begun = await patch(booking.bookingId, { date: '2026-12-03' });
    assert.deepEqual([begun.status, begun.body.error.code], [422, 'BOOKING_NOT_EDITABLE']);
    assert.equal((await patch(booking.bookingId, { notes: 'x', externalReference: 'BEGUN' })).status, 200);
    await forceAppointment(service, booking.bookingId, 'Confirmed');
    assert.equal(
      (await patch(booking.bookingId, { date: '2026-12-03' })).body.data.appointment.status,
      'Scheduled',
    );

    const deferred = await createWorld(service, { service: { assignment: 'deferred' } });
    const unassigned = (await deferred.book()).body.data;
    const absent = await patch(unassigned.bookingId, { date: '2026-11-24' }, deferred.key);
    assert.deepEqual([absent.status, absent.body.error.code], [422, 'BOOKING_APPOINTMENT_NOT_FOUND']);
    assert.equal((await patch(unassigned.bookingId, { externalReference: 'X' }, deferred.key)).status, 200);
  });

  await t.test('validation errors and unknown ids', async () => {
    const faults = async (body: unknown) => (await patch(id, body)).body.error.details.message;
    assert.deepEqual(await faults({ timeslot: { startAt: '10:00' } }), ['timeslot.endAt must be a string']);
    assert.deepEqual(await faults({ date: '2026-02-30', serviceId: MISSING }), [
      'property serviceId should not exist',
      'date must be a valid ISO 8601 date string',
    ]);
    assert.equal((await patch(MISSING, {})).status, 404);
    assert.equal((await patch(id, {}, other.key)).status, 404);
    assert.equal((await patch('nonsense', {})).status, 400);
  });
});

test('the update route can be switched off', async (t) => {
  const service = await startTestService(t, { env: { BOOKING_UPDATE_ROUTE: 'off' } });
  const world = await createWorld(service);
  const { bookingId } = (await world.book()).body.data;
  const answer = await service.v1(world.key, 'PATCH', `/partners/bookings/${bookingId}`, {});
  assert.deepEqual([answer.status, answer.body.error.message], [404, 'Route not found']);
});

test('cancel a booking (4.10)', async (t) => {
  const service = await startTestService(t);
  const world = await createWorld(service);
  const platform = await createWorld(service, { partner: { paymentResponsibility: 'PLATFORM' } });
  const reasonId = await reason(service);
  const cancel = (id: string, body: unknown = { reasonId }, key = world.key) =>
    service.v1(key, 'PATCH', `/partners/bookings/${id}/cancel`, body);
  const stored = (id: string) =>
    service.deps.db.first({
      text: 'select cancellation_action as action, cancellation_notes as notes, cancelled_by as by, cancelled_at as at from bookings where id = $1',
      values: [id],
    });

  await t.test('frees the slot at once', async () => {
    const created = (await world.book()).body.data;
    assert.equal((await offered(service, world)).includes('10:00'), false);
    const answer = await cancel(created.bookingId, { reasonId, notes: 'Moved away' });
    assert.equal(answer.status, 200, answer.text);
    assert.deepEqual(answer.body.data, {
      ...created,
      status: 'canceled',
      paymentStatus: 'CANCELLED',
      appointment: { ...created.appointment, status: 'Cancelled' },
      cancellation: {
        reasonId,
        by: 'PARTNER',
        at: '2026-11-22T08:00:00+03:00',
        notes: 'Moved away',
        fee: null,
        feeToDecide: false,
        kept: 0,
        onBehalfOf: null,
        workReached: null,
      },
    });
    assert.deepEqual(
      (await service.v1(world.key, 'GET', `/partners/bookings/${created.bookingId}/status`)).body,
      answer.body,
    );
    assert.equal((await offered(service, world)).includes('10:00'), true);
    const statusChange = { from: 'Scheduled', to: 'Cancelled', changedAt: '2026-11-22T08:00:00+03:00' };
    assert.deepEqual((await events(service, created.bookingId)).slice(1), [
      { event: 'booking.cancelled', sequence: 2, payload: answer.body.data },
      {
        event: 'booking.appointment_status_changed',
        sequence: 3,
        payload: { ...answer.body.data, appointmentStatusChange: statusChange },
      },
    ]);
    assert.deepEqual(await stored(created.bookingId), {
      action: 'CANCEL_ONLY',
      notes: 'Moved away',
      by: 'partner',
      at: TEST_NOW,
    });
    const again = await cancel(created.bookingId);
    assert.deepEqual([again.status, again.body.error.code], [422, 'BOOKING_ALREADY_CANCELLED']);
    assert.equal((await eventNames(service, created.bookingId)).length, 3);
  });

  await t.test('under PLATFORM the action is CANCEL_AND_REFUND', async () => {
    const { bookingId } = (await platform.book()).body.data;
    assert.equal((await cancel(bookingId, { reasonId }, platform.key)).status, 200);
    assert.deepEqual(await stored(bookingId), {
      action: 'CANCEL_AND_REFUND',
      notes: null,
      by: 'partner',
      at: TEST_NOW,
    });
  });

  await t.test('from every status but canceled, whatever the appointment does', async () => {
    const cases = [
      ['success', 'PAID', 'Completed'],
      ['failed', 'FAILED', 'Cancelled'],
      ['waiting payment', 'PENDING', 'New'],
      ['in progress', 'PAID', 'In Progress'],
    ] as const;
    for (const [status, paymentStatus, appointment] of cases) {
      const { bookingId } = (await world.book({ date: '2026-11-28' })).body.data;
      await force(service, bookingId, status, paymentStatus);
      await forceAppointment(service, bookingId, appointment);
      const { body } = await cancel(bookingId);
      assert.deepEqual(
        [body.data.status, body.data.paymentStatus, body.data.appointment.status],
        ['canceled', 'CANCELLED', 'Cancelled'],
      );
      assert.deepEqual(
        (await eventNames(service, bookingId)).slice(1),
        appointment === 'Cancelled'
          ? ['booking.cancelled']
          : ['booking.cancelled', 'booking.appointment_status_changed'],
        'the appointment has an event when it changes',
      );
    }
  });

  await t.test('a canceled booking keeps its reference, and cannot be changed or paid', async () => {
    const { bookingId } = (await world.book({ externalReference: 'KEPT', date: '2026-11-29' })).body.data;
    await cancel(bookingId);
    assert.equal((await world.book({ externalReference: 'KEPT', date: '2026-11-30' })).status, 409);
    const update = await service.v1(world.key, 'PATCH', `/partners/bookings/${bookingId}`, {});
    assert.equal(update.body.error.code, 'BOOKING_NOT_EDITABLE');
    const confirm = await service.v1(
      world.key,
      'POST',
      `/partners/bookings/${bookingId}/confirm-payment`,
      {},
    );
    assert.equal(confirm.body.error.code, 'BOOKING_NOT_PAYABLE');
  });

  await t.test('validation errors', async () => {
    const { bookingId } = (await world.book({ date: '2026-12-01' })).body.data;
    assert.deepEqual((await cancel(bookingId, {})).body.error.details.message, ['reasonId must be a UUID']);
    for (const wrong of [
      MISSING,
      await reason(service, { active: false }),
      await reason(service, { customerFacing: false }),
    ]) {
      const answer = await cancel(bookingId, { reasonId: wrong });
      assert.equal(answer.status, 400);
      assert.deepEqual(answer.body.error.details.message, [
        'reasonId must be the id of an active cancellation reason',
      ]);
    }
    assert.equal(
      (await cancel(MISSING, { reasonId: MISSING })).status,
      400,
      'a bad body comes before what is not there',
    );
    assert.equal((await cancel(MISSING)).status, 404);
    assert.equal((await cancel(bookingId, { reasonId }, platform.key)).status, 404);
  });
});

test('confirm payment (4.11)', async (t) => {
  const service = await startTestService(t);
  const world = await createWorld(service, { teams: 4 });
  const platform = await createWorld(service, { partner: { paymentResponsibility: 'PLATFORM' } });
  const confirm = (id: string, body: unknown = {}, key = world.key) =>
    service.v1(key, 'POST', `/partners/bookings/${id}/confirm-payment`, body);

  await t.test('PENDING becomes PAID, once', async () => {
    const created = (await world.book()).body.data;
    const answer = await confirm(created.bookingId, { paymentReference: 'PAY-1' });
    assert.equal(answer.status, 200, answer.text);
    assert.deepEqual(answer.body.data, { ...created, paymentStatus: 'PAID' });
    assert.deepEqual((await events(service, created.bookingId))[1], {
      event: 'booking.payment_confirmed',
      sequence: 2,
      payload: answer.body.data,
    });
    const stored = await service.deps.db.first({
      text: 'select payment_reference, payment_confirmed_at from bookings where id = $1',
      values: [created.bookingId],
    });
    assert.deepEqual(stored, { payment_reference: 'PAY-1', payment_confirmed_at: TEST_NOW });
    const again = await confirm(created.bookingId);
    assert.deepEqual([again.status, again.body.error.code], [422, 'PAYMENT_ALREADY_CONFIRMED']);
  });

  await t.test('refusals', async () => {
    const { bookingId } = (await world.book()).body.data;
    const code = async (answer: ReturnType<typeof confirm>) => {
      const { status, body } = await answer;
      return `${status} ${body.error.code}`;
    };
    assert.equal(
      await code(confirm(bookingId, { paymentReference: 'x'.repeat(256) })),
      '400 VALIDATION_ERROR',
    );
    assert.equal(await code(confirm(bookingId, { price: 1 })), '400 VALIDATION_ERROR');
    assert.equal(await code(confirm(MISSING)), '404 RESOURCE_NOT_FOUND');
    const foreign = (await platform.book()).body.data.bookingId;
    assert.equal(await code(confirm(foreign)), '404 RESOURCE_NOT_FOUND');
    assert.equal(await code(confirm(foreign, {}, platform.key)), '422 PAYMENT_RESPONSIBILITY_MISMATCH');
    await force(service, bookingId, 'failed', 'FAILED');
    assert.equal(await code(confirm(bookingId)), '422 BOOKING_NOT_PAYABLE');
    await force(service, foreign, 'failed', 'FAILED');
    assert.equal(await code(confirm(foreign, {}, platform.key)), '422 BOOKING_NOT_PAYABLE', 'state first');
    await force(service, bookingId, 'success', 'PENDING');
    const withoutBody = await service.v1(
      world.key,
      'POST',
      `/partners/bookings/${bookingId}/confirm-payment`,
    );
    assert.equal(withoutBody.body.data.paymentStatus, 'PAID', 'a missing body is {}');
  });

  await t.test('only a payment that the partner collects, and that is pending', async () => {
    for (const [mode, other] of [
      ['PARTNER', 'PLATFORM'],
      ['PLATFORM', 'PARTNER'],
    ] as const) {
      const changing = await createWorld(service, { partner: { paymentResponsibility: mode } });
      const { bookingId } = (await changing.book()).body.data;
      const path = `/partners/${changing.partnerId}`;
      const changed = await service.operator('PATCH', path, { paymentResponsibility: other });
      assert.equal(changed.status, 200, changed.text);
      const refused = await confirm(bookingId, {}, changing.key);
      assert.deepEqual(
        [refused.status, refused.body.error?.code],
        [422, 'PAYMENT_RESPONSIBILITY_MISMATCH'],
        mode,
      );
    }
  });
});

test('list bookings (4.6)', async (t) => {
  const service = await startTestService(t);
  const world = await createWorld(service, { teams: 6 });
  const other = await createWorld(service);
  await other.book();
  const list = async (query = '', key = world.key) => service.v1(key, 'GET', `/partners/bookings${query}`);
  const references = async (query: string) =>
    (await list(query)).body.data.map(
      (booking: { externalReference: string | null }) => booking.externalReference,
    );
  const dates = ['2026-11-25', '2026-11-23', '2026-11-24', '2026-11-23', '2026-11-26'];
  const made: { bookingId: string }[] = [];
  for (const [index, date] of dates.entries()) {
    made.push((await world.book({ date, externalReference: `R${index}` })).body.data);
    service.clock.advance(1_000);
  }
  await force(service, made[1]!.bookingId, 'success', 'PAID');

  await t.test('own bookings, newest first', async () => {
    const { status, body } = await list();
    assert.equal(status, 200);
    assert.deepEqual(body.meta, { page: 1, limit: 20, total: 5, totalPages: 1 });
    assert.deepEqual(body.data[0], made[4]);
    assert.deepEqual(await references(''), ['R4', 'R3', 'R2', 'R1', 'R0']);
    assert.deepEqual(await references('?sortOrder=ASC'), ['R0', 'R1', 'R2', 'R3', 'R4']);
  });
  await t.test('filters', async () => {
    assert.deepEqual(await references('?status=success'), ['R1']);
    assert.deepEqual(await references('?status=in%20progress&fromDate=2026-11-24'), ['R4', 'R2', 'R0']);
    assert.deepEqual(await references('?fromDate=2026-11-24&toDate=2026-11-25'), ['R2', 'R0']);
    assert.deepEqual(
      await references('?toDate=2026-11-23'),
      ['R4', 'R3', 'R2', 'R1', 'R0'],
      'toDate alone is ignored',
    );
    assert.deepEqual(await references('?externalReference=R2'), ['R2']);
    assert.deepEqual(await references('?externalReference=R'), []);
    assert.deepEqual(await references('?fromDate=2026-11-26&toDate=2026-11-23'), []);
  });
  await t.test('orders, ties by id', async () => {
    const byDate = (await list('?sortBy=date&sortOrder=ASC')).body.data;
    assert.deepEqual(
      byDate.map((booking: { date: string }) => booking.date.slice(0, 10)),
      [...dates].sort(),
    );
    assert.ok(byDate[0].bookingId < byDate[1].bookingId);
    assert.deepEqual(await references('?sortBy=externalReference'), ['R4', 'R3', 'R2', 'R1', 'R0']);
    assert.equal((await list('?sortBy=status')).body.data[0].status, 'success');
  });
  await t.test('pages', async () => {
    const second = await list('?page=2&limit=2');
    assert.deepEqual(second.body.meta, { page: 2, limit: 2, total: 5, totalPages: 3 });
    assert.deepEqual(
      second.body.data.map((booking: { externalReference: string }) => booking.externalReference),
      ['R2', 'R1'],
    );
    const beyond = await list('?page=9&limit=2');
    assert.deepEqual([beyond.body.data, beyond.body.meta.total], [[], 5]);
  });
  await t.test('validation errors', async () => {
    const faults = async (query: string) => (await list(query)).body.error.details.message;
    assert.deepEqual(await faults('?limit=101'), ['limit must not be greater than 100']);
    assert.deepEqual(await faults('?limit=0&page=0'), [
      'page must not be less than 1',
      'limit must not be less than 1',
    ]);
    assert.deepEqual(await faults('?limit=ten'), ['limit must be an integer number']);
    assert.deepEqual(await faults('?limit=1.5'), ['limit must be an integer number']);
    assert.deepEqual(await faults('?limit=1&limit=2'), ['limit must be an integer number']);
    assert.deepEqual(await faults('?sortBy=price'), [
      'sortBy must be one of the following values: createdAt, updatedAt, date, status, externalReference',
    ]);
    assert.deepEqual(await faults('?sortOrder=asc'), [
      'sortOrder must be one of the following values: ASC, DESC',
    ]);
    assert.deepEqual(await faults('?status=done'), [
      'status must be one of the following values: in progress, waiting payment, success, canceled, failed',
    ]);
    assert.deepEqual(await faults('?fromDate=2026-02-30&toDate=x'), [
      'fromDate must be a valid ISO 8601 date string',
      'toDate must be a valid ISO 8601 date string',
    ]);
    const malformed = ['x', '9:1:', '1:9:9', '1:9:5,3', '0:1:', '1:99999999999999999999:'];
    // PostgreSQL gives no transaction an id whose lower 32 bits are 0.
    for (const wrong of [...malformed, '1:4294967296:', '4294967296:4294967297:']) {
      assert.deepEqual(await faults(`?asOf=${wrong}`), ['asOf must be a value that a list returned'], wrong);
    }
    assert.equal((await list('?unknown=1')).status, 200);
  });
  await t.test('an asOf of a future transaction is refused', async () => {
    const begun = await service.deps.db.transaction(async (tx) => {
      const [current] = await tx.rows<{ id: string }>({ text: 'select pg_current_xact_id()::text as id' });
      const id = BigInt(current!.id);
      // A replica may show a transaction as committed a little before the primary does.
      if (onPostgres) assert.equal((await list(`?asOf=${id}:${id + 1n}:`)).status, 200);
      return id;
    });
    for (const ahead of [begun + 1_000_000n, begun + 2n ** 31n, begun + 2n ** 32n, 2n ** 63n - 1n]) {
      const { error } = (await list(`?asOf=${begun}:${ahead}:`)).body;
      assert.equal(error.code, 'VALIDATION_ERROR', `${ahead}`);
      assert.deepEqual(error.details.message, ['asOf must be a value that a list returned']);
      assert.deepEqual(error.details.hints, [
        'asOf: this one is ahead of the database; read the first page again and send its X-List-As-Of',
      ]);
    }
  });
  await t.test('with asOf, new bookings neither shift pages nor count', async () => {
    const first = await list('?limit=3');
    const asOf = first.headers.get('x-list-as-of')!;
    await world.book({ externalReference: 'LATE' });
    const shifted = await references('?limit=3&page=2');
    assert.equal(shifted[0], 'R2', 'without it the rows have moved on');
    const second = await list(`?limit=3&page=2&asOf=${encodeURIComponent(asOf)}`);
    assert.deepEqual(
      second.body.data.map((booking: { externalReference: string }) => booking.externalReference),
      ['R1', 'R0'],
    );
    assert.equal(second.body.meta.total, 5);
    assert.equal(second.headers.get('x-list-as-of'), asOf);
  });
});
