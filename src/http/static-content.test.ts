import assert from 'node:assert/strict';
import { test } from 'node:test';
import fastify from 'fastify';
import type { App } from './edge.ts';
import { chooseEncoding, SHORT_CACHING, staticRoute } from './static-content.ts';

test('the best encoding that the client accepts is chosen', () => {
  const cases: [string | undefined, string][] = [
    [undefined, 'identity'],
    ['', 'identity'],
    ['gzip, deflate, br, zstd', 'br'],
    ['gzip, deflate', 'gzip'],
    ['GZIP', 'gzip'],
    ['br;q=0.5, gzip;q=0.8', 'gzip'],
    ['br;q=0, gzip', 'gzip'],
    ['br ; q=0.001', 'br'],
    ['*', 'br'],
    ['*, br;q=0', 'gzip'],
    ['*;q=0', 'identity'],
    ['identity, gzip;q=0.5', 'identity'],
    ['identity;q=0', 'identity'],
    ['deflate, zstd', 'identity'],
    ['br;q=2, gzip;q=x, ;', 'br'],
  ];
  for (const [accepted, encoding] of cases)
    assert.equal(chooseEncoding(accepted), encoding, String(accepted));
});

test('content is loaded with the first request, and again after a failure', async (t) => {
  const app = fastify() as unknown as App;
  t.after(() => app.close());
  let loads = 0;
  let broken = true;
  staticRoute(app, '/page', {
    type: 'text/plain; charset=utf-8',
    caching: SHORT_CACHING,
    async load() {
      loads += 1;
      if (broken) throw new Error('the disk is away');
      return 'a page';
    },
  });
  await app.ready();
  assert.equal(loads, 0);
  const failed = await app.inject('/page');
  assert.equal(failed.statusCode, 500);
  assert.equal(failed.headers['cache-control'], undefined, 'nobody keeps a failure');
  broken = false;
  const answers = await Promise.all([1, 2, 3].map(() => app.inject('/page')));
  assert.deepEqual(
    answers.map(({ statusCode, body }) => [statusCode, body]),
    Array(3).fill([200, 'a page']),
  );
  assert.equal(loads, 2);
});
