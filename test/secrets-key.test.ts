import assert from 'node:assert/strict';
import { hkdfSync } from 'node:crypto';
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import type { Db } from '../src/db/connection.ts';
import { createSealer, SecretsKeyError } from '../src/db/sealing.ts';
import { sealLink } from '../src/payments/links.ts';
import { parseConfig } from '../src/program/config.ts';
import { countSecrets, openSecrets, resealAll } from '../src/program/secrets.ts';
import { startService } from '../src/program/service.ts';
import { createLogger } from '../src/runtime/logger.ts';
import { sealSecret } from '../src/webhooks/secrets.ts';
import { prepareDataDir } from './data-dirs.ts';
import { afterwards, createPostgresDatabase, OPERATOR_TOKEN, onPostgres } from './harness.ts';
import { runToEnd } from './terminal.ts';
import { createPartner, WAITS_FOR_PAYMENT } from './webhook-queue-fixtures.ts';

/** The key of secrets: found, created, derived, wrong, lost and replaced. */

const [OLD, NEW, WRONG] = ['0a', '0b', '0c'].map((byte) => byte.repeat(32)) as [string, string, string];
const keyOf = (text: string): Buffer => Buffer.from(text, 'hex');

type Env = Record<string, string>;

/** A migrated database that nothing was written into, as the environment names it. */
async function freshDatabase(t: TestContext): Promise<Env> {
  if (onPostgres) return { DATABASE_URL: await createPostgresDatabase(t), OPERATOR_TOKEN };
  return embeddedDatabase(t);
}

async function embeddedDatabase(t: TestContext): Promise<Env> {
  const DATA_DIR = mkdtempSync(join(tmpdir(), 'pbs-key-'));
  afterwards(t, () => rmSync(DATA_DIR, { recursive: true, force: true }));
  await prepareDataDir(DATA_DIR, 'migrated');
  return { DATA_DIR };
}

async function start(t: TestContext, env: Env) {
  const lines: string[] = [];
  const base = { DEPLOYMENT: 'sandbox', SEED: 'none', PORT: '0', DRAIN_SECONDS: '0' };
  const service = await startService(parseConfig({ ...base, ...env }), {
    logger: createLogger('warn', { write: (line) => void lines.push(line) }),
  });
  afterwards(t, service.close);
  return { ...service, logged: () => lines.join('') };
}

/** Starts, does the work and stops: an embedded database has one process at a time. */
async function within<T>(
  t: TestContext,
  env: Env,
  work: (service: Awaited<ReturnType<typeof start>>) => T | Promise<T>,
): Promise<T> {
  const service = await start(t, env);
  try {
    return await work(service);
  } finally {
    await service.close();
  }
}

const refused = (t: TestContext, env: Env, says: RegExp): Promise<void> =>
  assert.rejects(start(t, env), (error) => error instanceof SecretsKeyError && says.test(error.message));

/** Runs a command to its end. */
async function cli(env: Env, ...args: string[]): Promise<{ code: number; said: string }> {
  const { code, stdout, stderr } = await runToEnd(args, { DEPLOYMENT: 'sandbox', ...env });
  return { code, said: stdout + stderr };
}

async function subscribe(db: Db, secret: string): Promise<void> {
  await db.rows({
    text: `
      with partner as (
        insert into partners (name, created_at, updated_at) values ('P', now(), now()) returning id
      )
      insert into webhook_subscriptions (partner_id, url, events, secret, created_at, updated_at)
      select id, 'https://a.example.sa/', array['booking.created'], $1, now(), now() from partner`,
    values: [secret],
  });
}

