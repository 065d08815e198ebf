import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { verifyAudit } from '../src/db/audit.ts';
import type { Db } from '../src/db/connection.ts';
import { ownSources } from '../src/db/sources.ts';
import { isDatabaseError } from '../src/db/unavailable.ts';
import { auditedOf } from './audited.ts';
import { startTestService } from './harness.ts';

/** A log from before texts, names and places were kept out of it. */

const MIGRATION = join(ownSources().migrations, '0048_audit_texts.sql');
const BOOKING = '01a201a0-1c80-4013-99a8-24a214ee9b9c';
const APPOINTMENT = '01a201a0-1c80-41d2-9d98-6a3de7dbdc3d';
const GROUP = '5f0c6a6e-3c1b-4b5e-9a53-0d5a2f1c7b10';

const VISIT = {
  id: APPOINTMENT,
  bookingId: BOOKING,
  status: 'Scheduled',
  team: { id: GROUP, name: 'Team 1' },
  contact: { name: 'Zq Noura', phone: '+966500Zq' },
  address: { streetName: 'Zq Street', latitude: '24.7' },
};
const { contact: _contact, address: _address, ...BARE } = VISIT;

type Entry = { target: string; before?: object; after?: object; groupId?: string };

const ENTRIES: Entry[] = [
  { target: 'team:1', after: { name: 'Team 1', reason: 'Ramadan' } },
  { target: `appointment:${APPOINTMENT}`, before: VISIT, after: { ...VISIT, forcedBecause: 'Zq forced' } },
  { target: 'team:1', before: { name: 'Team 1' }, groupId: GROUP },
  {
    target: `booking:${BOOKING}`,
    before: { bookingId: BOOKING, cancellation: null, failureReason: null },
    after: { bookingId: BOOKING, cancellation: { reasonId: GROUP, notes: 'Zq moved' }, failureReason: null },
    groupId: GROUP,
  },
  {
    target: `booking:${BOOKING}`,
    before: { bookingId: BOOKING, refundDecision: { keptAmount: 1, reason: 'Zq asked' } },
    after: { bookingId: BOOKING, reason: 'Zq failed', failureReason: 'Zq failed' },
  },
  { target: `booking:${BOOKING}`, after: { bookingId: BOOKING, cancellation: null, status: 'confirmed' } },
];

/** The same with nothing of a customer, as it is shown. */
const SHOWN = ENTRIES.map(({ target, before, after }) => {
  const bare = (state: object | undefined): unknown => {
    const { contact: _c, address: _a, ...rest } = { ...state } as typeof VISIT;
    return state === undefined ? null : rest;
  };
  return { target, before: bare(before), after: bare(after) };
});

/** A database without the migration, with the entries, each in a transaction as they were written. */
async function oldLog(t: TestContext, entries: readonly Entry[] = ENTRIES): Promise<Db> {
  const { db } = (await startTestService(t)).deps;
  await db.rows({ text: 'drop table audit_texts' });
  for (const { target, before, after, groupId } of entries)
    await db.rows({
      text: `
        insert into audit_log (at, actor, action, target, before, after, group_id)
        values ('2026-11-22Z', 'operator:test', 'thing.change', $1, $2, $3, $4)`,
      values: [
        target,
        before === undefined ? null : JSON.stringify(before),
        after === undefined ? null : JSON.stringify(after),
        groupId ?? null,
      ],
    });
  return db;
}

/** The newest entry, as verifyAudit has it, which reads a table that is not there yet. */
const headOf = async (db: Db) =>
  (await db.first<{ number: number; hash: string }>({
    text: `select number, encode(hash, 'hex') as hash from audit_log order by number desc limit 1`,
  }))!;

const upgrade = (db: Db): Promise<unknown> =>
  db.withClient((client) => client.query(`begin; ${readFileSync(MIGRATION, 'utf8')} commit`));

const textOf = async (db: Db): Promise<string> =>
  JSON.stringify(await db.rows({ text: 'select to_jsonb(a) from audit_log a order by position' }));

