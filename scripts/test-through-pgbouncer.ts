import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { postgresUser } from '../chaos/cluster.ts';
import { freePort } from '../test/ports.ts';

/**
 * Runs the end-to-end tests with a PgBouncer in transaction mode between the services and PostgreSQL
 * (TEST_DATABASE_URL). It knows nothing of named statements before 1.21, which Debian 12 does not have: services are
 * started with DATABASE_PREPARED=false.
 */
const FILES = ['bookings', 'booking-life', 'webhook-deliveries', 'payments', 'pgbouncer'];
/** Milliseconds. */
const START_WITHIN = 10_000;

const { TEST_DATABASE_URL, TEST_CONCURRENCY = '2' } = process.env;
if (TEST_DATABASE_URL === undefined)
  throw new Error('set TEST_DATABASE_URL to a PostgreSQL that tests may use');
const server = new URL(TEST_DATABASE_URL);
const port = await freePort();
const folder = mkdtempSync(join(tmpdir(), 'pbs-pgbouncer-'));
const settings = join(folder, 'pgbouncer.ini');
writeFileSync(
  settings,
  `[databases]
* = host=${server.hostname} port=${server.port || 5432} user=${server.username}${server.password && ` password=${server.password}`}
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
try {
  await listening();
  const url = new URL(TEST_DATABASE_URL);
  url.hostname = '127.0.0.1';
  url.port = String(port);
  const run = spawn(
    process.execPath,
    [
      '--test',
      `--test-concurrency=${TEST_CONCURRENCY}`,
      '--test-reporter=spec',
      '--test-timeout=600000',
      ...FILES.map((name) => `test/${name}.test.ts`),
    ],
    { env: { ...process.env, TEST_POOLER_URL: url.href }, stdio: 'inherit' },
  );
  const [code] = await once(run, 'exit');
  process.exitCode = code ?? 1;
} finally {
  pooler.kill('SIGKILL');
  await gone;
  rmSync(folder, { recursive: true, force: true });
}

async function listening(): Promise<void> {
  const end = performance.now() + START_WITHIN;
  for (;;) {
    const socket = connect(port, '127.0.0.1');
    const [answers] = await Promise.race([
      once(socket, 'connect').then(() => [true]),
      once(socket, 'error').then(() => [false]),
    ]).catch(() => [false]); // refused: it does not listen yet
    socket.destroy();
    if (answers) return;
    if (pooler.exitCode !== null || performance.now() > end) throw new Error('PgBouncer does not start');
    await wait(50);
  }
}
