import assert from 'node:assert/strict';
import { test } from 'node:test';
import packageJson from '../package.json' with { type: 'json' };
import { runPrepared } from '../src/db/prepared.ts';
import { openTestDatabase } from './harness.ts';

const VALUES = `
  select $1::int as int, 9007199254740991::int8 as big, 1.50::numeric as exact, date '2026-11-22' as day,
    timestamptz '2026-11-22 10:00:00+03' as second, timestamptz '2026-11-22 10:00:00.123+03' as millisecond,
    null::text as nothing, $2::text as "a ""quoted"" name", true as yes, '{"a": [1]}'::jsonb as json,
    '{a,null}'::text[] as texts, '\\x00ff'::bytea as bytes, $3::timestamptz as at`;
const PARAMETERS = [7, "o'clock", new Date('2026-11-22T07:00:00Z')];

test('named statements answer what pg answers, on their first run and on later ones', async (t) => {
  const db = await openTestDatabase(t);
  await db.withClient(async (client) => {
    const expected = await client.query({ text: VALUES, values: PARAMETERS });
    assert.equal(expected.rows.length, 1);
    for (let run = 1; run <= 3; run++) {
      const rows = await runPrepared(client, { name: 'values', text: VALUES, values: PARAMETERS });
      assert.deepEqual(rows, expected.rows, `run ${run}`);
    }

    // No rows, no columns, many rows, a row that cannot be read: none of them disturbs the next.
    const numbers = { name: 'numbers', text: 'select n from generate_series(1, $1::int) n' };
    for (const count of [0, 3, 1]) {
      const rows = await runPrepared(client, { ...numbers, values: [count] });
      assert.deepEqual(
        rows.map(({ n }) => n),
        Array.from({ length: count }, (_, index) => index + 1),
      );
    }
    const write = { name: 'write', text: 'update sandbox_clock set offset_seconds = 0' };
    for (let run = 1; run <= 2; run++) assert.deepEqual(await runPrepared(client, write), []);
    const broken = { name: 'broken', text: `select timestamptz 'infinity' as at from generate_series(1, 2)` };
    for (let run = 1; run <= 2; run++) await assert.rejects(runPrepared(client, broken), RangeError);
    const failing = { name: 'failing', text: 'select 1 / $1::int as quotient' };
    for (let run = 1; run <= 2; run++) {
      await assert.rejects(runPrepared(client, { ...failing, values: [0] }), { code: '22012' });
      assert.deepEqual(await runPrepared(client, { ...failing, values: [1] }), [{ quotient: 1 }]);
    }
    await assert.rejects(runPrepared(client, { name: 'syntax', text: 'selec' }), { code: '42601' });
    await assert.rejects(runPrepared(client, { name: 'values', text: 'select 2' }), /another text/);
    assert.deepEqual(await runPrepared(client, { name: 'after', text: 'select 1 as one' }), [{ one: 1 }]);
  });
});

test('the version of pg is exact: named statements stand on its internals', () => {
  assert.match(packageJson.dependencies.pg, /^\d+\.\d+\.\d+$/);
});
