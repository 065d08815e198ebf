import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import type { Db } from '../src/db/connection.ts';
import { openTestDatabase } from './harness.ts';

/**
 * What a distribution over several nodes (Citus) would need of the schema: every key, constraint and foreign key of a
 * distributed table with the column that it is distributed by. docs/SCALING.md has a line for each that stands in the way
 * of one by partner or by city; this test says when one is missing, and when one is there no more.
 */

/** Too large for one node; every other table is copied to all of them, or stays on the first. */
const DISTRIBUTED = [
  'contacts',
  'addresses',
  'bookings',
  'appointments',
  'events',
  'event_places',
  'unplaced_events',
  'idempotency_keys',
  'payments',
  'webhook_deliveries',
  'webhook_pending',
  'request_log',
];
/** Of a sandbox only, which is not distributed. */
const SANDBOX = ['sandbox_', 'simulator_', 'webhook_fault', 'certifications'];
/** By city there is no column yet. */
const COLUMNS = { partner: 'partner_id', city: 'city_id' };
type By = keyof typeof COLUMNS;

type Key = { name: string; table: string; columns: string[] };
type Reference = Key & { to: string; toColumns: string[] };

/** Of a partitioned table, those of its default partition, which others copy. */
async function keysOf(db: Db): Promise<Key[]> {
  return db.rows<Key>({
    text: `
      select index.relname as name, coalesce(whole.relname, "table".relname) as "table", (
        select coalesce(array_agg(attname::text), '{}') from pg_attribute
        where attrelid = "table".oid and attnum = any (key.indkey::int2[])
      ) as columns
      from pg_index key join pg_class "table" on "table".oid = key.indrelid join pg_class index on index.oid = key.indexrelid
      left join pg_inherits part on part.inhrelid = "table".oid left join pg_class whole on whole.oid = part.inhparent
      where (key.indisunique or key.indisexclusion) and "table".relnamespace = 'public'::regnamespace
        and ("table".relispartition is false or "table".relname like '%\\_default')
      order by 2, 1`,
  });
}

async function referencesOf(db: Db): Promise<Reference[]> {
  const columns = (table: string, numbers: string): string =>
    `(select array_agg(attname::text) from pg_attribute where attrelid = ${table} and attnum = any (${numbers}))`;
  return db.rows<Reference>({
    text: `
      select conname as name, conrelid::regclass::text as "table", confrelid::regclass::text as "to",
        ${columns('conrelid', 'conkey')} as columns, ${columns('confrelid', 'confkey')} as "toColumns"
      from pg_constraint where contype = 'f' and connamespace = 'public'::regnamespace and conparentid = 0 order by 2, 1`,
  });
}

const isDistributed = (table: string): boolean => DISTRIBUTED.includes(table);
const isSandbox = (table: string): boolean => SANDBOX.some((start) => table.startsWith(start));

/** Keys and references that prevent tables distributed by the column. */
function faults(keys: readonly Key[], references: readonly Reference[], by: By): string[] {
  const column = COLUMNS[by];
  return [
    ...keys.filter(({ table, columns }) => isDistributed(table) && !columns.includes(column)),
    ...references.filter(({ table, columns, to, toColumns }) => {
      if (isSandbox(table) || !isDistributed(to)) return false;
      // From a table that every node has into one of which each has a part.
      return !isDistributed(table) || !columns.includes(column) || !toColumns.includes(column);
    }),
  ].map(({ name }) => name);
}

/** The names of the lines below a heading of docs/SCALING.md. */
function linesOf(heading: string): string[] {
  const text = readFileSync(new URL('../docs/SCALING.md', import.meta.url), 'utf8');
  const section = text.split(`### ${heading}\n`)[1]?.split('\n#')[0];
  assert.ok(section, `docs/SCALING.md has no ${heading}`);
  return [...section.matchAll(/^\| `(\w+)`/gm)].map(([, name]) => name!);
}

test('docs/SCALING.md lists each key and reference that prevents a distribution', async (t) => {
  const db = await openTestDatabase(t);
  const [keys, references] = [await keysOf(db), await referencesOf(db)];
  const known = new Set(keys.map(({ table }) => table));
  for (const table of ['bookings', 'payments', 'appointments', 'webhook_pending'])
    assert.ok(known.has(table), table);
  const byPartner = faults(keys, references, 'partner');
  const partnerLines = linesOf('Not with the partner');
  assert.deepEqual(partnerLines.sort(), byPartner.sort());
  // By city, none of the others has the column either.
  assert.deepEqual(
    [...partnerLines, ...linesOf('By city these too')].sort(),
    faults(keys, references, 'city').sort(),
  );
});

test('a key without the column is found, and a reference into distributed tables', () => {
  const key = { name: 'k', table: 'events', columns: ['partner_id', 'id'] };
  assert.deepEqual(faults([key], [], 'partner'), []);
  assert.deepEqual(faults([key], [], 'city'), ['k']);
  assert.deepEqual(faults([{ ...key, columns: ['id'] }], [], 'partner'), ['k']);
  assert.deepEqual(faults([{ ...key, table: 'teams', columns: ['id'] }], [], 'partner'), []);
  const reference = { ...key, name: 'r', to: 'bookings', toColumns: ['partner_id', 'id'] };
  assert.deepEqual(faults([], [reference], 'partner'), []);
  assert.deepEqual(faults([], [{ ...reference, toColumns: ['id'] }], 'partner'), ['r']);
  assert.deepEqual(faults([], [{ ...reference, table: 'teams' }], 'partner'), ['r']);
  assert.deepEqual(faults([], [{ ...reference, to: 'partners', columns: ['id'] }], 'partner'), []);
  assert.deepEqual(faults([], [{ ...reference, table: 'simulator_runs', columns: ['id'] }], 'partner'), []);
});
