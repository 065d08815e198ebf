import assert from 'node:assert/strict';
import { createServer } from 'node:net';
import { type TestContext, test } from 'node:test';
import { ALSO_PUBLIC, brief, noContent, PUBLIC, start, wait } from '../../test/outbound-setting.ts';
import { listen, post, type Receiver, receive, receiveRaw } from '../../test/receivers.ts';
import { until } from '../../test/until.ts';

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

test('a kept-alive connection is not used when its address no longer belongs to the host', async (t) => {
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

test('connections to one host are limited, and waiting sends get their turn', async (t) => {
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

test('a send that waits for a free connection times out, and a later one still gets its turn', async (t) => {
  const { outbound } = await start(t, { connectionsPerEndpoint: 1 });
  let requests = 0;
  const host = await receive(t, async (request, response) => {
    requests++;
    request.resume();
    await wait(600);
    response.writeHead(204).end();
  });
  const send = (timeout: number) => outbound.send(post(`http://${PUBLIC}:${host.port}`, { timeout }));
  const [first, impatient, patient] = await Promise.all([send(5_000), send(100), send(5_000)]);
  assert.deepEqual([first, impatient, patient].map(brief), [204, 'TIMEOUT', 204]);
  assert.deepEqual([requests, host.connections], [2, 1]);
});

test('connections to an old address do not use up the limit of the host', async (t) => {
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

test('a connection that breaks makes room for waiting sends', async (t) => {
  const { outbound } = await start(t, { connectionsPerEndpoint: 1 });
  const host = await receiveRaw(t, (socket) => socket.destroy());
  const sending = [1, 2, 3].map(() => outbound.send(post(`http://${PUBLIC}:${host.port}`)));
  const lost = 'CONNECTION_LOST';
  assert.deepEqual((await Promise.all(sending)).map(brief), [lost, lost, lost]);
});

test('the least recently used idle connection closes first', async (t) => {
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

test('a busy connection does not count as idle', async (t) => {
  const { dns, outbound } = await start(t, { idleConnections: 1 });
  // By a name, which is resolved first: by then the connection is idle again.
  dns.records.set('kept.test', [PUBLIC]);
  let requests = 0;
  const waiting = Promise.withResolvers<void>();
  const slow = await receive(t, async (request, response) => {
    request.resume();
    if (++requests === 2) await waiting.promise;
    response.writeHead(204).end();
  });
  const other = await receive(t, noContent);
  const sendTo = ({ port }: Receiver) => outbound.send(post(`http://kept.test:${port}`));
  await sendTo(slow);
  const underWay = sendTo(slow);
  await until(() => requests === 2);
  await sendTo(other);
  waiting.resolve();
  assert.equal(brief(await underWay), 204);
  assert.deepEqual([slow.connections, requests], [1, 2]);
});

test('an idle connection closes after its keep-alive, also when the host would keep it longer', async (t) => {
  const { outbound } = await start(t);
  const host = await receive(t, noContent); // announces a keep-alive of 30 seconds
  await outbound.send(post(`http://${PUBLIC}:${host.port}`));
  await wait(3_000);
  assert.equal(host.open.size, 1);
  await wait(2_000);
  assert.equal(host.open.size, 0);
});

const OK = 'HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok';

/** Sends by a name, sequentially: each resolves it first, and by then the connection is idle again. */
async function startSends(t: TestContext) {
  const { dns, outbound } = await start(t);
  dns.records.set('kept.test', [PUBLIC]);
  return { outbound, sendTo: ({ port }: Receiver) => outbound.send(post(`http://kept.test:${port}`)) };
}

test('a kept-alive connection that closes during a request is replaced once, a new one never', async (t) => {
  const { outbound, sendTo } = await startSends(t);
  // Responds to the first request of each connection and closes it on the second.
  const answered = new WeakSet<object>();
  let sent = 0;
  const host = await receiveRaw(t, (socket) => {
    sent++;
    if (answered.has(socket)) return socket.destroy();
    answered.add(socket);
    socket.write(OK);
  });
  const send = () => sendTo(host);
  assert.equal(brief(await send()), 200);
  const second = await send();
  assert.equal(brief(second), 200);
  assert.ok(second.timings.connectMs !== null);
  assert.deepEqual([host.connections, sent], [2, 3]);

  // With several closed connections, the second try uses none of them.
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
  const { sendTo } = await startSends(t);
  let requests = 0;
  const host = await receiveRaw(t, (socket, nth) => {
    requests = nth;
    if (nth === 1) socket.write(OK);
    else socket.destroy();
  });
  assert.equal(brief(await sendTo(host)), 200);
  assert.equal(brief(await sendTo(host)), 'CONNECTION_LOST');
  assert.deepEqual([host.connections, requests], [2, 3]);
});

test('a connection that fails is tried once', async (t) => {
  const { outbound } = await start(t);
  const host = await listen(
    t,
    createServer((socket) => socket.destroy()),
  );
  assert.equal(brief(await outbound.send(post(`https://${PUBLIC}:${host.port}`))), 'TLS_FAILED');
  assert.equal(host.connections, 1);
});

test('a partly answered request is not sent again', async (t) => {
  const { sendTo } = await startSends(t);
  let requests = 0;
  const host = await receiveRaw(t, (socket, nth) => {
    requests = nth;
    if (nth === 1) socket.write(OK);
    else socket.end('HTTP/1.1 200 OK\r\ncontent-le');
  });
  assert.equal(brief(await sendTo(host)), 200);
  assert.equal(brief(await sendTo(host)), 'CONNECTION_LOST');
  assert.deepEqual([host.connections, requests], [1, 2]);
});

test('a connection that the host closed while idle is not noticed', async (t) => {
  const { outbound } = await start(t);
  const host = await receiveRaw(t, (socket) => socket.end(OK));
  for (let nth = 0; nth < 5; nth++) {
    assert.equal(brief(await outbound.send(post(`http://${PUBLIC}:${host.port}`))), 200);
    await wait(nth * 10);
  }
  assert.equal(host.connections, 5);
});

test('close waits for active sends and leaves no connection', async (t) => {
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
  assert.equal(brief(await outbound.send(post(url))), 204); // they left no connection busy
});
