import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { createServer as createHttpsServer } from 'node:https';
import { connect, createServer as createTcpServer } from 'node:net';
import { type TestContext, test } from 'node:test';
import type { TLSSocket } from 'node:tls';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { startDnsServer } from '../../test/dns-server.ts';
import {
  ALSO_PUBLIC,
  brief,
  isAllowed,
  noContent,
  PRIVATE,
  PUBLIC,
  pem,
  start,
  wait,
} from '../../test/outbound-setting.ts';
import { listen, post, type Receiver, receive } from '../../test/receivers.ts';
import { createOutbound } from './requests.ts';

// ---------------------------------------------------------------------------
// Addresses that it may connect to

test('a host that becomes private between two sends is not connected to, with or without keep-alive', async (t) => {
  const { dns, outbound } = await start(t);
  const host = await receive(t, noContent);
  const behind = await listen(t, createTcpServer(), PRIVATE);
  dns.records.set('turns.test', [PUBLIC]);
  assert.equal(brief(await outbound.send(post(`http://turns.test:${host.port}`))), 204);
  dns.records.set('turns.test', [PRIVATE]);
  for (const port of [host.port, behind.port]) {
    const outcome = await outbound.send(post(`http://turns.test:${port}`));
    assert.equal(outcome.error, 'ADDRESS_NOT_PUBLIC');
    assert.equal(outcome.address, null);
  }
  assert.equal(behind.connections, 0);
  assert.equal(host.connections, 1);
});

test('a host with a public and a private address is refused', async (t) => {
  const { dns, outbound } = await start(t);
  const host = await receive(t, noContent);
  for (const other of [PRIVATE, '::1', '10.0.0.1', '::ffff:127.0.0.1']) {
    for (const addresses of [
      [PUBLIC, other],
      [other, PUBLIC],
    ]) {
      dns.records.set('both.test', addresses);
      assert.equal(brief(await outbound.send(post(`http://both.test:${host.port}`))), 'ADDRESS_NOT_PUBLIC');
    }
  }
  assert.equal(host.connections, 0);
});

test('by default loopback is refused by name and in every spelling of its address', async (t) => {
  const dns = await startDnsServer(t);
  const outbound = createOutbound({ dnsServers: [dns.address] });
  t.after(() => outbound.close());
  const host = await receive(t, noContent, '::');
  dns.records.set('inside.test', ['127.0.0.1']);
  const hosts = `inside.test 127.0.0.1 127.1 127.0.1 0x7f.1 0x7f000001 2130706433 017700000001 0177.0.0.1 127.0.0.1.
    0 0.0.0.0 [::1] [::] [0:0:0:0:0:0:0:1] [::ffff:127.0.0.1] [::ffff:7f00:1] [::127.0.0.1] [64:ff9b::7f00:1]
    ①②⑦.0.0.1 127。0。0。1`;
  for (const name of hosts.split(/\s+/)) {
    const outcome = await outbound.send(post(`http://${name}:${host.port}`));
    assert.equal(brief(outcome), 'ADDRESS_NOT_PUBLIC', name);
  }
  assert.equal(host.connections, 0);
  assert.deepEqual(dns.questions.sort(), ['A inside.test', 'AAAA inside.test']);
});

test('a permitted address is connected to, with the name of the host', async (t) => {
  const { dns, outbound } = await start(t);
  let seen: IncomingMessage | undefined;
  let body = '';
  const host = await receive(t, async (request, response) => {
    seen = request;
    for await (const chunk of request) body += chunk;
    response.writeHead(200).end('fine');
  });
  dns.records.set('named.test', [PUBLIC]);
  const outcome = await outbound.send(
    post(`http://Named.test:${host.port}/a/b?c=%20d#e`, { headers: { 'x-one': '1' }, body: '{"ö":1}' }),
  );
  const { durationMs, timings } = outcome;
  assert.deepEqual(
    { ...outcome, durationMs: 0, timings: 0 },
    {
      statusCode: 200,
      error: null,
      durationMs: 0,
      body: Buffer.from('fine'),
      address: PUBLIC,
      timings: 0,
      tls: null,
    },
  );
  assert.ok(timings.dnsMs! > 0 && timings.connectMs! > 0 && durationMs > timings.dnsMs! + timings.connectMs!);
  assert.equal(seen?.method, 'POST');
  assert.equal(seen?.url, '/a/b?c=%20d');
  assert.equal(seen?.headers.host, `named.test:${host.port}`);
  assert.equal(seen?.headers['x-one'], '1');
  assert.equal(body, '{"ö":1}');
});

