import assert from 'node:assert/strict';
import { test } from 'node:test';
import { restartInTurn, startBalancer } from '../chaos/balancer.ts';
import { supervise } from '../chaos/processes.ts';
import { ready } from '../chaos/settling.ts';
import { createWorld } from './fixtures.ts';
import {
  afterwards,
  createPostgresDatabase,
  OPERATOR_TOKEN,
  onPostgres,
  SECRETS_KEY,
  startTestService,
} from './harness.ts';
import { freePort } from './ports.ts';

test('two processes restarted in turn under load: no request fails', {
  skip: !onPostgres && 'two processes need PostgreSQL',
}, async (t) => {
  const databaseUrl = await createPostgresDatabase(t);
  const { key } = await createWorld(
    await startTestService(t, { databaseUrl, env: { ROLES: 'api' }, sandboxClock: true }),
  );
  const ports = [await freePort(), await freePort()];
  const bases = ports.map((port) => `http://127.0.0.1:${port}`);
  const apis = ports.map((port) =>
    supervise(`api at ${port}`, {
      DATABASE_URL: databaseUrl,
      DEPLOYMENT: 'sandbox',
      // Longer than the balancer needs to learn that one of them is about to stop.
      DRAIN_SECONDS: '2',
      OPERATOR_TOKEN,
      SECRETS_KEY,
      LOG_LEVEL: 'error',
      PORT: String(port),
      ROLES: 'api',
    }),
  );
  afterwards(t, () => Promise.all(apis.map((api) => api.stop())));
  for (const base of bases) await ready(base);

  const balancer = startBalancer(bases, { key, clients: 4, probes: true });
  await restartInTurn(bases, apis, balancer, 2);
  await balancer.stop();
  assert.deepEqual(balancer.failures, []);
  assert.ok(balancer.requests > 100, `${balancer.requests} requests`);
  assert.deepEqual(
    apis.flatMap(({ deaths }) => deaths),
    [],
  );
});
