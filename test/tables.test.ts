import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Generated } from 'kysely';
import { columnsOf, contains, firstOf, instant, pageOf, type Timestamp, tablesOf } from '../src/db/tables.ts';
import { startTestService, TEST_NOW } from './harness.ts';

type Partners = { partners: { id: Generated<string>; name: string; created_at: Timestamp } };
const tables = tablesOf<Partners>();

test('a page and its total come from one statement, also when the page is empty', async (t) => {
  const { deps } = await startTestService(t);
  for (const name of ['Alpha', 'Beta', 'alphabet', '100%']) {
    await deps.db.rows({
      text: `insert into partners (name, created_at, updated_at) values ($1, $2, $2)`,
      values: [name, new Date(TEST_NOW).toISOString()],
    });
  }
  const query = tables.selectFrom('partners').select('name').orderBy('name', 'desc');
  const names = async (part: string, limit: number, offset: number) => {
    const page = await pageOf(deps.db, query.where(contains('name', part)), { limit, offset });
    return [page.total, page.rows.map(({ name }) => name).sort()];
  };
  assert.deepEqual(await names('ALPHA', 1, 1), [2, ['Alpha']]);
  assert.deepEqual(await names('alpha', 10, 0), [2, ['Alpha', 'alphabet']]);
  assert.deepEqual(await names('alpha', 10, 10), [2, []]);
  assert.deepEqual(await names('gamma', 10, 0), [0, []]);
  assert.deepEqual(await names('%', 10, 0), [1, ['100%']]);
});

test('instants are compared and returned as instants', async (t) => {
  const { deps } = await startTestService(t);
  await deps.db.rows({
    text: `insert into partners (name, created_at, updated_at) values ('Alpha', $1, $1)`,
    values: [new Date(TEST_NOW).toISOString()],
  });
  const since = (at: number) =>
    firstOf(deps.db, tables.selectFrom('partners').selectAll().where('created_at', '>=', instant(at)));
  assert.equal((await since(TEST_NOW))?.created_at, TEST_NOW);
  assert.equal(await since(TEST_NOW + 1), null);
});

test('fields of a body become columns; undefined ones are omitted', () => {
  assert.deepEqual(columnsOf({ rateLimitPerMinute: null, nameEn: 'x', gone: undefined, last4: '1234' }), {
    rate_limit_per_minute: null,
    name_en: 'x',
    last4: '1234',
  });
});