test('a wrong key refuses the start; secrets rotate replaces the right one', async (t) => {
  const database = await freshDatabase(t);
  const old = { ...database, SECRETS_KEY: OLD };
  await within(t, old, () => {});
  const wrong = { ...database, SECRETS_KEY: WRONG };
  await refused(t, wrong, /^SECRETS_KEY is not the key [^\n]+bring that back/);
  const rotated = { ...database, SECRETS_KEY: NEW, SECRETS_KEY_PREVIOUS: OLD };
  const unknown = await cli(wrong, 'secrets', 'rotate');
  assert.equal(unknown.code, 1);
  assert.match(unknown.said, /^error: SECRETS_KEY is not the key [^\n]+\n$/);
  const ill = await cli(wrong, 'doctor');
  assert.match(ill.said, /^WRONG {2}secrets +SECRETS_KEY is not the key /m);

  await within(t, rotated, () => {});
  await within(t, old, () => {});
  assert.deepEqual(await cli(rotated, 'secrets', 'rotate'), {
    code: 0,
    said: '0 encrypted under SECRETS_KEY\n',
  });
  await refused(t, old, /SECRETS_KEY is not the key/);
  const { SECRETS_KEY_PREVIOUS: _, ...after } = rotated;
  await within(t, after, () => {});

  const lost = await cli(wrong, 'secrets', 'rotate', '--accept-loss');
  assert.deepEqual(lost, { code: 0, said: '0 encrypted under SECRETS_KEY\n' });
  await within(t, wrong, () => {});
});

test('after a lost key: secrets until they are replaced, payment links permanently', async (t) => {
  const database = await freshDatabase(t);
  const old = { ...database, SECRETS_KEY: OLD };
  const lasting = { ...database, SECRETS_KEY: NEW };
  await within(t, old, async ({ deps: { db, sealer } }) => {
    await createPartner(db, WAITS_FOR_PAYMENT);
    const payment = await db.first<{ id: string }>({ text: 'select id from payments' });
    await db.rows({
      text: `update payments set gateway = 'sandbox', gateway_reference = 'r', link_url = $1`,
      values: [sealLink(sealer, payment!.id, 'https://pay.example.sa/1')],
    });
    await subscribe(db, sealer.seal('whsec_1', 'webhook-secret'));
  });
  const doctor = async () => /^.+ secrets .+$/m.exec((await cli(lasting, 'doctor')).said)?.[0];
  assert.match((await doctor())!, /^WRONG .+ 2 are under a key that is not set: set it as SECRETS_KEY or /);
  assert.equal((await cli(lasting, 'secrets', 'rotate', '--accept-loss')).code, 0);
  assert.match((await doctor())!, /^WRONG .+ 1 are under a key that is not set: .+ rotate-secret/);
  assert.equal((await cli(lasting, 'secrets', 'rotate')).code, 1);
  await within(t, lasting, async ({ deps: { db, sealer } }) => {
    const { id } = (await db.first<{ id: string }>({ text: 'select id from webhook_subscriptions' }))!;
    await db.rows({
      text: 'update webhook_subscriptions set secret = $1',
      values: [sealSecret(sealer, id, 'whsec_2')],
    });
  });
  assert.match(
    (await doctor())!,
    /^ok .+ under SECRETS_KEY; 1 payment links are under a key that is not set$/,
  );
  assert.equal((await cli(lasting, 'secrets', 'rotate')).code, 0);
});

test('values sealed by an earlier version are a check too', async (t) => {
  const database = await freshDatabase(t);
  const sealed = createSealer([keyOf(OLD)]).seal('https://pay.example', 'payment-link:x');
  await within(t, { ...database, SECRETS_KEY: OLD }, async ({ deps: { db } }) => {
    await db.rows({ text: 'delete from sealing_check' });
    await subscribe(db, sealed);
  });
  await refused(t, { ...database, SECRETS_KEY: WRONG }, /SECRETS_KEY is not the key/);
  await within(t, { ...database, SECRETS_KEY: OLD }, () => {});
  // Under the right key, but of another row: doctor opens the values that it counts.
  const doctor = await cli({ ...database, SECRETS_KEY: OLD }, 'doctor');
  assert.match(doctor.said, /^WRONG {2}secrets +1 of a sample cannot be opened/m);
});

