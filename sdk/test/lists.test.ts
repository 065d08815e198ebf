import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type TestContext, test } from 'node:test';
import { afterwards } from '../../test/harness.ts';
import { createClient, UnexpectedAnswerError } from '../src/sdk.ts';
import { gather } from './setting.ts';

/** Servers that lie about the rest of a list. The same on every database. */

type Page = { data: unknown[]; meta: object };

/** A server that sends these pages one after the other, the last one for ever. */
async function startLiar(t: TestContext, pages: readonly Page[]) {
  let requests = 0;
  const server = createServer((_, response) => {
    const page = pages[Math.min(requests++, pages.length - 1)];
    response.setHeader('content-type', 'application/json').end(JSON.stringify({ success: true, ...page }));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  afterwards(t, () => server.close());
  const { port } = server.address() as AddressInfo;
  const client = createClient({ apiKey: 'k', baseUrl: `http://127.0.0.1:${port}/v1`, retries: 0 });
  return { client, requests: () => requests };
}

const endless = (message: RegExp) => (error: unknown) =>
  error instanceof UnexpectedAnswerError && message.test(error.message) && error.response.status === 200;

test('a list whose pages never end is an error', async (t) => {
  const page = (...data: number[]): Page => ({ data, meta: { totalPages: 9 } });
  for (const [pages, message] of [
    [[page(1), page()], /^bookings\.list .*page 2 is empty, and is not the last/],
    [[page(1), page(2), page(2)], /^bookings\.list .*page 3 repeats the one before/],
  ] as const) {
    const { client, requests } = await startLiar(t, pages);
    await assert.rejects(client.bookings.list().toArray(), endless(message));
    assert.equal(requests(), pages.length);
  }
  const short = { data: [1], meta: { totalPages: 2 } };
  const { client } = await startLiar(t, [short]);
  assert.equal((await client.bookings.list().toArray()).length, 2, 'the last page may repeat');
});

test('a feed whose cursor does not move is an error', async (t) => {
  const pages = [1, 2].map((event) => ({ data: [event], meta: { hasMore: true, nextCursor: 'a' } }));
  for (const follow of [false, true]) {
    const { client, requests } = await startLiar(t, pages);
    const items = follow ? client.events.follow() : client.events.list();
    await assert.rejects(gather<unknown>(items), endless(/^events\.list .*the cursor did not move/));
    assert.equal(requests(), 2);
  }
  const end = { data: [], meta: { hasMore: false, nextCursor: 'a' } };
  const { client } = await startLiar(t, [end]);
  assert.deepEqual(await gather<unknown>(client.events.list({ after: 'a' })), [], 'at the end it stays');
});

test('one signal serves any number of calls with one listener', async (t) => {
  const { client } = await startLiar(t, [{ data: [], meta: {} }]);
  const stop = new AbortController();
  const { signal } = stop;
  // Node.js before 24 warns of more than ten.
  const listening = t.mock.method(signal, 'addEventListener');
  await Promise.all(Array.from({ length: 40 }, () => client.pricing.listTiers({ signal })));

  const silent = createServer(() => undefined).listen(0, '127.0.0.1');
  await once(silent, 'listening');
  afterwards(t, () => silent.close());
  const baseUrl = `http://127.0.0.1:${(silent.address() as AddressInfo).port}/v1`;
  const waiting = createClient({ apiKey: 'k', baseUrl });
  const calls = Array.from({ length: 40 }, () => waiting.pricing.listTiers({ signal }));
  for (let sockets = 0; sockets < calls.length; sockets++) await once(silent, 'connection');
  stop.abort(new Error('enough'));
  for (const { status, reason } of (await Promise.allSettled(calls)) as PromiseRejectedResult[])
    assert.deepEqual([status, reason.message], ['rejected', 'enough']);
  await assert.rejects(client.pricing.listTiers({ signal }), /enough/);
  assert.equal(listening.mock.callCount(), 1);
});
