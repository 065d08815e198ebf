import assert from 'node:assert/strict';
import { execFile, execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { chownSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import pg from 'pg';
import { connectPostgres } from '../src/db/connection.ts';
import { readServerLoad } from '../src/db/server-queries.ts';
import { parseConfig } from '../src/program/config.ts';
import { type Service, startService } from '../src/program/service.ts';
import { createLogger } from '../src/runtime/logger.ts';
import { compiled } from './compiled.ts';
import { afterwards, call, OPERATOR_TOKEN, onPostgres } from './harness.ts';
import { freePort } from './ports.ts';
import { until } from './until.ts';

/** docs/operating.md, pasted block by block: into a separate production, and into separate PostgreSQL clusters. */
const ROOT = fileURLToPath(new URL('..', import.meta.url));
const guide = readFileSync(join(ROOT, 'docs/operating.md'), 'utf8');
const run = promisify(execFile);

function blocksOf(kind: string): string[] {
  return [...guide.matchAll(/^```(.+)\n([\s\S]*?)^```$/gm)].flatMap(([, info, text]) =>
    info === kind ? [text!] : [],
  );
}

/** Each replaced text must exist. */
function withOwn(text: string, replacements: Record<string, string>): string {
  return Object.entries(replacements).reduce((all, [old, own]) => {
    assert.ok(all.includes(old), old);
    return all.replaceAll(old, own);
  }, text);
}

async function asAdmin<T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

test('from an empty database to the first booking, command by command', {
  skip: !onPostgres && 'needs PostgreSQL',
}, async (t) => {
  const admin = process.env.TEST_DATABASE_URL!;
  const name = `booking_${randomBytes(6).toString('hex')}`;
  const folder = mkdtempSync(join(tmpdir(), 'pbs-operating-'));
  afterwards(t, () => rmSync(folder, { recursive: true, force: true }));
  afterwards(t, () =>
    asAdmin(admin, async (client) => {
      await client.query(`drop database if exists ${name} with (force)`);
      await client.query(`drop role if exists ${name}`);
    }),
  );
  const [sql] = blocksOf('sql');
  await asAdmin(admin, async (client) => {
    for (const statement of sql!.replaceAll(/\bbooking\b/g, name).split(';\n')) {
      if (statement !== '') await client.query(statement);
    }
  });

  const { host } = new URL(admin);
  const [partnerPort, operatorPort] = [await freePort(), await freePort()];
  const cli = `${process.execPath} --liftoff-only ${join(ROOT, 'src/cli.ts')}`;
  // The last one is typed by an operator with a new key.
  const newKey = 'export SECRETS_KEY_PREVIOUS=$SECRETS_KEY SECRETS_KEY=$(openssl rand -hex 32)\n';
  const blocks = [...blocksOf('sh'), newKey + blocksOf('sh rotation')];
  const script = withOwn(blocks.join("echo '=== next block'\n"), {
    'npx partner-booking': cli,
    'booking:secret@127.0.0.1:5432/booking': `${name}:secret@${host}/${name}`,
    'PORT=3000 OPERATOR_PORT=3001': `PORT=${partnerPort} OPERATOR_PORT=${operatorPort}`,
    'http://127.0.0.1:3000': `http://127.0.0.1:${partnerPort}`,
    'http://127.0.0.1:3001': `http://127.0.0.1:${operatorPort}`,
  });
  const env = { PATH: `${join(process.execPath, '..')}:${process.env.PATH}`, HOME: folder, ...compiled };
  // The services that the script starts end with it.
  const ending = `trap 'kill $(jobs -p) 2>/dev/null; wait' EXIT\n`;
  const { stdout, stderr } = await run('bash', ['--norc', '-c', ending + script], { cwd: folder, env });
  assert.equal(stderr, '');
  const outputs = stdout.split('=== next block\n').map((output) => output.trim());
  assert.equal(outputs.length, blocks.length);
  const [, doctor, ready, , hints, , booking] = outputs;
  assert.equal(ready, 'ready');
  assert.match(doctor!, /^from an empty database to 0\.1\.0\S*\nmigrated: 0001_/);
  assert.match(doctor!, /^ok +configuration +production, /m);
  assert.doesNotMatch(doctor!, /WRONG/);
  assert.equal(hints, '[]');
  const rotation = outputs.at(-1)!;
  assert.match(rotation, /^0 encrypted under SECRETS_KEY\n/);
  assert.match(rotation, /^ok +secrets +0 under SECRETS_KEY$/m);
  assert.doesNotMatch(rotation, /WRONG/);
  const booked = JSON.parse(booking!);
  assert.equal(booked.success, true, booking!);
  assert.deepEqual(
    [booked.data.status, booked.data.paymentStatus, booked.data.appointment.status],
    ['in progress', 'PENDING', 'Scheduled'],
  );
  // JSON and nothing else in the log of a production.
  const log = readFileSync(join(folder, 'service.log'), 'utf8').trim().split('\n');
  assert.equal(JSON.parse(log.at(-1)!).msg, 'stopped');
});

// ---------------------------------------------------------------------------
// Backups, on clusters of their own

const BINARIES = '/usr/lib/postgresql';
const bin = existsSync(BINARIES)
  ? join(BINARIES, readdirSync(BINARIES).sort((a, b) => Number(b) - Number(a))[0]!, 'bin')
  : '';
const skip =
  (bin === '' || process.getuid?.() !== 0) && 'needs the programs of PostgreSQL, and root to become postgres';

/** Runs it as the user postgres, because a cluster refuses root. */
async function asPostgres(folder: string, script: string, env: Record<string, string> = {}): Promise<void> {
  const variables = Object.entries({ ...env, PATH: `${bin}:/usr/bin:/bin`, LC_ALL: 'C.UTF-8' });
  await run('runuser', [
    ...['-u', 'postgres', '--', 'env', '-i', ...variables.map(([key, value]) => `${key}=${value}`)],
    ...['bash', '--norc', '-e', '-c', `cd ${folder}\n${script}`],
  ]);
}

/** A folder of postgres, stopped clusters and all removed after the test. */
function postgresFolder(t: TestContext): string {
  const folder = mkdtempSync(join(tmpdir(), 'pbs-backup-'));
  const id = (kind: string): number => Number(execFileSync('id', [kind, 'postgres'], { encoding: 'utf8' }));
  chownSync(folder, id('-u'), id('-g'));
  afterwards(t, () => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** A running cluster in `folder/name`; its databases are reached at the URL. */
async function startCluster(t: TestContext, folder: string, name: string): Promise<string> {
  const port = await freePort();
  await asPostgres(
    folder,
    `initdb --pgdata=${name} --auth=trust --encoding=UTF8 --no-sync >/dev/null
    pg_ctl --pgdata=${name} --options="-p ${port} -k ${folder} -c fsync=off" --log=${name}.log --wait start >/dev/null`,
  );
  afterwards(t, () => asPostgres(folder, `pg_ctl --pgdata=${name} --mode=immediate stop >/dev/null`));
  const url = `postgres://postgres@127.0.0.1:${port}/postgres`;
  await asAdmin(url, async (client) => {
    await client.query(`create role booking login password 'secret'`);
    await client.query(`create database booking owner booking encoding 'UTF8' template template0`);
  });
  return url;
}

const databaseOf = (admin: string): string =>
  admin.replace('postgres@', 'booking:secret@').replace(/postgres$/, 'booking');

async function startOn(t: TestContext, databaseUrl: string): Promise<Service> {
  const env = {
    DATABASE_URL: databaseUrl,
    DEPLOYMENT: 'sandbox',
    SEED: 'demo-setup',
    PORT: '0',
    OPERATOR_TOKEN,
  };
  const service = await startService(parseConfig({ ...env, ROLES: 'api' }), {
    logger: createLogger('silent'),
  });
  afterwards(t, () => service.close());
  return service;
}

/** A cluster whose transaction ids are far ahead of a new one's, with two bookings. Returns the bookings' key. */
async function clusterWithBookings(t: TestContext, folder: string): Promise<{ admin: string; key: string }> {
  const admin = await startCluster(t, folder, 'first');
  await asAdmin(admin, (client) =>
    client.query(`do $$ begin for i in 1..20000 loop perform pg_current_xact_id(); commit; end loop; end $$`),
  );
  const service = await startOn(t, databaseOf(admin));
  const operator = async (method: string, path: string, body?: unknown) =>
    (await call(`${service.url}/operator`, method, path, body, { authorization: `Bearer ${OPERATOR_TOKEN}` }))
      .body.data;
  const [partner] = (await operator('GET', '/partners?limit=100')).filter(
    (one: { paymentResponsibility: string }) => one.paymentResponsibility === 'PARTNER',
  );
  const permissions = ['partner_bookings_create', 'partner_bookings_read', 'partner_timeslots_read'];
  const { key } = await operator('POST', `/partners/${partner.id}/keys`, { name: 'backup', permissions });
  const { contactId, addressId, serviceId, date } = service.demo!.booking!;
  const v1 = (method: string, path: string, body?: unknown) =>
    call(`${service.url}/v1`, method, path, body, { 'x-api-key': key });
  const path = `/partners/timeslots/available?addressId=${addressId}&serviceId=${serviceId}&date=${date}`;
  const { slots } = (await v1('GET', path)).body.data;
  for (const timeslot of [slots[0], slots.at(-1)]) {
    const answer = await v1('POST', '/partners/bookings', {
      contactId,
      addressId,
      serviceId,
      date,
      timeslot,
    });
    assert.equal(answer.status, 200, answer.text);
  }
  await service.close();
  return { admin, key };
}

/** How many bookings a partner finds: page by page as of the first one, and in all. */
async function countBookings(service: Service, key: string): Promise<{ asOf: number; all: number }> {
  const list = (query: string) =>
    call(`${service.url}/v1`, 'GET', `/partners/bookings?limit=1${query}`, undefined, { 'x-api-key': key });
  const first = await list('');
  const second = await list(`&asOf=${encodeURIComponent(first.headers.get('x-list-as-of')!)}`);
  return { asOf: second.body.meta.total, all: first.body.meta.total };
}

test('a dump is restored into another cluster, transaction ids included', { skip }, async (t) => {
  const folder = postgresFolder(t);
  const { admin, key } = await clusterWithBookings(t, folder);
  const other = await startCluster(t, folder, 'second');
  const env = { DATABASE_URL: databaseOf(admin), NEW_DATABASE_URL: databaseOf(other) };
  await asPostgres(folder, blocksOf('sh backup').join(''), env);
  const restored = await startOn(t, env.NEW_DATABASE_URL);
  assert.deepEqual(await countBookings(restored, key), { asOf: 2, all: 2 });
});

test('a base backup starts with all data', { skip }, async (t) => {
  const folder = postgresFolder(t);
  const { admin, key } = await clusterWithBookings(t, folder);
  const [backup, restore] = blocksOf('sh basebackup');
  const port = await freePort();
  await asPostgres(folder, `${backup} 2>/dev/null`, { ADMIN_URL: admin });
  afterwards(t, () => asPostgres(folder, 'pg_ctl --pgdata=restored --mode=immediate stop >/dev/null'));
  await asPostgres(folder, `(${withOwn(restore!, { '-p 5433': `-p ${port} -k ${folder}` })}) >/dev/null`);
  const url = databaseOf(admin).replace(/:\d+\//, `:${port}/`);
  const service = await startOn(t, url);
  assert.deepEqual(await countBookings(service, key), { asOf: 2, all: 2 });
  const feed = await call(`${service.url}/v1`, 'GET', '/partners/events', undefined, { 'x-api-key': key });
  assert.equal(feed.status, 200, feed.text);
  const { rows } = await asAdmin(url, (client) =>
    client.query('select last_reference > 0 as skips from histories order by number'),
  );
  assert.deepEqual(
    rows,
    [{ skips: false }, { skips: true }],
    'it is noticed, and no reference given out twice',
  );
});

test('a server tells of its archive, its synchronous standby, and its connections', { skip }, async (t) => {
  const folder = postgresFolder(t);
  const admin = await startCluster(t, folder, 'first');
  const port = new URL(admin).port;
  const db = connectPostgres(databaseOf(admin), 2, () => {});
  afterwards(t, () => db.close());
  const { connections, archive, standbys } = await readServerLoad(db);
  assert.deepEqual([archive, standbys], [null, { isConfigured: false, synchronous: null }]);
  assert.deepEqual([connections.used >= 1, connections.max], [true, 100]);

  await asPostgres(
    folder,
    `mkdir archive
    echo "archive_mode = on" >>first/postgresql.conf
    echo "archive_command = 'test -f ${folder}/open && cp %p ${folder}/archive/%f'" >>first/postgresql.conf
    touch open
    pg_ctl --pgdata=first --options="-p ${port} -k ${folder} -c fsync=off" --log=first.log --wait restart >/dev/null`,
  );
  await asAdmin(admin, async (client) => {
    const archived = async () => (await readServerLoad(db)).archive;
    const isBehind = async (segments: number, isFailing: boolean) =>
      until(async () => {
        const now = await archived();
        return now?.waiting === segments && now.isFailing === isFailing;
      });
    await client.query('create table zero ()');
    await client.query('select pg_switch_wal()');
    await isBehind(0, false);
    await asPostgres(folder, 'rm open');
    for (const name of ['one', 'two', 'three']) {
      await client.query(`create table ${name} ()`);
      await client.query('select pg_switch_wal()');
    }
    await isBehind(3, true);
    await asPostgres(folder, 'touch open');
    await client.query('create table four ()');
    await client.query('select pg_switch_wal()');
    await isBehind(0, false);

    await client.query('grant pg_read_all_stats to booking');
    const standbys = async () => (await readServerLoad(db)).standbys;
    assert.deepEqual(await standbys(), { isConfigured: false, synchronous: 0 });
    const free = await freePort();
    await asPostgres(
      folder,
      `pg_basebackup --pgdata=second -R -X stream -c fast -d 'host=127.0.0.1 port=${port} user=postgres application_name=standby1'
      pg_ctl --pgdata=second --options="-p ${free} -k ${folder} -c fsync=off" --log=second.log --wait start >/dev/null`,
    );
    afterwards(t, () =>
      asPostgres(folder, 'pg_ctl --pgdata=second --mode=immediate stop >/dev/null || true'),
    );
    await client.query(`alter system set synchronous_standby_names = 'standby1'`);
    await client.query('select pg_reload_conf()');
    await until(async () => (await standbys()).synchronous === 1);
    assert.equal((await standbys()).isConfigured, true);
    await asPostgres(folder, 'pg_ctl --pgdata=second --mode=immediate stop >/dev/null');
    await until(async () => (await standbys()).synchronous === 0);
  });
});

test('the operations that docs/payments.md names exist', () => {
  const { paths } = JSON.parse(readFileSync(join(ROOT, 'openapi/operator.json'), 'utf8')) as {
    paths: Record<string, Record<string, unknown>>;
  };
  const known = Object.entries(paths).flatMap(([path, item]) =>
    Object.keys(item).map(
      (method) => `${method.toUpperCase()} /operator${path.replaceAll(/\{(\w+)\}/g, ':$1')}`,
    ),
  );
  for (const page of ['docs/payments.md', 'docs/operating.md']) {
    const named = [
      ...readFileSync(join(ROOT, page), 'utf8').matchAll(/`((?:GET|POST|PATCH|PUT) \/operator[^`?]*)/g),
    ];
    assert.ok(named.length > 0);
    const operations = named.map(([, operation]) => operation!);
    for (const operation of operations) assert.ok(known.includes(operation), `${page}: ${operation}`);
  }
});