test('a name is resolved once per send, for both families; an address is not', async (t) => {
  const { dns, outbound } = await start(t);
  const host = await receive(t, noContent);
  dns.records.set('asked.test', [PUBLIC]);
  await outbound.send(post(`http://asked.test:${host.port}`));
  await outbound.send(post(`http://asked.test:${host.port}`));
  assert.deepEqual(dns.questions.sort(), [
    'A asked.test',
    'A asked.test',
    'AAAA asked.test',
    'AAAA asked.test',
  ]);
  const outcome = await outbound.send(post(`http://${PUBLIC}:${host.port}`));
  assert.equal(brief(outcome), 204);
  assert.equal(outcome.timings.dnsMs, null);
  assert.equal(dns.questions.length, 4);
});

test('the second address of a host is tried when the first refuses connections', async (t) => {
  const { dns, outbound } = await start(t);
  const host = await receive(t, noContent, ALSO_PUBLIC);
  dns.records.set('two.test', [PUBLIC, ALSO_PUBLIC]);
  const outcome = await outbound.send(post(`http://two.test:${host.port}`));
  assert.equal(outcome.address, ALSO_PUBLIC);
  assert.equal(brief(outcome), 204);
});

test('an exempt host may have any address, and is resolved by the hosts file', async (t) => {
  const { dns, outbound } = await start(t, { isAllowed: () => false });
  const host = await receive(t, noContent);
  const exempt = { anyAddress: true };
  assert.equal(brief(await outbound.send(post(`http://localhost:${host.port}`, exempt))), 204);
  assert.equal(brief(await outbound.send(post(`http://127.0.0.1:${host.port}`, exempt))), 204);
  assert.equal(brief(await outbound.send(post(`http://127.0.0.1:${host.port}`))), 'ADDRESS_NOT_PUBLIC');
  assert.deepEqual(dns.questions, []);
});

test('a redirect is returned like any other response', async (t) => {
  const { outbound } = await start(t);
  const target = await receive(t, noContent);
  for (const status of [301, 302, 303, 307, 308]) {
    const host = await receive(t, (request, response) => {
      request.resume();
      response.writeHead(status, { location: `http://${PUBLIC}:${target.port}/` }).end();
    });
    assert.equal(brief(await outbound.send(post(`http://${PUBLIC}:${host.port}`))), status);
  }
  assert.equal(target.connections, 0);
});

test('proxies of the environment are ignored, and none of its settings disables certificate checks', async (t) => {
  const host = await receive(t, noContent);
  const secure = await secureHost(t);
  const proxy = await listen(
    t,
    createTcpServer((socket) => socket.destroy()),
  );
  const program = `
    import { createOutbound } from ${JSON.stringify(new URL('./requests.ts', import.meta.url).href)};
    const outbound = createOutbound();
    const request = { method: 'POST', headers: {}, body: '', timeout: 5000, maxBody: 100, anyAddress: true };
    for (const url of process.argv.slice(1)) {
      const { statusCode, error } = await outbound.send({ ...request, url: new URL(url) });
      console.log(error ?? statusCode);
    }
    await outbound.close();`;
  const at = `http://127.0.0.1:${proxy.port}`;
  const run = async (env: Record<string, string>) => {
    const urls = [`http://localhost:${host.port}`, `https://127.0.0.1:${secure.port}`];
    const child = await promisify(execFile)(
      process.execPath,
      ['--no-warnings', '--input-type=module', '--eval', program, ...urls],
      {
        env: {
          ...process.env,
          NODE_USE_ENV_PROXY: '1',
          HTTP_PROXY: at,
          HTTPS_PROXY: at,
          ALL_PROXY: at,
          ...env,
        },
      },
    );
    return child.stdout.trim().split('\n');
  };
  assert.deepEqual(await run({ NODE_TLS_REJECT_UNAUTHORIZED: '0' }), ['204', 'TLS_FAILED']);
  const trusted = fileURLToPath(new URL('../../test/fixtures-tls/authority.pem', import.meta.url));
  assert.deepEqual(await run({ NODE_EXTRA_CA_CERTS: trusted }), ['204', '204']);
  assert.equal(proxy.connections, 0);
});

// ---------------------------------------------------------------------------
// DNS

test('names without addresses', async (t) => {
  const { dns, outbound } = await start(t);
  dns.records.set('empty.test', []).set('broken.test', 'server failure');
  for (const name of ['missing.test', 'empty.test', 'broken.test', `${'a'.repeat(64)}.test`, '-']) {
    const outcome = await outbound.send(post(`http://${name}:1`));
    assert.equal(brief(outcome), 'DNS_FAILED', name);
    assert.ok(outcome.timings.dnsMs !== null);
  }
});

test('a name server that never responds: given up, or ended by the time-out of the send', async (t) => {
  const { dns, outbound } = await start(t);
  dns.records.set('silent.test', 'never answers');
  const [ended, givenUp] = await Promise.all([
    outbound.send(post('http://silent.test:1', { timeout: 200 })),
    outbound.send(post('http://silent.test:1', { timeout: 60_000 })),
  ]);
  assert.equal(brief(ended), 'TIMEOUT');
  assert.ok(ended.durationMs >= 199, `${ended.durationMs} ms`);
  assert.equal(brief(givenUp), 'DNS_FAILED');
});

