import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { test } from 'node:test';
import fc from 'fast-check';
import { canonicalJson } from '../base/canonical-json.ts';
import { DAY, MINUTE } from '../base/clock.ts';
import { signature } from '../outbound/signature.ts';
import { createSecret, signedRequest, standardSignature, verify } from './signature.ts';

// ---------------------------------------------------------------------------
// The body

/** Values as JSON has them, with keys and texts from all of Unicode. */
const values = fc.jsonValue({ stringUnit: 'binary', maxDepth: 4 });

const STRING = /"(?:[^"\\]|\\.)*"/g;

/** UTF-16 code units, one by one. */
function isBefore(left: string, right: string): boolean {
  for (let index = 0; index < Math.min(left.length, right.length); index++) {
    const [a, b] = [left.charCodeAt(index), right.charCodeAt(index)];
    if (a !== b) return a < b;
  }
  return left.length < right.length;
}

/** The keys of each object, in the order in which the text has them. */
function keysInText(text: string): string[][] {
  const objects: string[][] = [];
  const open: (string[] | null)[] = [];
  for (const [token] of text.matchAll(/"(?:[^"\\]|\\.)*":?|[{}[\]]/g)) {
    if (token === '{') {
      const keys: string[] = [];
      objects.push(keys);
      open.push(keys);
    } else if (token === '[') open.push(null);
    else if (token === '}' || token === ']') open.pop();
    else if (token.endsWith(':')) open.at(-1)!.push(JSON.parse(token.slice(0, -1)));
  }
  return objects;
}

function sortedEverywhere(text: string): boolean {
  return keysInText(text).every((keys) =>
    keys.every((key, index) => index === 0 || isBefore(keys[index - 1]!, key)),
  );
}

test('the body parses to the same value, for any value', () => {
  fc.assert(
    fc.property(values, (value) => {
      // As plain JSON says it: it has no -0 either.
      assert.deepEqual(JSON.parse(canonicalJson(value)), JSON.parse(JSON.stringify(value)));
    }),
    { numRuns: 2_000 },
  );
});

test('a parsed body serializes to the same body, in any order of keys', () => {
  fc.assert(
    fc.property(values, (value) => {
      const body = canonicalJson(value);
      assert.equal(canonicalJson(JSON.parse(body)), body);
      assert.equal(canonicalJson(reversed(value)), body);
    }),
    { numRuns: 2_000 },
  );
});

function reversed(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(reversed);
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(
    Object.entries(value)
      .reverse()
      .map(([key, member]) => [key, reversed(member)]),
  );
}

test('keys are sorted at every depth and there is no white space between tokens', () => {
  fc.assert(
    fc.property(values, (value) => {
      const body = canonicalJson(value);
      assert.ok(sortedEverywhere(body), body);
      assert.doesNotMatch(body.replaceAll(STRING, '""'), /\s/);
    }),
    { numRuns: 2_000 },
  );
});

test('unsorted keys and white space are detected', () => {
  assert.ok(!sortedEverywhere('{"b":1,"a":2}'));
  assert.ok(!sortedEverywhere('[{"a":{"10":1,"1":2}}]'));
  assert.ok(!sortedEverywhere('{"\uff5e":1,"\u{1f9f9}":2}'), 'a surrogate is less than U+FF5E');
  assert.ok(sortedEverywhere('{"":1,"1":[{"b":1},{"a":"{\\"z\\":1}"}],"10":2}'));
  assert.match('{"a b": 1}'.replaceAll(STRING, '""'), /\s/);
});

test('values without JSON are omitted in objects, and null in arrays', () => {
  assert.equal(canonicalJson({ b: undefined, a: [undefined, 1], c: {} }), '{"a":[null,1],"c":{}}');
});

// ---------------------------------------------------------------------------
// Signatures

const SECRET = 'whsec_6MiZ0CCYvGC0RYKHhN3127MBNxAuTZRIXfwV0pc5x0Q';
const NOW = Date.parse('2026-11-22T05:00:00.750Z');
const DELIVERY_ID = '0f4bd3a2-8a44-4f1f-9a5e-1d6f0a6a2c11';

test('a secret is whsec_ and 32 random bytes in base64 without padding, - and _', () => {
  const secrets = new Set<string>();
  for (let count = 0; count < 500; count++) {
    const secret = createSecret();
    assert.match(secret, /^whsec_[A-Za-z0-9]{43}$/);
    const bytes = Buffer.from(`${secret.slice(6)}=`, 'base64');
    assert.equal(bytes.length, 32);
    assert.equal(bytes.toString('base64'), `${secret.slice(6)}=`, 'no bit is lost');
    secrets.add(secret);
  }
  assert.equal(secrets.size, 500);
});

test('the signature is keyed with the whole secret and covers timestamp, point and body', () => {
  const expected = createHmac('sha256', Buffer.from(SECRET, 'utf8'))
    .update(Buffer.from('2026-11-22T05:00:00.750Z.{"a":"فئة"}', 'utf8'))
    .digest('hex');
  assert.equal(signature(SECRET, '2026-11-22T05:00:00.750Z', '{"a":"فئة"}'), `sha256=${expected}`);
});

