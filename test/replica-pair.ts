import type { TestContext } from 'node:test';
import { binaries, type Cluster, createCluster } from '../chaos/cluster.ts';
import { createStandby, streams } from '../chaos/standby.ts';
import { afterwards } from './afterwards.ts';
import { onPostgres } from './harness.ts';

/** A primary with a real streaming replica. */

/** Why a replica cannot be started here; false: it can. */
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
