import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DAY } from '../src/base/clock.ts';
import { verifyAudit } from '../src/db/audit.ts';
import { eraseAfterRetention } from '../src/privacy/retention.ts';
import { dayOf, sendStep, step, stepBody, TODAY, telephoneOf } from './crew-fixtures.ts';
import { createWorld, randomPhone, type World } from './fixtures.ts';
import {
  type Answer,
  afterwards,
  alsoOnServer,
  onServer,
  startTestService,
  type TestService,
} from './harness.ts';
import { tablesWith } from './needle.ts';
import { until } from './until.ts';
import { startReceiver, subscribe } from './webhook-receiver.ts';

/** Erasing a customer: nothing of her is left, and nothing else is gone. */

const REASON = { reason: 'Asked for it on the telephone' };
const NEEDLE = 'zq91';
const PHONE = '+966509991919';
const NAME = `Huda ${NEEDLE}-name`;
const ADDRESS = {
  cityName: `${NEEDLE}-city`,
  districtName: `${NEEDLE}-district`,
  streetName: `${NEEDLE}-street`,
  shortAddress: 'ZQNE9191',
  buildingNumber: `${NEEDLE}-b`,
  unit: `${NEEDLE}-u`,
  floor: `${NEEDLE}-f`,
  postalCode: '91919',
  directions: `${NEEDLE}-directions`,
};

const ok = (answer: Answer, status = 200): Answer => {
  assert.equal(answer.status, status, answer.text);
  return answer;
};

async function newReason(service: TestService): Promise<string> {
  const names = { nameEn: 'Moved away', nameAr: 'انتقل' };
  return ok(await service.operator('POST', '/cancellation-reasons', names), 201).body.data.id;
}

/** Brings the visit to its end. */
async function complete(service: TestService, appointmentId: string): Promise<void> {
  for (const status of ['In The Way', 'In The location', 'In Progress', 'Finished', 'Completed'])
    ok(await service.operator('PATCH', `/appointments/${appointmentId}`, { status, force: true }));
}

const eraseAs = (service: TestService, { key, contactId }: Pick<World, 'key' | 'contactId'>) =>
  service.v1(key, 'POST', `/partners/contacts/${contactId}/erase`, REASON);

