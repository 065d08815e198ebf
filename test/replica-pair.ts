import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import { binaries, type Cluster, createCluster } from '../chaos/cluster.ts';
import { createStandby, streams } from '../chaos/standby.ts';
import { afterwards } from './afterwards.ts';
import { onPostgres, type TestService } from './harness.ts';
import { until } from './until.ts';

/** A real streaming replica, and who has answered a list. */

/** Why no replica can be started here. */
export function whyNoReplica(): string | false {
  if (!onPostgres) return 'an embedded database has no replica';
  try {
    binaries();
    return false;
  } catch {
    return 'no programs of a PostgreSQL server here, to start a replica with';
  }
}

export type Pair = { primary: Cluster; standby: Cluster };

/** A primary and a standby that follows it. */
export async function startPair(t: TestContext): Promise<Pair> {
  const primary = await createCluster({ fsync: 'off' });
  afterwards(t, primary.remove);
  await primary.start();
  const standby = await createStandby(primary, 'replica');
  afterwards(t, standby.remove);
  await standby.start();
  await streams(primary, 'async');
  return { primary, standby };
}

/** Lists, and says who answered. */
export function lister(service: TestService, key: string) {
  return async (query = '') => {
    const before = await counts(service);
    const answer = await service.v1(key, 'GET', `/partners/bookings${query}`);
    assert.equal(answer.status, 200, answer.text);
    const after = await counts(service);
    const by = Object.keys(after).find((outcome) => after[outcome] !== before[outcome]) ?? 'primary';
    const { data, meta } = answer.body;
    return {
      by,
      ids: data.map(({ bookingId }: { bookingId: string }) => bookingId),
      total: meta.total,
      asOf: answer.headers.get('x-list-as-of')!,
    };
  };
}

async function counts(service: TestService): Promise<Record<string, number>> {
  const text = await service.deps.metrics.text();
  const found = text.matchAll(/^replica_reads_total\{outcome="(\w+)"\} (\d+)/gm);
  return Object.fromEntries([...found].map(([, outcome, count]) => [outcome, Number(count)]));
}

/** Waits until the replica is known to be so. */
export const state = (service: TestService, wanted: string) =>
  until(
    () => service.deps.reads.state() === wanted,
    () => service.deps.reads.state(),
  );
/** The first list that the replica answers. */
export const ofReplica = (list: ReturnType<typeof lister>) =>
  until(async () => {
    const answer = await list();
    return answer.by === 'replica' && answer;
  });
