import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chownSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import pg from 'pg';
import { freePort } from '../test/ports.ts';

/** A separate PostgreSQL server, to be killed: a folder that is removed at the end, and a port. */
export type Cluster = {
  port: number;
  folder: string;
  /** As the superuser; `database` is postgres unless given. */
  url(database?: string): string;
  /** Starts the server; resolves when it accepts statements. */
  start(): Promise<void>;
  /** SIGKILL to the postmaster; its other processes end by themselves. */
  kill(): Promise<void>;
  /** Without a checkpoint, as `pg_ctl stop -m immediate` does it. */
  stopImmediately(): Promise<void>;
  /** One statement as the superuser, on a new connection. */
  run<Row extends pg.QueryResultRow>(text: string): Promise<Row[]>;
  /** Ends the server and removes its folder. */
  remove(): Promise<void>;
};

const VERSIONS = '/usr/lib/postgresql';
/** Milliseconds. */
const START_WITHIN = 30_000;

/** The folder of PostgreSQL's programs: Debian's newest, else where `pg_config` says. */
export function binaries(): string {
  try {
    const newest = readdirSync(VERSIONS).sort((a, b) => Number(b) - Number(a))[0];
    if (newest !== undefined) return join(VERSIONS, newest, 'bin');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  }
  return execFileSync('pg_config', ['--bindir'], { encoding: 'utf8' }).trim();
}

/** PostgreSQL refuses to run as root. */
export function postgresUser(): { uid: number; gid: number } | Record<string, never> {
  if (process.getuid?.() !== 0) return {};
  const id = (flag: string): number =>
    Number(execFileSync('id', [flag, 'postgres'], { encoding: 'utf8' }).trim());
  return { uid: id('-u'), gid: id('-g') };
}

/** An empty folder that belongs to the user of PostgreSQL. */
export function clusterFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'pbs-cluster-'));
  const { uid, gid } = postgresUser();
  if (uid !== undefined && gid !== undefined) chownSync(folder, uid, gid);
  return folder;
}

/** A new cluster, not started yet. */
export async function createCluster(settings: Record<string, string> = {}): Promise<Cluster> {
  const folder = clusterFolder();
  execFileSync(
    join(binaries(), 'initdb'),
    ['-D', folder, '-U', 'postgres', '-A', 'trust', '-E', 'UTF8', '--locale=C.UTF-8', '--no-sync'],
    { ...postgresUser(), cwd: '/', stdio: ['ignore', 'ignore', 'inherit'] },
  );
  return openCluster(folder, await freePort(), settings);
}

/** The cluster in an existing folder (initdb, pg_basebackup). */
export function openCluster(folder: string, port: number, settings: Record<string, string> = {}): Cluster {
  let postmaster: ChildProcess | null = null;
  const url = (database = 'postgres'): string => `postgres://postgres@127.0.0.1:${port}/${database}`;

  async function run<Row extends pg.QueryResultRow>(text: string): Promise<Row[]> {
    const client = new pg.Client({
      connectionString: url(),
      connectionTimeoutMillis: 2_000,
      query_timeout: START_WITHIN,
    });
    // The server is killed on purpose: pending statements report it by their own error.
    client.on('error', () => {});
    await client.connect();
    try {
      return (await client.query<Row>(text)).rows;
    } finally {
      // Not awaited: on a broken connection it would never resolve.
      client.end(() => {});
    }
  }

  function launch(): ChildProcess {
    // Processes are killed here, never the machine: writes survive without a flush to the disk.
    const args = ['-D', folder, '-p', String(port), '-h', '127.0.0.1', '-k', '', '-c', 'fsync=off'];
    for (const [name, value] of Object.entries(settings)) args.push('-c', `${name}=${value}`);
    return spawn(join(binaries(), 'postgres'), args, { ...postgresUser(), cwd: '/', stdio: 'ignore' });
  }

  async function start(): Promise<void> {
    const end = performance.now() + START_WITHIN;
    for (;;) {
      // After a SIGKILL it refuses to start until all its other processes have ended.
      if (postmaster === null || postmaster.exitCode !== null || postmaster.signalCode !== null)
        postmaster = launch();
      try {
        await run('select 1');
        return;
      } catch (error) {
        if (performance.now() > end) throw new Error('PostgreSQL does not start', { cause: error });
        await wait(50);
      }
    }
  }

  async function signal(name: NodeJS.Signals): Promise<void> {
    if (postmaster === null || postmaster.exitCode !== null || postmaster.signalCode !== null) return;
    const ended = once(postmaster, 'exit');
    postmaster.kill(name);
    await ended;
  }

  return {
    port,
    folder,
    url,
    start,
    kill: () => signal('SIGKILL'),
    stopImmediately: () => signal('SIGQUIT'),
    run,
    async remove() {
      await signal('SIGQUIT');
      rmSync(folder, { recursive: true, force: true, maxRetries: 10 });
    },
  };
}
