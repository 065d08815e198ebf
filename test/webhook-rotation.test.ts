import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { type TestContext, test } from 'node:test';
import { DAY, HOUR } from '../src/base/clock.ts';
import { signature } from '../src/outbound/signature.ts';
import { openSecret } from '../src/webhooks/secrets.ts';
import { standardSignature } from '../src/webhooks/signature.ts';
import { deletePreviousSecrets } from '../src/webhooks/subscription-queries.ts';
import { createPartnerKey } from './fixtures.ts';
import { startTestService } from './harness.ts';
import { portal, signIn } from './portal-fixtures.ts';
import { createHookWorld, subscribe } from './webhook-fixtures.ts';
import { type Received, startReceiver } from './webhook-receiver.ts';

const ROUTE = '/partners/webhooks/subscriptions';

async function start(t: TestContext) {
  const receiver = await startReceiver(t);
  const service = await startTestService(t, { env: { WEBHOOK_ALLOW_HOSTS: receiver.host } });
  const world = await createHookWorld(service, { teams: 9 });
  const events = ['booking.created'];
  const { id, secret } = await subscribe(service, world.key, { url: receiver.url, events });
  const route = `${ROUTE}/${id}`;
  const rotate = async (body?: unknown) => {
    const answer = await service.v1(world.key, 'POST', `${route}/rotate-secret`, body);
    assert.equal(answer.status, 200, answer.text);
    return answer.body.data as { secret: string; previousSecretEndsAt: string | null };
  };
  /** The delivery of an event, and that of the test operation. */
  const send = async (): Promise<[Received, Received]> => {
    const count = receiver.received.length;
    assert.equal((await world.book()).status, 200);
    await receiver.arrived(count + 1);
    assert.equal((await service.v1(world.key, 'POST', `${route}/test`)).body.data.ok, true);
    return receiver.received.slice(count) as [Received, Received];
  };
  return { service, world, id, route, secret, rotate, send };
}

/** Are these the signatures of the message: the contract's header, the one beside it, those of Standard Webhooks? */
function assertSigned(
  { headers, body }: Received,
  own: string,
  next: string | null,
  standard: string[],
): void {
  const of = (secret: string): string => signature(secret, headers['x-service-timestamp']!, body.toString());
  assert.equal(headers['x-service-signature'], of(own));
  assert.equal(headers['x-service-signature-next'], next === null ? undefined : of(next));
  const [id, seconds] = [headers['webhook-id']!, Number(headers['webhook-timestamp'])];
  assert.equal(
    headers['webhook-signature'],
    standard.map((secret) => standardSignature(secret, id, seconds, body.toString())).join(' '),
  );
}

test('during the overlap of a rotation both secrets sign, and the previous one signs the contract header', async (t) => {
  const { service, secret: first, rotate, send } = await start(t);
  const { secret: second, previousSecretEndsAt } = await rotate({ overlapHours: 24 });
  assert.equal(Date.parse(previousSecretEndsAt!), service.clock.now() + DAY);
  for (const message of await send()) assertSigned(message, first, second, [second, first]);
  service.clock.advance(DAY - 1_000);
  for (const message of await send()) assertSigned(message, first, second, [second, first]);
  service.clock.advance(1_000);
  for (const message of await send()) assertSigned(message, second, null, [second]);
});

test('every view of the subscription has the end of the overlap until then', async (t) => {
  const { service, world, id, route, rotate } = await start(t);
  const session = await signIn(service, { key: world.key });
  const shown = async () => {
    const found = [
      (await service.v1(world.key, 'GET', route)).body.data,
      (await service.v1(world.key, 'GET', ROUTE)).body.data[0],
      (await service.operator('GET', `/subscriptions/${id}`)).body.data,
      (await service.operator('GET', '/subscriptions')).body.data[0],
      (await portal(service, session, 'GET', '/subscriptions')).body.data[0],
    ];
    return found.map(({ previousSecretEndsAt }) => previousSecretEndsAt);
  };
  assert.deepEqual(await shown(), Array(5).fill(null));
  const { previousSecretEndsAt } = await rotate({ overlapHours: 2 });
  assert.deepEqual(await shown(), Array(5).fill(previousSecretEndsAt));
  service.clock.advance(2 * HOUR);
  assert.deepEqual(await shown(), Array(5).fill(null));
});

