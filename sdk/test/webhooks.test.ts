import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import type { Vector } from '../../scripts/print-webhook-vectors.ts';
import { signature } from '../../src/outbound/signature.ts';
import { createSecret, signedRequest } from '../../src/webhooks/signature.ts';
import type { WebhookEvent } from '../src/contract.ts';
import {
  type ReceivedWebhook,
  signWebhook,
  verifyWebhook,
  type WebhookVerificationReason,
} from '../src/webhooks.ts';

const vectors: Vector[] = JSON.parse(
  readFileSync(new URL('../../docs/webhook-vectors.json', import.meta.url), 'utf8'),
);
const NOW = Date.parse('2026-11-22T05:00:00Z');
const secret = createSecret();
const message = {
  deliveryId: randomUUID(),
  event: 'booking.created',
  payload: { bookingId: 'حجز 🧹 \u2028' },
};
const genuine = { ...signedRequest(message, secret, NOW), secret, now: NOW };

function refused(changes: Partial<ReceivedWebhook>, reason: WebhookVerificationReason): Promise<void> {
  return assert.rejects(verifyWebhook({ ...genuine, ...changes }), {
    name: 'WebhookVerificationError',
    reason,
  });
}

const withHeader = (name: string, value: string | undefined) => ({
  headers: { ...genuine.headers, [name]: value },
});

test('every vector verifies, as text and as bytes, and not with another secret', async () => {
  assert.ok(vectors.length >= 12);
  for (const vector of vectors) {
    const headers = {
      'X-Service-Timestamp': vector.timestamp,
      'X-Service-Signature': vector.signature,
    };
    const now = Date.parse(vector.timestamp);
    for (const body of [vector.body, Buffer.from(vector.bodyHex, 'hex')]) {
      const event = await verifyWebhook({ secret: vector.secret, headers, body, now });
      assert.deepEqual([event.event, event.deliveryId], [vector.event, vector.deliveryId], vector.name);
      // JSON.parse keeps -0, the body has 0 (what the file says of it stands in the file).
      assert.deepEqual(event.payload, JSON.parse(vector.body).payload, vector.name);
      const wrong = verifyWebhook({ secret: `${vector.secret}x`, headers, body, now });
      await assert.rejects(wrong, { reason: 'SIGNATURE_MISMATCH' }, vector.name);
    }
  }
});

test('headers and bodies are accepted in many types', async () => {
  const { headers, body } = genuine;
  const bytes = new TextEncoder().encode(body);
  const padded = new Uint8Array(bytes.length + 8);
  padded.set(bytes, 4);
  const shapes: Partial<ReceivedWebhook>[] = [
    { headers: new Headers(headers) },
    { headers: new Map(Object.entries(headers)) },
    { headers: Object.entries(headers) },
    { headers: Object.entries(headers).values() },
    { headers: { ...headers, host: null } as unknown as Record<string, string> },
    {
      headers: Object.fromEntries(
        Object.entries(headers).map(([name, value]) => [name.toUpperCase(), value]),
      ),
    },
    { headers: Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, [value]])) },
    { body: bytes },
    { body: bytes.buffer },
    { body: Buffer.from(body) },
    { body: padded.subarray(4, 4 + bytes.length) },
    { secret: [createSecret(), secret] },
    { secret: [secret, createSecret()] },
  ];
  for (const shape of shapes) {
    const event = await verifyWebhook({ ...genuine, ...shape });
    assert.deepEqual(event, message);
  }
});

test('during the overlap of a rotation either secret verifies, and both together', async () => {
  const [before, after] = [createSecret(), createSecret()];
  const delivery = { ...signedRequest(message, after, NOW, before), now: NOW };
  for (const secret of [before, after, [before, after], [after, before]]) {
    assert.deepEqual(await verifyWebhook({ ...delivery, secret }), message);
  }
  const { headers } = delivery;
  await refused({ ...delivery, secret: createSecret() }, 'SIGNATURE_MISMATCH');
  await refused({ ...delivery, secret: after, body: `${delivery.body} ` }, 'SIGNATURE_MISMATCH');
  const malformed = { ...headers, 'x-service-signature-next': 'sha256=' };
  await refused({ ...delivery, secret: after, headers: malformed }, 'HEADER_MALFORMED');
  // The header of the contract is always there.
  const { 'x-service-signature': _, ...without } = headers;
  await refused({ ...delivery, secret: after, headers: without as typeof headers }, 'HEADER_MISSING');
});

