import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import type { IncomingMessage, RequestListener } from 'node:http';
import { createServer as createHttpsServer } from 'node:https';
import { connect, createServer as createTcpServer } from 'node:net';
import { type TestContext, test } from 'node:test';
import type { TLSSocket } from 'node:tls';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { type DnsServer, startDnsServer } from '../../test/dns-server.ts';
import { listen, post, type Receiver, receive, receiveRaw } from '../../test/receivers.ts';
import { createOutbound, type Outbound, type OutboundOptions, type OutboundOutcome } from './outbound.ts';

const noContent: RequestListener = (request, response) => {
  request.resume();
  response.writeHead(204).end();
};

const pem = (name: string): string =>
  readFileSync(fileURLToPath(new URL(`../../test/fixtures-tls/${name}.pem`, import.meta.url)), 'utf8');

/** Stands for the public internet; the rest of the loopback network stays private. */
const PUBLIC = '127.0.0.1';
const ALSO_PUBLIC = '127.0.0.3';
const PRIVATE = '127.0.0.2';
const isAllowed = (address: string): boolean => [PUBLIC, ALSO_PUBLIC].includes(address);

async function start(
  t: TestContext,
  options: OutboundOptions = {},
): Promise<{ dns: DnsServer; outbound: Outbound }> {
  const dns = await startDnsServer(t);
  const outbound = createOutbound({ dnsServers: [dns.address], isAllowed, ...options });
  t.after(() => outbound.close());
  return { dns, outbound };
}

const brief = ({ error, statusCode }: OutboundOutcome) => error ?? statusCode;
const wait = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds));

// ---------------------------------------------------------------------------
// Where it may connect to

