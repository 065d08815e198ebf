import assert from 'node:assert/strict';
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, copyFileSync, existsSync, mkdirSync, mkdtempSync, openSync, rmSync } from 'node:fs';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { DAY, MINUTE } from '../src/base/clock.ts';
import { escaped, isPlainLine } from '../src/base/text.ts';
import { checkServer } from '../src/cli/doctor.ts';
import { type Check, checkDisk, checkServerLoad } from '../src/cli/doctor-server.ts';
import { connectPostgres, type Db } from '../src/db/connection.ts';
import { holdDataDir } from '../src/db/data-dir.ts';
import { openEmbedded } from '../src/db/embedded.ts';
import { readServerState } from '../src/db/open.ts';
import type { ServerLoad } from '../src/db/server-queries.ts';
import { keepEventPartitions } from '../src/events/feed.ts';
import { findAccess } from '../src/partners/access-queries.ts';
import { hashKey, PERMISSIONS } from '../src/partners/key-rules.ts';
import { keepRequestPartitions } from '../src/requests/retention.ts';
import { compiled } from './compiled.ts';
import { prepareDataDir } from './data-dirs.ts';
import {
  afterwards,
  createEmptyDatabase,
  createPostgresDatabase,
  OPERATOR_TOKEN,
  onPostgres,
} from './harness.ts';
import { startMoyasar } from './moyasar-server.ts';
import { type Outcome, runToEnd } from './terminal.ts';
import { createPartner } from './webhook-queue-fixtures.ts';

const CLI = fileURLToPath(new URL('../src/cli.ts', import.meta.url));
const BIN = fileURLToPath(new URL('../bin/partner-booking.js', import.meta.url));
const UNUSED = '5f0c6a6e-3c1b-4b5e-9a53-0d5a2f1c7b10';

type Env = Record<string, string>;
type ProgramOutcome = Omit<Outcome, 'code'> & { code: number | null };

