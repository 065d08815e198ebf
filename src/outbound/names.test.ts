import assert from 'node:assert/strict';
import { createServer } from 'node:net';
import { type TestContext, test } from 'node:test';
import { type DnsServer, startDnsServer } from '../../test/dns-server.ts';
import {
  ALSO_PUBLIC,
  brief,
  isAllowed,
  noContent,
  PRIVATE,
  PUBLIC,
  start,
} from '../../test/outbound-setting.ts';
import { listen, post, receive } from '../../test/receivers.ts';
import { asAddress, resolveByDns } from './dns.ts';
import { createNames } from './names.ts';

/** Names of a real name server, with a manual clock. */
async function startNames(t: TestContext) {
  const dns = await startDnsServer(t);
  const clock = { now: 0 };
  const names = createNames(
    (host, signal) => resolveByDns(host, [dns.address], signal),
    () => clock.now,
  );
  const ask = async (host: string) =>
    (await names.addressesOf(host, new AbortController().signal))?.map(({ address }) => address) ?? null;
  return { dns, clock, names, ask };
}

/** Names of a name server with a delay (milliseconds) and a TTL (seconds). */
function slowNames(takes: number, ttlSeconds: number) {
  const clock = { now: 0 };
  let asked = 0;
  const names = createNames(
    async () => {
      asked++;
      clock.now += takes;
      return { addresses: [asAddress(PUBLIC)], ttlSeconds, isComplete: true };
    },
    () => clock.now,
  );
  const { signal } = new AbortController();
  return { clock, asked: () => asked, ask: (host: string) => names.addressesOf(host, signal) };
}

const asked = (dns: DnsServer): number => dns.questions.splice(0).length;

test('a name is resolved again after its TTL', async (t) => {
  const { dns, clock, ask } = await startNames(t);
  dns.records.set('kept.test', ['203.0.113.1', '2001:db8::1']);
  dns.ttl = 30;
  assert.deepEqual(await ask('kept.test'), ['203.0.113.1', '2001:db8::1']);
  assert.equal(asked(dns), 2);
  dns.records.set('kept.test', ['203.0.113.2']);
  clock.now = 29_999;
  assert.deepEqual(await ask('kept.test'), ['203.0.113.1', '2001:db8::1']);
  assert.equal(asked(dns), 0);
  clock.now = 30_000;
  assert.deepEqual(await ask('kept.test'), ['203.0.113.2']);
  assert.equal(asked(dns), 2);
});

test('the lower TTL of both families counts', async (t) => {
  const { dns, clock, ask } = await startNames(t);
  dns.records.set('both.test', ['203.0.113.1', '2001:db8::1']);
  for (const ttl of [
    { A: 10, AAAA: 60 },
    { A: 60, AAAA: 10 },
  ]) {
    dns.ttl = ttl;
    await ask('both.test');
    asked(dns);
    clock.now += 9_999;
    await ask('both.test');
    assert.equal(asked(dns), 0);
    clock.now += 1;
    await ask('both.test');
    assert.equal(asked(dns), 2);
    clock.now += 300_000;
  }
});

test('a name of one family is cached, whether its server returns NXDOMAIN or no data for the other', async (t) => {
  const { dns, ask } = await startNames(t);
  dns.ttl = 30;
  dns.records.set('A no-such-name.test', ['203.0.113.1']);
  dns.records.set('A no-data.test', ['203.0.113.1']).set('AAAA no-data.test', []);
  for (const name of ['no-such-name.test', 'no-data.test']) {
    assert.deepEqual([await ask(name), await ask(name)], [['203.0.113.1'], ['203.0.113.1']]);
    assert.equal(asked(dns), 2, name);
  }
});

test('the TTL is capped, and a TTL of 0 is not cached', async (t) => {
  const { dns, clock, names, ask } = await startNames(t);
  dns.records.set('long.test', ['203.0.113.1']);
  dns.ttl = 86_400;
  await ask('long.test');
  clock.now = 299_999;
  await ask('long.test');
  assert.equal(asked(dns), 2);
  clock.now = 300_000;
  await ask('long.test');
  assert.equal(asked(dns), 2, 'after five minutes');
  names.forget('long.test');
  await ask('long.test');
  assert.equal(asked(dns), 2, 'after it was forgotten');

  dns.ttl = 0;
  dns.records.set('never.test', ['203.0.113.1']);
  await ask('never.test');
  await ask('never.test');
  assert.equal(asked(dns), 4, 'with a TTL of 0');

  dns.ttl = 30;
  assert.equal(await ask('missing.test'), null);
  dns.records.set('missing.test', ['203.0.113.1']);
  assert.deepEqual(await ask('missing.test'), ['203.0.113.1'], 'a name that did not exist does now');
});

test('the TTL starts with the query', async () => {
  const { ask, clock, asked } = slowNames(10, 1);
  await ask('slow.test');
  clock.now = 999;
  await ask('slow.test');
  assert.equal(asked(), 1);
  clock.now = 1_000;
  await ask('slow.test');
  assert.equal(asked(), 2);
});

test('above the limit of names the one resolved first is dropped', async () => {
  const { ask, asked } = slowNames(0, 60);
  for (let number = 0; number <= 10_000; number++) await ask(`${number}.test`);
  assert.equal(asked(), 10_001);
  await ask('1.test');
  assert.equal(asked(), 10_001);
  await ask('0.test');
  assert.equal(asked(), 10_002);
});

test('addresses of one family are not cached while the other failed', async (t) => {
  const { dns, ask } = await startNames(t);
  dns.ttl = 30;
  dns.records.set('half.test', ['203.0.113.1']).set('AAAA half.test', 'server failure');
  assert.deepEqual(await ask('half.test'), ['203.0.113.1']);
  dns.records.set('AAAA half.test', ['::1']);
  assert.deepEqual(await ask('half.test'), ['203.0.113.1', '::1']);
  asked(dns);
  await ask('half.test');
  assert.equal(asked(dns), 0);
});

test('cached addresses are checked at every send, and resolved again when they do not respond', async (t) => {
  let allowed = isAllowed;
  const { dns, outbound } = await start(t, { isAllowed: (address) => allowed(address) });
  dns.ttl = 60;
  const host = await receive(t, noContent);
  const send = async () => brief(await outbound.send(post(`http://kept.test:${host.port}`)));
  dns.records.set('kept.test', [PUBLIC]);
  assert.deepEqual([await send(), await send()], [204, 204]);
  assert.equal(asked(dns), 2);
  allowed = () => false;
  assert.equal(await send(), 'ADDRESS_NOT_PUBLIC');
  allowed = isAllowed;

  // The first address does not respond: the next send finds the second.
  const other = await receive(t, noContent, ALSO_PUBLIC);
  const sendToOther = async () => brief(await outbound.send(post(`http://moves.test:${other.port}`)));
  dns.records.set('moves.test', [PUBLIC]);
  assert.equal(await sendToOther(), 'CONNECTION_FAILED');
  dns.records.set('moves.test', [ALSO_PUBLIC]);
  assert.equal(await sendToOther(), 204);

  // The cache does not bypass the check: a name that has become private is detected in time.
  const behind = await listen(t, createServer(), PRIVATE);
  dns.records.set('private.test', [PRIVATE]);
  for (let time = 0; time < 2; time++)
    assert.equal(
      brief(await outbound.send(post(`http://private.test:${behind.port}`))),
      'ADDRESS_NOT_PUBLIC',
    );
  assert.equal(behind.connections, 0);
});
