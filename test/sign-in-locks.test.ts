import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import type { Clock } from '../src/base/clock.ts';
import { ApiError } from '../src/base/errors.ts';
import { connectPostgres, type Db, type Queryable, type Tx } from '../src/db/connection.ts';
import { touch } from '../src/db/last-times.ts';
import { TOUCH_SESSIONS } from '../src/operator/session-queries.ts';
import { createSessions, createSignInLink, endSession, endSignIns } from '../src/operator/sessions.ts';
import { createToken, createTokenCache, removeToken } from '../src/operator/tokens.ts';
import { afterwards, createPostgresDatabase, OPERATOR_TOKEN, TEST_NOW } from './harness.ts';

/** Signing in, inviting and ending at the same time: nobody is refused because of another's lock. */

const [PIN, WRONG, ACTOR] = ['407193', '918273', 'operator:first-token'] as const;
const clock: Clock = { now: () => TEST_NOW, offset: () => 0 };
const VERSIONS = { onChange: () => {} };

/** Calls `before` with the number of each statement, and waits for it. */
function stepped(db: Db, before: (statement: number) => Promise<void>): Db {
  let statements = 0;
  const within = (inner: Queryable): Queryable => ({
    async rows(statement) {
      await before(++statements);
      return inner.rows(statement);
    },
    async first(statement) {
      await before(++statements);
      return inner.first(statement);
    },
  });
  const transaction: Db['transaction'] = (work) =>
    db.transaction((tx) => work({ ...tx, ...within(tx) } as Tx));
  return { ...db, ...within(db), transaction };
}

type Person = { id: string; link: string; cookies: string[]; sessions: string[] };
type Deed = (db: Db, her: Person) => Promise<unknown>;

async function open(db: Db, by: object, cookie: string | null = null) {
  const tokens = createTokenCache(db, VERSIONS as never, [OPERATOR_TOKEN], assert.fail);
  const sessions = createSessions({ db, clock }, tokens, [OPERATOR_TOKEN], assert.fail);
  try {
    return await sessions.open(by, { userAgent: 'Firefox', cookie });
  } finally {
    await sessions.close();
    await tokens.close();
  }
}
const admin = { actor: ACTOR, role: 'admin', tokenId: null, session: null } as const;

const DEEDS: Record<string, Deed> = {
  'enters her PIN': (db, { cookies }) => open(db, { pin: PIN }, cookies[0]),
  'enters her last wrong PIN': (db, { cookies }) => open(db, { pin: WRONG }, cookies[1]),
  'opens a link': (db, { link }) => open(db, { link, pin: PIN }),
  'is invited': (db, { id }) => db.transaction((tx) => createSignInLink(tx, clock, ACTOR, { tokenId: id })),
  'is signed out': (db, { id }) => db.transaction((tx) => endSignIns(tx, TEST_NOW, ACTOR, id)),
  'is removed': (db, { id }) => db.transaction((tx) => removeToken(tx, TEST_NOW, ACTOR, id)),
  'has a browser ended': (db, { sessions }) =>
    db.transaction((tx) => endSession(tx, TEST_NOW, admin, sessions[0]!)),
  'uses her sessions': (db, { sessions }) =>
    touch(db, TOUCH_SESSIONS, new Map(sessions.map((id) => [id, TEST_NOW + 60_000]))),
};

/** A person with two browsers, one of which has one try left, sessions in them that have ended, and an unused link. */
async function person(db: Db): Promise<Person> {
  const { row } = (await db.transaction((tx) =>
    createToken(tx, TEST_NOW, ACTOR, { name: `Huda ${Math.random()}`, role: 'dispatcher' }),
  )) as { row: { id: string } };
  const { id } = row;
  const linkOf = async (addsBrowser: boolean): Promise<string> =>
    (await db.transaction((tx) => createSignInLink(tx, clock, ACTOR, { tokenId: id, addsBrowser }))).secret;
  const opened = [
    await open(db, { link: await linkOf(false), pin: PIN }),
    await open(db, { link: await linkOf(true), pin: PIN }),
  ];
  await db.rows({
    text: `update operator_enrolments set pin_failures = 4 where id = (select enrolment_id from operator_sessions where id = $1)`,
    values: [opened[1]!.id],
  });
  await db.rows({
    text: `update operator_sessions set created_at = created_at - interval '2 days', last_seen_at = last_seen_at - interval '1 day'
      where token_id = $1`,
    values: [id],
  });
  const cookies = opened.map(({ cookie }) => cookie!);
  return { id, link: await linkOf(true), cookies, sessions: opened.map((one) => one.id) };
}

const TABLES = ['operator_tokens', 'operator_enrolments', 'operator_links', 'operator_sessions'];

/** Keeps a snapshot of her rows, and returns its restore. A new person would cost the hashes of two PINs. */
async function keep(db: Db): Promise<() => Promise<void>> {
  for (const table of TABLES) await db.rows({ text: `create table kept_${table} as table ${table}` });
  return () =>
    db.transaction(async (tx) => {
      for (const table of TABLES.toReversed()) await tx.rows({ text: `delete from ${table}` });
      for (const table of TABLES) await tx.rows({ text: `insert into ${table} table kept_${table}` });
    });
}

async function refusedOnly(work: Promise<unknown>): Promise<void> {
  try {
    await work;
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
  }
}

/** One deed stops before its n-th statement, until the other has ended or waits for it; false: it has fewer. */
async function cross(db: Db, her: Person, one: Deed, other: Deed, stop: number): Promise<boolean> {
  const [reached, gone] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  let hasStopped = false;
  const first = refusedOnly(
    one(
      stepped(db, async (statement) => {
        if (statement !== stop) return;
        hasStopped = true;
        reached.resolve();
        await gone.promise;
      }),
      her,
    ),
  ).finally(reached.resolve);
  await reached.promise;
  let hasEnded = !hasStopped;
  const second = hasStopped ? refusedOnly(other(db, her)).finally(() => (hasEnded = true)) : null;
  while (!hasEnded && !(await isWaiting(db)));
  gone.resolve();
  await Promise.all([first, second]);
  return hasStopped;
}

const isWaiting = async (db: Db): Promise<boolean> =>
  (await db.first({
    text: `select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
  })) !== null;

async function openDb(t: TestContext): Promise<Db> {
  const url = await createPostgresDatabase(t);
  const admin = connectPostgres(url, 2, assert.fail);
  await admin.rows({
    text: `alter database ${new URL(url).pathname.slice(1)} set deadlock_timeout = '50ms'`,
  });
  await admin.close();
  const db = connectPostgres(url, 6, assert.fail);
  afterwards(t, () => db.close());
  return db;
}

for (const [name, one] of Object.entries(DEEDS))
  test(`she ${name}, and at each moment of it something else happens`, async (t) => {
    const db = await openDb(t);
    const her = await person(db);
    const restore = await keep(db);
    for (const [what, other] of Object.entries(DEEDS))
      for (let stop = 2, goesOn = true; goesOn; stop++) {
        goesOn = await cross(db, her, one, other, stop).catch((error) => {
          throw new Error(`before statement ${stop} she ${what}: ${error.message}`, { cause: error });
        });
        await restore();
      }
  });
