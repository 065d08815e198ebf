import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { serverOf, startPgBouncer } from '../chaos/pgbouncer.ts';
import { POOLED } from '../test/homes.ts';

/**
 * Runs the end-to-end tests with a PgBouncer in transaction mode between the services and PostgreSQL
 * (TEST_DATABASE_URL). The version of Debian 12 does not support prepared statements: services are started with
 * DATABASE_PREPARED=false.
 */
const { TEST_DATABASE_URL, TEST_CONCURRENCY = '2' } = process.env;
if (TEST_DATABASE_URL === undefined)
  throw new Error('set TEST_DATABASE_URL to a PostgreSQL that tests may use');
const pooler = await startPgBouncer({ '*': serverOf(TEST_DATABASE_URL) });
try {
  const url = new URL(TEST_DATABASE_URL);
  const { hostname, port } = new URL(pooler.url('any'));
  Object.assign(url, { hostname, port });
  const run = spawn(
    process.execPath,
    [
      fileURLToPath(new URL('run-tests.ts', import.meta.url)),
      ...POOLED.map((name) => `test/${name}.test.ts`),
    ],
    { env: { ...process.env, TEST_CONCURRENCY, TEST_POOLER_URL: url.href }, stdio: 'inherit' },
  );
  const [code] = await once(run, 'exit');
  process.exitCode = code ?? 1;
} finally {
  await pooler.stop();
}
