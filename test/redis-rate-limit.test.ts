import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';
import { type TestContext, test } from 'node:test';
import { Redis } from 'ioredis';
import type { Verdict } from '../src/runtime/rate-limit.ts';
import { redisRateLimiter } from '../src/runtime/redis-rate-limit.ts';
import { call, startTestService } from './harness.ts';
import { until } from './until.ts';

const url = process.env.TEST_REDIS_URL;
const options = { skip: url === undefined && 'TEST_REDIS_URL names no Redis' };

function limiterAt(t: TestContext, redisUrl: string) {
  const states: string[] = [];
  const limiter = redisRateLimiter(
    redisUrl,
    () => 0,
    (state) => states.push(state),
  );
  t.after(() => limiter.close());
  return {
    take: async (key: string, limit: number) => limiter.take(key, limit, Date.now()) as Promise<Verdict>,
    states,
  };
}

/** Takes until the connection is up: before that the windows are the process's own. */
async function connected({ take, states }: ReturnType<typeof limiterAt>): Promise<void> {
  await until(async () => {
    await take(randomUUID(), 1);
    return states.length === 0 || states.at(-1) === 'shared';
  });
}

test(
  'windows are shared, and 100 simultaneous requests in two processes are limited exactly',
  options,
  async (t) => {
    const first = limiterAt(t, url!);
    const second = limiterAt(t, url!);
    await connected(first);
    await connected(second);
    const key = randomUUID();
    const since = Date.now();
    const verdicts = await Promise.all(
      Array.from({ length: 100 }, (_, index) => (index % 2 === 0 ? first : second).take(key, 30)),
    );
    assert.equal(verdicts.filter((verdict) => verdict.allowed).length, 30);
    const refused = await first.take(key, 30);
    assert.equal(refused.allowed, false);
    assert.equal(refused.remaining, 0);
    const passed = Date.now() - since;
    assert.ok(
      refused.resetAfter >= 60_000 - passed - 1 && refused.resetAfter <= 60_000,
      `${refused.resetAfter}`,
    );
  },
);

test('the log slides', options, async (t) => {
  const redis = new Redis(url!);
  t.after(() => redis.disconnect());
  const limiter = limiterAt(t, url!);
  await connected(limiter);
  const key = randomUUID();
  const now = Date.now();
  // As if these had been allowed earlier: two outside the window, two inside.
  await redis.rpush(`rate:${key}`, now - 70_000, now - 60_500, now - 50_000, now - 1_000);
  const verdict = await limiter.take(key, 3);
  assert.deepEqual([verdict.allowed, verdict.remaining], [true, 0]);
  const refused = await limiter.take(key, 3);
  assert.equal(refused.allowed, false);
  const passed = Date.now() - now;
  assert.ok(
    refused.resetAfter >= 10_000 - passed - 1 && refused.resetAfter <= 10_000 + 1,
    `${refused.resetAfter}`,
  );
  assert.ok((await redis.pttl(`rate:${key}`)) > 0, 'the key expires by itself');
});

/** A proxy to Redis that can be cut and frozen. */
async function proxyToRedis(t: TestContext) {
  const target = new URL(url!);
  const sockets = new Set<Socket>();
  let connections = 0;
  const proxy = createServer((client) => {
    connections++;
    const upstream = connect(Number(target.port || 6379), target.hostname);
    for (const socket of [client, upstream]) {
      sockets.add(socket);
      socket.on('error', () => socket.destroy());
    }
    client.pipe(upstream).pipe(client);
  });
  const listen = async (port: number): Promise<number> => {
    proxy.listen(port, '127.0.0.1');
    await once(proxy, 'listening');
    return (proxy.address() as { port: number }).port;
  };
  const cut = (): void => {
    proxy.close();
    for (const socket of sockets) socket.destroy();
  };
  t.after(cut);
  const port = await listen(0);
  return {
    url: `redis://127.0.0.1:${port}`,
    connections: () => connections,
    cut,
    mend: () => listen(port),
    freeze: () => {
      for (const socket of sockets) socket.unpipe().pause();
    },
  };
}

test('a Redis outage: windows of the process, then shared again', options, async (t) => {
  const proxy = await proxyToRedis(t);
  const limiter = limiterAt(t, proxy.url);
  await connected(limiter);
  const key = randomUUID();
  for (let request = 0; request < 2; request++) await limiter.take(key, 2);
  assert.equal((await limiter.take(key, 2)).allowed, false);

  proxy.cut();
  const verdicts = [await limiter.take(key, 2), await limiter.take(key, 2), await limiter.take(key, 2)];
  assert.deepEqual(
    verdicts.map((verdict) => verdict.allowed),
    [true, true, false],
    'its own window, and a limit still',
  );
  assert.equal(limiter.states.at(-1), 'local');

  await proxy.mend();
  await connected(limiter);
  assert.equal((await limiter.take(key, 2)).allowed, false, 'the shared window remembers');
});

test('a Redis that hangs delays one request briefly, not every one', options, async (t) => {
  const proxy = await proxyToRedis(t);
  const limiter = limiterAt(t, proxy.url);
  await connected(limiter);
  proxy.freeze();
  // Of two timers that start together the shorter one is first, however busy the machine is.
  const isDelayed = async (milliseconds: number): Promise<boolean> => {
    const late = new Promise<'late'>((resolve) => setTimeout(resolve, milliseconds, 'late'));
    const taken = limiter.take('k', 1000);
    const first = await Promise.race([late, taken]);
    assert.equal((await taken).allowed, true);
    return first === 'late';
  };
  assert.equal(await isDelayed(200), true);
  for (let request = 1; request < 100; request++) assert.equal(await isDelayed(1), false);
});

test('nothing is written to another database than the configured one', options, async (t) => {
  const proxy = await proxyToRedis(t);
  const limiter = limiterAt(t, `${proxy.url}/99999`);
  const redis = new Redis(url!, { db: 0 });
  t.after(() => redis.disconnect());
  const key = randomUUID();
  const written = () => redis.exists(`rate:${key}`);
  // After the refusal it tries again: the server may get more databases.
  await until(async () => {
    await limiter.take(key, 1);
    return proxy.connections() > 3 || (await written()) > 0;
  });
  assert.equal(await written(), 0);
  assert.deepEqual(limiter.states, ['local']);
});

test('the metrics say whether Redis answers', options, async (t) => {
  for (const [redisUrl, isUp] of [
    [url!, 1],
    ['redis://127.0.0.1:1', 0],
  ] as const) {
    const service = await startTestService(t, { env: { REDIS_URL: redisUrl } });
    const sample = `redis_up{used_for="rate_limits"} ${isUp}`;
    await until(async () => (await call(service.url, 'GET', '/metrics')).text.includes(sample));
  }
});
