import { setTimeout as wait } from 'node:timers/promises';
import { freePort } from '../test/ports.ts';
import { openTcpProxy, type TcpProxy } from '../test/tcp-proxy.ts';
import { startClients } from './clients.ts';
import { withClosers } from './closers.ts';
import { type Cluster, createCluster } from './cluster.ts';
import { type Supervised, supervise } from './processes.ts';
import { createScene, OPERATOR_TOKEN, openReceiver, TEAMS } from './scene.ts';
import { ready, settled } from './settling.ts';

/**
 * A storm: two apis, a worker and a separate PostgreSQL server are killed and cut off while clients book, cancel and
 * read. Afterwards nothing acknowledged may be missing, duplicated or unfinished: `npm run chaos`.
 */

const SECONDS = Number(process.env.CHAOS_SECONDS ?? 120);
const CLIENTS_PER_PARTNER = 4;
/** Between two failures (milliseconds). */
const PAUSE_RANGE = [300, 2_000] as const;

/** A failure that takes longer is an error of the storm (milliseconds). */
const FAILURE_TIMEOUT = 40_000;

type Arena = { cluster: Cluster; proxy: TcpProxy; apis: Supervised[]; worker: Supervised };

const pick = <T>(items: readonly T[]): T => items[Math.floor(Math.random() * items.length)]!;
const between = (least: number, most: number): number => least + Math.random() * (most - least);

/** Connections of the service, as the server lists them. */
const BACKENDS = `from pg_stat_activity where application_name like 'partner-booking%'`;

/** The kinds of failures; each resolves when everything is recovering. */
const FAILURES: Record<string, (arena: Arena) => Promise<void>> = {
  'api killed': async ({ apis }) => pick(apis).kill(),
  'worker killed': async ({ worker }) => worker.kill(),
  'connections ended': async ({ cluster }) =>
    void (await cluster.run(`select pg_terminate_backend(pid) ${BACKENDS}`)),
  'backend killed': async ({ cluster }) => {
    const backends = await cluster.run<{ pid: number }>(`select pid ${BACKENDS}`);
    if (backends.length > 0) process.kill(pick(backends).pid, 'SIGKILL');
  },
  'database killed': async ({ cluster }) => {
    await cluster.kill();
    await wait(between(0, 1_500));
    await cluster.start();
  },
  'database stopped at once': async ({ cluster }) => {
    await cluster.stopImmediately();
    await wait(between(0, 1_500));
    await cluster.start();
  },
  'connections cut': async ({ proxy }) => proxy.injectFault('cut'),
  'connections reset': async ({ proxy }) => proxy.injectFault('reset'),
  'connections silent': async ({ proxy }) => proxy.injectFault('silent'),
  'network silent': async ({ proxy }) => {
    proxy.stall();
    await wait(between(500, 3_000));
    await proxy.restore();
  },
  'network away': async ({ proxy }) => {
    await proxy.refuse();
    await wait(between(500, 2_000));
    await proxy.restore();
  },
};

/** Causes failures until the time is up, each kind once before any is repeated; returns the count of each. */
async function causeFailures(arena: Arena, until: number): Promise<Map<string, number>> {
  const counts = new Map<string, number>();
  let pending: string[] = [];
  while (performance.now() < until) {
    await wait(between(...PAUSE_RANGE));
    if (pending.length === 0) pending = Object.keys(FAILURES).sort(() => Math.random() - 0.5);
    const name = pending.pop()!;
    // The server may still be recovering from the last one.
    await arena.cluster.start();
    const late = wait(FAILURE_TIMEOUT, undefined, { ref: false }).then(() => {
      throw new Error(`the storm itself hangs: ${name}`);
    });
    await Promise.race([FAILURES[name]!(arena), late]);
    counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  await arena.cluster.start();
  return counts;
}

async function main(onClose: (closer: () => unknown) => void): Promise<void> {
  if (!(SECONDS > 0)) throw new Error('CHAOS_SECONDS must be a number of seconds');
  const cluster = await createCluster();
  onClose(cluster.remove);
  await cluster.start();
  const receiver = await openReceiver();
  onClose(receiver.close);
  const proxy = await openTcpProxy(cluster.url());
  onClose(proxy.close);
  const env = {
    DATABASE_URL: proxy.through(cluster.url()),
    DEPLOYMENT: 'sandbox',
    OPERATOR_TOKEN,
    WEBHOOK_ALLOW_HOSTS: receiver.host,
    LOG_LEVEL: 'warn',
  };
  const ports = [await freePort(), await freePort()];
  const bases = ports.map((port) => `http://127.0.0.1:${port}`);
  const apis = ports.map((port, index) =>
    supervise(`api ${index + 1}`, { ...env, PORT: String(port), ROLES: 'api' }),
  );
  const worker = supervise('worker', { ...env, PUBLIC_URL: bases[0]!, ROLES: 'worker' });
  const processes = [...apis, worker];
  onClose(() => Promise.all(processes.map((it) => it.stop())));
  for (const base of bases) await ready(base);
  const scene = await createScene(bases[0]!, receiver);

  const clients = startClients(bases, scene, CLIENTS_PER_PARTNER);
  const counts = await causeFailures({ cluster, proxy, apis, worker }, performance.now() + SECONDS * 1_000);
  const stormEnd = performance.now();
  await clients.stopBooking();
  const found = await settled(bases[0]!, scene, clients, receiver, TEAMS);
  const settling = performance.now() - stormEnd;
  await clients.stopReading();

  const deaths = processes.flatMap((it) => it.deaths.map((death) => ({ ...death, name: it.name })));
  for (const { name, code, output } of deaths) {
    console.error(`${name} ended by itself (${code}):\n${output}`);
    found.push(`${name} ended by itself`);
  }
  found.push(...clients.faults);
  for (const violation of found.slice(0, 50)) console.error(violation);
  const made = [...clients.watched.values()].flatMap(({ acknowledged }) => acknowledged);
  const events = [...clients.watched.values()].reduce((sum, { followed }) => sum + followed.length, 0);
  console.log(
    [
      `storm of ${SECONDS} s: ${[...counts].map(([name, times]) => `${times} × ${name}`).join(', ')}`,
      `${made.length} bookings and ${made.filter(({ canceled }) => canceled).length} cancellations acknowledged`,
      `${clients.failed} of ${clients.requests} requests unanswered or 5xx`,
      `longest without a booking ${(clients.longestSilence() / 1_000).toFixed(1)} s`,
      `${events} events, ${receiver.requests} deliveries`,
      `settled in ${(settling / 1_000).toFixed(1)} s`,
      `${deaths.length} deaths of its own`,
      `${found.length} violations`,
    ].join('; '),
  );
  if (found.length > 0) process.exitCode = 1;
}

await withClosers(main);