test('nothing of an erased customer is left, and nothing else is gone', async (t) => {
  const receiver = await startReceiver(t);
  const service = await startTestService(t, { env: { WEBHOOK_ALLOW_HOSTS: receiver.host } });
  const { db } = service.deps;
  const world = await createWorld(service, {
    teams: 2,
    partner: { trackingPage: true, customerMessages: ['DONE'] },
  });
  receiver.answer = (_request, response) => response.writeHead(500).end(`no: ${NEEDLE}-echo`);
  await subscribe(service, world.partnerId, receiver.url);
  const made = ok(await world.contact({ phone: PHONE, name: NAME, ...ADDRESS }));
  const { id: contactId, addressId } = made.body.data;
  const second = ok(
    await world.contact({
      phone: PHONE,
      name: NAME,
      unit: `${NEEDLE}-2`,
      latitude: String(world.latitude + 0.0123),
    }),
  );
  ok(
    await world.contact({
      phone: PHONE,
      name: NAME,
      cityName: `${NEEDLE}-nowhere`,
      latitude: undefined,
      longitude: undefined,
    }),
  );
  const texts = { notes: `${NEEDLE}-notes`, instructions: `${NEEDLE}-in`, accessCode: `${NEEDLE}-code` };
  const visit = ok(
    await world.book({
      contactId,
      addressId,
      date: TODAY,
      timeslot: { startAt: '12:00', endAt: '14:00' },
      ...texts,
    }),
  ).body.data;
  const other = ok(await world.book({ contactId, addressId: second.body.data.addressId, ...texts }));
  const done = ok(await world.book({ contactId, addressId, date: '2026-11-26', ...texts })).body.data;
  const failed = ok(await world.book({ contactId, addressId, date: '2026-11-27' })).body.data;
  const { team } = (await service.operator('GET', `/bookings/${visit.bookingId}`)).body.data;
  const phone = await telephoneOf(service, team.id);
  assert.equal((await dayOf(service, phone)).visits[0].accessCode, texts.accessCode);
  await step(service, phone, visit, { to: 'In The Way' });
  await step(service, phone, visit, {
    to: 'Cannot Complete',
    reason: 'CUSTOMER_ABSENT',
    text: `${NEEDLE}-crew`,
  });

  const path = `/partners/contacts/${contactId}`;
  const refused = await eraseAs(service, { ...world, contactId });
  assert.deepEqual(
    [
      refused.status,
      refused.body.error.code,
      refused.body.error.details.reason,
      refused.body.error.details.bookings.toSorted(),
    ],
    [
      409,
      'CONFLICT',
      'OPEN_BOOKINGS',
      [visit.bookingId, other.body.data.bookingId, done.bookingId, failed.bookingId].sort(),
    ],
  );

  const reasonId = await newReason(service);
  ok(
    await service.operator('POST', `/bookings/${visit.bookingId}/close`, {
      reasonId,
      notes: `${NEEDLE}-closed`,
    }),
  );
  const move = { status: 'In The Way', force: true, reason: `${NEEDLE}-forced` };
  ok(await service.operator('PATCH', `/appointments/${done.appointmentId}`, move));
  const back = { status: 'Scheduled', reason: `${NEEDLE}-corrected` };
  ok(await service.operator('POST', `/appointments/${done.appointmentId}/correct`, back));
  await complete(service, done.appointmentId);
  ok(await service.operator('POST', `/bookings/${failed.bookingId}/fail`, { reason: `${NEEDLE}-failed` }));
  const cancel = { reasonId, notes: `${NEEDLE}-why` };
  ok(
    await service.v1(world.key, 'PATCH', `/partners/bookings/${other.body.data.bookingId}/cancel`, cancel, {
      'idempotency-key': 'k1',
    }),
  );
  const wrong = await service.v1(world.key, 'POST', `${path}/erase`, { reason: `${NAME} asked` });
  assert.deepEqual(wrong.body.error.details.message, ['reason must not name the customer: it is kept']);
  await until(async () => (await tablesWith(db, `${NEEDLE}-echo`)).length > 0);
  const trackingUrl = visit.trackingUrl as string;
  assert.equal((await fetch(trackingUrl)).status, 200);

  const state = async () => ({
    bookings: ok(await service.v1(world.key, 'GET', '/partners/bookings')).body,
    feed: ok(await service.v1(world.key, 'GET', '/partners/events?events=all')).body.data.map(
      ({ eventId, event, payload }: { eventId: string; event: string; payload: { status: string } }) => [
        eventId,
        event,
        payload.status,
        Object.keys(payload),
      ],
    ),
    audit: (await service.operator('GET', '/audit')).body.meta.total,
  });
  const before = await state();
  assert.ok((await tablesWith(db, NEEDLE)).length >= 8, 'the search finds what is there');
  const erased = ok(await eraseAs(service, { ...world, contactId })).body.data;
  assert.equal(erased.id, contactId);

  for (const needle of [NEEDLE, PHONE, PHONE.slice(4), 'ZQNE9191'])
    assert.deepEqual(await tablesWith(db, needle), [], needle);
  // Signatures may have these digits.
  const coded = await db.rows({ text: 'select id from addresses where postal_code is not null' });
  assert.deepEqual(coded, []);
  const coordinates = await db.rows<{ latitude: string; longitude: string }>({
    text: 'select round(latitude, 4)::text as latitude, round(longitude, 4)::text as longitude from addresses where contact_id = $1',
    values: [contactId],
  });
  const middle = { latitude: world.latitude.toFixed(4), longitude: world.longitude.toFixed(4) };
  assert.deepEqual(coordinates, [middle, middle], 'two visited doors, both in the middle of their zone');
  const after = await state();
  const withoutNotes = JSON.parse(
    JSON.stringify(before.bookings)
      .replaceAll(`"${NEEDLE}-why"`, 'null')
      .replaceAll(`${NEEDLE}-failed`, 'ERASED')
      .replaceAll(/"trackingUrl":"[^"]+"/g, '"trackingUrl":null'),
  );
  assert.deepEqual(after.bookings, withoutNotes, 'bookings, amounts and totals');
  assert.deepEqual(after.feed, before.feed);
  assert.equal(after.audit, before.audit);
  assert.equal((await verifyAudit(db)).brokenAt, null);
  assert.doesNotMatch(service.logged(), new RegExp(NEEDLE));

  for (const [method, at, body] of [
    ['GET', path],
    ['GET', `${path}/export`],
    ['PATCH', path, { name: 'X' }],
    ['PATCH', `/partners/addresses/${addressId}`, { unit: '1' }],
    ['GET', `/partners/services?addressId=${addressId}&page=1`],
  ] as const)
    assert.equal((await service.v1(world.key, method, at, body)).status, 404, at);
  const booked = await world.book({ contactId, addressId, date: '2026-11-25' });
  assert.deepEqual([booked.status, booked.body.error.code], [404, 'RESOURCE_NOT_FOUND']);
  assert.deepEqual(ok(await eraseAs(service, { ...world, contactId })).body.data, erased);
  const customer = ok(await service.operator('GET', `/contacts/${contactId}`)).body.data;
  assert.deepEqual([customer.name, customer.phone, customer.erasedAt], ['Erased', null, erased.erasedAt]);
  const detail = ok(await service.operator('GET', `/bookings/${visit.bookingId}`)).body.data;
  assert.deepEqual([detail.contact.name, detail.contact.phone], ['Erased', null]);
  assert.equal((await fetch(trackingUrl)).status, 404);
  // Nobody is sent to a page that is gone.
  for (const at of ['/partners/bookings', '/partners/events?events=all']) {
    const { text } = await service.v1(world.key, 'GET', at);
    assert.match(text, /"trackingUrl":null/, at);
    assert.doesNotMatch(text, /"trackingUrl":"/, at);
  }
  const delivered = ok(await service.v1(world.key, 'GET', '/partners/webhooks/deliveries?limit=100')).body
    .data;
  for (const { id } of delivered) {
    const { text } = await service.v1(world.key, 'GET', `/partners/webhooks/deliveries/${id}`);
    assert.doesNotMatch(text, /"trackingUrl":"/);
  }
  const page = ok(await service.operator('GET', `/bookings/${visit.bookingId}/messages`)).body.data;
  assert.equal(page.trackingUrl, null);

  // The crew's telephone sends a text late, and an old process's message was planned.
  const late = stepBody(service, visit, {
    to: 'Cannot Complete',
    reason: 'CUSTOMER_ABSENT',
    text: `${NEEDLE}-late`,
  });
  assert.equal(ok(await sendStep(service, phone, visit, late)).body.data.refusal, 'CANCELLED');
  assert.deepEqual(await tablesWith(db, NEEDLE), []);

  const again = ok(await world.contact({ phone: PHONE, name: 'Huda' })).body.data;
  assert.notEqual(again.id, contactId);
  assert.equal(again.isNewContact, true);
});

test('the operator erases, once', async (t) => {
  const service = await startTestService(t);
  const world = await createWorld(service);
  const path = `/contacts/${world.contactId}/erase`;
  const first = ok(await service.operator('POST', path, REASON));
  service.clock.advance(60_000);
  assert.deepEqual(ok(await service.operator('POST', path, REASON)).body, first.body);
  const recorded = (await service.operator('GET', '/audit?action=contact.erase')).body.data;
  assert.deepEqual(
    recorded.map(({ after }: { after: unknown }) => after),
    [first.body.data],
  );
  assert.equal((await service.operator('POST', `/contacts/${world.addressId}/erase`, REASON)).status, 404);
  assert.equal((await service.operator('PATCH', `/contacts/${world.contactId}`, { name: 'X' })).status, 404);
  const stranger = await createWorld(service);
  assert.equal((await eraseAs(service, { ...world, contactId: stranger.contactId })).status, 404);
});

test('a booking and an erasure at once: one of the two', alsoOnServer, async (t) => {
  const service = await startTestService(t);
  const { db } = service.deps;
  const world = await createWorld(service, { teams: 4 });
  for (let round = 0; round < 12; round++) {
    const { id: contactId, addressId } = ok(await world.contact()).body.data;
    const date = `2026-12-${String(round + 1).padStart(2, '0')}`;
    const booking = () => world.book({ contactId, addressId, date });
    const erasing = () => eraseAs(service, { ...world, contactId });
    const [booked, erased] =
      round % 2 === 0
        ? await Promise.all([booking(), erasing()])
        : (await Promise.all([erasing(), booking()])).toReversed();
    const statuses = [booked!.status, erased!.status].join(' ');
    assert.ok(['200 409', '404 200'].includes(statuses), statuses);
  }
  const left = await db.rows({
    text: `
      select b.id from bookings b join contacts c on c.id = b.contact_id
      where c.erasure_id is not null and b.status <> 'canceled'`,
  });
  assert.deepEqual(left, []);
});

test(
  'a booking that met the contact before it was erased is not made',
  onServer('needs several connections'),
  async (t) => {
    const service = await startTestService(t);
    const { db } = service.deps;
    const world = await createWorld(service);
    const { id: requestId } = (await db.first<{ id: string }>({
      text: `
      insert into privacy_requests (id, kind, status, phone_hash, received_at, due_at, received_by, finished_at, finished_by)
      values (gen_random_uuid(), 'ERASURE', 'DONE', sha256(''), now(), now(), 'test', now(), 'test') returning id`,
    }))!;
    const client = await db.open!();
    afterwards(t, () => client.end());
    // The lock that erasing takes, held until the booking waits for it.
    await client.query('begin');
    await client.query(`update contacts set name = 'Erased', phone = null, erasure_id = $2 where id = $1`, [
      world.contactId,
      requestId,
    ]);
    const booking = world.book();
    await until(async () => {
      const { rows } = await client.query(
        `select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
      );
      return rows.length > 0;
    });
    await client.query('commit');
    const { status, body } = await booking;
    assert.deepEqual([status, body.error?.code], [404, 'RESOURCE_NOT_FOUND']);
  },
);

test('a request in the buffer of the log is erased, too, by each way to erase', async (t) => {
  const service = await startTestService(t);
  const world = await createWorld(service);
  const { clock, deps } = service;
  const ways: Record<string, (contactId: string, phone: string) => Promise<unknown>> = {
    partner: async (contactId) => ok(await eraseAs(service, { ...world, contactId })),
    register: async (_, phone) => {
      const entered = await service.operator('POST', '/privacy-requests', { kind: 'ERASURE', phone });
      assert.equal(entered.status, 201, entered.text);
      ok(await service.operator('POST', `/privacy-requests/${entered.body.data.id}/complete`));
    },
    retention: async () => {
      clock.advance(62 * DAY);
      assert.equal(await eraseAfterRetention(deps, 1), 2, 'this contact, and that of the world');
    },
  };
  for (const [way, erase] of Object.entries(ways)) {
    const phone = randomPhone();
    const { id } = ok(await world.contact({ name: NAME, phone })).body.data;
    await erase(id, phone);
    await deps.requestLog!.flush();
    assert.deepEqual(await tablesWith(deps.db, NEEDLE), [], way);
  }
});

test('a message that was planned all the same is dropped', async (t) => {
  const service = await startTestService(t);
  const { db } = service.deps;
  // Not in quiet hours.
  service.clock.set(Date.parse('2026-11-22T10:00:00+03:00'));
  const world = await createWorld(service, { partner: { customerMessages: ['DONE'] } });
  const booking = ok(await world.book()).body.data;
  await complete(service, booking.appointmentId);
  ok(await eraseAs(service, world));
  await db.rows({
    text: `
      insert into customer_messages (id, booking_id, kind, version, starts_at, due_at, status, created_at)
      select gen_random_uuid(), booking_id, 'DONE', 99, starts_at, $2, 'QUEUED', $2 from appointments where booking_id = $1`,
    values: [booking.bookingId, new Date(service.clock.now()).toISOString()],
  });
  await until(async () => {
    const found = await db.first<{ reason: string }>({
      text: `select reason from customer_messages where version = 99 and status = 'DROPPED'`,
    });
    return found?.reason === 'ERASED';
  });
});