test('a message that is not genuine is refused with a reason', async () => {
  await refused({ body: genuine.body.replace('created', 'updated') }, 'SIGNATURE_MISMATCH');
  await refused({ body: `${genuine.body}\n` }, 'SIGNATURE_MISMATCH');
  await refused({ body: '' }, 'SIGNATURE_MISMATCH');
  await refused({ secret: createSecret() }, 'SIGNATURE_MISMATCH');
  await refused(withHeader('x-service-timestamp', '2026-11-22T05:00:00.001Z'), 'SIGNATURE_MISMATCH');
  const given = genuine.headers['x-service-signature']!;
  const flipped = (digit: string) => (digit === '0' ? '1' : '0');
  for (const index of [7, 40, 70]) {
    const changed = given.slice(0, index) + flipped(given[index]!) + given.slice(index + 1);
    await refused(withHeader('x-service-signature', changed), 'SIGNATURE_MISMATCH');
  }
  for (const name of ['x-service-signature', 'x-service-timestamp']) {
    await refused(withHeader(name, undefined), 'HEADER_MISSING');
    await refused(withHeader(name, ''), 'HEADER_MISSING');
    const twice = [...Object.entries(genuine.headers), [name.toUpperCase(), genuine.headers[name]!]] as const;
    await refused({ headers: twice as Iterable<[string, string]> }, 'HEADER_MALFORMED');
  }
  await refused({ headers: {} }, 'HEADER_MISSING');
  for (const wrong of [
    'sha256=',
    given.slice(7),
    given.toUpperCase(),
    `${given}00`,
    given.slice(0, -2),
    `${given}, ${given}`,
  ])
    await refused(withHeader('x-service-signature', wrong), 'HEADER_MALFORMED');
  await refused(withHeader('x-service-timestamp', 'now'), 'HEADER_MALFORMED');
});

test('a recorded message cannot be replayed later', async () => {
  for (const seconds of [-300, 300]) await verifyWebhook({ ...genuine, now: NOW + seconds * 1000 });
  for (const seconds of [-301, 301]) {
    await refused({ now: NOW + seconds * 1000 }, 'TIMESTAMP_OUTSIDE_TOLERANCE');
    await verifyWebhook({ ...genuine, now: NOW + seconds * 1000, toleranceSeconds: 302 });
  }
  await refused({ now: NOW + 1, toleranceSeconds: 0 }, 'TIMESTAMP_OUTSIDE_TOLERANCE');
  await verifyWebhook({ ...genuine, toleranceSeconds: 0 });
  const fresh = signedRequest(message, secret, Date.now());
  await verifyWebhook({ ...fresh, secret });
  const old = signedRequest(message, secret, Date.now() - 301_000);
  await assert.rejects(verifyWebhook({ ...old, secret }), { reason: 'TIMESTAMP_OUTSIDE_TOLERANCE' });
});

test('a valid signature over a body that is no delivery is refused', async () => {
  const timestamp = new Date(NOW).toISOString();
  for (const body of [
    '',
    '{',
    'null',
    '[]',
    '1',
    '{}',
    '{"event":"x","deliveryId":"y"}',
    '{"event":"x","deliveryId":"y","payload":1}',
  ]) {
    const headers = {
      'x-service-timestamp': timestamp,
      'x-service-signature': signature(secret, timestamp, body),
    };
    await refused({ headers, body }, 'BODY_MALFORMED');
  }
});

test('any headers and body throw WebhookVerificationError only', async () => {
  const garbage = [
    null,
    undefined,
    0,
    true,
    'text',
    [],
    [null],
    ['x-service-signature'],
    [[1, 'sha256=']],
    [['x-service-signature', 7]],
    { 'x-service-signature': 7, 'x-service-timestamp': {} },
    { 'x-service-signature': [null], 'x-service-timestamp': [{}] },
    Symbol('headers'),
    JSON.parse(genuine.body),
  ] as never[];
  const refuses = (changes: Partial<ReceivedWebhook>) =>
    assert.rejects(verifyWebhook({ ...genuine, ...changes }), { name: 'WebhookVerificationError' });
  for (const one of garbage) {
    await refuses({ headers: one });
    await refuses({ body: one });
    for (const name of ['x-service-signature', 'x-service-timestamp']) await refuses(withHeader(name, one));
  }
});

test('invalid arguments of the receiver throw TypeError', async () => {
  const wrong = (changes: object) => assert.rejects(verifyWebhook({ ...genuine, ...changes }), TypeError);
  await wrong({ secret: '' });
  await wrong({ secret: [] });
  await wrong({ secret: undefined });
  await wrong({ toleranceSeconds: -1 });
  await wrong({ toleranceSeconds: Number.NaN });
});

test('signWebhook builds the request that the service sends', async () => {
  for (const { secret: key, timestamp, body, ...vector } of vectors) {
    const event = {
      event: vector.event,
      deliveryId: vector.deliveryId,
      payload: JSON.parse(body).payload,
    } as WebhookEvent;
    const signed = await signWebhook({ secret: key, event, now: Date.parse(timestamp) });
    // What the vector says in other words, such as 1.0 for 1, is the same object.
    assert.deepEqual(JSON.parse(signed.body), JSON.parse(JSON.stringify(JSON.parse(body))), vector.name);
    if (signed.body !== body) continue;
    assert.equal(signed.headers['x-service-signature'], vector.signature, vector.name);
    assert.equal(signed.headers['webhook-signature'], vector.standardSignature, vector.name);
    assert.equal(signed.headers['webhook-timestamp'], vector.webhookTimestamp, vector.name);
  }
  const event = message as unknown as WebhookEvent;
  assert.deepEqual(await signWebhook({ secret, event, now: NOW }), signedRequest(message, secret, NOW));
  const received = await verifyWebhook({ secret, ...(await signWebhook({ secret, event })) });
  assert.deepEqual(received, message);
  await assert.rejects(signWebhook({ secret: '', event }), TypeError);
});
