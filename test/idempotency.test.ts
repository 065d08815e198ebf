import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { test } from 'node:test';
import { HOUR, MINUTE } from '../src/base/clock.ts';
import { claimKey, deleteExpiredKeys } from '../src/bookings/idempotency-queries.ts';
import { createWorld } from './fixtures.ts';
import { startTestService, TEST_NOW, type TestService } from './harness.ts';

async function setUp(service: TestService, teams = 5) {
  const world = await createWorld(service, { teams });
  const body = {
    contactId: world.contactId,
    addressId: world.addressId,
    serviceId: world.serviceId,
    date: '2026-11-23',
    timeslot: { startAt: '10:00', endAt: '12:00' },
  };
  const post = (key: string, overrides: object = {}, as = world.key) =>
    service.v1(as, 'POST', '/partners/bookings', { ...body, ...overrides }, { 'idempotency-key': key });
  const bookings = async () => (await service.v1(world.key, 'GET', '/partners/bookings')).body.meta.total;
  return { world, body, post, bookings };
}

test('off by default: the header is ignored', async (t) => {
  const service = await startTestService(t);
  const { post, bookings } = await setUp(service);
  await post('one');
  const again = await post('one');
  assert.equal(again.status, 200);
  assert.equal(again.headers.get('idempotent-replayed'), null);
  assert.equal(await bookings(), 2);
});

test('the Idempotency-Key', async (t) => {
  const service = await startTestService(t, { env: { IDEMPOTENCY: 'on' } });
  const { world, body, post, bookings } = await setUp(service);

  await t.test('same key, same body: the stored response', async () => {
    const first = await post('one');
    assert.equal(first.status, 200, first.text);
    assert.equal(first.headers.get('idempotent-replayed'), null);
    const again = await post('one');
    assert.deepEqual([again.status, again.text], [200, first.text]);
    assert.equal(again.headers.get('idempotent-replayed'), 'true');
    assert.match(again.headers.get('content-type') ?? '', /^application\/json/);
    const reordered = await post('one', { timeslot: { endAt: '12:00', startAt: '10:00' } });
    assert.equal(reordered.text, first.text, 'the order of the fields does not matter');
    assert.equal(await bookings(), 1);
  });
  await t.test('same key, other body: a conflict', async () => {
    const other = await post('one', { externalReference: 'X' });
    assert.deepEqual([other.status, other.body.error.code], [409, 'IDEMPOTENCY_KEY_CONFLICT']);
  });
  await t.test('keys belong to one partner', async () => {
    const stranger = await setUp(service);
    const answer = await stranger.post('one');
    assert.equal(answer.status, 200);
    assert.equal(answer.headers.get('idempotent-replayed'), null);
  });
  const nobody = { contactId: randomUUID() };
  await t.test('a final error is stored too', async () => {
    const refused = await post('two', nobody);
    assert.equal(refused.status, 404);
    const again = await post('two', nobody);
    assert.deepEqual([again.status, again.headers.get('idempotent-replayed')], [404, 'true']);
    // Each response has its own request id; the rest is the stored response.
    for (const { body: answered, headers } of [refused, again])
      assert.equal(answered.error.requestId, headers.get('x-request-id'));
    assert.notEqual(again.body.error.requestId, refused.body.error.requestId);
    const own = refused.body.error.requestId;
    assert.equal(again.text.replace(again.body.error.requestId, own), refused.text);
    const traced = { 'idempotency-key': 'two', 'x-request-id': own };
    const same = await service.v1(world.key, 'POST', '/partners/bookings', { ...body, ...nobody }, traced);
    assert.equal(same.text, refused.text, 'the same request under the same id: the same bytes');
  });
  await t.test('a temporary error is not stored, and the key is free again', async () => {
    const full = await setUp(service, 1);
    const taken = (await full.post('first')).body.data;
    for (const key of ['same', 'same', 'other']) {
      const answer = await full.post(key);
      assert.deepEqual(
        [answer.status, answer.body.error?.details.reason, answer.headers.get('idempotent-replayed')],
        [422, 'SLOT_UNAVAILABLE', null],
      );
    }
    // An alternative, with the key of the refusal.
    const { alternatives } = (await full.post('other')).body.error.details;
    const instead = { date: alternatives[0].date, timeslot: alternatives[0] };
    assert.equal((await full.post('other', instead)).status, 200);
    assert.equal((await full.post('other', instead)).headers.get('idempotent-replayed'), 'true');
    assert.equal((await full.post('other')).body.error.code, 'IDEMPOTENCY_KEY_CONFLICT');
    // The same body, when the slot has become free.
    const reason = { nameEn: 'Moved', nameAr: 'انتقل' };
    const { id: reasonId } = (await service.operator('POST', '/cancellation-reasons', reason)).body.data;
    const path = `/partners/bookings/${taken.bookingId}/cancel`;
    assert.equal((await service.v1(full.world.key, 'PATCH', path, { reasonId })).status, 200);
    const retried = await full.post('same');
    assert.deepEqual([retried.status, retried.headers.get('idempotent-replayed')], [200, null]);
    assert.equal((await full.post('same')).text, retried.text);
    assert.equal((await full.post('past', { date: '2020-01-01' })).status, 422);
    assert.equal((await full.post('past', { date: '2026-11-27' })).status, 200);
  });
  await t.test('an invalid body is refused before the key is looked up', async () => {
    assert.equal((await post('three', { date: 'x' })).status, 400);
    assert.equal((await post('three')).status, 200);
  });
  await t.test('without the header, and with an invalid key', async () => {
    assert.equal((await service.v1(world.key, 'POST', '/partners/bookings', body)).status, 200);
    for (const key of ['', 'two words', 'x'.repeat(256)]) {
      const answer = await post(key);
      assert.deepEqual(answer.body.error.details.message, [
        'Idempotency-Key must be 1 to 255 visible ASCII characters',
      ]);
    }
  });
  await t.test('20 at once: one books, the others get its response or a conflict', async () => {
    const before = await bookings();
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => post('storm', { date: '2026-11-25' })),
    );
    for (const { status, body: answered } of answers) {
      assert.ok(
        status === 200 || answered.error.code === 'IDEMPOTENCY_KEY_IN_PROGRESS',
        answered.error?.code,
      );
    }
    assert.equal(await bookings(), before + 1);
    assert.equal(new Set(answers.filter(({ status }) => status === 200).map(({ text }) => text)).size, 1);
  });
  await t.test('an unexpected error releases the key', async () => {
    const { db } = service.deps;
    await db.rows({ text: 'alter sequence appointment_number rename to appointment_number_gone' });
    assert.equal((await post('four', { date: '2026-11-26' })).status, 500);
    await db.rows({ text: 'alter sequence appointment_number_gone rename to appointment_number' });
    const retried = await post('four', { date: '2026-11-26' });
    assert.deepEqual([retried.status, retried.headers.get('idempotent-replayed')], [200, null]);
  });
  await t.test('kept for 24 hours', async () => {
    const { db } = service.deps;
    const replayed = async () => (await post('two', nobody)).headers.get('idempotent-replayed');
    service.clock.advance(24 * HOUR - 1);
    assert.equal(await deleteExpiredKeys(db, service.clock.now()), 0);
    assert.equal(await replayed(), 'true');
    service.clock.advance(1);
    assert.equal(await replayed(), null);
    assert.notEqual(await deleteExpiredKeys(db, service.clock.now()), 0);
    assert.equal(await replayed(), 'true');
    service.clock.set(TEST_NOW);
  });
});

