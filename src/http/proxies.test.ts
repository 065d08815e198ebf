import assert from 'node:assert/strict';
import { test } from 'node:test';
import { addressList, clientAddress } from './proxies.ts';

test('a list matches an address in every spelling, and no missing one', () => {
  const list = addressList(['10.0.0.0/8', '2001:db8::/32', '::ffff:192.0.2.0/120', 'fe80::/64']);
  for (const address of [
    '10.1.2.3',
    '::ffff:10.1.2.3',
    '2001:0DB8::1',
    '192.0.2.7',
    '[2001:db8::2]',
    'fe80::1%eth0',
  ])
    assert.ok(list.includes(address), address);
  for (const address of ['11.0.0.1', '10.1', '2001:db9::1', '', 'unknown', undefined])
    assert.ok(!list.includes(address), `${address}`);
});

test('the port that some proxies add is ignored', () => {
  const list = addressList(['10.0.0.0/8', '2001:db8::/32']);
  for (const address of ['10.1.2.3:443', '[2001:db8::2]:443']) assert.ok(list.includes(address), address);
  for (const address of ['10.1.2.3:', '10.1.2.3:x', '10.1.2.3:443:1', '11.0.0.1:443', '[10.1.2.3:443'])
    assert.ok(!list.includes(address), address);
  assert.equal(clientAddress({ ip: '192.0.2.7:52044' }), '192.0.2.7');
  assert.equal(clientAddress({ ip: '[2001:DB8::7]:52044' }), '2001:db8::7');
  assert.equal(clientAddress({ ip: '2001:db8::7:5204' }), '2001:db8::7:5204', 'all of it is the address');
  assert.equal(clientAddress({ ip: 'unknown:443' }), 'unknown:443');
});

test('a range around all IPv4-mapped addresses is all of IPv4', () => {
  const list = addressList(['::ffff:0.0.0.0/64']);
  assert.deepEqual(['192.0.2.7', '::ffff:192.0.2.7', '2001:db8::1'].map(list.includes), [true, true, false]);
});

test('a client address is normalized, taken from the proxy, or null', () => {
  assert.equal(clientAddress({ ip: '::ffff:192.0.2.7' }), '192.0.2.7');
  assert.equal(clientAddress({ ip: 'fe80::1%eth0' }), 'fe80::1', 'whatever its interface is called');
  assert.equal(clientAddress({ ip: 'unknown' }), 'unknown');
  assert.equal(clientAddress({ ip: undefined as never }), '', 'the socket has closed');
});