test('without an overlap the previous secret stops signing', async (t) => {
  const { secret: first, rotate, send } = await start(t);
  const { secret: second, previousSecretEndsAt } = await rotate();
  assert.notEqual(second, first);
  assert.equal(previousSecretEndsAt, null);
  for (const message of await send()) assertSigned(message, second, null, [second]);
  // Also while one lasts: a secret that got out is ended at once.
  await rotate({ overlapHours: 1 });
  const { secret: last } = await rotate({ overlapHours: 0 });
  for (const message of await send()) assertSigned(message, last, null, [last]);
});

test('a rotation repeated after a lost response: receivers with the first secret still verify', async (t) => {
  const { service, secret: first, rotate, send } = await start(t);
  await rotate({ overlapHours: 24 });
  service.clock.advance(HOUR);
  const { secret: third } = await rotate({ overlapHours: 24 });
  for (const message of await send()) assertSigned(message, first, third, [third, first]);
});

test('a rotation repeated after the overlap: the secret valid until then stops signing', async (t) => {
  const { service, rotate, send } = await start(t);
  const { secret: second } = await rotate({ overlapHours: 1 });
  service.clock.advance(HOUR);
  const { secret: third } = await rotate({ overlapHours: 1 });
  for (const message of await send()) assertSigned(message, second, third, [third, second]);
});

test('an expired secret is deleted', async (t) => {
  const { service, id, secret, rotate } = await start(t);
  await rotate({ overlapHours: 2 });
  const kept = async () =>
    (await service.deps.db.first<{ previous_secret: string | null }>({
      text: 'select previous_secret from webhook_subscriptions',
    }))!.previous_secret;
  await deletePreviousSecrets(service.deps.db, service.clock.now() + 2 * HOUR - 1);
  assert.equal(openSecret(service.deps.sealer, id, (await kept())!), secret);
  await deletePreviousSecrets(service.deps.db, service.clock.now() + 2 * HOUR);
  assert.equal(await kept(), null);
});

test('the overlap is a whole number of hours, a week at most', async (t) => {
  const { service, world, route } = await start(t);
  for (const overlapHours of [-1, 169, 1.5, '24', null]) {
    const answer = await service.v1(world.key, 'POST', `${route}/rotate-secret`, { overlapHours });
    assert.deepEqual(
      [answer.status, answer.body.error.code],
      [400, 'VALIDATION_ERROR'],
      String(overlapHours),
    );
  }
});

test('a subscription is read by its id, and inactive ones are found by their status', async (t) => {
  const { service, world, route } = await start(t);
  const get = (path: string, key = world.key) => service.v1(key, 'GET', path);
  const own = await get(route);
  assert.equal(own.status, 200, own.text);
  assert.equal('secret' in own.body.data, false);
  const ids = async (query: string): Promise<string[]> =>
    (await get(ROUTE + query)).body.data.map(({ id }: { id: string }) => id);
  const { id } = own.body.data;
  assert.deepEqual(
    [await ids(''), await ids('?status=ACTIVE'), await ids('?status=INACTIVE')],
    [[id], [id], []],
  );

  await service.v1(world.key, 'PATCH', route, { status: 'INACTIVE' });
  assert.deepEqual(
    [await ids(''), await ids('?status=ACTIVE'), await ids('?status=INACTIVE')],
    [[], [], [id]],
  );
  assert.deepEqual(
    (await get(route.toUpperCase().replace(ROUTE.toUpperCase(), ROUTE))).body.data.status,
    'INACTIVE',
  );
  assert.equal((await get(`${ROUTE}?status=REMOVED`)).status, 400);

  const other = await createHookWorld(service);
  const missing = [await get(route, other.key), await get(`${ROUTE}/${randomUUID()}`)];
  const { key: weak } = await createPartnerKey(service, world.partnerId, ['partner_bookings_read']);
  assert.equal((await get(route, weak)).status, 403);
  await service.v1(world.key, 'DELETE', route);
  missing.push(await get(route));
  for (const answer of missing)
    assert.deepEqual([answer.status, answer.body.error.code], [404, 'RESOURCE_NOT_FOUND']);
  assert.deepEqual(await ids('?status=INACTIVE'), []);
});