function temporaryFolder(t: TestContext): string {
  const folder = mkdtempSync(join(tmpdir(), 'pbs-cli-'));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

function start(t: TestContext, file: string, args: string[], env: Env): ChildProcess {
  const child = spawn(process.execPath, ['--liftoff-only', file, ...args], {
    env: { PATH: process.env.PATH ?? '', ...compiled, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  t.after(() => child.kill('SIGKILL'));
  return child;
}

/** Runs a program to its end. */
async function run(t: TestContext, file: string, args: string[], env: Env): Promise<ProgramOutcome> {
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

/** An unmigrated database: the environment of the command line, and a connection for the test. */
async function emptyDatabase(
  t: TestContext,
  embedded = !onPostgres,
): Promise<{ env: Env; open(): Promise<Db> }> {
  const fail = (error: Error): never => {
    throw error;
  };
  if (embedded) {
    const DATA_DIR = temporaryFolder(t);
    await prepareDataDir(DATA_DIR, 'empty');
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

function failedWith(outcome: ProgramOutcome, line: string | RegExp): void {
  assert.equal(outcome.code, 1, outcome.stdout + outcome.stderr);
  assert.equal(outcome.stdout, '');
  assert.match(outcome.stderr, /^[^\n]+\n$/, 'one line');
  if (typeof line === 'string') assert.equal(outcome.stderr, `error: ${line}\n`);
  else assert.match(outcome.stderr, line);
}

test('a database is migrated, gets partners and keys, and is maintained', async (t) => {
  for (const embedded of onPostgres ? [true, false] : [true]) await maintained(t, embedded);
});

async function maintained(t: TestContext, embedded: boolean): Promise<void> {
  const { env, open } = await emptyDatabase(t, embedded);
  const cli = (...args: string[]) => runToEnd(args, env);
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
    /^error: the database lacks migration 0001_\w+ and \d+ more: run partner-booking migrate$/m,
  );
  const ill = await cli('doctor');
  assert.equal(ill.code, 1);
  assert.match(ill.stdout, /^ok +database +PostgreSQL \d+$/m);
  assert.match(ill.stdout, /^WRONG +migrations +the database lacks migration 0001_\w+ and \d+ more: run/m);

  assert.match(await ok('migrate'), /^from an empty database to 0\.1\.0\S*\nmigrated: 0001_/);
  const healthy = await ok('doctor');
  assert.match(healthy, /^ok +configuration +sandbox, database /m);
  assert.match(healthy, /^ok +clock +agrees with the database$/m);
  assert.match(healthy, /^ok +migrations +up to date$/m);
  assert.doesNotMatch(healthy, /WRONG|Redis/);

  const options = [
    '--allowed-domains',
    'Example.sa, b.sa',
    '--http-webhooks',
    '--rate-limit',
    '60',
    '--language',
    'ar',
  ];
  const partner = JSON.parse(await ok('partners', 'create', '--name', 'Riyadh Homes', '--json', ...options));
  assert.deepEqual(
    [
      partner.name,
      partner.status,
      partner.allowedDomains,
      partner.requireHttpsWebhooks,
      partner.rateLimitPerMinute,
      partner.language,
    ],
    ['Riyadh Homes', 'ACTIVE', ['example.sa', 'b.sa'], false, 60, 'ar'],
  );
  assert.deepEqual(JSON.parse(await ok('partners', 'list', '--search', 'HOMES', '--json')), [partner]);
  failedWith(await cli('partners', 'create', '--name', 'riyadh homes'), 'Another partner has this name');

  assert.match(await ok('partners', 'language', 'riyadh homes', 'en'), /^names of services are in en /);
  assert.equal(JSON.parse(await ok('partners', 'list', '--json'))[0].language, 'en');
  failedWith(
    await cli('partners', 'language', 'riyadh homes', 'fr'),
    'language must be one of the following values: en, ar',
  );

  const customers = ['partners', 'customers', 'riyadh homes'];
  assert.match(
    await ok(...customers),
    /^customers of partner .*\n +page +no\n +colour +-\n(?: .*\n)* {2}messages +-\n$/,
  );
  const page = ['--page', '--colour', '#0b6b46', '--text-en', 'Until 5 pm', '--number', '920001234'];
  assert.match(
    await ok(...customers, ...page, '--messages', 'BOOKED, DONE'),
    / page +yes\n +colour +#0b6b46\n +text-en +Until 5 pm\n +text-ar +-\n +number +920001234\n +messages +BOOKED, DONE\n$/,
  );
  await ok(...customers, '--text-en', '', '--messages', '');
  const kept = JSON.parse(await ok('partners', 'list', '--json'))[0];
  assert.deepEqual(
    [kept.trackingPage, kept.pageColour, kept.contactTextEn, kept.contactNumber, kept.customerMessages],
    [true, '#0b6b46', null, '920001234', []],
  );
  assert.match(await ok(...customers, '--no-page'), / page +no\n/);
  failedWith(
    await cli(...customers, '--messages', 'LATER'),
    'customerMessages.0 must be one of the following values: BOOKED, DAY_BEFORE, ON_THE_WAY, LATE, DONE',
  );

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

  assert.equal(await ok('keys', 'list', 'riyadh homes', '--status', 'REVOKED'), '');
  assert.equal(
    await ok('keys', 'list', 'riyadh homes'),
    `${key.id}  ACTIVE   ${rotated.slice(0, 13)}…${rotated.slice(-4)}  Server\n`,
  );
  assert.doesNotMatch(await ok('keys', 'list', partner.id, '--json'), new RegExp(rotated));
  assert.equal(await ok('keys', 'revoke', key.id), `revoked key ${key.id}\n`);
  failedWith(await cli('keys', 'rotate', key.id), 'A revoked key cannot be rotated: create a new one');
  assert.equal(
    await ok('partners', 'suspend', partner.id),
    `suspended partner ${partner.id} (Riyadh Homes)\n`,
  );
  assert.equal(await ok('partners', 'list'), `${partner.id}  SUSPENDED  Riyadh Homes\n`);
  assert.equal(await ok('partners', 'resume', partner.id), `resumed partner ${partner.id} (Riyadh Homes)\n`);
  assert.equal(await ok('partners', 'list'), `${partner.id}  ACTIVE     Riyadh Homes\n`);
  assert.equal(await ok('seed', 'demo'), 'nothing to do: the database holds data already\n');
  const verified = await ok('audit', 'verify');
  assert.match(verified, /^ok: 10 entries, head 10:[0-9a-f]{64}\n$/);
  const head = verified.trim().split(' ').at(-1)!;
  assert.equal(await ok('audit', 'verify', '--head', head), verified);
  failedWith(
    await cli('audit', 'verify', '--head', `8:${'0'.repeat(64)}`),
    'the audit log is not as it was written, from entry 8 on',
  );
  await lookInto((db) =>
    db.rows({
      text: `
        insert into audit_texts (entry_id, booking_id, after)
        select id, id, '{"notes": "x"}' from audit_log where number = 7`,
    }),
  );
  failedWith(
    await cli('audit', 'verify'),
    'the texts of entry 7 of the audit log are not as they were written',
  );
  await lookInto((db) => db.rows({ text: 'delete from audit_texts' }));

  await lookInto(async (db) => {
    assert.equal(await findAccess(db, hashKey(rotated)), null);
    const audited = await db.rows<{ actor: string; action: string }>({
      text: 'select actor, action from audit_log order by position',
    });
    assert.deepEqual(
      audited.map((row) => row.action),
      [
        'partner.create',
        ...Array.from({ length: 4 }, () => 'partner.update'),
        'key.create',
        'key.rotate',
        'key.update',
        'partner.update',
        'partner.update',
      ],
    );
    assert.deepEqual([...new Set(audited.map((row) => row.actor))], [`cli:${userInfo().username}`]);
  });
}

test('a head of before a migration rewrote the audit log is accepted, and said to be one', async (t) => {
  const { env, open } = await emptyDatabase(t);
  assert.equal((await runToEnd(['migrate'], env)).code, 0);
  const head = `7:${'0a'.repeat(32)}`;
  const db = await open();
  await db.rows({
    text: `
      insert into audit_log (at, actor, action, target, after)
      values ('2026-11-22Z', 'migration', 'audit.rechain', 'audit:log', jsonb_build_object('previousHead', $1::text))`,
    values: [head],
  });
  await db.close();
  const { code, stdout } = await runToEnd(['audit', 'verify', '--head', head], env);
  assert.equal(code, 0, stdout);
  assert.match(
    stdout,
    /^--head is of before a migration removed personal data and computed the hashes anew: entry 1\nok: 1 entries, head 1:\w+\n$/,
  );
});

test('names chosen by others are printed escaped, each in its line', async (t) => {
  const { env, open } = await emptyDatabase(t);
  const cli = (...args: string[]) => runToEnd(args, env);
  const ok = async (...args: string[]): Promise<string> => {
    const { code, stdout, stderr } = await cli(...args);
    assert.deepEqual([code, stderr], [0, ''], stdout);
    return stdout;
  };
  await ok('migrate');
  const partner = JSON.parse(await ok('partners', 'create', '--name', 'Plain', '--json'));
  const key = JSON.parse(
    await ok('keys', 'create', 'Plain', '--name', 'Plain', '--permissions', 'all', '--json'),
  );
  // As older versions took them.
  const evil =
    'E\u001b]0;pwned\u0007\u001b[2J\u009b1m\n00000000-0000-4000-8000-000000000000  ACTIVE\u2028 \u202eF\u2066';
  const db = await open();
  await db.rows({
    text: "update partners set name = $1, payment_responsibility = 'PLATFORM'",
    values: [evil],
  });
  await db.rows({ text: 'update api_keys set name = $1', values: [evil] });
  await db.close();
  const seen = escaped(evil);
  assert.match(seen, /^E\\u001b]0;pwned\\u0007/);
  const shown = [
    await ok('partners', 'list'),
    await ok('partners', 'suspend', evil),
    await ok('partners', 'resume', partner.id),
    await ok('partners', 'language', partner.id, 'ar'),
    await ok('keys', 'list', partner.id),
    await ok('keys', 'rotate', key.id),
    (await runToEnd(['doctor'], { ...env, PAYMENT_GATEWAY: 'none' })).stdout,
  ];
  for (const text of shown) assert.ok(text.includes(seen), text);
  for (const json of [
    await ok('partners', 'list', '--json'),
    await ok('keys', 'list', partner.id, '--json'),
  ]) {
    assert.equal(JSON.parse(json)[0].name, evil);
    shown.push(json);
  }
  const refused = await cli('partners', 'create', '--name', `Another ${evil}`);
  assert.equal(refused.code, 1);
  assert.match(refused.stderr, /^error: name must not contain control characters/);
  for (const text of [...shown, refused.stderr])
    for (const line of text.split('\n')) {
      assert.ok(isPlainLine(line), JSON.stringify(line));
      assert.doesNotMatch(line, /^00000000/);
    }
});

test('argument errors are printed in one line, before any database is opened', async (t) => {
  const env = { DATA_DIR: join(temporaryFolder(t), 'never-made') };
  const cli = (...args: string[]) => runToEnd(args, env);
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
  const root = fileURLToPath(new URL('..', import.meta.url));
  const commit = existsSync(join(root, '.git'))
    ? execFileSync('git', ['-c', 'safe.directory=*', '-C', root, 'rev-parse', 'HEAD'], {
        encoding: 'utf8',
      }).slice(0, 12)
    : null;
  const stdout = commit === null ? '0.1.0\n' : `0.1.0+${commit}\n`;
  assert.deepEqual(await cli('--version'), { code: 0, stdout, stderr: '' });
  failedWith(await cli('nonsense'), /unknown command 'nonsense'/);
  failedWith(await runToEnd(['migrate'], { PORT: 'x' }), /^error: configuration: PORT must be/);
  assert.ok(!existsSync(env.DATA_DIR));
  const doctor = await runToEnd(['doctor'], { PORT: 'x', ROLES: 'y' });
  assert.equal(doctor.code, 1);
  assert.match(doctor.stdout, /^WRONG +configuration +configuration: PORT must be .*ROLES must be/);
});

test('a data folder in use and an unreachable database are printed in one line', async (t) => {
  const DATA_DIR = temporaryFolder(t);
  const release = holdDataDir(DATA_DIR);
  t.after(release);
  const inUse = `the data folder ${DATA_DIR} is in use by another process: stop it, or set DATA_DIR`;
  failedWith(await run(t, CLI, ['partners', 'list'], { DATA_DIR }), inUse);
  const doctor = await runToEnd(['doctor'], { DATA_DIR, REDIS_URL: 'redis://127.0.0.1:1' });
  assert.equal(doctor.code, 1);
  assert.match(doctor.stdout, /^ok +configuration/m);
  assert.match(doctor.stdout, /^WRONG +database +the data folder .* is in use/m);
  assert.match(
    doctor.stdout,
    /^WRONG +Redis +connect ECONNREFUSED 127\.0\.0\.1:1: start it and check REDIS_URL/m,
  );

  const away = {
    DATABASE_URL: 'postgres://someone:secret@localhost:1/nothing',
    OPERATOR_TOKEN,
    SECRETS_KEY: 'a'.repeat(64),
    PUBLIC_URL: 'https://bookings.example.sa',
  };
  const failed = await runToEnd(['migrate'], away);
  failedWith(failed, /^error: the database cannot be used: .*ECONNREFUSED/);
  assert.doesNotMatch(failed.stderr, /secret/);
});

test('doctor warns about a probably mistaken configuration', async (t) => {
  const DATA_DIR = temporaryFolder(t);
  t.after(holdDataDir(DATA_DIR)); // the database is no part of this
  const check = async (env: Env): Promise<string> =>
    (await runToEnd(['doctor'], { DATA_DIR, ...env })).stdout;
  const open = await check({ REQUIRE_HTTPS: 'true', WORKER_PORT: '4000' });
  assert.match(open, /^WRONG +configuration +REQUIRE_HTTPS refuses every request: set TRUSTED_PROXIES /m);
  assert.match(open, /^warn +configuration +WORKER_PORT is not opened: /m);
  const proxied = await check({ REQUIRE_HTTPS: 'true', TRUSTED_PROXIES: '10.0.0.1' });
  assert.doesNotMatch(proxied, /REQUIRE_HTTPS|WORKER_PORT/);
  const keyOf = (MOYASAR_SECRET_KEY: string): Env => ({ MOYASAR_SECRET_KEY, MOYASAR_WEBHOOK_TOKEN: 'w' });
  assert.match(
    await check(keyOf('sk_live_1')),
    /^WRONG +configuration +MOYASAR_SECRET_KEY is a live key, and this a sandbox: /m,
  );
  assert.doesNotMatch(await check(keyOf('sk_test_1')), /MOYASAR_SECRET_KEY/);
  const production = {
    DEPLOYMENT: 'production',
    OPERATOR_TOKEN: 'operator-token-of-the-tests',
    SECRETS_KEY: 'a'.repeat(64),
    PUBLIC_URL: 'https://bookings.example.sa',
  };
  const plain = await check({ ...production, PUBLIC_URL: 'http://bookings.example.sa' });
  assert.match(plain, /^warn +configuration +REQUIRE_HTTPS is not set: /m);
  assert.match(plain, /^warn +configuration +PUBLIC_URL begins with http: /m);
  const secured = { ...production, REQUIRE_HTTPS: 'true', TRUSTED_PROXIES: '10.0.0.1' };
  assert.doesNotMatch(await check(secured), /REQUIRE_HTTPS|PUBLIC_URL/);
  assert.doesNotMatch(await check({}), /REQUIRE_HTTPS|PUBLIC_URL/, 'a sandbox');
  assert.match(
    await check({ ...production, ...keyOf('sk_test_1') }),
    /^WRONG +configuration +MOYASAR_SECRET_KEY is a test key, and this production: /m,
  );
  assert.doesNotMatch(await check({ ...production, ...keyOf('sk_live_1') }), /MOYASAR_SECRET_KEY/);
});

test('doctor checks the database of Redis that REDIS_URL names', {
  skip: process.env.TEST_REDIS_URL === undefined && 'TEST_REDIS_URL names no Redis',
}, async (t) => {
  const DATA_DIR = temporaryFolder(t);
  t.after(holdDataDir(DATA_DIR)); // the database is no part of this
  const check = async (database: string): Promise<string> => {
    const REDIS_URL = Object.assign(new URL(process.env.TEST_REDIS_URL!), { pathname: database }).href;
    return (await runToEnd(['doctor'], { DATA_DIR, REDIS_URL })).stdout;
  };
  assert.match(await check('/1'), /^ok +Redis +answers$/m);
  assert.match(await check('/99999'), /^WRONG +Redis +ERR .*: give REDIS_URL the number of a database that/m);
  assert.match(
    await check('/abc'),
    /^WRONG +configuration +.*REDIS_URL must be a URL that ends with the num/m,
  );
});

test('doctor requires PostgreSQL 15 and a clock within 2 seconds', () => {
  const now = Date.parse('2026-11-22T05:00:00Z');
  const verdicts = (version: number, skew: number, took = 0) =>
    checkServer({ version, now: now + skew, encoding: 'UTF8' }, now, now + took).map((check) => check.ok);
  assert.deepEqual(verdicts(150_000, 0), [true, true]);
  assert.deepEqual(verdicts(180_001, 2_000), [true, true]);
  assert.deepEqual(verdicts(149_999, -2_000), [false, true]);
  assert.deepEqual(verdicts(170_002, 2_001), [true, false]);
  assert.deepEqual(verdicts(170_002, -2_001), [true, false]);
  assert.deepEqual(verdicts(170_002, 5_000, 5_000), [true, true], 'a slow answer is not a wrong clock');
  assert.deepEqual(verdicts(90_600, -DAY), [false, false]);
  const [database, clock] = checkServer({ version: 140_005, now: now - 3_500, encoding: 'UTF8' }, now, now);
  assert.equal(database?.detail, 'PostgreSQL 14: update it to 15 or newer');
  assert.equal(clock?.detail, "3.5 s from the database's: synchronize both machines (NTP)");
});

test('doctor looks at archiving, standby, connections and disk', () => {
  const load = (change: Partial<ServerLoad>): ServerLoad => ({
    connections: { used: 80, max: 100 },
    archive: { isFailing: false, waiting: 8 },
    standbys: { isConfigured: true, synchronous: 1 },
    ...change,
  });
  const verdict = ({ ok, warns = false }: Check): string => (ok ? (warns ? 'warn' : 'ok') : 'WRONG');
  const verdicts = (change: Partial<ServerLoad> = {}): string =>
    checkServerLoad(load(change)).map(verdict).join(' ');
  assert.equal(verdicts(), 'ok ok ok');
  const archive = { isFailing: false, waiting: 0 };
  assert.equal(verdicts({ archive: null }), 'warn ok ok');
  assert.equal(verdicts({ archive: { ...archive, isFailing: true } }), 'WRONG ok ok');
  assert.equal(verdicts({ archive: { ...archive, waiting: 9 } }), 'warn ok ok');
  for (const [isConfigured, synchronous, expected] of [
    [true, 0, 'WRONG'],
    [false, 0, 'warn'],
    [false, null, 'warn'],
    [true, null, 'warn'],
    [false, 1, 'ok'],
  ] as const)
    assert.equal(verdicts({ standbys: { isConfigured, synchronous } }), `ok ${expected} ok`);
  assert.equal(verdicts({ connections: { used: 81, max: 100 } }), 'ok ok warn');
  assert.deepEqual([0.1, 0.099].map(checkDisk).map(verdict), ['ok', 'warn']);
});

test('doctor counts failing webhooks, and says when Redis is not shared', {
  skip: !onPostgres && 'needs PostgreSQL',
}, async (t) => {
  const { env, open } = await emptyDatabase(t);
  const production = {
    ...env,
    DEPLOYMENT: 'production',
    OPERATOR_TOKEN,
    SECRETS_KEY: 'a'.repeat(64),
    PUBLIC_URL: 'https://bookings.example.sa',
  };
  await runToEnd(['migrate'], production);
  const doctor = async (): Promise<string> => (await runToEnd(['doctor'], production)).stdout;
  const healthy = await doctor();
  assert.match(healthy, /^ok +webhooks +none has failed for 24 h$/m);
  assert.match(healthy, /^warn +Redis +not used: right for one process with the role api; several need/m);
  assert.match(healthy, /^\S+ +archiving /m);
  const db = await open();
  const partner = await createPartner(db);
  const subscription = await partner.subscribe();
  await partner.writeEvents(1, (await readServerState(db)).now);
  await db.rows({
    text: `update webhook_deliveries set status = 'FAILED', error = 'TIMEOUT', due_at = null, finished_at = now()
      where subscription_id = $1`,
    values: [subscription],
  });
  await db.close();
  assert.match(await doctor(), /^warn +webhooks +1 deliveries fail or were given up within 24 h: GET /m);
});

test('output to a full disk is an error', async (t) => {
  const full = openSync('/dev/full', 'w');
  const child = spawn(process.execPath, [CLI, '--version'], { stdio: ['ignore', full, 'pipe'] });
  closeSync(full);
  t.after(() => child.kill('SIGKILL'));
  let errors = '';
  child.stderr!.on('data', (chunk) => (errors += chunk));
  const [code] = await once(child, 'close');
  assert.equal(code, 1);
  assert.match(errors, /^error: the output cannot be written: ENOSPC[^\n]*\n$/);
});

test('importing the command line has no effect', async (t) => {
  const importer = ['--input-type=module', '--eval', `await import(${JSON.stringify(CLI)})`];
  const child = spawn(process.execPath, importer, { stdio: ['ignore', 'pipe', 'pipe'] });
  t.after(() => child.kill('SIGKILL'));
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += chunk));
  const [code] = await once(child, 'close');
  assert.deepEqual([code, output], [0, '']);
});

test('the bin passes on arguments, output and the exit code', async (t) => {
  const help = await run(t, BIN, ['--help'], {});
  assert.deepEqual([help.code, help.stderr], [0, '']);
  for (const command of ['serve', 'migrate', 'seed', 'partners', 'keys', 'doctor', 'listen']) {
    assert.match(help.stdout, new RegExp(`^  ${command} `, 'm'));
  }
  failedWith(await run(t, BIN, ['keys', 'revoke', 'no-id'], {}), 'id must be a UUID');
});

test('the bin of a checkout without modules says how to install them', async (t) => {
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
  const DATA_DIR = temporaryFolder(t);
  await prepareDataDir(DATA_DIR, 'empty');
  const doctor = async (env: Record<string, string>) =>
    (await runToEnd(['doctor'], { DATA_DIR, ...env })).stdout;
  const env = {
    PAYMENT_GATEWAY: 'moyasar',
    MOYASAR_SECRET_KEY: moyasar.secretKey,
    MOYASAR_WEBHOOK_TOKEN: moyasar.webhookToken,
    MOYASAR_BASE_URL: moyasar.url,
  };
  assert.match(await doctor({}), /^ok +gateway +sandbox: no money moves$/m);
  assert.match(await doctor(env), /^ok +gateway +moyasar answers$/m);
  const refused = await doctor({ ...env, MOYASAR_SECRET_KEY: 'sk_test_wrong' });
  assert.match(refused, /^WRONG +gateway +Moyasar answered 401.*: check MOYASAR_SECRET_KEY/m);
  assert.doesNotMatch(refused, /sk_test_wrong/);
  const away = await doctor({ ...env, MOYASAR_BASE_URL: 'http://127.0.0.1:1' });
  assert.match(away, /^WRONG +gateway +Moyasar gave no answer: check /m);
});

test('doctor fails where a start in production would, and on PLATFORM partners without a gateway', async (t) => {
  const { env, open } = await emptyDatabase(t);
  const sandbox = { ...env, DEPLOYMENT: 'sandbox' };
  await runToEnd(['migrate'], sandbox);
  const partner = ['partners', 'create', '--name', 'Riyadh Homes', '--payment-responsibility', 'PLATFORM'];
  assert.equal((await runToEnd(partner, sandbox)).code, 0);

  const bare = {
    ...env,
    DEPLOYMENT: 'production',
    OPERATOR_TOKEN: '',
    SECRETS_KEY: '',
    PAYMENT_GATEWAY: 'sandbox',
  };
  const refused = await runToEnd(['doctor'], bare);
  assert.equal(refused.code, 1);
  for (const name of ['PUBLIC_URL', 'OPERATOR_TOKEN', 'SECRETS_KEY', 'PAYMENT_GATEWAY'])
    assert.match(refused.stdout, new RegExp(`^WRONG +configuration .*${name} must be`, 'm'));

  const production = {
    ...env,
    DEPLOYMENT: 'production',
    OPERATOR_TOKEN,
    SECRETS_KEY: 'a'.repeat(64),
    PUBLIC_URL: 'https://bookings.example.sa',
  };
  const unpaid = await runToEnd(['doctor'], production);
  assert.equal(unpaid.code, 1);
  assert.match(
    unpaid.stdout,
    /^WRONG +partners +no bookings for Riyadh Homes \(PLATFORM\): set PAYMENT_GATEWAY/m,
  );
  assert.match(unpaid.stdout, /^ok +gateway +none: /m);
  assert.match(unpaid.stdout, /^ok +notifier +none: customers get no messages$/m);
  const other = partner.with(3, 'Another');
  failedWith(
    await runToEnd(other, production),
    'paymentResponsibility must be PARTNER while there is no payment gateway',
  );
  failedWith(await runToEnd(['seed', 'demo'], production), /demo data is for a sandbox/);
  assert.equal((await runToEnd(['partners', 'suspend', 'Riyadh Homes'], production)).code, 0);
  assert.equal((await runToEnd(['doctor'], production)).code, 0);

  const db = await open();
  await db.rows({
    text: `insert into schema_migrations (name, run_on) values ('9999_of_tomorrow', '2026-01-01')`,
  });
  await db.close();
  const newer = await runToEnd(['doctor'], production);
  assert.equal(newer.code, 1);
  assert.match(
    newer.stdout,
    /^WRONG +migrations +the database was migrated by a newer version .*: start the newer version$/m,
    'nothing about DATABASE_URL, which is right',
  );
});

test('doctor says what sends messages, and which partners expect some that nothing sends', async (t) => {
  const { env } = await emptyDatabase(t);
  const sandbox = { ...env, DEPLOYMENT: 'sandbox' };
  await runToEnd(['migrate'], sandbox);
  const doctor = async (more: Record<string, string>) => runToEnd(['doctor'], { ...sandbox, ...more });
  await runToEnd(['partners', 'create', '--name', 'Riyadh Homes'], sandbox);
  const messages = ['partners', 'customers', 'Riyadh Homes', '--messages', 'BOOKED'];
  failedWith(
    await runToEnd(messages, { ...sandbox, NOTIFIER: 'none' }),
    'customerMessages must be empty while nothing sends messages to customers',
  );
  assert.equal((await doctor({ NOTIFIER: 'none' })).code, 0, 'nothing is left');
  assert.equal((await runToEnd(messages, sandbox)).code, 0);

  assert.match((await doctor({})).stdout, /^ok +notifier +log: .* lines of the log, and reach nobody$/m);
  const none = await doctor({ NOTIFIER: 'none' });
  assert.equal(none.code, 1);
  assert.match(none.stdout, /^warn +notifier +none: payment links are not sent: partners read them/m);
  assert.match(
    none.stdout,
    /^WRONG +partners +no messages to customers of Riyadh Homes: set NOTIFIER, or switch their messages off$/m,
  );
  const webhook = await doctor({
    NOTIFIER: 'webhook',
    NOTIFIER_WEBHOOK_URL: 'https://sms.example.sa/in?token=hidden',
    NOTIFIER_WEBHOOK_SECRET: 'hidden-too-and-longer',
  });
  assert.match(webhook.stdout, /^ok +notifier +webhook: messages are posted to sms\.example\.sa$/m);
  assert.doesNotMatch(webhook.stdout, /hidden|WRONG +partners/);
  const unifonic = { NOTIFIER: 'unifonic', UNIFONIC_APP_SID: 'hidden', UNIFONIC_SENDER_ID: 'Cleaning' };
  assert.match((await doctor(unifonic)).stdout, /^ok +notifier +unifonic: SMS by Cleaning$/m);
});

test("doctor reports the worker's lag with partitions", async (t) => {
  const { env, open } = await emptyDatabase(t);
  assert.equal((await runToEnd(['migrate'], env)).code, 0);
  const check = async (): Promise<string | undefined> =>
    /^\S+ +partitions +.*$/m.exec((await runToEnd(['doctor'], env)).stdout)?.[0];
  const change = async (work: (db: Db) => Promise<unknown>): Promise<void> => {
    const db = await open();
    await work(db);
    await db.close();
  };
  assert.match((await check())!, /^ok +partitions +made ahead, and dropped in time$/, 'nothing was written');

  await change(async (db) => {
    const { now } = await readServerState(db);
    // As if the worker had ended 40 days ago.
    await keepEventPartitions(db, now - 40 * DAY);
    await keepRequestPartitions(db, now - 40 * DAY, 14);
    await db.rows({
      text: `
        insert into request_log (recorded_at, answered_at, request_id, partner_id, key_id, method, status, hints,
          ignored_parameters, duration_ms)
        select at, at, '', gen_random_uuid(), gen_random_uuid(), 'GET', 200, '{}', '{}', 1
        from unnest(array[now(), now() - interval '40 days']) at`,
    });
  });
  const wrong = (await check())!;
  assert.match(wrong, /^WRONG +partitions +/);
  assert.match(wrong, /\bevents has lacked its next partition for \d+ d, /);
  assert.match(wrong, / request_log has lacked its next partition for \d+ d, /);
  assert.match(wrong, / request_log keeps what should have been dropped \d+ d ago: a process with the role /);

  await change(async (db) => {
    const { now } = await readServerState(db);
    await keepEventPartitions(db, now);
    await keepRequestPartitions(db, now, 14);
  });
  assert.match((await check())!, /^ok +partitions +/, 'the worker has run again');
});

test('a database that is not UTF8 is refused while empty, and reported with data', {
  skip: !onPostgres && 'an embedded database is UTF8',
}, async (t) => {
  const DATABASE_URL = await createEmptyDatabase(t, "encoding 'SQL_ASCII' locale 'C'");
  const env = { DATABASE_URL, OPERATOR_TOKEN, DEPLOYMENT: 'sandbox', PORT: '0', LOG_LEVEL: 'error' };

  const refusal = /the database is encoded in SQL_ASCII, [^\n]+: drop it, and create it again with [^\n]+\n$/;
  failedWith(await runToEnd(['migrate'], env), refusal);
  const started = await run(t, CLI, ['serve'], env);
  assert.deepEqual([started.code, started.stdout], [1, '']);
  assert.match(started.stderr, refusal);

  // As if migrated before this check existed.
  const db = connectPostgres(DATABASE_URL, 2, assert.fail);
  await db.rows({ text: 'create table schema_migrations (id serial, name text, run_on timestamptz)' });
  await db.rows({ text: "insert into schema_migrations (name) values ('0001_db')" });
  await db.close();
  const { stdout } = await runToEnd(['doctor'], env);
  assert.match(
    stdout,
    /^WRONG +database +PostgreSQL \d+, encoded in SQL_ASCII: restore a dump of it into one /m,
  );
  assert.doesNotMatch((await runToEnd(['migrate'], env)).stderr, /SQL_ASCII/, 'it goes on as it is');
});

test('the demo data has its partitions before any worker has run', async (t) => {
  const { env } = await emptyDatabase(t);
  for (const command of [['migrate'], ['seed', 'demo']]) assert.equal((await runToEnd(command, env)).code, 0);
  const { stdout } = await runToEnd(['doctor'], env);
  assert.match(stdout, /^ok +partitions +made ahead, and dropped in time$/m);
});

test('a role that may not create tables, and one without a schema, are reported in one line', {
  skip: !onPostgres && 'an embedded database has one role',
}, async (t) => {
  const { env, open } = await emptyDatabase(t);
  const url = new URL(env.DATABASE_URL!);
  const role = url.pathname.slice(1);
  const db = await open();
  await db.rows({ text: `create role ${role} login` });
  afterwards(t, async () => {
    await db.rows({ text: `drop owned by ${role}` });
    await db.rows({ text: `drop role ${role}` });
    await db.close();
  });
  await db.rows({ text: `grant usage on schema public to ${role}` });
  url.username = role;
  const migrated = () => runToEnd(['migrate'], { ...env, DATABASE_URL: url.href });
  failedWith(
    await migrated(),
    'the role in DATABASE_URL may not create tables in the schema public: make it the owner of the database',
  );
  await db.rows({ text: `alter role ${role} set search_path = nowhere` });
  failedWith(
    await migrated(),
    /^error: the search_path of the role in DATABASE_URL leads to no schema that it /,
  );
});

test('an unknown role is reported in one line', {
  skip: !onPostgres && 'needs PostgreSQL',
}, async (t) => {
  const url = new URL(process.env.TEST_DATABASE_URL!);
  url.username = 'nobody_of_this_name';
  // A server so slow that it is asked again is worth a warning, and no part of this.
  const env = {
    DATABASE_URL: url.href,
    OPERATOR_TOKEN,
    DEPLOYMENT: 'sandbox',
    PORT: '0',
    LOG_LEVEL: 'error',
  };
  const { code, stdout, stderr } = await run(t, CLI, ['serve'], env);
  assert.deepEqual([code, stdout], [1, '']);
  assert.match(stderr, /^the database at DATABASE_URL cannot be used: [^\n]*nobody_of_this_name[^\n]*\n$/);
});
