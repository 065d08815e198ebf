import { freePort } from '../test/ports.ts';
import { restartInTurn, startBalancer } from './balancer.ts';
import { withClosers } from './closers.ts';
import { createCluster } from './cluster.ts';
import { supervise } from './processes.ts';
import { createScene, OPERATOR_TOKEN, openReceiver } from './scene.ts';
import { ready } from './settling.ts';

/**
 * Two apis behind a balancer, restarted in turn under load: `node chaos/rolling.ts [restarts] [--blind]`. With --blind
 * the balancer has no readiness probes. docs/decisions/production.md has the results.
 */

const CLIENTS = 16;

async function main(onClose: (closer: () => unknown) => void): Promise<void> {
  const [given = '20'] = process.argv.slice(2).filter((word) => word !== '--blind');
  const restarts = Number(given);
  const probes = !process.argv.includes('--blind');
  if (!Number.isInteger(restarts) || restarts < 1) throw new Error('how many restarts?');
  const cluster = await createCluster();
  onClose(cluster.remove);
  await cluster.start();
  const receiver = await openReceiver();
  onClose(receiver.close);
  const ports = [await freePort(), await freePort()];
  const bases = ports.map((port) => `http://127.0.0.1:${port}`);
  const apis = ports.map((port, index) =>
    supervise(`api ${index + 1}`, {
      DATABASE_URL: cluster.url(),
      DEPLOYMENT: 'sandbox',
      // The default of a production deployment.
      DRAIN_SECONDS: process.env.DRAIN_SECONDS || '5',
      OPERATOR_TOKEN,
      WEBHOOK_ALLOW_HOSTS: receiver.host,
      LOG_LEVEL: 'warn',
      PORT: String(port),
      ROLES: 'api',
    }),
  );
  onClose(() => Promise.all(apis.map((it) => it.stop())));
  for (const base of bases) await ready(base);
  const scene = await createScene(bases[0]!, receiver);

  const started = performance.now();
  const balancer = startBalancer(bases, { key: scene.partners[0]!.key, clients: CLIENTS, probes });
  await restartInTurn(bases, apis, balancer, restarts);
  await balancer.stop();
  for (const failure of balancer.failures.slice(0, 50)) console.error(failure);
  const seconds = (performance.now() - started) / 1_000;
  console.log(
    [
      `${restarts} restarts in ${seconds.toFixed(0)} s${probes ? '' : ', by a balancer that asks nobody'}`,
      `${balancer.failures.length} of ${balancer.requests} requests failed`,
    ].join('; '),
  );
  if (balancer.failures.length > 0) process.exitCode = 1;
}

await withClosers(main);
