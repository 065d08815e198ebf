import assert from 'node:assert/strict';
import { createServer, type Socket } from 'node:net';
import { type TestContext, test } from 'node:test';
import { gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { listen, post, type Receiver, receiveRaw } from '../../test/receivers.ts';
import { createOutbound, type Outbound, type OutboundOutcome, type OutboundRequest } from './requests.ts';

/** Hosts with invalid responses, over real connections. */
function start(t: TestContext): Outbound {
  const outbound = createOutbound({ isAllowed: () => true });
  t.after(() => outbound.close());
  return outbound;
}

/** Sends one request to a host that responds by calling `answer`; also waits for the connection's end. */
async function sendTo(
  t: TestContext,
  answer: (socket: Socket) => void,
  changes: Partial<OutboundRequest> = {},
): Promise<OutboundOutcome & { host: Receiver }> {
  const outbound = start(t);
  const host = await receiveRaw(t, answer);
  const outcome = await outbound.send(post(`http://127.0.0.1:${host.port}`, changes));
  return { ...outcome, host };
}

async function hungUp(host: Receiver): Promise<void> {
  const open = [...host.open];
  await Promise.all(open.map((socket) => new Promise((resolve) => socket.once('close', resolve))));
}

/** Writes `first`, then the text repeatedly, as fast as it is read (or every so many milliseconds), until the end. */
function flood(socket: Socket, text: string, every?: number, first = ''): void {
  let written = 0;
  socket.write(first);
  if (every === undefined) text = text.repeat(Math.ceil(16_384 / text.length));
  const write = (): void => {
    while (!socket.destroyed && written < 1_000_000_000) {
      written += text.length;
      if (!socket.write(text) || every !== undefined) break;
    }
  };
  if (every === undefined) socket.on('drain', write);
  else {
    const timer = setInterval(write, every);
    socket.on('close', () => clearInterval(timer));
  }
  write();
}

const HEAD = 'HTTP/1.1 200 OK\r\n';

test('complete responses with every framing', async (t) => {
  const answers: Record<string, string> = {
    'content-length': `${HEAD}content-length: 4\r\n\r\nbody`,
    chunks: `${HEAD}transfer-encoding: chunked\r\n\r\n2\r\nbo\r\n2;x=y\r\ndy\r\n0\r\ntrailer: x\r\n\r\n`,
    'until the end': `${HEAD}\r\nbody`,
    'HTTP/1.0': 'HTTP/1.0 200 OK\r\n\r\nbody',
    'no reason': 'HTTP/1.1 200\r\ncontent-length: 4\r\n\r\nbody',
    interim: `HTTP/1.1 103 Early Hints\r\nlink: x\r\n\r\nHTTP/1.1 102 Processing\r\n\r\n${HEAD}content-length: 4\r\n\r\nbody`,
  };
  for (const [name, text] of Object.entries(answers)) {
    const { error, statusCode, body } = await sendTo(t, (socket) => socket.end(text));
    assert.deepEqual([error, statusCode, body.toString()], [null, 200, 'body'], name);
  }
});

test('invalid HTTP', async (t) => {
  const answers: Record<string, string> = {
    greeting: '220 mail.example ESMTP\r\n',
    zeros: '\0'.repeat(100),
    'HTTP/2': 'HTTP/2 200\r\n\r\n',
    'a status that is none': 'HTTP/1.1 abc OK\r\n\r\n',
    'a header without a colon': `${HEAD}nothing\r\n\r\n`,
    'a header that goes on after content-length': `${HEAD}content-length: 5\r\nb\0d: x\r\n\r\n12345`,
    'two lengths': `${HEAD}content-length: 1\r\ncontent-length: 2\r\n\r\nab`,
    'length and chunks': `${HEAD}content-length: 1\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n`,
    'a length that is no number': `${HEAD}content-length: x\r\n\r\n`,
    'switching protocols': 'HTTP/1.1 101 Switching\r\nconnection: upgrade\r\nupgrade: websocket\r\n\r\n',
    'switching to nothing': 'HTTP/1.1 101 Switching\r\n\r\n',
  };
  for (const [name, text] of Object.entries(answers)) {
    const outcome = await sendTo(t, (socket) => socket.write(text));
    assert.deepEqual([outcome.error, outcome.statusCode], ['INVALID_ANSWER', null], name);
    await hungUp(outcome.host);
  }
  const inBody = await sendTo(t, (socket) =>
    socket.write(`${HEAD}transfer-encoding: chunked\r\n\r\n2\r\nabXX`),
  );
  assert.deepEqual([inBody.error, inBody.statusCode, inBody.body.toString()], ['INVALID_ANSWER', 200, 'ab']);
});

test('a connection that closes before the end of the response', async (t) => {
  const answers: [string, number | null, string][] = [
    ['', null, ''],
    ['HTTP/1.1 200 OK\r\nconte', null, ''],
    [`${HEAD}content-length: 10\r\n\r\n12345`, 200, '12345'],
    [`${HEAD}connection: close\r\ncontent-length: 10\r\n\r\n12345`, 200, '12345'],
    [`${HEAD}transfer-encoding: chunked\r\n\r\n3\r\nabc\r\n`, 200, 'abc'],
    [`${HEAD}connection: close\r\ntransfer-encoding: chunked\r\n\r\n3\r\nabc\r\n`, 200, 'abc'],
  ];
  for (const [text, status, read] of answers) {
    const { error, statusCode, body } = await sendTo(t, (socket) => socket.end(text));
    assert.deepEqual([error, statusCode, body.toString()], ['CONNECTION_LOST', status, read], text);
  }
  const reset = await sendTo(t, (socket) => {
    socket.write(`${HEAD}content-length: 10\r\n\r\n12345`, () =>
      setTimeout(() => socket.resetAndDestroy(), 50),
    );
  });
  assert.deepEqual([reset.error, reset.statusCode], ['CONNECTION_LOST', 200]);
});

test('no more than maxBody is read, and the connection ends', async (t) => {
  const endless: Record<string, (socket: Socket) => void> = {
    'until the end': (socket) => {
      socket.write(`${HEAD}\r\n`);
      flood(socket, 'x'.repeat(65_536));
    },
    chunks: (socket) => {
      socket.write(`${HEAD}transfer-encoding: chunked\r\n\r\n`);
      flood(socket, `10000\r\n${'x'.repeat(65_536)}\r\n`);
    },
    announced: (socket) => {
      socket.write(`${HEAD}content-length: 9000000000000000\r\n\r\n`);
      flood(socket, 'x'.repeat(65_536));
    },
    'one byte at a time': (socket) => {
      socket.write(`${HEAD}\r\n`);
      flood(socket, 'x', 1);
    },
  };
  for (const [name, answer] of Object.entries(endless)) {
    const { error, statusCode, body, host } = await sendTo(t, answer, { maxBody: 100 });
    assert.deepEqual([error, statusCode, body.toString()], [null, 200, 'x'.repeat(100)], name);
    await hungUp(host);
  }
});

test('a body of exactly maxBody bytes is complete, and an empty one leaves the connection open', async (t) => {
  const text = (body: string) => `${HEAD}content-length: ${body.length}\r\n\r\n${body}`;
  for (const [body, maxBody, read] of [
    ['12345', 5, '12345'],
    ['12345', 6, '12345'],
    ['12345', 4, '1234'],
    ['12345', 0, ''],
    ['', 0, ''],
  ] as const) {
    const { error, body: found, host } = await sendTo(t, (socket) => socket.write(text(body)), { maxBody });
    assert.deepEqual([error, found.toString()], [null, read], `${body} ${maxBody}`);
    if (body === '' || maxBody === 6) assert.equal(host.open.size, 1);
    else await hungUp(host);
  }
});

test('a body is never decompressed', async (t) => {
  const bomb = gzipSync(Buffer.alloc(10_000_000));
  const { body, error } = await sendTo(
    t,
    (socket) => {
      socket.write(`${HEAD}content-encoding: gzip\r\ncontent-length: ${bomb.length}\r\n\r\n`);
      socket.write(bomb);
    },
    { maxBody: 1_000_000 },
  );
  assert.equal(error, null);
  assert.deepEqual(body, bomb);
});

test('endless headers, and endless interim responses', async (t) => {
  const floods: Record<string, [string, string]> = {
    'many headers': [HEAD, 'x-a: b\r\n'],
    'one header': [`${HEAD}x-a: `, 'y'.repeat(1_000)],
    'a header name': [HEAD, 'y'.repeat(1_000)],
    trailers: [`${HEAD}transfer-encoding: chunked\r\n\r\n0\r\n`, 'x-a: b\r\n'],
    interim: ['', 'HTTP/1.1 102 Processing\r\n\r\n'],
    'early hints': ['', `HTTP/1.1 103 Early Hints\r\nlink: ${'x'.repeat(1_000)}\r\n\r\n`],
  };
  for (const [name, [first, more]] of Object.entries(floods)) {
    const { error, host } = await sendTo(t, (socket) => {
      socket.write(first);
      flood(socket, more);
    });
    assert.equal(error, 'INVALID_ANSWER', name);
    await hungUp(host);
  }
});

test('discarded floods end in time and use no memory', async (t) => {
  const floods: [string, string][] = [
    ['HTTP/1.1 200 ', 'reason '.repeat(10_000)],
    [`${HEAD}transfer-encoding: chunked\r\n\r\n1;`, 'extension'.repeat(10_000)],
  ];
  for (const [first, more] of floods) {
    const before = process.memoryUsage().rss;
    const { error, host } = await sendTo(
      t,
      (socket) => {
        socket.write(first);
        flood(socket, more);
      },
      { timeout: 1_000 },
    );
    assert.equal(error, 'TIMEOUT', first);
    await hungUp(host);
    const grown = (process.memoryUsage().rss - before) / 1e6;
    assert.ok(grown < 150, `${grown} MB`);
  }
});

test('a response that trickles ends with the time-out, and its part is kept', async (t) => {
  const drips: [(socket: Socket) => void, number | null][] = [
    [() => {}, null],
    [(socket) => flood(socket, 'H', 60_000), null],
    [(socket) => flood(socket, 'x: y\r\n', 20, HEAD), null],
    [(socket) => flood(socket, 'HTTP/1.1 102 Processing\r\n\r\n', 100), null],
    [(socket) => flood(socket, 'x', 20, `${HEAD}\r\n`), 200],
    [(socket) => void socket.write(`HTTP/1.1 500 No\r\ncontent-length: 9\r\n\r\n`), 500],
  ];
  const outcomes = await Promise.all(
    drips.map(async ([answer, status]) => {
      const outcome = await sendTo(t, answer, { timeout: 500 });
      assert.deepEqual([outcome.error, outcome.statusCode], ['TIMEOUT', status], answer.toString());
      await hungUp(outcome.host);
      return outcome;
    }),
  );
  // Trickled bytes did not restart the time-out.
  for (const { durationMs } of outcomes) assert.ok(durationMs >= 499, `${durationMs} ms`);
  assert.match(outcomes[4]!.body.toString(), /^x+$/);
});

test('a host that does not read the request does not block the send', async (t) => {
  const outbound = start(t);
  const host = await listen(t, createServer());
  const request = post(`http://127.0.0.1:${host.port}`, { body: Buffer.alloc(50_000_000), timeout: 500 });
  const { error } = await outbound.send(request);
  assert.equal(error, 'TIMEOUT');
});

test('undici refuses a 100 that it did not ask for', async (t) => {
  const text = `HTTP/1.1 100 Continue\r\n\r\n${HEAD}content-length: 0\r\n\r\n`;
  assert.equal((await sendTo(t, (socket) => socket.end(text))).error, 'INVALID_ANSWER');
});

test('several responses to one request do not affect the next', async (t) => {
  const outbound = start(t);
  let requests = 0;
  const one = (nth: number) => `${HEAD}content-length: 1\r\n\r\n${nth}`;
  const host = await receiveRaw(t, (socket) => {
    requests++;
    socket.write(one(requests) + one(9));
  });
  for (let nth = 1; nth <= 5; nth++) {
    const { error, body } = await outbound.send(post(`http://127.0.0.1:${host.port}`));
    assert.deepEqual([error, body.toString()], [null, String(nth)]);
  }
  assert.equal(requests, 5);
});

test('for any bytes every send ends with an outcome', async (t) => {
  const outbound = start(t);
  let pieces: string[] = [];
  let hangUp = false;
  const host = await receiveRaw(t, (socket) => {
    for (const piece of pieces) socket.write(piece, 'latin1');
    if (hangUp) socket.end();
  });
  const words = fc.constantFrom(
    'HTTP/1.1 ',
    'HTTP/1.0 ',
    '200 OK',
    '100 Continue',
    '101 Switching',
    '102 Processing',
    '204 No Content',
    '304',
    '999 ',
    '\r\n',
    '\r\n\r\n',
    'content-length: ',
    '5',
    '0',
    'transfer-encoding: chunked\r\n',
    'connection: close\r\n',
    'connection: upgrade\r\nupgrade: x\r\n',
    'keep-alive: timeout=1\r\n',
    'hello',
    '5\r\nhello\r\n',
    '0\r\n\r\n',
    `${HEAD}content-length: 5\r\n\r\nhello`,
  );
  const known = new Set([null, 'TIMEOUT', 'CONNECTION_LOST', 'INVALID_ANSWER']);
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.oneof(words, fc.string()), { maxLength: 12 }),
      fc.boolean(),
      async (text, ends) => {
        pieces = text;
        hangUp = ends;
        const request = post(`http://127.0.0.1:${host.port}`, { timeout: 30 });
        const { error, statusCode, body } = await outbound.send(request);
        assert.ok(known.has(error), String(error));
        assert.ok(error !== null || statusCode !== null);
        assert.ok(body.length <= request.maxBody);
      },
    ),
    { numRuns: 300 },
  );
});
