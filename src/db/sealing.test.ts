import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { test } from 'node:test';
import { createSealer, KEY_BYTES, SealError } from './sealing.ts';

const [first, second] = [randomBytes(KEY_BYTES), randomBytes(KEY_BYTES)];
const throwsWith = (work: () => unknown, message: RegExp): void =>
  assert.throws(work, (error) => error instanceof SealError && message.test(error.message));

test('a sealed text can be opened again, and does not reveal its content', () => {
  const sealer = createSealer([first]);
  for (const plain of ['whsec_abc', '', 'سر', 'x'.repeat(10_000)]) {
    const sealed = sealer.seal(plain, 'webhook-secret:1');
    assert.equal(sealer.open(sealed, 'webhook-secret:1'), plain);
    assert.ok(plain === '' || !sealed.includes(plain));
    assert.notEqual(sealer.seal(plain, 'webhook-secret:1'), sealed);
  }
});

test('another row, another key and a changed text are refused', () => {
  const sealer = createSealer([first]);
  const sealed = sealer.seal('whsec_abc', 'webhook-secret:1');
  throwsWith(() => sealer.open(sealed, 'webhook-secret:2'), /another row/);
  throwsWith(() => createSealer([second]).open(sealed, 'webhook-secret:1'), /under the key [0-9a-f]{8}/);
  const at = sealed.lastIndexOf('.') + 20;
  const changed = sealed.slice(0, at) + (sealed[at] === 'A' ? 'B' : 'A') + sealed.slice(at + 1);
  throwsWith(() => sealer.open(changed, 'webhook-secret:1'), /was changed/);
  throwsWith(() => sealer.open(sealed.slice(0, -30), 'webhook-secret:1'), /was changed/);
  throwsWith(() => sealer.open('whsec_abc', 'webhook-secret:1'), /not in the form/);
});

test('a key is replaced by a second one', () => {
  const before = createSealer([first]).seal('whsec_abc', 'x');
  const both = createSealer([second, first]);
  assert.equal(both.open(before, 'x'), 'whsec_abc');
  assert.deepEqual([both.isCurrent(before), both.isCurrent(both.seal('whsec_abc', 'x'))], [false, true]);
});

test('a derived value is stable, and differs by key and context', () => {
  const [now, before] = createSealer([second, first]).derive('checkout:1');
  assert.deepEqual(createSealer([first]).derive('checkout:1'), [before]);
  assert.match(now!, /^[A-Za-z0-9_-]{32}$/);
  assert.notEqual(now, before);
  assert.notDeepEqual(createSealer([first]).derive('checkout:2'), [before]);
});