test('the Standard Webhooks signature is keyed with the bytes behind whsec_ and covers id, seconds and body', () => {
  const key = Buffer.from(`${SECRET.slice('whsec_'.length)}=`, 'base64');
  assert.equal(key.length, 32);
  const digest = createHmac('sha256', key)
    .update(`${DELIVERY_ID}.1795323600.{"a":"فئة"}`, 'utf8')
    .digest('base64');
  assert.equal(standardSignature(SECRET, DELIVERY_ID, 1795323600, '{"a":"فئة"}'), `v1,${digest}`);
});

test('a request has the headers of section 6 and of Standard Webhooks, and signs the bytes it sends', () => {
  const message = { deliveryId: DELIVERY_ID, event: 'booking.created', payload: { b: 'فئة', a: 1 } };
  const { body, headers } = signedRequest(message, SECRET, NOW);
  assert.equal(body, `{"deliveryId":"${DELIVERY_ID}","event":"booking.created","payload":{"a":1,"b":"فئة"}}`);
  assert.deepEqual(headers, {
    'content-type': 'application/json',
    'user-agent': 'Service-Partner-Webhooks/1.0',
    'x-service-delivery-id': DELIVERY_ID,
    'x-service-event': 'booking.created',
    'x-service-signature': signature(SECRET, '2026-11-22T05:00:00.750Z', body),
    'x-service-timestamp': '2026-11-22T05:00:00.750Z',
    'webhook-id': DELIVERY_ID,
    'webhook-timestamp': String(Math.floor(NOW / 1000)),
    'webhook-signature': standardSignature(SECRET, DELIVERY_ID, Math.floor(NOW / 1000), body),
  });
});

test('only delivery id, event and payload are sent', () => {
  const row = { deliveryId: DELIVERY_ID, event: 'booking.created', payload: {}, secret: SECRET };
  assert.equal(
    signedRequest(row, SECRET, NOW).body,
    `{"deliveryId":"${DELIVERY_ID}","event":"booking.created","payload":{}}`,
  );
});

// ---------------------------------------------------------------------------
// Verifying

const RECEIVED = (() => {
  const { body, headers } = signedRequest(
    { deliveryId: DELIVERY_ID, event: 'booking.created', payload: { name: 'نورة', price: 150.5 } },
    SECRET,
    NOW,
  );
  return { timestamp: headers['x-service-timestamp']!, signature: headers['x-service-signature']!, body };
})();

test('what was signed is accepted, up to 5 minutes from now', () => {
  for (const skew of [0, 5 * MINUTE, -5 * MINUTE]) assert.ok(verify(SECRET, RECEIVED, NOW + skew), `${skew}`);
  assert.ok(verify(SECRET, RECEIVED, NOW + DAY, DAY), 'a tolerance of its own');
});

test('old and future timestamps are refused', () => {
  for (const skew of [5 * MINUTE + 1, -5 * MINUTE - 1, DAY, -DAY]) {
    assert.ok(!verify(SECRET, RECEIVED, NOW + skew), `${skew}`);
  }
  assert.ok(!verify(SECRET, RECEIVED, NOW + 2, 1));
});

test('one changed character of body, signature or timestamp is refused', () => {
  for (const part of ['body', 'signature', 'timestamp'] as const) {
    const text = RECEIVED[part];
    for (let index = 0; index < text.length; index++) {
      const other = String.fromCharCode(text.charCodeAt(index) ^ 1);
      const changed = { ...RECEIVED, [part]: text.slice(0, index) + other + text.slice(index + 1) };
      assert.ok(!verify(SECRET, changed, NOW), `${part} at ${index}`);
    }
  }
});

test('a shorter, longer or empty part, another case and another secret are refused', () => {
  for (const part of ['body', 'signature', 'timestamp'] as const) {
    for (const text of ['', RECEIVED[part].slice(0, -1), `${RECEIVED[part]}0`, ` ${RECEIVED[part]}`])
      assert.ok(!verify(SECRET, { ...RECEIVED, [part]: text }, NOW), `${part}: ${text}`);
  }
  const hex = RECEIVED.signature.slice('sha256='.length);
  for (const text of [hex, `sha256=${hex.toUpperCase()}`, `sha256=${'٠'.repeat(64)}`, `sha1=${hex}`])
    assert.ok(!verify(SECRET, { ...RECEIVED, signature: text }, NOW), text);
  for (const secret of [createSecret(), SECRET.slice(6), `${SECRET}=`, ''])
    assert.ok(!verify(secret, RECEIVED, NOW), secret);
});

test('an invalid timestamp is refused, even when signed', () => {
  for (const timestamp of ['', 'yesterday', 'NaN', '2026-13-45T00:00:00Z', '99999999999999999999']) {
    const signed = { timestamp, signature: signature(SECRET, timestamp, RECEIVED.body), body: RECEIVED.body };
    assert.ok(!verify(SECRET, signed, NOW), timestamp);
    assert.ok(!verify(SECRET, signed, Number.NaN), timestamp);
  }
});
