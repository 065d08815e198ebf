import { setTimeout as wait } from 'node:timers/promises';
import { freePort } from '../test/ports.ts';
import { openTcpProxy, type TcpProxy } from '../test/tcp-proxy.ts';
import { withClosers } from './closers.ts';
import { type Cluster, createCluster } from './cluster.ts';
import { supervise } from './processes.ts';
import { createScene, newCustomer, OPERATOR_TOKEN, openReceiver, send } from './scene.ts';
import { ready } from './settling.ts';

/**
 * Measures how soon a process works again after an outage of its database, or broken connections, under load: `node
 * chaos/recovery.ts [rounds]`. bench/README.md has the results.
 */

const CLIENTS = 8;
/** Between two requests of a client, and between two readiness probes (milliseconds). */
const PAUSE = 10;
/** The duration of the database's outage (milliseconds): longer than its detection takes. */
const OUTAGE_MS = 4_000;
const CALM_MS = 2_000;
const BACK_WITHIN = 60_000;

type Arena = { cluster: Cluster; proxy: TcpProxy };
/** Causes a failure, and resolves when the database can be reached again. */
type Failure = { strike(arena: Arena): Promise<void>; isAway: boolean };

const ended = `select pg_terminate_backend(pid) from pg_stat_activity where application_name like 'partner-booking%'`;

const FAILURES: Record<string, Failure> = {
  'connections ended by the server': {
    isAway: false,
    strike: async ({ cluster }) => void (await cluster.run(ended)),
  },
  'connections reset': { isAway: false, strike: async ({ proxy }) => proxy.injectFault('reset') },
  'connections silent': { isAway: false, strike: async ({ proxy }) => proxy.injectFault('silent') },
  'database killed': {
    isAway: true,
    async strike({ cluster }) {
      await cluster.kill();
      await wait(OUTAGE_MS);
      await cluster.start();
    },
  },
  'network away': {
    isAway: true,
    async strike({ proxy }) {
      await proxy.refuse();
      await wait(OUTAGE_MS);
      await proxy.restore();
    },
  },
  'network silent': {
    isAway: true,
    async strike({ proxy }) {
      proxy.stall();
      await wait(OUTAGE_MS);
      await proxy.restore();
    },
  },
};

type Sample = { sentAt: number; endedAt: number; status: number };

/** Sends requests repeatedly; returns the samples so far, and a function that stops it. */
function sampling(ask: () => Promise<number>): { samples: Sample[]; stop(): Promise<void> } {
  const samples: Sample[] = [];
  let running = true;
  const done = (async () => {
    while (running) {
      const sentAt = performance.now();
      const status = await ask().catch(() => 0); // no response
      samples.push({ sentAt, endedAt: performance.now(), status });
      await wait(PAUSE);
    }
  })();
  return {
    samples,
    stop: () => {
      running = false;
      return done;
    },
  };
}

async function main(onClose: (closer: () => unknown) => void): Promise<void> {
  const rounds = Number(process.argv[2] ?? 5);
  const cluster = await createCluster();
  onClose(cluster.remove);
  await cluster.start();
  const receiver = await openReceiver();
  onClose(receiver.close);
  const proxy = await openTcpProxy(cluster.url());
  onClose(proxy.close);
  const port = await freePort();
  const base = `http://127.0.0.1:${port}`;
  const service = supervise('service', {
    DATABASE_URL: proxy.through(cluster.url()),
    DEPLOYMENT: 'sandbox',
    OPERATOR_TOKEN,
    WEBHOOK_ALLOW_HOSTS: receiver.host,
    LOG_LEVEL: 'fatal',
    PORT: String(port),
  });
  onClose(service.stop);
  await ready(base);
  const { key } = (await createScene(base, receiver)).partners[0]!;
  const book = async (): Promise<number> =>
    (await send(`${base}/v1/partners/contacts`, 'POST', { 'x-api-key': key }, newCustomer())).status;
  const probe = async (): Promise<number> => (await fetch(`${base}/readyz`)).status;

  const table: Record<string, Record<string, number | string>> = {};
  for (const [name, { strike, isAway }] of Object.entries(FAILURES)) {
    const found: Record<'first success' | 'all succeed' | 'readyz 503' | 'longest request', number[]> = {
      'first success': [],
      'all succeed': [],
      'readyz 503': [],
      'longest request': [],
    };
    for (let round = 0; round < rounds; round++) {
      const clients = Array.from({ length: CLIENTS }, () => sampling(book));
      const probes = sampling(probe);
      await wait(CALM_MS);
      const struckAt = performance.now();
      await strike({ cluster, proxy });
      const backAt = performance.now();
      const samples = (): Sample[] => clients.flatMap((it) => it.samples);
      const first = (): number =>
        Math.min(
          ...samples().flatMap((it) =>
            it.status === 200 && it.sentAt > struckAt && it.endedAt > backAt ? [it.endedAt] : [],
          ),
        );
      while (first() === Number.POSITIVE_INFINITY) {
        if (performance.now() - backAt > BACK_WITHIN) throw new Error(`not back after: ${name}`);
        await wait(PAUSE);
      }
      await wait(CALM_MS);
      await Promise.all([...clients, probes].map(({ stop }) => stop()));
      const after = samples().filter((it) => it.endedAt > struckAt);
      found['first success'].push(first() - backAt);
      const failures = after.filter((it) => it.status !== 200 && it.endedAt > backAt);
      found['all succeed'].push(Math.max(0, ...failures.map((it) => it.endedAt - backAt)));
      found['longest request'].push(Math.max(...after.map((it) => it.endedAt - it.sentAt)));
      const notReady = probes.samples.find((it) => it.endedAt > struckAt && it.status === 503);
      if (isAway)
        found['readyz 503'].push(
          notReady === undefined ? Number.POSITIVE_INFINITY : notReady.endedAt - struckAt,
        );
    }
    const worst = (times: number[]): number | string =>
      times.length === 0 ? '' : Math.round(Math.max(...times)) / 1_000;
    table[name] = Object.fromEntries(Object.entries(found).map(([what, times]) => [what, worst(times)]));
  }
  console.table(table);
  console.log(`seconds, the worst of ${rounds} rounds; ${service.deaths.length} deaths of its own`);
}

await withClosers(main);
