import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { judgeServer } from '../src/cli.ts';
import { DAY, MINUTE } from '../src/clock.ts';
import { findAccess } from '../src/partners/queries.ts';
import { hashKey, PERMISSIONS } from '../src/partners/rules.ts';
import { holdDataDir } from '../src/platform/data-dir.ts';
import { connectPostgres, type Db } from '../src/platform/db.ts';
import { openEmbedded } from '../src/platform/embedded.ts';
import { createPostgresDatabase, OPERATOR_TOKEN, onPostgres } from './harness.ts';
import { startMoyasar } from './moyasar-server.ts';

const CLI = fileURLToPath(new URL('../src/cli.ts', import.meta.url));
const BIN = fileURLToPath(new URL('../bin/partner-booking.js', import.meta.url));
const UNUSED = '5f0c6a6e-3c1b-4b5e-9a53-0d5a2f1c7b10';

type Env = Record<string, string>;
type Outcome = { code: number | null; stdout: string; stderr: string };

function temporaryFolder(t: TestContext): string {
  const folder = mkdtempSync(join(tmpdir(), 'pbs-cli-'));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

function start(t: TestContext, file: string, args: string[], env: Env): ChildProcess {
  const child = spawn(process.execPath, [file, ...args], {
    env: { PATH: process.env.PATH ?? '', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  t.after(() => child.kill('SIGKILL'));
  return child;
}

/** Runs a program to its end. */
async function run(t: TestContext, file: string, args: string[], env: Env): Promise<Outcome> {
  const child = start(t, file, args, env);
  let stdout = '';
  let stderr = '';
  child.stdout!.on('data', (chunk) => {
    stdout += chunk;
  });
  child.stderr!.on('data', (chunk) => {
    stderr += chunk;
  });
  const [code] = await once(child, 'close');
  return { code, stdout, stderr };
}

/** An unmigrated database: how the command line is told of it, and how the test looks into it. */
async function emptyDatabase(t: TestContext): Promise<{ env: Env; open(): Promise<Db> }> {
  const fail = (error: Error): never => {
    throw error;
  };
  if (!onPostgres) {
    const DATA_DIR = temporaryFolder(t);
    return { env: { DATA_DIR }, open: () => openEmbedded(DATA_DIR, fail) };
  }
  const DATABASE_URL = await createPostgresDatabase(t);
  const open = async () => connectPostgres(DATABASE_URL, 2, fail);
  const db = await open();
  await db.rows({ text: 'drop schema public cascade' });
  await db.rows({ text: 'create schema public' });
  await db.close();
  return { env: { DATABASE_URL, OPERATOR_TOKEN, DEPLOYMENT: 'sandbox' }, open };
}

function failedWith(outcome: Outcome, line: string | RegExp): void {
  assert.equal(outcome.code, 1, outcome.stdout + outcome.stderr);
  assert.equal(outcome.stdout, '');
  assert.match(outcome.stderr, /^[^\n]+\n$/, 'one line');
  if (typeof line === 'string') assert.equal(outcome.stderr, `error: ${line}\n`);
  else assert.match(outcome.stderr, line);
}

test('a database is migrated, gets partners and keys, and is looked after', async (t) => {
  const { env, open } = await emptyDatabase(t);
  const cli = (...args: string[]) => run(t, CLI, args, env);
  const ok = async (...args: string[]): Promise<string> => {
    const outcome = await cli(...args);
    assert.deepEqual([outcome.code, outcome.stderr], [0, ''], outcome.stdout);
    return outcome.stdout;
  };
  const lookInto = async <T>(look: (db: Db) => Promise<T>): Promise<T> => {
    const db = await open();
    try {
      return await look(db);
    } finally {
      await db.close();
    }
  };

  failedWith(
    await cli('partners', 'list'),
    /^error: the database lacks 0001_\w+.*: run partner-booking migrate$/m,
  );
  const ill = await cli('doctor');
  assert.equal(ill.code, 1);
  assert.match(ill.stdout, /^ok +database +PostgreSQL \d+$/m);
  assert.match(ill.stdout, /^WRONG +migrations +the database lacks 0001_.*: run partner-booking migrate$/m);

  assert.match(await ok('migrate'), /^migrated: 0001_/);
  const healthy = await ok('doctor');
  assert.match(healthy, /^ok +configuration +sandbox, database /m);
  assert.match(healthy, /^ok +clock +agrees with the database$/m);
  assert.match(healthy, /^ok +migrations +up to date$/m);
  assert.doesNotMatch(healthy, /WRONG|Redis/);

  const options = ['--allowed-domains', 'Example.sa, b.sa', '--http-webhooks', '--rate-limit', '60'];
  const partner = JSON.parse(await ok('partners', 'create', '--name', 'Riyadh Homes', '--json', ...options));
  assert.deepEqual(
    [
      partner.name,
      partner.status,
      partner.allowedDomains,
      partner.requireHttpsWebhooks,
      partner.rateLimitPerMinute,
    ],
    ['Riyadh Homes', 'ACTIVE', ['example.sa', 'b.sa'], false, 60],
  );
  assert.deepEqual(JSON.parse(await ok('partners', 'list', '--search', 'HOMES', '--json')), [partner]);
  failedWith(await cli('partners', 'create', '--name', 'riyadh homes'), 'Another partner has this name');

  const create = ['keys', 'create', 'riyadh homes', '--name', 'Server'];
  const key = JSON.parse(await ok(...create, '--permissions', 'all', '--ip', '10.0.0.0/8', '--json'));
  assert.deepEqual(
    [key.partnerId, key.permissions, key.ipAllowlist],
    [partner.id, PERMISSIONS, ['10.0.0.0/8']],
  );
  // A sandbox whose clock runs a day ahead: overlaps count from there.
  await lookInto((db) => db.rows({ text: 'update sandbox_clock set offset_seconds = 86400' }));
  const shown = await ok('keys', 'rotate', key.id, '--overlap-minutes', '10');
  const rotated = /^pbs_test_\w{49}$/m.exec(shown)?.[0] ?? '';
  await lookInto(async (db) => {
    const now = await findAccess(db, hashKey(rotated));
    assert.deepEqual([now?.key_id, now?.valid_until], [key.id, null]);
    const before = await findAccess(db, hashKey(key.key));
    const overlap = before!.valid_until! - (Date.now() + 86_400_000);
    assert.ok(overlap > 5 * MINUTE && overlap <= 10 * MINUTE, `${overlap} ms`);
  });

  assert.equal(await ok('keys', 'revoke', key.id), `revoked key ${key.id}\n`);
  failedWith(await cli('keys', 'rotate', key.id), 'A revoked key cannot be rotated: create a new one');
  assert.equal(
    await ok('partners', 'suspend', partner.id),
    `suspended partner ${partner.id} (Riyadh Homes)\n`,
  );
  assert.equal(await ok('partners', 'list'), `${partner.id}  SUSPENDED  Riyadh Homes\n`);
  assert.equal(await ok('seed', 'demo'), 'nothing to do: the database holds data already\n');

  await lookInto(async (db) => {
    assert.equal(await findAccess(db, hashKey(rotated)), null);
    const audited = await db.rows<{ actor: string; action: string }>({
      text: 'select actor, action from audit_log order by position',
    });
    assert.deepEqual(
      audited.map((row) => row.action),
      ['partner.create', 'key.create', 'key.rotate', 'key.update', 'partner.update'],
    );
    assert.deepEqual([...new Set(audited.map((row) => row.actor))], [`cli:${userInfo().username}`]);
  });
});

test('what is wrong is said in one line, before any database is opened', async (t) => {
  const env = { DATA_DIR: join(temporaryFolder(t), 'never-made') };
  const cli = (...args: string[]) => run(t, CLI, args, env);
  failedWith(await cli('partners', 'create', '--name', ' '), 'name should not be empty');
  failedWith(await cli('partners', 'create'), /required option '--name <name>'/);
  failedWith(
    await cli('partners', 'create', '--name', 'P', '--rate-limit', 'many'),
    'rateLimitPerMinute must be an integer number or null',
  );
  failedWith(
    await cli('keys', 'create', 'P', '--name', 'K', '--permissions', 'admin'),
    `permissions.0 must be one of the following values: ${PERMISSIONS.join(', ')}`,
  );
  failedWith(await cli('keys', 'revoke', 'no-id'), 'id must be a UUID');
  failedWith(
    await cli('keys', 'rotate', UNUSED, '--overlap-minutes', '43201'),
    'overlapMinutes must not be greater than 43200',
  );
  failedWith(await cli('nonsense'), /unknown command 'nonsense'/);
  failedWith(await run(t, CLI, ['migrate'], { PORT: 'x' }), /^error: configuration: PORT must be/);
  assert.ok(!existsSync(env.DATA_DIR));
  const doctor = await run(t, CLI, ['doctor'], { PORT: 'x', ROLES: 'y' });
  assert.equal(doctor.code, 1);
  assert.match(doctor.stdout, /^WRONG +configuration +configuration: PORT must be .*ROLES must be/);
});

test('a data folder in use and a database out of reach are said in one line', async (t) => {
  const DATA_DIR = temporaryFolder(t);
  const release = holdDataDir(DATA_DIR);
  t.after(release);
  const inUse = `the data folder ${DATA_DIR} is in use by another process: stop it, or set DATA_DIR`;
  failedWith(await run(t, CLI, ['partners', 'list'], { DATA_DIR }), inUse);
  const doctor = await run(t, CLI, ['doctor'], { DATA_DIR, REDIS_URL: 'redis://127.0.0.1:1' });
  assert.equal(doctor.code, 1);
  assert.match(doctor.stdout, /^ok +configuration/m);
  assert.match(doctor.stdout, /^WRONG +database +the data folder .* is in use/m);
  assert.match(
    doctor.stdout,
    /^WRONG +Redis +connect ECONNREFUSED 127\.0\.0\.1:1: start it and check REDIS_URL/m,
  );

  const away = { DATABASE_URL: 'postgres://someone:secret@localhost:1/nothing', OPERATOR_TOKEN };
  const failed = await run(t, CLI, ['migrate'], away);
  failedWith(failed, /^error: the database cannot be used: .*ECONNREFUSED/);
  assert.doesNotMatch(failed.stderr, /secret/);
});

test('the doctor wants PostgreSQL 15 and a clock within 2 seconds', () => {
  const now = Date.parse('2026-11-22T05:00:00Z');
  const verdicts = (version: number, skew: number, took = 0) =>
    judgeServer({ version, now: now + skew }, now, now + took).map((check) => check.ok);
  assert.deepEqual(verdicts(150_000, 0), [true, true]);
  assert.deepEqual(verdicts(180_001, 2_000), [true, true]);
  assert.deepEqual(verdicts(149_999, -2_000), [false, true]);
  assert.deepEqual(verdicts(170_002, 2_001), [true, false]);
  assert.deepEqual(verdicts(170_002, -2_001), [true, false]);
  assert.deepEqual(verdicts(170_002, 5_000, 5_000), [true, true], 'a slow answer is not a wrong clock');
  assert.deepEqual(verdicts(90_600, -DAY), [false, false]);
  const [database, clock] = judgeServer({ version: 140_005, now: now - 3_500 }, now, now);
  assert.equal(database?.says, 'PostgreSQL 14: update it to 15 or newer');
  assert.equal(clock?.says, "3.5 s from the database's: synchronize both machines (NTP)");
});

test('importing the command line does nothing', async (t) => {
  const importer = ['--input-type=module', '--eval', `await import(${JSON.stringify(CLI)})`];
  const child = spawn(process.execPath, importer, { stdio: ['ignore', 'pipe', 'pipe'] });
  t.after(() => child.kill('SIGKILL'));
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += chunk));
  const [code] = await once(child, 'close');
  assert.deepEqual([code, output], [0, '']);
});

test('the bin hands arguments, output and the exit code over', async (t) => {
  const help = await run(t, BIN, ['--help'], {});
  assert.deepEqual([help.code, help.stderr], [0, '']);
  for (const command of ['serve', 'migrate', 'seed', 'partners', 'keys', 'doctor', 'listen']) {
    assert.match(help.stdout, new RegExp(`^  ${command} `, 'm'));
  }
  failedWith(await run(t, BIN, ['keys', 'revoke', 'no-id'], {}), 'id must be a UUID');
});

test('the bin of a checkout without its modules says what to run', async (t) => {
  const folder = temporaryFolder(t);
  mkdirSync(join(folder, 'bin'));
  copyFileSync(fileURLToPath(new URL('../package.json', import.meta.url)), join(folder, 'package.json'));
  copyFileSync(BIN, join(folder, 'bin/partner-booking.js'));
  const outcome = await run(t, join(folder, 'bin/partner-booking.js'), ['doctor'], {});
  assert.deepEqual(outcome, {
    code: 1,
    stdout: '',
    stderr: 'partner-booking is not installed yet: run `npm ci` first\n',
  });
});

test('serve runs the service; a signal to the bin stops it', async (t) => {
  const { env } = await emptyDatabase(t);
  const child = start(t, BIN, ['serve'], { ...env, PORT: '0', SEED: 'none', LOG_LEVEL: 'silent' });
  let output = '';
  await new Promise<void>((resolve) => {
    child.stdout!.on('data', (chunk) => {
      output += chunk;
      if (/operator +http/.test(output)) resolve();
    });
    child.on('exit', () => resolve());
  });
  const base = /base URL +(\S+)\/v1/.exec(output)?.[1];
  assert.ok(base, output);
  assert.equal((await fetch(`${base}/livez`)).status, 200);
  child.kill('SIGTERM');
  const [code, signal] = await once(child, 'exit');
  assert.deepEqual([code, signal], [0, null]);
  await assert.rejects(fetch(`${base}/livez`), 'the service is gone too');
});

test('doctor asks the payment gateway', async (t) => {
  const moyasar = await startMoyasar(t);
  const doctor = async (env: Record<string, string>) =>
    (await run(t, CLI, ['doctor'], { DATA_DIR: temporaryFolder(t), ...env })).stdout;
  const env = {
    PAYMENT_GATEWAY: 'moyasar',
    MOYASAR_SECRET_KEY: moyasar.secretKey,
    MOYASAR_WEBHOOK_TOKEN: moyasar.webhookToken,
    MOYASAR_BASE_URL: moyasar.url,
  };
  assert.match(await doctor({}), /^ok +gateway +sandbox: no money moves$/m);
  assert.match(
    await doctor({ DEPLOYMENT: 'production' }),
    /^ok +gateway +sandbox: no money moves; set PAYMENT_GATEWAY before there are PLATFORM partners$/m,
  );
  assert.match(await doctor(env), /^ok +gateway +moyasar answers$/m);
  const refused = await doctor({ ...env, MOYASAR_SECRET_KEY: 'sk_test_wrong' });
  assert.match(refused, /^WRONG +gateway +Moyasar answered 401.*: check MOYASAR_SECRET_KEY/m);
  assert.doesNotMatch(refused, /sk_test_wrong/);
  const away = await doctor({ ...env, MOYASAR_BASE_URL: 'http://127.0.0.1:1' });
  assert.match(away, /^WRONG +gateway +Moyasar gave no answer: check /m);
});
