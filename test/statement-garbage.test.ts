import assert from 'node:assert/strict';
import { test } from 'node:test';
import { getHeapSpaceStatistics, setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { connectPostgres } from '../src/db/connection.ts';
import { afterwards, createPostgresDatabase, onPostgres } from './harness.ts';

const skip = !onPostgres && 'an embedded database has no time-outs';

const TIMEOUTS = {
  connect: 10_000,
  pool: 10_000,
  query: 60_000,
  statement: 60_000,
  lock: 10_000,
  idleTransaction: 10_000,
  keepAlive: 10_000,
};
const BATCHES = 40;
const AT_ONCE = 50;
/** Characters that each statement returns. */
const ANSWER = 10_000;

test('results of statements are freed by minor collections', { skip }, async (t) => {
  const db = connectPostgres(
    await createPostgresDatabase(t),
    1,
    (error) => {
      throw error;
    },
    { timeouts: TIMEOUTS },
  );
  afterwards(t, () => db.close());
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as (options: { type: 'minor' | 'major' }) => void;
  const old = (): number =>
    getHeapSpaceStatistics().find(({ space_name }) => space_name === 'old_space')!.space_used_size;

  const statement = { name: 'long', text: `select repeat('x', $1::int) as text`, values: [ANSWER] };
  async function batch(): Promise<void> {
    for (let run = 0; run < AT_ONCE; run++) await db.rows(statement);
    // Objects that survive two of them are promoted.
    for (let round = 0; round < 2; round++) collect({ type: 'minor' });
  }
  await batch();
  collect({ type: 'major' });
  const before = old();
  for (let round = 0; round < BATCHES; round++) await batch();
  const kept = old() - before;
  // Measured: a quarter with our own time-out, all of it with that of pg.
  assert.ok(kept < (BATCHES * AT_ONCE * ANSWER) / 2, `${kept} bytes of ${BATCHES * AT_ONCE * ANSWER} kept`);
});
