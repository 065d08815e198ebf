import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { freePort } from '../test/ports.ts';
import { postgresUser } from './cluster.ts';

/** Milliseconds. */
const START_WITHIN = 10_000;

export type PgBouncer = {
  /** The URL of a database, or of its alias, through it. */
  url(database: string): string;
  stop(): Promise<void>;
};

/** `host=… port=… user=…`, the form of a server in `[databases]`. */
export function serverOf(url: string): string {
  const { hostname, port, username, password } = new URL(url);
  return `host=${hostname} port=${port || 5432} user=${username}${password && ` password=${password}`}`;
}

/** A PgBouncer in transaction mode for the servers of the databases; `*` is any other one. */
export async function startPgBouncer(databases: Record<string, string>): Promise<PgBouncer> {
  const port = await freePort();
  const folder = mkdtempSync(join(tmpdir(), 'pbs-pgbouncer-'));
  const settings = join(folder, 'pgbouncer.ini');
  writeFileSync(
    settings,
    `[databases]
${Object.entries(databases)
  .map(([name, server]) => `${name} = ${server}`)
  .join('\n')}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = any
pool_mode = transaction
max_client_conn = 1000
default_pool_size = 5
server_idle_timeout = 5
log_connections = 0
log_disconnections = 0
`,
  );
  // It refuses to run as root.
  chmodSync(folder, 0o755);
  const pooler = spawn('pgbouncer', ['-q', settings], { ...postgresUser(), cwd: '/', stdio: 'inherit' });
  const gone = once(pooler, 'exit');
  const stop = async (): Promise<void> => {
    pooler.kill('SIGKILL');
    await gone;
    rmSync(folder, { recursive: true, force: true });
  };
  const end = performance.now() + START_WITHIN;
  while (!(await answers(port))) {
    if (pooler.exitCode !== null || performance.now() > end) {
      await stop();
      throw new Error('PgBouncer does not start');
    }
    await wait(50);
  }
  return { url: (database) => `postgres://postgres@127.0.0.1:${port}/${database}`, stop };
}

async function answers(port: number): Promise<boolean> {
  const socket = connect(port, '127.0.0.1');
  const [isThere] = await Promise.race([
    once(socket, 'connect').then(() => [true]),
    once(socket, 'error').then(() => [false]),
  ]).catch(() => [false]); // it does not listen yet
  socket.destroy();
  return isThere!;
}
