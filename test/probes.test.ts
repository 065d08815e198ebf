import assert from 'node:assert/strict';
import { once } from 'node:events';
import { test } from 'node:test';
import { createHttpApp } from '../src/http/edge.ts';
import { probeRoutes } from '../src/http/probes.ts';
import { createLogger } from '../src/runtime/logger.ts';
import { call, startTestService } from './harness.ts';

test('an outage that is detected while a probe waits: not ready', async (t) => {
  const service = await startTestService(t);
  const { deps } = service;
  let found: Record<string, string> = {};
  const app = createHttpApp({
    logger: createLogger('fatal', { write() {} }),
    metrics: deps.metrics,
    trustedProxies: [],
    requireHttps: false,
    docsUrl: 'http://127.0.0.1/docs',
  });
  t.after(() => app.close());
  // The question goes out, and nothing comes back.
  const silent = { ...deps.db, first: () => new Promise<never>(() => {}) };
  const asked = once(app.server, 'request').then(() => {
    found = { database: 'unreachable' };
  });
  probeRoutes(app, { db: silent, build: deps.build, faults: () => found, isDraining: () => false });
  const base = await app.listen({ host: '127.0.0.1', port: 0 });
  const answer = await call(base, 'GET', '/readyz');
  await asked;
  assert.deepEqual([answer.status, answer.body], [503, { status: 'unavailable', database: 'unreachable' }]);
  found = {};
  assert.equal((await call(base, 'GET', '/readyz')).status, 200, 'a pool that is only busy');
});