test('the key beside an embedded database', async (t) => {
  const env = await embeddedDatabase(t);
  const file = join(env.DATA_DIR!, 'secrets.key');
  await t.test(
    'of two simultaneous starts one creates it; only its owner can read it, and it stays',
    async () => {
      const starts = await Promise.allSettled([start(t, env), start(t, env)]);
      const [won, lost] = starts.toSorted((a, b) => a.status.localeCompare(b.status));
      assert.ok(won?.status === 'fulfilled' && lost?.status === 'rejected');
      assert.match(String(lost.reason), /is in use by another process/);
      assert.equal(statSync(file).mode & 0o777, 0o600);
      assert.match(readFileSync(file, 'utf8'), /^[0-9a-f]{64}\n$/);
      const { sealer } = won.value.deps;
      await won.value.close();
      const key = readFileSync(file, 'utf8');
      assert.equal(createSealer([keyOf(key.trim())]).open(sealer.seal('a', 'x'), 'x'), 'a');
      await within(t, env, ({ deps }) => assert.deepEqual(deps.sealer.keys, sealer.keys));
      assert.equal(readFileSync(file, 'utf8'), key);
    },
  );
  await t.test('missing while something is encrypted: refused, and no other is created', async () => {
    rmSync(file);
    await refused(t, env, /secrets\.key is missing: it has the key [^\n]+ bring that back/);
    assert.match((await cli(env, 'doctor')).said, /^WRONG {2}secrets +\S+secrets\.key is missing/m);
    assert.ok(!existsSync(file));
  });
  await t.test('lost: another one is created after acceptance', async () => {
    assert.equal((await cli(env, 'secrets', 'rotate', '--accept-loss')).code, 0);
    assert.equal(statSync(file).mode & 0o777, 0o600);
    await within(t, env, () => {});
  });
});

test('a sandbox on PostgreSQL has a key derived from OPERATOR_TOKEN', { skip: !onPostgres }, async (t) => {
  const env = await freshDatabase(t);
  const derived = hkdfSync('sha256', OPERATOR_TOKEN, '', 'partner-booking secrets key', 32);
  await within(t, env, ({ deps, logged }) => {
    const sealed = deps.sealer.seal('a', 'x');
    assert.equal(createSealer([Buffer.from(derived)]).open(sealed, 'x'), 'a');
    assert.equal(logged(), '');
  });
  // The token may be changed: secrets that cannot be opened are reported.
  await within(t, { ...env, OPERATOR_TOKEN: `${OPERATOR_TOKEN}-2` }, ({ logged }) =>
    assert.match(logged(), /what is derived from OPERATOR_TOKEN is not the key/),
  );
  // And a key can be given later.
  await within(t, { ...env, SECRETS_KEY: NEW }, () => {});
});

test('of two simultaneous first starts with different keys one is refused', {
  skip: !onPostgres,
}, async (t) => {
  const env = await freshDatabase(t);
  const starts = await Promise.allSettled([
    start(t, { ...env, OPERATOR_TOKEN: '0123456789abcdef', SECRETS_KEY: OLD }),
    start(t, { ...env, OPERATOR_TOKEN: 'fedcba9876543210', SECRETS_KEY: NEW }),
  ]);
  const failures = starts.filter((one) => one.status === 'rejected');
  assert.equal(failures.length, 1);
  assert.ok(failures[0]!.reason instanceof SecretsKeyError);
});

test('a start that another key overtakes after its check is refused', async (t) => {
  const database = await freshDatabase(t);
  await within(t, { ...database, SECRETS_KEY: OLD }, async ({ deps: { db } }) => {
    await db.rows({ text: 'delete from sealing_check' });
    const of = (key: string) =>
      openSecrets(parseConfig({ DEPLOYMENT: 'sandbox', ...database, SECRETS_KEY: key }));
    const overtaken: Db = {
      ...db,
      async rows(statement) {
        if (statement.text.includes('insert into sealing_check')) await of(NEW).check(db, assert.fail);
        return db.rows(statement);
      },
    };
    await assert.rejects(of(WRONG).check(overtaken, assert.fail), SecretsKeyError);
    await of(NEW).check(db, assert.fail);
  });
});

test('the check value is resealed last: until then the previous key is needed', async (t) => {
  const database = await freshDatabase(t);
  await within(t, { ...database, SECRETS_KEY: OLD }, async ({ deps: { db, sealer } }) => {
    await subscribe(db, 'whsec_x');
    await resealAll(db, sealer);
    const rotating = createSealer([keyOf(NEW), keyOf(OLD)]);
    const left: number[] = [];
    const watched: Db = {
      ...db,
      async first(statement) {
        if (/^\s*update sealing_check/.test(statement.text))
          left.push((await countSecrets(db, rotating)).previous);
        return db.first(statement);
      },
    };
    assert.equal((await countSecrets(db, rotating)).previous, 1);
    await resealAll(watched, rotating);
    assert.deepEqual(left, [0]);
  });
});