/** Every change of an entry is refused. */
async function assertAppendOnly(db: Db): Promise<void> {
  for (const text of [
    `update audit_log set actor = 'x' where number = 1`,
    `update audit_log set hash = 'x' where number = 1`,
    'delete from audit_log',
    'truncate audit_log',
  ])
    await assert.rejects(
      db.rows({ text }),
      (error) => isDatabaseError(error) && error.code === '42501',
      text,
    );
  const granted = await db.rows<{ column: string }>({
    text: `
      select column_name::text as column from information_schema.column_privileges
      where table_name = 'audit_log' and privilege_type = 'UPDATE' order by 1`,
  });
  assert.deepEqual(
    granted.map(({ column }) => column),
    ['hash', 'number', 'previous_hash'],
  );
}

test('an old log keeps its texts beside it, loses names and places, and verifies', async (t) => {
  const db = await oldLog(t);
  const head = await headOf(db);
  const hashes = () => db.rows({ text: 'select hash from audit_log order by number limit 6' });
  const before = await hashes();
  assert.equal((await textOf(db)).match(/Zq/g)!.length, 11);

  await upgrade(db);
  assert.ok(!(await textOf(db)).includes('Zq'));
  const after = await hashes();
  assert.deepEqual(after[0], before[0], 'what comes before the first text stays as it was');
  const verdict = await verifyAudit(db, head);
  assert.deepEqual(
    { ...verdict, head: verdict.head!.number },
    { entries: 7, brokenAt: null, textsBrokenAt: null, rewrittenAt: 7, head: 7 },
  );
  const [record] = await auditedOf(db, 'audit:log');
  const last = await db.first<{ hash: string }>({
    text: `select encode(hash, 'hex') as hash from audit_log where number = 6`,
  });
  assert.deepEqual(record, {
    actor: 'migration',
    action: 'audit.rechain',
    before: null,
    after: { entries: 5, previousHead: `6:${head.hash}`, head: `6:${last!.hash}` },
  });
  for (const target of new Set(SHOWN.map((entry) => entry.target)))
    assert.deepEqual(
      (await auditedOf(db, target)).map(({ before, after }) => ({ target, before, after })),
      SHOWN.filter((entry) => entry.target === target),
    );
  assert.equal((await verifyAudit(db, { number: 6, hash: last!.hash })).brokenAt, null);
  for (const unknown of [
    { number: 5, hash: head.hash },
    { number: 6, hash: '0'.repeat(64) },
  ])
    assert.equal((await verifyAudit(db, unknown)).brokenAt, unknown.number);
  await assertAppendOnly(db);
});

test('a log without texts, names and places stays as it is, and so does an empty one', async (t) => {
  for (const entries of [[], [ENTRIES[0]!, { target: `appointment:${APPOINTMENT}`, after: BARE }]]) {
    const db = await oldLog(t, entries);
    const before = await textOf(db);
    await upgrade(db);
    assert.equal(await textOf(db), before);
    assert.equal((await verifyAudit(db)).brokenAt, null);
    if (entries.length > 0) await assertAppendOnly(db);
  }
});

test('an entry that was changed before the migration is still found after it', async (t) => {
  for (const [text, number] of [
    [`update audit_log set actor = 'somebody else' where number = 5`, 5],
    [`update audit_log set actor = 'somebody else' where number = 1`, 1],
    ['delete from audit_log where number = 4', 4],
  ] as const) {
    const db = await oldLog(t);
    await db.transaction(async (tx) => {
      await tx.rows({ text: 'set local session_replication_role = replica' });
      await tx.rows({ text: 'grant update, delete on audit_log to current_user' });
      await tx.rows({ text });
      await tx.rows({ text: 'revoke update, delete on audit_log from current_user' });
      await tx.rows({ text: 'grant update (number, previous_hash, hash) on audit_log to current_user' });
    });
    await upgrade(db);
    assert.equal((await verifyAudit(db)).brokenAt, number, text);
  }
});