test('a dead request is taken over, and cannot book after its successor', async (t) => {
  const service = await startTestService(t, { env: { IDEMPOTENCY: 'on' } });
  const { world, post, bookings } = await setUp(service);
  const { db } = service.deps;
  assert.equal((await post('dead')).status, 200);
  // As if the process had died before it answered: claimed, never stored.
  await db.rows({ text: 'update idempotency_keys set response_status = null, response_body = null' });
  await db.rows({ text: `delete from events` });
  await db.rows({ text: `delete from appointments` });
  await db.rows({ text: `delete from bookings` });
  const early = await post('dead');
  assert.deepEqual([early.status, early.body.error.code], [409, 'IDEMPOTENCY_KEY_IN_PROGRESS']);
  service.clock.advance(2 * MINUTE);
  assert.equal((await post('dead')).status, 200);
  assert.equal(await bookings(), 1);

  // Vice versa: the first is slow, not dead. Storing its response finds that it has lost the key.
  const { releaseKey, storeResponse } = await import('../src/bookings/idempotency-queries.ts');
  const claim = (owner: string) => ({
    partnerId: world.partnerId,
    key: 'slow',
    hash: Buffer.alloc(32),
    owner,
  });
  const [first, second, third] = [
    '5f0c6a6e-3c1b-4b5e-9a53-0d5a2f1c7b10',
    '5f0c6a6e-3c1b-4b5e-9a53-0d5a2f1c7b11',
    '5f0c6a6e-3c1b-4b5e-9a53-0d5a2f1c7b12',
  ];
  const at = (minutes: number) => TEST_NOW + minutes * MINUTE;
  await claimKey(db, at(0), claim(first!), { abandonedBefore: at(-2), expiresAt: at(60) });
  assert.equal(
    (await claimKey(db, at(1), claim(second!), { abandonedBefore: at(-1), expiresAt: at(60) })).owner,
    first,
  );
  const otherBody = { ...claim(second!), hash: Buffer.alloc(32, 1) };
  const conflict = await claimKey(db, at(2), otherBody, { abandonedBefore: at(0), expiresAt: at(60) });
  assert.deepEqual(
    [conflict.same_request, conflict.owner],
    [false, first],
    'only the same request takes over',
  );
  assert.equal(
    (await claimKey(db, at(2), claim(second!), { abandonedBefore: at(0), expiresAt: at(60) })).owner,
    second,
  );
  await releaseKey(db, claim(first!));
  assert.equal(
    (await claimKey(db, at(3), claim(third!), { abandonedBefore: at(1), expiresAt: at(60) })).owner,
    second,
    'its time begins anew',
  );
  assert.equal(await storeResponse(db, claim(first!), { status: 200, body: '{}' }), false);
  assert.equal(await storeResponse(db, claim(second!), { status: 200, body: '{}' }), true);
  // As when it was committed, but the database's response was lost.
  await releaseKey(db, claim(second!));
  assert.equal(
    (await claimKey(db, at(3), claim(third!), { abandonedBefore: at(1), expiresAt: at(60) })).response_status,
    200,
  );
});

test('a request whose key was taken over while it booked leaves no booking', async (t) => {
  const service = await startTestService(t, { env: { IDEMPOTENCY: 'on' } });
  const { post, bookings } = await setUp(service);
  const { db } = service.deps;
  await db.rows({
    text: `
      create function take_over() returns trigger language plpgsql as $$
      begin
        update idempotency_keys set owner = gen_random_uuid() where key = 'slow';
        return new;
      end $$`,
  });
  await db.rows({
    text: 'create trigger take_over before insert on appointments for each row execute function take_over()',
  });
  const slow = await post('slow');
  assert.deepEqual([slow.status, slow.body.error?.code], [409, 'IDEMPOTENCY_KEY_IN_PROGRESS']);
  assert.equal(await bookings(), 0);
  assert.equal((await post('other')).status, 200);
  assert.equal(await bookings(), 1);
});
