import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { type AuditHead, audit, verifyAudit } from '../src/db/audit.ts';
import type { Db, Tx } from '../src/db/connection.ts';
import { isDatabaseError } from '../src/db/unavailable.ts';
import { onPostgres, startTestService, TEST_NOW } from './harness.ts';

async function logOf(t: TestContext, entries: number): Promise<Db> {
  const { db } = (await startTestService(t)).deps;
  for (let number = 1; number <= entries; number++) await write(db, `thing:${number}`);
  return db;
}

const GROUP = '5f0c6a6e-3c1b-4b5e-9a53-0d5a2f1c7b10';

/** The fifth is one of a group. */
const write = (db: Db, target: string): Promise<void> =>
  db.transaction((tx) =>
    audit(tx, TEST_NOW, {
      actor: 'operator:test',
      action: 'thing.change',
      target,
      after: { name: 'فئة' },
      ...(target === 'thing:5' && { groupId: GROUP }),
    }),
  );

class Undone extends Error {}

/** Returns the work's result and rolls it back. */
async function undone<T>(db: Db, work: (tx: Tx) => Promise<T>): Promise<T> {
  let answer: T;
  try {
    await db.transaction(async (tx) => {
      answer = await work(tx);
      throw new Undone();
    });
  } catch (error) {
    if (!(error instanceof Undone)) throw error;
  }
  return answer!;
}

/** Without triggers, as the owner of the server could. */
const tamper = (db: Db, text: string, known: AuditHead | null = null): Promise<number | null> =>
  undone(db, async (tx) => {
    await tx.rows({ text: 'set local session_replication_role = replica' });
    await tx.rows({ text });
    const verdict = await verifyAudit(tx, known);
    for (const size of [1, 2, 3])
      assert.deepEqual(await verifyAudit(tx, known, size), verdict, `batches of ${size}`);
    return verdict.brokenAt;
  });

const refused = (work: Promise<unknown>, says: RegExp, about: string): Promise<void> =>
  assert.rejects(
    work,
    (error) => isDatabaseError(error) && error.code === '42501' && says.test(error.message),
    about,
  );

test('entries can only be added', async (t) => {
  const db = await logOf(t, 2);
  const changes = [
    `update audit_log set actor = 'somebody else'`,
    'update audit_log set number = 7 where number = 2',
    'update audit_log set hash = null, number = null',
    'delete from audit_log',
    'truncate audit_log',
  ];
  for (const text of changes) await refused(db.rows({ text }), /can only be added to/, text);
  assert.deepEqual((await verifyAudit(db)).brokenAt, null);

  // Nor may the role that owns the table, where no trigger stands before it.
  for (const text of changes.filter(
    (change) => !change.includes('set number') && !change.includes('set hash'),
  ))
    await refused(
      undone(db, async (tx) => {
        await tx.rows({ text: 'create role audit_owner_of_the_tests' });
        await tx.rows({ text: 'alter table audit_log owner to audit_owner_of_the_tests' });
        await tx.rows({ text: 'set local session_replication_role = replica' });
        await tx.rows({ text: 'set local role audit_owner_of_the_tests' });
        await tx.rows({ text });
      }),
      /^permission denied for table audit_log$/,
      text,
    );
});

test('an entry is unchanged when it is chained', async (t) => {
  const db = await logOf(t, 1);
  for (const change of [
    `number = 2, actor = 'somebody else'`,
    `number = 2, action = 'x'`,
    `number = 2, target = 'x'`,
    `number = 2, before = '{}'`,
    `number = 2, after = '{}'`,
    `number = 2, at = now()`,
    `number = 2, group_id = '${GROUP}'`,
    'number = 2, id = gen_random_uuid()',
    `hash = 'x'`,
  ])
    await refused(
      db.transaction(async (tx) => {
        await audit(tx, TEST_NOW, { actor: 'operator:test', action: 'thing.change', target: 'thing:2' });
        await tx.rows({ text: `update audit_log set ${change} where number is null` });
      }),
      /can only be added to/,
      change,
    );
  const { entries, brokenAt } = await verifyAudit(db);
  assert.deepEqual([entries, brokenAt], [1, null]);
});

/** Changes the entry and gives it a hash that fits. */
const rewritten = (number: number, actor = `'x'`, newNumber = 'a.number'): string => `
  update audit_log a set actor = ${actor}, number = ${newNumber}, hash = audit_hash((a.id, a.position, a.at, ${actor},
    a.action, a.target, a.before, a.after, ${newNumber}, a.previous_hash, null, a.group_id)::audit_log) where number = ${number}`;

test('changed, removed, inserted and truncated entries are found', async (t) => {
  const db = await logOf(t, 5);
  const { head, ...found } = await verifyAudit(db);
  assert.deepEqual(
    [found, head?.number],
    [{ entries: 5, brokenAt: null, textsBrokenAt: null, rewrittenAt: null }, 5],
  );
  for (const [text, brokenAt] of [
    [`update audit_log set actor = 'somebody else' where number = 3`, 3],
    [`update audit_log set action = 'x' where number = 3`, 3],
    [`update audit_log set target = 'x' where number = 3`, 3],
    [`update audit_log set at = at + interval '1 microsecond' where number = 3`, 3],
    [`update audit_log set id = gen_random_uuid() where number = 3`, 3],
    [`update audit_log set before = '{"name": "x"}' where number = 1`, 1],
    [`update audit_log set after = '{"name": "x"}' where number = 1`, 1],
    [`update audit_log set group_id = '${GROUP}' where number = 3`, 3],
    [`update audit_log set group_id = null where number = 5`, 5],
    [`update audit_log set hash = 'x' where number = 5`, 5],
    ['update audit_log set number = 6 where number = 5', 5],
    ['delete from audit_log where number = 2', 2],
    [`insert into audit_log (at, actor, action, target) values ('2026-01-01Z', 'a', 'b', 'c')`, 6],
    [rewritten(5, 'a.actor', '6::bigint'), 5],
    // The next one does not carry its hash, or has not its own any more.
    [rewritten(4), 5],
    [
      `${rewritten(4).replace('update', 'with four as (update')} returning a.hash)
        update audit_log set previous_hash = four.hash from four where number = 5`,
      5,
    ],
  ] as const)
    assert.equal(await tamper(db, text), brokenAt, text);
  // Only a stored head reveals a truncated end.
  for (const [text, brokenAt] of [
    ['delete from audit_log where number = 5', 5],
    ['delete from audit_log where number > 3', 4],
    [rewritten(5), 5],
    ['delete from audit_log', 1],
  ] as const) {
    assert.equal(await tamper(db, text), null, text);
    assert.equal(await tamper(db, text, head), brokenAt, text);
  }
});

test('a rollback leaves no gap, and simultaneous entries are ordered', async (t) => {
  const db = await logOf(t, 1);
  await assert.rejects(
    db.transaction(async (tx) => {
      await audit(tx, TEST_NOW, { actor: 'a', action: 'b', target: 'c' });
      throw new Error('no');
    }),
  );
  await Promise.all(Array.from({ length: onPostgres ? 40 : 5 }, (_, index) => write(db, `thing:${index}`)));
  const { entries, brokenAt, head } = await verifyAudit(db);
  assert.deepEqual([brokenAt, head?.number], [null, entries]);
});
