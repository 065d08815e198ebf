import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { test } from 'node:test';
import { DAY, HOUR } from '../src/base/clock.ts';
import { forgetAccess } from '../src/bookings/access.ts';
import { createSealer } from '../src/db/sealing.ts';
import { resealAll } from '../src/program/secrets.ts';
import { dayOf, TODAY, telephoneOf } from './crew-fixtures.ts';
import { createWorld } from './fixtures.ts';
import { startTestService, type TestService } from './harness.ts';
import { tablesWith } from './needle.ts';

/**
 * Instructions and access codes: sealed, read by nobody but the crew of the day, deleted a week after.
 */

const CODE = 'zq81-code';
const WAY_IN = 'past the zq81-guard';
const ACCESS = { accessCode: CODE, instructions: WAY_IN };
const SLOT = { startAt: '10:00', endAt: '12:00' };

async function storedOf({ deps: { db } }: TestService): Promise<string[]> {
  const rows = await db.rows<{ value: string }>({ text: 'select value from booking_access order by id' });
  return rows.map(({ value }) => value);
}

async function worldWithAccess(service: TestService, date = TODAY) {
  const world = await createWorld(service, { teams: 2 });
  const made = await world.book({ date, timeslot: SLOT, ...ACCESS });
  assert.equal(made.status, 200, made.text);
  const { bookingId } = made.body.data;
  const { team, appointment } = (await service.operator('GET', `/bookings/${bookingId}`)).body.data;
  return { world, bookingId, teamId: team.id as string, appointment, answer: made.text };
}

test('the crew of the day reads how to get in, and nobody else', async (t) => {
  const service = await startTestService(t);
  const { world, bookingId, teamId, answer } = await worldWithAccess(service);
  const phone = await telephoneOf(service, teamId);
  const other = await telephoneOf(service, world.teamIds.find((id) => id !== teamId)!);
  const [visit] = (await dayOf(service, phone)).visits;
  assert.deepEqual([visit.accessCode, visit.instructions], [CODE, WAY_IN]);
  assert.doesNotMatch(JSON.stringify(await dayOf(service, other)), /zq81/);

  const path = `/partners/bookings/${bookingId}`;
  const patched = await service.v1(world.key, 'PATCH', path, { notes: 'n', accessCode: `${CODE}-new` });
  assert.equal(patched.status, 200, patched.text);
  const changed = (await dayOf(service, phone)).visits[0];
  assert.deepEqual([changed.accessCode, changed.instructions], [`${CODE}-new`, WAY_IN]);
  // A wrong request repeats nothing.
  const wrong = await service.v1(world.key, 'POST', '/partners/bookings', { ...ACCESS, date: 'x' });
  assert.equal(wrong.status, 400);
  const keyed = { 'idempotency-key': randomUUID() };
  const byOperator = await service.operator('POST', '/bookings', {
    partnerId: world.partnerId,
    contactId: world.contactId,
    addressId: world.addressId,
    serviceId: world.serviceId,
    date: TODAY,
    timeslot: { startAt: '14:00', endAt: '16:00' },
    ...ACCESS,
  });
  assert.equal(byOperator.status, 201, byOperator.text);
  const again = await service.v1(
    world.key,
    'POST',
    '/partners/bookings',
    {
      contactId: world.contactId,
      addressId: world.addressId,
      serviceId: world.serviceId,
      date: '2026-11-24',
      timeslot: SLOT,
      ...ACCESS,
    },
    keyed,
  );
  assert.equal(again.status, 200, again.text);
  assert.equal((await storedOf(service)).length, 3);

  const answers = [answer, patched.text, wrong.text, byOperator.text, again.text];
  for (const read of [path, '/partners/bookings', '/partners/events?events=all', `${path}/status`])
    answers.push((await service.v1(world.key, 'GET', read)).text);
  for (const read of [
    `/bookings/${bookingId}`,
    '/bookings',
    `/appointments/board?date=${TODAY}`,
    `/board?date=${TODAY}`,
    '/audit',
    '/requests',
    `/contacts/${world.contactId}`,
  ])
    answers.push((await service.operator('GET', read)).text);
  for (const text of answers) assert.doesNotMatch(text, /zq81/);
  assert.deepEqual(await tablesWith(service.deps.db, 'zq81'), [], 'no column of any table');
  assert.deepEqual(
    await tablesWith(service.deps.db, bookingId.slice(9)).then((all) => all.includes('events')),
    true,
  );
  assert.doesNotMatch(service.logged(), /zq81/);
});

