import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { type TestContext, test } from 'node:test';
import { endUnreadResponses } from './slow-peers.ts';

const TIMEOUT = 60_000;
const LARGE = Buffer.alloc(64 * 1024 * 1024);

/** A connection with a large unread response, on a server with a manual clock. */
async function unreadAnswer(t: TestContext) {
  const server = createServer((_request, response) => response.end(LARGE)).listen(0, '127.0.0.1');
  t.after(() => server.close());
  let now = 0;
  let looked = (): void => {};
  const stop = endUnreadResponses(server, TIMEOUT, 5, () => {
    looked();
    return now;
  });
  t.after(stop);
  await once(server, 'listening');
  const peer = connect((server.address() as AddressInfo).port, '127.0.0.1').pause();
  t.after(() => peer.destroy());
  const accepted = once(server, 'connection') as Promise<[Socket]>;
  peer.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n');
  const [ours] = await accepted;
  while (ours.writableLength === 0) await new Promise(setImmediate);
  /** Two checks: the second one certainly after everything before. */
  const look = async (): Promise<void> => {
    for (let time = 0; time < 2; time++)
      await new Promise<void>((resolve) => {
        looked = resolve;
      });
  };
  return {
    peer,
    ours,
    look,
    pass: (milliseconds: number) => {
      now += milliseconds;
    },
  };
}

/** Reads until the server's kernel has accepted that many more bytes. */
async function take(peer: Socket, ours: Socket, bytes: number): Promise<void> {
  const waiting = () => (ours as unknown as { _handle: { writeQueueSize: number } })._handle.writeQueueSize;
  const before = waiting();
  while (before - waiting() < bytes) if (peer.read() === null) await new Promise(setImmediate);
}

test('a response that is read slowly continues', async (t) => {
  const { peer, ours, look, pass } = await unreadAnswer(t);
  await look();
  for (let time = 0; time < 5; time++) {
    pass(TIMEOUT * 0.6);
    await take(peer, ours, 64 * 1024);
    await look();
    assert.ok(!ours.destroyed, `after ${time} times`);
  }
});

test('a response that is not read is ended', async (t) => {
  const { ours, look, pass } = await unreadAnswer(t);
  // More than once only if the kernels had free buffers.
  for (let time = 0; time < 20 && !ours.destroyed; time++) {
    await look();
    pass(TIMEOUT - 1);
    await look();
    pass(1);
    await look();
  }
  assert.ok(ours.destroyed);
});
