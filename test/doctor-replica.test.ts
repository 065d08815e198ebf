import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createPostgresDatabase, OPERATOR_TOKEN, onPostgres } from './harness.ts';
import { freePort } from './ports.ts';
import { runToEnd } from './terminal.ts';

/** What `doctor` says of DATABASE_READ_URL where there is no standby; test/replica.test.ts has a real one. */
const skip = !onPostgres && 'an embedded database has no replica';

async function replicaCheck(databaseUrl: string, readUrl: string): Promise<{ code: number; line: string }> {
  const { code, stdout } = await runToEnd(['doctor'], {
    DATABASE_URL: databaseUrl,
    DATABASE_READ_URL: readUrl,
    OPERATOR_TOKEN,
    DEPLOYMENT: 'sandbox',
  });
  const lines = stdout.split('\n').filter((line) => /^\S+ +replica /.test(line));
  assert.equal(lines.length, 1, stdout);
  assert.match(stdout, /^ok +migrations +up to date$/m, 'the rest is examined all the same');
  return { code, line: lines[0]! };
}

function changed(url: string, change: Partial<URL>): string {
  const other = new URL(url);
  assert.notEqual(Object.assign(other, change).href, url);
  return other.href;
}

test('doctor: nobody answers at DATABASE_READ_URL', { skip }, async (t) => {
  const url = await createPostgresDatabase(t);
  const { code, line } = await replicaCheck(url, changed(url, { port: String(await freePort()) }));
  assert.equal(code, 1);
  assert.match(
    line,
    /^WRONG +replica +.*ECONNREFUSED.* \(check DATABASE_READ_URL; meanwhile reads go to DATABASE_URL\)$/,
  );
});

test('doctor: the primary itself under another name is no replica', { skip }, async (t) => {
  const url = await createPostgresDatabase(t);
  const hostname = new URL(url).hostname === 'localhost' ? '127.0.0.1' : 'localhost';
  const { code, line } = await replicaCheck(url, changed(url, { hostname }));
  assert.equal(code, 1);
  assert.match(
    line,
    /^WRONG +replica +DATABASE_READ_URL leads to a server that takes writes: name a standby$/,
  );
});

test('doctor: another database of the same server is no replica', { skip }, async (t) => {
  const url = await createPostgresDatabase(t);
  const { code, line } = await replicaCheck(url, await createPostgresDatabase(t));
  assert.equal(code, 1);
  assert.match(line, /^WRONG +replica +DATABASE_READ_URL leads to another database: name a replica of /);
});
