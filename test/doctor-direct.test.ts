import assert from 'node:assert/strict';
import { test } from 'node:test';
import { connectPostgres } from '../src/db/connection.ts';
import { createPostgresDatabase, OPERATOR_TOKEN, onPostgres } from './harness.ts';
import { freePort } from './ports.ts';
import { runToEnd } from './terminal.ts';

/** doctor on DATABASE_DIRECT_URL without a pooler; test/pgbouncer.test.ts has a real one. */
const skip = !onPostgres && 'an embedded database has no pooler';

const environment = (databaseUrl: string, directUrl: string) => ({
  DATABASE_URL: databaseUrl,
  DATABASE_DIRECT_URL: directUrl,
  OPERATOR_TOKEN,
  DEPLOYMENT: 'sandbox',
});

async function directCheck(databaseUrl: string, directUrl: string): Promise<{ code: number; line: string }> {
  const { code, stdout } = await runToEnd(['doctor'], environment(databaseUrl, directUrl));
  const lines = stdout.split('\n').filter((line) => /^\S+ +direct /.test(line));
  assert.equal(lines.length, 1, stdout);
  assert.match(stdout, /^ok +migrations +up to date$/m, 'the rest is examined all the same');
  return { code, line: lines[0]! };
}

test('doctor: DATABASE_DIRECT_URL leads to the database, or is unreachable', { skip }, async (t) => {
  const url = await createPostgresDatabase(t);
  const right = await directCheck(url, url);
  assert.match(right.line, /^ok +direct +the database, past a pooler$/);
  const closed = Object.assign(new URL(url), { port: String(await freePort()) }).href;
  const { code, line } = await directCheck(url, closed);
  assert.equal(code, 1);
  assert.match(line, /^WRONG +direct +.*ECONNREFUSED.* \(check DATABASE_DIRECT_URL\)$/);
});

test('another database at DATABASE_DIRECT_URL is reported by doctor, and not migrated', {
  skip,
}, async (t) => {
  const [url, other] = [await createPostgresDatabase(t), await createPostgresDatabase(t)];
  const { code, line } = await directCheck(url, other);
  assert.equal(code, 1);
  assert.match(
    line,
    /^WRONG +direct +DATABASE_DIRECT_URL leads to another database: name the one at DATABASE_/,
  );

  for (const empty of [url, other]) {
    const db = connectPostgres(empty, 1, assert.fail);
    await db.rows({ text: 'drop schema public cascade' });
    await db.rows({ text: 'create schema public' });
    await db.close();
  }
  const migration = await runToEnd(['migrate'], environment(url, other));
  assert.equal(migration.code, 1);
  assert.match(migration.stderr, /^error: DATABASE_DIRECT_URL leads to another database: [^\n]+\n$/);
  const db = connectPostgres(other, 1, assert.fail);
  const found = await db.first({ text: `select to_regclass('schema_migrations')::text as name` });
  await db.close();
  assert.deepEqual(found, { name: null });
  assert.equal((await runToEnd(['migrate'], environment(url, url))).code, 0);
});