test('not before the day of the visit, and not when it is over', async (t) => {
  const service = await startTestService(t);
  const { teamId, appointment } = await worldWithAccess(service, '2026-11-23');
  const first = await telephoneOf(service, teamId);
  const before = (await dayOf(service, first)).visits[0];
  assert.deepEqual([before.accessCode, before.instructions], [null, null]);
  service.clock.advance(DAY + HOUR);
  const phone = await telephoneOf(service, teamId);
  const visit = (await dayOf(service, phone)).visits[0];
  assert.equal(visit.accessCode, CODE);
  for (const to of ['In The Way', 'In The location', 'In Progress', 'Finished'])
    assert.equal(
      (await service.operator('PATCH', `/appointments/${appointment.id}`, { status: to })).status,
      200,
    );
  const over = (await dayOf(service, phone)).visits[0];
  assert.deepEqual([over.status, over.accessCode, over.instructions], ['Finished', null, null]);
});

test('removed by null or a blank text; deleted a week after the visit, or when it is cancelled', async (t) => {
  const service = await startTestService(t);
  const { db } = service.deps;
  const { world, bookingId } = await worldWithAccess(service);
  const patch = (body: object) => service.v1(world.key, 'PATCH', `/partners/bookings/${bookingId}`, body);
  await patch({ accessCode: null });
  assert.equal((await storedOf(service)).length, 1, 'the instructions stay');
  await patch({ instructions: ' ' });
  assert.deepEqual(await storedOf(service), []);
  await patch(ACCESS);
  const stranger = await createWorld(service);
  const theirs = await service.v1(stranger.key, 'PATCH', `/partners/bookings/${bookingId}`, ACCESS);
  assert.equal(theirs.status, 404);
  // The visit ends at 12:00 in Riyadh.
  const end = Date.parse(`${TODAY}T12:00:00+03:00`);
  await forgetAccess(db, end + 7 * DAY);
  assert.equal((await storedOf(service)).length, 1);
  await forgetAccess(db, end + 7 * DAY + 1);
  assert.deepEqual(await storedOf(service), []);

  await patch(ACCESS);
  const { id: reasonId } = (
    await service.operator('POST', '/cancellation-reasons', { nameEn: 'Moved', nameAr: 'انتقل' })
  ).body.data;
  const cancelled = await service.v1(world.key, 'PATCH', `/partners/bookings/${bookingId}/cancel`, {
    reasonId,
  });
  assert.equal(cancelled.status, 200, cancelled.text);
  await forgetAccess(db, end);
  assert.deepEqual(await storedOf(service), []);
});

test('a rotation of the key seals it again; with a lost key the day is shown without it', async (t) => {
  const service = await startTestService(t);
  const { db, sealer } = service.deps;
  const { teamId } = await worldWithAccess(service);
  const phone = await telephoneOf(service, teamId);
  const strange = createSealer([Buffer.alloc(32, 9)]);
  const [sealed] = await storedOf(service);
  await db.rows({ text: 'update booking_access set value = $1', values: [strange.seal('{}', 'another')] });
  assert.equal((await dayOf(service, phone)).visits[0].accessCode, null);
  await db.rows({ text: 'update booking_access set value = $1', values: [sealed] });
  assert.equal((await dayOf(service, phone)).visits[0].accessCode, CODE);
  assert.ok(sealed!.startsWith(`v1.${sealer.keys[0]}.`));
  assert.equal(await resealAll(db, sealer), 0);
});
