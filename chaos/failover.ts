import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { freePort } from '../test/ports.ts';
import { startClients } from './clients.ts';
import { withClosers } from './closers.ts';
import { cutReplication, missingPackages, startPatroni } from './patroni.ts';
import { supervise } from './processes.ts';
import { createScene, OPERATOR_TOKEN, openReceiver, send, TEAMS } from './scene.ts';
import { ready, settled } from './settling.ts';
import { troubles } from './troubles.ts';

/**
 * A real failover, with the files under deploy/patroni and deploy/pgbackrest: two servers under Patroni, HAProxy in front of both. Under load the
 * leader is killed, the killed machine comes back as a standby, and the cluster of a minute before is restored from its
 * archive: `npm run failover`. With `asynchronous` commits are lost on purpose. docs/failover.md has the same for a deployment.
 */

const CLIENTS_PER_PARTNER = 4;
/** The duration of load before and after (milliseconds). */
const LOAD = 8_000;
/** Bookings that only the leader has, in an asynchronous cluster. */
const UNREPLICATED = 10;

async function main(onClose: (closer: () => unknown) => void): Promise<void> {
  const missing = missingPackages();
  if (missing.length > 0) {
    console.error(`failover: apt-get install ${missing.join(' ')}`);
    process.exitCode = 1;
    return;
  }
  const isSynchronous = process.argv[2] !== 'asynchronous';
  const folder = mkdtempSync(join(tmpdir(), 'pbs-failover-'));
  onClose(() => rmSync(folder, { recursive: true, force: true, maxRetries: 10 }));
  const patroni = await startPatroni(folder, isSynchronous, onClose);
  const first = await patroni.leader();
  await patroni.backUp();

  const receiver = await openReceiver();
  onClose(receiver.close);
  const env = {
    DATABASE_URL: patroni.url,
    DEPLOYMENT: 'sandbox',
    OPERATOR_TOKEN,
    WEBHOOK_ALLOW_HOSTS: receiver.host,
    LOG_LEVEL: 'warn',
  };
  const apiPort = await freePort();
  const base = `http://127.0.0.1:${apiPort}`;
  const processes = [
    supervise('api', { ...env, PORT: String(apiPort), ROLES: 'api' }),
    supervise('worker', { ...env, PUBLIC_URL: base, ROLES: 'worker' }),
  ];
  onClose(() => Promise.all(processes.map((it) => it.stop())));
  await ready(base);
  const scene = await createScene(base, receiver);
  const clients = startClients([base], scene, CLIENTS_PER_PARTNER);
  await wait(LOAD);
  const restorePoint = new Date();
  const known = acknowledged();
  await wait(LOAD / 4);
  let cursor: string | null = null;
  if (!isSynchronous) {
    await cutReplication(first);
    const kept = acknowledged();
    while (acknowledged() < kept + UNREPLICATED) await wait(20);
    cursor = (await readFeed(base, scene.partners[0]!.key, 'latest')).body.meta.nextCursor as string;
  }
  const before = acknowledged();
  const killed = performance.now();
  await first.kill();
  await clients.nextAcknowledgement();
  const back = performance.now();
  await wait(LOAD);
  await clients.stopBooking();
  const found = [...(await settled(base, scene, clients, receiver, TEAMS)), ...clients.faults];
  await clients.stopReading();
  for (const { name, deaths } of processes)
    for (const { code, output } of deaths) found.push(`${name} ended by itself (${code}): ${output}`);
  const results = [
    `failover (${isSynchronous ? 'synchronous' : 'asynchronous'}): ${before} bookings acknowledged before, ${acknowledged() - before} after`,
    `first booking ${seconds(killed, back)} after the kill`,
  ];
  if (cursor === null) {
    const rejoining = performance.now();
    first.start();
    await patroni.leader();
    results.push(`the killed machine is the standby after ${seconds(rejoining, performance.now())}`);
    const restoring = performance.now();
    const restored = await patroni.restore(restorePoint);
    const [row] = await restored.run<{ bookings: number }>('select count(*)::int as bookings from bookings');
    results.push(`${row!.bookings} bookings restored in ${seconds(restoring, performance.now())}`);
    // Up to one of each client was acknowledged while the time was read.
    if (Math.abs(row!.bookings - known) > 2 * CLIENTS_PER_PARTNER)
      found.push(`${row!.bookings} bookings were restored, ${known} had been acknowledged`);
    const tried = await troubles(patroni, { base, scene }, folder);
    found.push(...tried.faults);
    results.push(...tried.results);
  } else {
    // The loss is real, and partners are told.
    const lost = found.splice(0).filter((violation) => violation.includes('lost: '));
    results.push(`${lost.length} bookings lost with the leader`);
    if (lost.length === 0) found.push('nothing was lost: this run shows nothing');
    const { status } = await readFeed(base, scene.partners[0]!.key, cursor);
    if (status !== 400) found.push(`a cursor behind the loss is answered with ${status}`);
  }
  for (const violation of found.slice(0, 50)) console.error(violation);
  console.log([...results, `${found.length} violations`].join('; '));
  if (found.length > 0) process.exitCode = 1;

  function seconds(from: number, to: number): string {
    return `${((to - from) / 1_000).toFixed(1)} s`;
  }

  function acknowledged(): number {
    return [...clients.watched.values()].reduce((sum, it) => sum + it.acknowledged.length, 0);
  }
}

const readFeed = (base: string, key: string, after: string) =>
  send(`${base}/v1/partners/events?after=${encodeURIComponent(after)}`, 'GET', { 'x-api-key': key });

await withClosers(main);
