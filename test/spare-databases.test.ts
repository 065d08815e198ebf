import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { openInMemory } from '../src/db/embedded.ts';
import { migrate } from '../src/db/migrate.ts';
import { takeDatabase } from './spare-databases.ts';

async function make() {
  const { db } = await openInMemory();
  await migrate(db);
  return db;
}

const none = () => Promise.reject(new Error('none is left'));

/** Until after the test nobody has those that other tests of the process have left. */
async function takeSpareOnes(t: TestContext): Promise<void> {
  for (;;) {
    const spare = await takeDatabase(none).catch(() => null);
    if (spare === null) return;
    t.after(() => spare.close());
  }
}

const SEQUENCES = `
  select sequencename as name, last_value from pg_sequences where schemaname = 'public' order by 1`;

test('a database that is used again is as it was when it was new, numbers included', async (t) => {
  await takeSpareOnes(t);
  const fresh = await takeDatabase(make);
  const before = await fresh.rows({ text: SEQUENCES });
  await fresh.rows({ text: `select nextval('delivery_changes')` });
  await fresh.rows({ text: `insert into schema_migrations (name, run_on) values ('9999', now())` });
  await fresh.close();

  const again = await takeDatabase(() => assert.fail('there is a spare one'));
  assert.deepEqual(await again.rows({ text: SEQUENCES }), before);
  // The next number is a new one, as in a new database.
  const [{ next } = { next: 0 }] = await again.rows<{ next: number }>({
    text: `select nextval('delivery_changes') as next`,
  });
  assert.equal(next, 2);
  await again.rows({ text: `insert into schema_migrations (name, run_on) values ('9999', now())` });
  // Many rows, which are not deleted one by one.
  await again.rows({
    text: `insert into categories (name_en, name_ar, created_at, updated_at)
      select repeat('x', 100), repeat('x', 100), now(), now() from generate_series(1, 10000)`,
  });
  await again.close();

  const third = await takeDatabase(() => assert.fail('there is a spare one'));
  assert.deepEqual(
    await third.rows({ text: 'select name from schema_migrations where name = $1', values: ['9999'] }),
    [],
  );
  assert.deepEqual(await third.rows({ text: 'select 1 from categories' }), []);
  // Changed and changed back, it is used again; changed, it is not.
  await third.rows({ text: 'alter table teams disable trigger user' });
  await third.rows({ text: 'alter table teams enable trigger user' });
  await third.close();
  const fourth = await takeDatabase(() => assert.fail('there is a spare one'));
  await fourth.rows({ text: 'alter table teams disable trigger user' });
  await fourth.close();
  await assert.rejects(takeDatabase(none), /none is left/);
});
