import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type TestContext, test } from 'node:test';
import { createWorld } from './fixtures.ts';
import { afterwards, startTestService } from './harness.ts';
import { tablesWith } from './needle.ts';

/**
 * Coordinates and the short address sent with them, against a provider that knows where short addresses are.
 */

type Provider = {
  url: string;
  asked: string[];
  answer: (response: ServerResponse, request: IncomingMessage) => void;
};

/** A provider that answers over HTTP; by default the place of RRRD2929. */
async function startProvider(
  t: TestContext,
  place: { latitude: number; longitude: number },
): Promise<Provider> {
  const provider: Provider = {
    url: '',
    asked: [],
    answer: (response, { url }) => {
      if (!url?.includes('RRRD2929')) return response.writeHead(404).end();
      response.setHeader('content-type', 'application/json').end(JSON.stringify(place));
    },
  };
  const server = createServer((request, response) => {
    provider.asked.push(`${request.url} ${request.headers.authorization}`);
    provider.answer(response, request);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  afterwards(t, () => {
    server.closeAllConnections();
    server.close();
  });
  provider.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/places`;
  return provider;
}

/** Some 111 m of latitude. */
const STEP = 0.001;

test('coordinates far from their short address are refused with both, and near ones taken', async (t) => {
  const place = { latitude: 24.7, longitude: 46.7 };
  const provider = await startProvider(t, place);
  const service = await startTestService(t, {
    env: { ADDRESS_RESOLVER: 'http', ADDRESS_RESOLVER_URL: provider.url, ADDRESS_RESOLVER_TOKEN: 'secret-1' },
  });
  const world = await createWorld(service);
  const at = (latitude: number, shortAddress?: string) => ({
    latitude: latitude.toFixed(4),
    longitude: '46.7',
    shortAddress,
  });
  const near = await world.contact(at(24.7 + 2 * STEP, ' rrrd2929 '));
  assert.equal(near.status, 200, near.text);
  assert.deepEqual(provider.asked, ['/places?shortAddress=RRRD2929 Bearer secret-1']);
  const far = await world.contact(at(24.7 + 3 * STEP, 'RRRD2929'));
  assert.equal(far.status, 400);
  assert.deepEqual(far.body.error.details.message, [
    'latitude and longitude (24.7030, 46.7) are 334 m from shortAddress (24.7, 46.7)',
  ]);
  assert.doesNotMatch(service.logged(), /24\.7030|RRRD2929/);
  await service.deps.requestLog!.flush();
  assert.deepEqual(await tablesWith(service.deps.db, '24.7030'), []);
  assert.deepEqual(await tablesWith(service.deps.db, 'RRRD2929'), ['addresses']);

  // By both interfaces, and whichever of the two is corrected.
  const { addressId } = near.body.data;
  const moved = await service.v1(world.key, 'PATCH', `/partners/addresses/${addressId}`, at(24.71));
  assert.equal(moved.status, 400, moved.text);
  const plain = (await world.contact(at(24.71))).body.data.addressId;
  for (const answer of [
    await service.v1(world.key, 'PATCH', `/partners/addresses/${plain}`, { shortAddress: 'RRRD2929' }),
    await service.operator('PATCH', `/addresses/${plain}`, { shortAddress: 'RRRD2929' }),
  ])
    assert.equal(answer.status, 400, answer.text);
  // Nothing to compare, or nothing known.
  const before = provider.asked.length;
  for (const answer of [
    await service.v1(world.key, 'PATCH', `/partners/addresses/${addressId}`, { unit: '3' }),
    await world.contact(at(24.71)),
    await world.contact({ latitude: undefined, longitude: undefined, shortAddress: 'RRRD2929' }),
  ])
    assert.equal(answer.status, 200, answer.text);
  assert.equal(provider.asked.length, before);
  assert.equal((await world.contact(at(24.71, 'AAAA1111'))).status, 200, 'the provider does not know it');
  // A fault of the request is told before anybody is asked.
  const wrong = await world.contact({ ...at(95, 'RRRD2929') });
  assert.deepEqual(wrong.body.error.details.message, ['latitude must be a latitude string']);
});

test('a provider that is down, wrong or says nonsense keeps nobody from booking', async (t) => {
  const provider = await startProvider(t, { latitude: 24.7, longitude: 46.7 });
  const service = await startTestService(t, {
    env: { ADDRESS_RESOLVER: 'http', ADDRESS_RESOLVER_URL: provider.url },
  });
  const world = await createWorld(service);
  const far = { latitude: '25.0', longitude: '46.7', shortAddress: 'RRRD2929' };
  const json = (text: string) => (response: ServerResponse) => void response.end(text);
  for (const answer of [
    (response: ServerResponse) => void response.writeHead(500).end(),
    (response: ServerResponse) => void response.destroy(),
    json('<html>'),
    json('{"latitude": "24.7", "longitude": "46.7"}'),
    json('{}'),
  ]) {
    provider.answer = answer;
    assert.equal((await world.contact(far)).status, 200);
  }
  assert.equal(service.logged().match(/could not be looked up/g)?.length, 5);
  assert.doesNotMatch(service.logged(), /RRRD2929/);
});

test('without a provider nothing is compared', async (t) => {
  const service = await startTestService(t);
  const world = await createWorld(service);
  const answer = await world.contact({ latitude: '25.0', longitude: '46.7', shortAddress: 'RRRD2929' });
  assert.equal(answer.status, 200);
});

test('the office finds the place of a short address, or hears why not', async (t) => {
  const provider = await startProvider(t, { latitude: 24.7, longitude: 46.7 });
  const service = await startTestService(t, {
    env: { ADDRESS_RESOLVER: 'http', ADDRESS_RESOLVER_URL: provider.url },
  });
  const locate = async (shortAddress: string, { operator } = service) =>
    (await operator('POST', '/addresses/locate', { shortAddress })).body.data;
  assert.deepEqual(await locate(' rrrd2929'), { outcome: 'FOUND', latitude: '24.7', longitude: '46.7' });
  const nowhere = { latitude: null, longitude: null };
  assert.deepEqual(await locate('AAAA1111'), { outcome: 'UNKNOWN', ...nowhere });
  provider.answer = (response) => void response.destroy();
  assert.deepEqual(await locate('RRRD2929'), { outcome: 'NO_ANSWER', ...nowhere });
  assert.doesNotMatch(service.logged(), /RRRD2929/i);
  const without = await startTestService(t);
  assert.deepEqual(await locate('RRRD2929', without), { outcome: 'NO_RESOLVER', ...nowhere });
});