test('sends that wait for a silent name server do not delay others', async (t) => {
  const { dns, outbound } = await start(t);
  const host = await receive(t, noContent);
  dns.records.set('silent.test', 'never answers').set('quick.test', [PUBLIC]);
  const slow = Array.from({ length: 100 }, () =>
    outbound.send(post('http://silent.test:1', { timeout: 2_000 })),
  );
  await wait(50);
  // Less than all of them take, one after the other or in small batches.
  const quick = await outbound.send(post(`http://quick.test:${host.port}`, { timeout: 20_000 }));
  assert.equal(brief(quick), 204);
  assert.deepEqual(new Set((await Promise.all(slow)).map(brief)), new Set(['TIMEOUT']));
});

// ---------------------------------------------------------------------------
// TLS

async function secureHost(t: TestContext): Promise<Receiver & { names: string[] }> {
  const names: string[] = [];
  const server = createHttpsServer(
    { key: pem('host-key'), cert: pem('host'), ALPNProtocols: ['h2', 'http/1.1'] },
    noContent,
  );
  server.on('secureConnection', (socket: TLSSocket & { servername?: string }) => {
    names.push(`${socket.servername || ''} ${socket.alpnProtocol}`);
  });
  server.on('tlsClientError', () => {}); // senders that do not trust it
  return Object.assign(await listen(t, server), { names });
}

test('TLS: the name of the host is sent and verified, at the checked address', async (t) => {
  const { dns, outbound } = await start(t, { ca: pem('authority') });
  const host = await secureHost(t);
  dns.records.set('secure.test', [PUBLIC]).set('other.test', [PUBLIC]);
  const outcome = await outbound.send(post(`https://secure.test:${host.port}`));
  assert.equal(brief(outcome), 204);
  assert.deepEqual(outcome.tls, { protocol: 'TLSv1.3' });
  assert.equal(outcome.address, PUBLIC);
  assert.equal(brief(await outbound.send(post(`https://secure.test.:${host.port}`))), 204);
  assert.equal(brief(await outbound.send(post(`https://${PUBLIC}:${host.port}`))), 204);
  assert.deepEqual(host.names, ['secure.test http/1.1', 'secure.test http/1.1', ' http/1.1']);
  assert.equal(brief(await outbound.send(post(`https://other.test:${host.port}`))), 'TLS_FAILED');
  const again = await outbound.send(post(`https://secure.test:${host.port}`));
  assert.equal(again.timings.connectMs, null);
  assert.deepEqual(again.tls, { protocol: 'TLSv1.3' });
});

test('TLS: an untrusted authority, and hosts without TLS', async (t) => {
  const { dns, outbound } = await start(t);
  const host = await secureHost(t);
  dns.records.set('secure.test', [PUBLIC]);
  assert.equal(brief(await outbound.send(post(`https://secure.test:${host.port}`))), 'TLS_FAILED');
  const plain = await receive(t, noContent);
  const silent = await listen(
    t,
    createTcpServer((socket) => socket.resume()),
  );
  const hangsUp = await listen(
    t,
    createTcpServer((socket) => socket.destroy()),
  );
  assert.equal(brief(await outbound.send(post(`https://${PUBLIC}:${plain.port}`))), 'TLS_FAILED');
  assert.equal(brief(await outbound.send(post(`https://${PUBLIC}:${hangsUp.port}`))), 'TLS_FAILED');
  assert.equal(
    brief(await outbound.send(post(`https://${PUBLIC}:${silent.port}`, { timeout: 300 }))),
    'TIMEOUT',
  );
  // A proxy before the secure host, which breaks in after the handshake.
  const breaksIn = await listen(
    t,
    createTcpServer((socket) => {
      const behind = connect(host.port, PUBLIC);
      behind.pipe(socket);
      socket.once('data', (hello) => {
        behind.write(hello);
        socket.on('data', () => socket.write('no TLS record'));
      });
      socket.on('close', () => behind.destroy());
    }),
  );
  const trusting = createOutbound({ isAllowed, ca: pem('authority') });
  t.after(() => trusting.close());
  assert.equal(brief(await trusting.send(post(`https://${PUBLIC}:${breaksIn.port}`))), 'TLS_FAILED');
  await wait(50);
  assert.equal(silent.open.size, 0);
});

test('a port that refuses connections', async (t) => {
  const { outbound } = await start(t);
  const server = createTcpServer().listen(0, PUBLIC);
  await once(server, 'listening');
  const { port } = server.address() as { port: number };
  server.close();
  await once(server, 'close');
  for (const scheme of ['http', 'https']) {
    assert.equal(brief(await outbound.send(post(`${scheme}://${PUBLIC}:${port}`))), 'CONNECTION_FAILED');
  }
});
