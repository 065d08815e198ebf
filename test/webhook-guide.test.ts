import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { webhookVectors } from '../scripts/print-webhook-vectors.ts';
import { MINUTE } from '../src/base/clock.ts';
import { EVENT_NAMES } from '../src/bookings/rules.ts';
import { MAX_PER_SUBSCRIPTION, MAX_SUBSCRIPTIONS, RETRY_AFTER } from '../src/webhooks/rules.ts';
import { createSecret, signedRequest } from '../src/webhooks/signature.ts';
import { call } from './harness.ts';
import { freePort } from './ports.ts';
import { until } from './until.ts';

const guide = readFileSync(new URL('../docs/webhooks.md', import.meta.url), 'utf8');

/** Runs the receiver of the guide unchanged. */
async function startGuideReceiver(t: TestContext, secret: string) {
  const [, source] = /### A whole receiver\n[\s\S]*?```ts\n([\s\S]*?)```/.exec(guide)!;
  const folder = mkdtempSync(join(tmpdir(), 'pbs-guide-'));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  const file = join(folder, 'receiver.mts');
  writeFileSync(file, source!);
  copyFileSync(new URL('../docs/snippets/verify.ts', import.meta.url), join(folder, 'verify.ts'));
  const port = await freePort();
  const env = { PATH: process.env.PATH ?? '', WEBHOOK_SECRET: secret, PORT: String(port) };
  const child = spawn(process.execPath, [file], { env, stdio: ['ignore', 'pipe', 'inherit'] });
  t.after(() => child.kill('SIGKILL'));
  let output = '';
  child.stdout.on('data', (chunk) => (output += chunk));
  const url = `http://127.0.0.1:${port}`;
  // Refused until it listens; after that any response will do.
  await until(async () => child.exitCode !== null || (await fetch(url).catch(() => null)) !== null);
  return { url, taken: () => output.split('\n').slice(0, -1) };
}

test("the guide's receiver accepts genuine deliveries, once, and refuses others", async (t) => {
  const secret = createSecret();
  const receiver = await startGuideReceiver(t, secret);
  const message = () => ({
    deliveryId: randomUUID(),
    event: 'booking.created',
    payload: { bookingId: 'حجز 🧹 \u2028' },
  });
  const post = async (
    { body, headers }: { body: string; headers: Record<string, string> },
    changes: Record<string, string> = {},
  ): Promise<number> => (await call(receiver.url, 'POST', '/', body, { ...headers, ...changes })).status;

  const now = Date.now();
  const genuine = signedRequest(message(), secret, now);
  assert.equal(await post(genuine), 204);
  assert.equal(await post(genuine), 204, 'again: accepted, and passed over');
  assert.equal(await post(signedRequest(message(), secret, now - 4 * MINUTE)), 204);

  const refused = signedRequest(message(), secret, now);
  assert.equal(await post({ ...refused, body: refused.body.replace('created', 'deleted') }), 401);
  assert.equal(await post(refused, { 'x-service-timestamp': new Date(now + 1).toISOString() }), 401);
  assert.equal(await post(refused, { 'x-service-timestamp': 'now' }), 401);
  assert.equal(await post(refused, { 'x-service-signature': 'sha256=' }), 401);
  assert.equal(await post({ body: refused.body, headers: { 'content-type': 'application/json' } }), 401);
  assert.equal(await post(signedRequest(message(), createSecret(), now)), 401, 'another secret');
  for (const skew of [-6 * MINUTE, 6 * MINUTE])
    assert.equal(await post(signedRequest(message(), secret, now + skew)), 401, `${skew}`);

  assert.equal(receiver.taken().length, 2);
});

test('the example of the guide is one of the vectors', () => {
  const vector = webhookVectors().find(({ name }) => name === 'a payment that failed')!;
  const [, example] = /```http\n([\s\S]*?)\n```/.exec(guide)!;
  const { body, headers } = signedRequest(vector, vector.secret, Date.parse(vector.timestamp));
  const [head, sent] = example!.split('\n\n');
  assert.equal(sent, body);
  const shown = head!
    .split('\n')
    .slice(2)
    .map((line) => line.split(': '));
  assert.deepEqual(Object.fromEntries(shown.map(([name, value]) => [name!.toLowerCase(), value])), headers);
});

test('the guide names every event, and the figures of the code', () => {
  for (const name of EVENT_NAMES) assert.ok(guide.includes(`| \`${name}\` |`), name);
  assert.deepEqual(RETRY_AFTER, [1 * MINUTE, 5 * MINUTE, 15 * MINUTE]);
  for (const minutes of [/\b1 minute after the first failed/, /\b5 minutes after/, /\b15 minutes after/])
    assert.match(guide, minutes);
  assert.ok(guide.includes(`At most ${MAX_PER_SUBSCRIPTION} attempts`));
  assert.match(guide, new RegExp(`may have ${MAX_SUBSCRIPTIONS} subscriptions`));
});
