import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { test } from 'node:test';
import { closePrism, fetchThroughPrism } from './prism.ts';

/** Proves that the proxy of the end-to-end tests finds violations. */
const installed = existsSync(new URL('../tools/prism/node_modules', import.meta.url));
const skip = !installed && process.env.TEST_TOOLS !== 'required' && 'tools/prism is not installed';

test('undocumented responses and accepted requests fail the test that sent them', {
  skip,
}, async (t) => {
  let answer: { status: number; body: unknown } = { status: 200, body: {} };
  const server = createServer((request, response) => {
    request.resume();
    response.writeHead(answer.status, {
      'content-type': 'application/json',
      'x-request-id': 'a',
      'x-api-version': '1',
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
    });
    response.end(JSON.stringify(answer.body));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  t.after(async () => {
    await closePrism([origin]);
    server.closeAllConnections();
    server.close();
  });
  const headers = { 'x-api-key': 'key' };
  const reasons = () => fetchThroughPrism(`${origin}/v1/partners/bookings/cancellation-reasons`, { headers });

  answer = { status: 200, body: { success: true, data: [] } };
  assert.deepEqual(await (await reasons())!.json(), answer.body);
  answer = { status: 200, body: { success: true, data: [{ id: 1 }] } };
  await assert.rejects(reasons, /must be string/);
  answer = { status: 418, body: {} };
  await assert.rejects(reasons, /418|status code/);
  const error = {
    code: 'CONFLICT',
    message: 'x',
    requestId: 'a',
    details: { docUrl: 'https://x.example/y' },
  };
  answer = { status: 401, body: { success: false, error } };
  await assert.rejects(reasons, /allowed values/);
  answer = { status: 401, body: { success: false, error: { ...error, code: 'UNAUTHORIZED' } } };
  assert.equal((await reasons())!.status, 401);

  const contact = { id: '5f0c6a6e-3c1b-4b5e-9a53-0d5a2f1c7b10', name: 'N', phone: '+966501234567' };
  answer = {
    status: 200,
    body: { success: true, data: { ...contact, addressId: null, isNewContact: true } },
  };
  const create = (body: object) =>
    fetchThroughPrism(`${origin}/v1/partners/contacts`, {
      method: 'POST',
      headers: { ...headers, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
  assert.equal((await create({ phone: '+966501234567', name: 'N' }))!.status, 200);
  await assert.rejects(() => create({ name: 'N' }), /required property 'phone'/);
  const nothing = () => fetchThroughPrism(`${origin}/v1/partners/nothing`, { headers });
  await assert.rejects(nothing, /route not found/);
  answer = { status: 404, body: {} };
  assert.equal((await nothing())!.status, 404);
  assert.equal(await fetchThroughPrism(`${origin}/livez`, { headers }), null);
});
