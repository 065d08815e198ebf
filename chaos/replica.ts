import { randomUUID } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { freePort } from '../test/ports.ts';
import { openTcpProxy } from '../test/tcp-proxy.ts';
import { withClosers } from './closers.ts';
import { createCluster } from './cluster.ts';
import { supervise } from './processes.ts';
import {
  createScene,
  newCustomer,
  OPERATOR_TOKEN,
  openReceiver,
  type PartnerAccess,
  STARTS,
  send,
} from './scene.ts';
import { ready } from './settling.ts';
import { createStandby, streams } from './standby.ts';

/**
 * A replica that is killed, falls silent, is held up and promoted, while keys write and list through two processes
 * behind one port: `node chaos/replica.ts`. Every list must have what its key was told to be booked, and come in time.
 */

/** How long each state lasts (milliseconds). */
const LOAD = 5_000;
const CLIENTS_PER_PARTNER = 3;
const READERS_PER_PARTNER = 2;
const DAYS = 300;
/** No list may take longer: a read on the replica, and then one on the primary. */
const LIST_WITHIN = 4_000;

type Seen = { bookings: number; lists: number; slowest: number; failed: number };

async function main(onClose: (closer: () => unknown) => void): Promise<void> {
  const primary = await createCluster();
  onClose(primary.remove);
  await primary.start();
  const standby = await createStandby(primary, 'replica');
  onClose(standby.remove);
  await standby.start();
  await streams(primary, 'async');
  const proxy = await openTcpProxy(standby.url());
  onClose(proxy.close);
  const receiver = await openReceiver();
  onClose(receiver.close);

  const port = await freePort();
  const base = `http://127.0.0.1:${port}`;
  const service = supervise('service', {
    DATABASE_URL: primary.url(),
    DATABASE_READ_URL: proxy.through(standby.url()),
    DEPLOYMENT: 'sandbox',
    OPERATOR_TOKEN,
    WEBHOOK_ALLOW_HOSTS: receiver.host,
    LOG_LEVEL: 'error',
    PORT: String(port),
    PROCESSES: '2',
  });
  onClose(service.stop);
  await ready(base);
  const scene = await createScene(base, receiver);

  const faults: string[] = [];
  let seen: Seen = { bookings: 0, lists: 0, slowest: 0, failed: 0 };
  let going = true;
  const acknowledged = new Map<string, number>();

  async function list({ key }: PartnerAccess, query = ''): Promise<{ total: number; ids: string[] } | null> {
    const began = performance.now();
    try {
      const answer = await send(`${base}/v1/partners/bookings${query}`, 'GET', { 'x-api-key': key });
      const took = performance.now() - began;
      seen.lists++;
      seen.slowest = Math.max(seen.slowest, took);
      if (took > LIST_WITHIN) faults.push(`a list took ${Math.round(took)} ms`);
      if (answer.status !== 200) faults.push(`a list was refused: ${JSON.stringify(answer.body)}`);
      else {
        const ids = answer.body.data.map(({ bookingId }: { bookingId: string }) => bookingId);
        return { total: answer.body.meta.total, ids };
      }
    } catch (error) {
      faults.push(`a list was not answered: ${error}`);
    }
    return null;
  }

  async function write(partner: PartnerAccess): Promise<void> {
    const headers = { 'x-api-key': partner.key };
    const customer = await send(`${base}/v1/partners/contacts`, 'POST', headers, newCustomer());
    const { id: contactId, addressId } = customer.body.data;
    while (going) {
      const startAt = STARTS[Math.floor(Math.random() * STARTS.length)]!;
      const endAt = `${String(Number(startAt.slice(0, 2)) + 1).padStart(2, '0')}${startAt.slice(2)}`;
      const ahead = 2 + Math.floor(Math.random() * DAYS);
      const externalReference = randomUUID();
      const answer = await send(`${base}/v1/partners/bookings`, 'POST', headers, {
        contactId,
        addressId,
        serviceId: scene.serviceId,
        date: new Date(Date.now() + ahead * 86_400_000).toISOString().slice(0, 10),
        timeslot: { startAt, endAt },
        externalReference,
      });
      if (answer.status !== 200) {
        if (answer.status >= 500) seen.failed++;
        continue;
      }
      seen.bookings++;
      acknowledged.set(partner.key, (acknowledged.get(partner.key) ?? 0) + 1);
      const found = await list(partner, `?externalReference=${externalReference}`);
      if (found !== null && found.ids[0] !== answer.body.data.bookingId)
        faults.push(`${partner.name} booked ${externalReference} and does not find it`);
      // Time for the replica to catch up before the key writes again.
      await wait(Math.random() * 200);
    }
  }

  async function read(partner: PartnerAccess): Promise<void> {
    while (going) {
      const known = acknowledged.get(partner.key) ?? 0;
      const found = await list(partner);
      if (found !== null && found.total < known)
        faults.push(`${partner.name} has ${known} bookings, a list only ${found.total}`);
      await wait(10);
    }
  }

  async function outcomes(): Promise<Map<string, number>> {
    const text = await (await fetch(`${base}/metrics`)).text();
    const found = text.matchAll(/^replica_reads_total\{outcome="(\w+)"\} (\d+)/gm);
    return new Map([...found].map(([, outcome, count]) => [outcome!, Number(count)]));
  }

  /** Lets clients go on for a while, and says what they saw; `by`: who must have answered lists. */
  async function phase(name: string, by: 'replica' | 'primary'): Promise<void> {
    const before = await outcomes();
    seen = { bookings: 0, lists: 0, slowest: 0, failed: 0 };
    await wait(LOAD);
    const { bookings, lists, slowest, failed } = seen;
    const after = await outcomes();
    const counts = [...after].map(
      ([outcome, count]) => [outcome, count - (before.get(outcome) ?? 0)] as const,
    );
    const all = counts.reduce((sum, [, count]) => sum + count, 0);
    const shares = counts.filter(([, count]) => count > 0).map(([outcome, count]) => `${outcome} ${count}`);
    const replica = counts.find(([outcome]) => outcome === 'replica')?.[1] ?? 0;
    if (by === 'replica' ? replica < all / 4 : replica > 0)
      faults.push(`${name}: ${replica} of ${all} lists came from the replica`);
    if (failed > 0) faults.push(`${name}: ${failed} bookings failed`);
    console.log(
      `${name}: ${bookings} bookings, ${lists} lists (${shares.join(', ')}), slowest list ${Math.round(slowest)} ms`,
    );
  }

  const clients = scene.partners.flatMap((partner) => [
    ...Array.from({ length: CLIENTS_PER_PARTNER }, () => write(partner)),
    ...Array.from({ length: READERS_PER_PARTNER }, () => read(partner)),
  ]);
  /** What is under way ends as it began. */
  const settle = () => wait(2_000);

  await settle();
  await phase('in step', 'replica');
  await standby.run('select pg_wal_replay_pause()');
  await settle();
  await phase('held up', 'primary');
  await standby.run('select pg_wal_replay_resume()');
  await settle();
  await phase('in step again', 'replica');
  proxy.stall();
  await settle();
  await phase('silent', 'primary');
  await proxy.restore();
  await settle();
  await phase('heard again', 'replica');
  await standby.kill();
  await phase('killed', 'primary');
  await standby.start();
  await settle();
  await phase('started again', 'replica');
  await standby.run('select pg_promote()');
  await settle();
  await phase('promoted', 'primary');

  going = false;
  await Promise.all(clients);
  for (const { code, output } of service.deaths)
    faults.push(`the service ended by itself (${code}): ${output}`);
  for (const fault of faults.slice(0, 50)) console.error(fault);
  console.log(`${faults.length} violations`);
  if (faults.length > 0) process.exitCode = 1;
}

await withClosers(main);
