import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { freePort } from '../test/ports.ts';
import { binaries, type Cluster, clusterFolder, openCluster, postgresUser } from './cluster.ts';

/** Milliseconds. */
const STREAMS_WITHIN = 30_000;

/** A copy of the folder of the running server at the URL, with the log written meanwhile. */
export function copyFolder(url: string, options: readonly string[] = []): string {
  const folder = clusterFolder();
  execFileSync(
    join(binaries(), 'pg_basebackup'),
    ['-D', folder, '-X', 'stream', '-c', 'fast', '--no-sync', ...options, '-d', url],
    { ...postgresUser(), cwd: '/', stdio: ['ignore', 'ignore', 'inherit'] },
  );
  return folder;
}

/**
 * A standby of the running primary, copied from it and not started yet; the name identifies it there. The copied folder
 * lacks the setting by which the primary waits for a standby: after a promotion there is none.
 */
export async function createStandby(primary: Cluster, name: string): Promise<Cluster> {
  const folder = copyFolder(`${primary.url()}?application_name=${name}`, ['-R']);
  return openCluster(folder, await freePort(), { synchronous_standby_names: '' });
}

/** Waits until a standby follows the primary; `sync`: until commits wait for it. */
export async function streams(primary: Cluster, kind: 'sync' | 'async'): Promise<void> {
  const end = performance.now() + STREAMS_WITHIN;
  for (;;) {
    const rows = await primary.run(
      `select 1 from pg_stat_replication where state = 'streaming' and sync_state = '${kind}'`,
    );
    if (rows.length > 0) return;
    if (performance.now() > end) throw new Error('the standby does not follow');
    await wait(50);
  }
}