test('a host that turns private between two sends is not connected to, kept-alive connection or not', async (t) => {
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

test('a host with one public and one private address is refused whole', async (t) => {
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

test('with no option set, loopback is refused by name and by every spelling of its address', async (t) => {
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

test('an allowed address is connected to, under the name of the host', async (t) => {
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

test('a name is asked for once a send, both families; an address not at all', async (t) => {
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

test('the second address of a host is tried when nobody listens at the first', async (t) => {
  const { dns, outbound } = await start(t);
  const host = await receive(t, noContent, ALSO_PUBLIC);
  dns.records.set('two.test', [PUBLIC, ALSO_PUBLIC]);
  const outcome = await outbound.send(post(`http://two.test:${host.port}`));
  assert.equal(outcome.address, ALSO_PUBLIC);
  assert.equal(brief(outcome), 204);
});

test('an exempt host may be anywhere, and is found in the hosts file', async (t) => {
  const { dns, outbound } = await start(t, { isAllowed: () => false });
  const host = await receive(t, noContent);
  const exempt = { anyAddress: true };
  assert.equal(brief(await outbound.send(post(`http://localhost:${host.port}`, exempt))), 204);
  assert.equal(brief(await outbound.send(post(`http://127.0.0.1:${host.port}`, exempt))), 204);
  assert.equal(brief(await outbound.send(post(`http://127.0.0.1:${host.port}`))), 'ADDRESS_NOT_PUBLIC');
  assert.deepEqual(dns.questions, []);
});

test('a redirect is an answer like any other', async (t) => {
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

test('no proxy of the environment is used, and no setting of it leaves certificates unchecked', async (t) => {
  const host = await receive(t, noContent);
  const secure = await secureHost(t);
  const proxy = await listen(
    t,
    createTcpServer((socket) => socket.destroy()),
  );
  const program = `
    import { createOutbound } from ${JSON.stringify(new URL('./outbound.ts', import.meta.url).href)};
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

test('names that lead nowhere', async (t) => {
  const { dns, outbound } = await start(t);
  dns.records.set('empty.test', []).set('broken.test', 'server failure');
  for (const name of ['missing.test', 'empty.test', 'broken.test', `${'a'.repeat(64)}.test`, '-']) {
    const outcome = await outbound.send(post(`http://${name}:1`));
    assert.equal(brief(outcome), 'DNS_FAILED', name);
    assert.ok(outcome.timings.dnsMs !== null);
  }
});

test('a name server that never answers: given up, or ended with the time of the send', async (t) => {
  const { dns, outbound } = await start(t);
  dns.records.set('silent.test', 'never answers');
  const [ended, givenUp] = await Promise.all([
    outbound.send(post('http://silent.test:1', { timeout: 200 })),
    outbound.send(post('http://silent.test:1', { timeout: 9_000 })),
  ]);
  assert.equal(brief(ended), 'TIMEOUT');
  assert.ok(ended.durationMs >= 199 && ended.durationMs < 1_000, `${ended.durationMs} ms`);
  assert.equal(brief(givenUp), 'DNS_FAILED');
});

test('many sends that wait for a silent name server hold up no other', async (t) => {
  const { dns, outbound } = await start(t);
  const host = await receive(t, noContent);
  dns.records.set('silent.test', 'never answers').set('quick.test', [PUBLIC]);
  const slow = Array.from({ length: 100 }, () =>
    outbound.send(post('http://silent.test:1', { timeout: 2_000 })),
  );
  await wait(50);
  const quick = await outbound.send(post(`http://quick.test:${host.port}`));
  assert.equal(brief(quick), 204);
  assert.ok(quick.durationMs < 1_000, `${quick.durationMs} ms`);
  assert.deepEqual(new Set((await Promise.all(slow)).map(brief)), new Set(['TIMEOUT']));
});

// ---------------------------------------------------------------------------
// Connections

test('ten sends use one connection', async (t) => {
  const { dns, outbound } = await start(t);
  const host = await receive(t, noContent);
  dns.records.set('kept.test', [PUBLIC]);
  for (let nth = 1; nth <= 10; nth++) {
    const outcome = await outbound.send(post(`http://kept.test:${host.port}`));
    assert.equal(brief(outcome), 204);
    assert.equal(outcome.timings.connectMs === null, nth > 1);
    assert.equal(outcome.address, PUBLIC);
  }
  assert.equal(host.connections, 1);
});

test('a kept-alive connection is not used when its address is no more among those of the host', async (t) => {
  const { dns, outbound } = await start(t);
  const before = await receive(t, noContent, '0.0.0.0');
  dns.records.set('moves.test', [PUBLIC]);
  const send = () => outbound.send(post(`http://moves.test:${before.port}`));
  assert.equal((await send()).address, PUBLIC);
  dns.records.set('moves.test', [ALSO_PUBLIC]);
  assert.equal((await send()).address, ALSO_PUBLIC);
  dns.records.set('moves.test', [ALSO_PUBLIC, PUBLIC]);
  assert.equal((await send()).timings.connectMs, null);
});

test('connections to one host are limited, and those who wait get their turn', async (t) => {
  const { dns, outbound } = await start(t, { connectionsPerEndpoint: 3 });
  let atOnce = 0;
  let most = 0;
  const host = await receive(t, async (request, response) => {
    most = Math.max(most, ++atOnce);
    request.resume();
    await wait(20);
    atOnce--;
    response.writeHead(204).end();
  });
  dns.records.set('busy.test', [PUBLIC]);
  const outcomes = await Promise.all(
    Array.from({ length: 30 }, () => outbound.send(post(`http://busy.test:${host.port}`))),
  );
  assert.deepEqual(new Set(outcomes.map(brief)), new Set([204]));
  assert.equal(most, 3);
  assert.equal(host.connections, 3);
});

test('a send that waits for a free connection ends in time, and one after it still gets its turn', async (t) => {
  const { outbound } = await start(t, { connectionsPerEndpoint: 1 });
  const host = await receive(t, async (request, response) => {
    request.resume();
    await wait(600);
    response.writeHead(204).end();
  });
  const send = (timeout: number) => outbound.send(post(`http://${PUBLIC}:${host.port}`, { timeout }));
  const [first, impatient, patient] = await Promise.all([send(5_000), send(100), send(5_000)]);
  assert.deepEqual([first, impatient, patient].map(brief), [204, 'TIMEOUT', 204]);
  assert.ok(impatient.durationMs < 500, `${impatient.durationMs} ms`);
  assert.equal(host.connections, 1);
});

test('a limit that is taken up by connections to an old address does not lock the host out', async (t) => {
  const { dns, outbound } = await start(t, { connectionsPerEndpoint: 1 });
  const host = await receive(t, noContent, '0.0.0.0');
  for (const address of [PUBLIC, ALSO_PUBLIC, PUBLIC]) {
    dns.records.set('moves.test', [address]);
    const outcome = await outbound.send(post(`http://moves.test:${host.port}`, { timeout: 2_000 }));
    assert.equal(outcome.address, address);
    await wait(50);
    assert.equal(host.open.size, 1);
  }
});

test('a connection that breaks makes room for those who wait', async (t) => {
  const { outbound } = await start(t, { connectionsPerEndpoint: 1 });
  const host = await receiveRaw(t, (socket) => socket.destroy());
  const sending = [1, 2, 3].map(() => outbound.send(post(`http://${PUBLIC}:${host.port}`)));
  const lost = 'CONNECTION_LOST';
  assert.deepEqual((await Promise.all(sending)).map(brief), [lost, lost, lost]);
});

test('of the unused connections the longest unused close first', async (t) => {
  const { outbound } = await start(t, { idleConnections: 2 });
  const hosts: Receiver[] = [];
  for (let nth = 0; nth < 4; nth++) hosts.push(await receive(t, noContent));
  for (const host of [hosts[0]!, hosts[1]!, hosts[0]!, hosts[2]!, hosts[3]!]) {
    await outbound.send(post(`http://${PUBLIC}:${host.port}`));
  }
  await wait(100);
  assert.deepEqual(
    hosts.map((host) => host.open.size),
    [0, 0, 1, 1],
  );
});

test('a connection without requests closes after 4 seconds, also when the host would keep it for longer', async (t) => {
  const { outbound } = await start(t);
  const host = await receive(t, noContent); // announces 30 seconds
  await outbound.send(post(`http://${PUBLIC}:${host.port}`));
  await wait(3_000);
  assert.equal(host.open.size, 1);
  await wait(2_000);
  assert.equal(host.open.size, 0);
});

const OK = 'HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok';

test('a kept-alive connection that ends under a request is replaced once, a new one never', async (t) => {
  const { outbound } = await start(t);
  // Answers the first request of each connection and hangs up on the second.
  const answered = new WeakSet<object>();
  const host = await receiveRaw(t, (socket) => {
    if (answered.has(socket)) return socket.destroy();
    answered.add(socket);
    socket.write(OK);
  });
  const send = () => outbound.send(post(`http://${PUBLIC}:${host.port}`));
  assert.equal(brief(await send()), 200);
  const second = await send();
  assert.equal(brief(second), 200);
  assert.ok(second.timings.connectMs !== null);
  assert.equal(host.connections, 2);

  // With several connections that have ended like this, the second try takes none of them.
  await Promise.all([send(), send(), send()]);
  assert.equal(brief(await send()), 200);

  let requests = 0;
  const gone = await receiveRaw(t, (socket) => {
    requests++;
    socket.destroy();
  });
  assert.equal(brief(await outbound.send(post(`http://${PUBLIC}:${gone.port}`))), 'CONNECTION_LOST');
  assert.equal(requests, 1);
});

test('a request is sent twice at most', async (t) => {
  const { outbound } = await start(t);
  const host = await receiveRaw(t, (socket, nth) => (nth === 1 ? socket.write(OK) : socket.destroy()));
  const send = () => outbound.send(post(`http://${PUBLIC}:${host.port}`));
  assert.equal(brief(await send()), 200);
  assert.equal(brief(await send()), 'CONNECTION_LOST');
  assert.equal(host.connections, 2);
});

test('a request that was answered in part is not sent again', async (t) => {
  const { outbound } = await start(t);
  let requests = 0;
  const host = await receiveRaw(t, (socket, nth) => {
    requests = nth;
    if (nth === 1) socket.write(OK);
    else socket.end('HTTP/1.1 200 OK\r\ncontent-le');
  });
  const send = () => outbound.send(post(`http://${PUBLIC}:${host.port}`));
  assert.equal(brief(await send()), 200);
  assert.equal(brief(await send()), 'CONNECTION_LOST');
  assert.equal(requests, 2);
});

test('a connection that the host closed while it was unused is not noticed', async (t) => {
  const { outbound } = await start(t);
  const host = await receiveRaw(t, (socket) => socket.end(OK));
  for (let nth = 0; nth < 5; nth++) {
    assert.equal(brief(await outbound.send(post(`http://${PUBLIC}:${host.port}`))), 200);
    await wait(nth * 10);
  }
  assert.equal(host.connections, 5);
});

test('close waits for the sends under way and leaves no connection', async (t) => {
  const { outbound } = await start(t);
  const host = await receive(t, async (request, response) => {
    request.resume();
    await wait(200);
    response.writeHead(204).end();
  });
  const send = () => outbound.send(post(`http://${PUBLIC}:${host.port}`));
  let ended = 0;
  const sending = [send(), send()].map((sent) => sent.finally(() => ended++));
  await outbound.close();
  assert.equal(ended, 2);
  assert.deepEqual((await Promise.all(sending)).map(brief), [204, 204]);
  await wait(50);
  assert.equal(host.open.size, 0);
  await assert.rejects(send, /after close/);
});

test('mistakes of the caller are thrown', async (t) => {
  const { outbound } = await start(t, { connectionsPerEndpoint: 1 });
  const host = await receive(t, noContent);
  const url = `http://${PUBLIC}:${host.port}`;
  await assert.rejects(outbound.send(post('ftp://named.test/')), TypeError);
  for (const headers of [
    { 'x-a': 'b\r\nc: d' },
    { 'a b': 'c' },
    { 'content-length': '5' },
    { expect: 'x' },
  ]) {
    await assert.rejects(outbound.send(post(url, { headers })), {
      name: /^(?:InvalidArg|NotSupp|RequestContentL)/,
    });
  }
  assert.equal(brief(await outbound.send(post(url))), 204); // they left no connection taken
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

test('TLS: the name of the host is asked for and checked, at the address that was checked', async (t) => {
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

test('TLS: an authority that is not trusted, and hosts that do not speak it', async (t) => {
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
  // Stands before the secure host, and breaks in once the handshake is over.
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

test('a port where nobody listens', async (t) => {
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
