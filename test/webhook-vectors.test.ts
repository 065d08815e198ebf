import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { type Vector, vectorsText } from '../scripts/print-webhook-vectors.ts';
import { canonicalJson } from '../src/base/canonical-json.ts';
import { verify } from '../src/webhooks/signature.ts';

const text = readFileSync(new URL('../docs/webhook-vectors.json', import.meta.url), 'utf8');
const vectors: Vector[] = JSON.parse(text);

/**
 * The contract's rules in Python, from nothing but the file: serializes the body anew, signs it in both ways, and
 * prints the names of what does not agree.
 */
const PYTHON = `
import base64, hashlib, hmac, json, sys

def canonical(value):
    if isinstance(value, dict):
        keys = sorted(value, key=lambda key: key.encode('utf-16-be'))
        return '{' + ','.join(canonical(key) + ':' + canonical(value[key]) for key in keys) + '}'
    if isinstance(value, list):
        return '[' + ','.join(canonical(item) for item in value) + ']'
    if isinstance(value, float):
        return repr(value).replace('e-0', 'e-')
    return json.dumps(value, ensure_ascii=False)

for vector in json.loads(sys.stdin.buffer.read().decode('utf-8')):
    def check(part, mine):
        if mine != vector[part]:
            print(f"{vector['name']}: {part}")
    message = {name: vector[name] for name in ('payload', 'event', 'deliveryId')}
    body = canonical(message)
    check('body', body)
    raw = bytes.fromhex(vector['bodyHex'])
    check('body', raw.decode('utf-8'))
    signed = vector['timestamp'].encode() + b'.' + raw
    digest = hmac.new(vector['secret'].encode(), signed, hashlib.sha256)
    check('signature', 'sha256=' + digest.hexdigest())
    key = base64.b64decode(vector['secret'][len('whsec_'):] + '=', validate=True)
    assert len(key) == 32
    signed = f"{vector['deliveryId']}.{vector['webhookTimestamp']}.".encode() + raw
    digest = hmac.new(key, signed, hashlib.sha256).digest()
    check('standardSignature', 'v1,' + base64.b64encode(digest).decode())
`;

function pythonFaults(file: string): string[] {
  const { status, stdout, stderr } = spawnSync('python3', ['-c', PYTHON], {
    input: file,
    encoding: 'utf8',
    env: { ...process.env, PYTHONIOENCODING: 'utf-8' },
  });
  assert.equal(status, 0, stderr);
  return stdout.split('\n').filter((line) => line !== '');
}

/** HMAC-SHA256 in hex. */
function opensslHmac(key: Buffer, message: Buffer): string {
  const args = ['dgst', '-sha256', '-mac', 'HMAC', '-macopt', `hexkey:${key.toString('hex')}`];
  const { status, stdout, stderr } = spawnSync('openssl', args, { input: message, encoding: 'utf8' });
  assert.equal(status, 0, stderr);
  return stdout.trim().split(/\s+/).at(-1)!;
}

const lacks = (program: string, argument: string): boolean => spawnSync(program, [argument]).status !== 0;

test('docs/webhook-vectors.json matches the code', () => {
  assert.equal(text, vectorsText(), 'write it anew: npm run generate');
});

test('the vectors cover the pitfalls of receivers', () => {
  assert.ok(vectors.length >= 12);
  assert.equal(new Set(vectors.map(({ name }) => name)).size, vectors.length);
  const bodies = vectors.map(({ body }) => body).join('');
  for (const part of ['طلب', '\u2028', '\u2029', '🧹', '":0,', '1e+21', '1e-7', '0.1', '150.5', '{}', '[]'])
    assert.ok(bodies.includes(part), JSON.stringify(part));
  assert.ok(bodies.indexOf('"\u{1f9f9}":') < bodies.indexOf('"\uff5e":'));
  assert.match(text, /"minusZero": -0,/);
});

test('a payload of the file serializes to its body, and the body verifies', () => {
  for (const vector of vectors) {
    const { name, secret, timestamp, deliveryId, event, payload, body, bodyHex, signature } = vector;
    assert.equal(canonicalJson({ payload, event, deliveryId }), body, name);
    assert.equal(Buffer.from(bodyHex, 'hex').toString('utf8'), body, name);
    assert.equal(vector.webhookTimestamp, String(Math.floor(Date.parse(timestamp) / 1000)), name);
    assert.ok(verify(secret, { timestamp, signature, body }, Date.parse(timestamp)), name);
  }
});

test('Python computes the same bodies and signatures', {
  skip: lacks('python3', '--version') && 'python3 is not installed',
}, () => {
  assert.deepEqual(pythonFaults(text), []);
});

test('Python finds a wrong vector', {
  skip: lacks('python3', '--version') && 'python3 is not installed',
}, () => {
  const [first] = vectors;
  const { name } = first!;
  const faults = (changes: Partial<Vector>): string[] =>
    pythonFaults(JSON.stringify([{ ...first, ...changes }]));
  assert.deepEqual(faults({}), []);
  assert.deepEqual(faults({ payload: {} }), [`${name}: body`]);
  assert.deepEqual(faults({ timestamp: '2026-11-22T05:00:00Z' }), [`${name}: signature`]);
  assert.deepEqual(faults({ webhookTimestamp: '1' }), [`${name}: standardSignature`]);
});

test('OpenSSL computes the same signatures', {
  skip: lacks('openssl', 'version') && 'openssl is not installed',
}, () => {
  for (const vector of vectors) {
    const { name, secret, timestamp, deliveryId, bodyHex, signature } = vector;
    const body = Buffer.from(bodyHex, 'hex');
    const message = Buffer.concat([Buffer.from(`${timestamp}.`), body]);
    assert.equal(`sha256=${opensslHmac(Buffer.from(secret), message)}`, signature, name);
    const key = Buffer.from(`${secret.slice('whsec_'.length)}=`, 'base64');
    const standard = Buffer.concat([Buffer.from(`${deliveryId}.${vector.webhookTimestamp}.`), body]);
    const digest = Buffer.from(opensslHmac(key, standard), 'hex').toString('base64');
    assert.equal(`v1,${digest}`, vector.standardSignature, name);
  }
});
