import assert from 'node:assert/strict';
import { test } from 'node:test';
import { MINUTE } from '../src/base/clock.ts';
import type { Db } from '../src/db/connection.ts';
import { createKeyCache } from '../src/partners/access.ts';
import { createKey } from '../src/partners/key-rules.ts';
import { rotateKey } from '../src/partners/keys.ts';
import { watchVersions } from '../src/runtime/versions.ts';
import { createPartner, createPartnerKey } from './fixtures.ts';
import { afterwards, startTestService, TEST_NOW } from './harness.ts';
import { until } from './until.ts';

/** The database, and how many queries it was asked. */
function counting(db: Db): [Db, () => number] {
  let queries = 0;
  const counted: Db = {
    ...db,
    first: (statement) => {
      queries++;
      return db.first(statement);
    },
    rows: (statement) => {
      queries++;
      return db.rows(statement);
    },
  };
  return [counted, () => queries];
}

test('guesses of keys cost no query each, and a new key works at once', async (t) => {
  const service = await startTestService(t);
  const { db } = service.deps;
  const { partnerId } = await createPartner(service);
  const [counted, queries] = counting(db);
  // Also counts how often guesses read the change counter.
  const versions = watchVersions(counted, assert.fail);
  await versions.start();
  afterwards(t, () => versions.close());
  const book = createKeyCache(counted, versions, (error) => assert.fail(error));
  afterwards(t, () => book.close());
  for (let guess = 0; guess < 200; guess++)
    assert.equal(await book.find(createKey('sandbox').key, TEST_NOW), null);
  assert.ok(queries() < 100, `${queries()} queries for 200 guesses`);
  // This watch has no notification of the new key: an attempt with it makes it read, soon after the last time.
  const { key } = await createPartner(service);
  while ((await book.find(key, TEST_NOW)) === null) await new Promise(setImmediate);
  assert.ok(await book.find(key, TEST_NOW));

  const { key: expired } = await createPartnerKey(service, partnerId, [], { expiresAt: TEST_NOW });
  assert.equal(await book.find(expired, TEST_NOW), null);
  const before = queries();
  for (let guess = 0; guess < 200; guess++) assert.equal(await book.find(expired, TEST_NOW), null);
  assert.ok(queries() - before < 100, `${queries() - before} queries for 200 times an expired key`);
});

test('an unknown key makes the process read the change counter', async (t) => {
  const service = await startTestService(t);
  // A watch that learns nothing by itself.
  let [seen, actual] = [1, 1];
  const versions = {
    ...service.deps.versions,
    current: () => seen,
    refresh: async () => {
      seen = actual;
    },
  };
  const book = createKeyCache(service.deps.db, versions, (error) => assert.fail(error));
  afterwards(t, () => book.close());
  assert.equal(await book.find(createKey('sandbox').key, TEST_NOW), null);
  const { key } = await createPartner(service);
  actual++;
  await until(async () => (await book.find(key, TEST_NOW)) !== null);
});

test('an invalid known key costs the same queries as an unknown one, so that its time reveals nothing', async (t) => {
  const service = await startTestService(t);
  const { partnerId } = await createPartner(service);
  const ends = TEST_NOW + MINUTE;
  const { key: ending } = await createPartnerKey(service, partnerId, [], { expiresAt: ends });
  const { key: replaced, keyId } = await createPartnerKey(service, partnerId, []);
  const { key: made } = await service.deps.db.transaction((tx) =>
    rotateKey(tx, TEST_NOW, 'cli:test', { id: keyId, overlapMinutes: 1, deployment: 'sandbox' }),
  );
  const { key: revoked, keyId: revokedId } = await createPartnerKey(service, partnerId, [
    'partner_contacts_read',
  ]);
  assert.equal((await service.operator('PATCH', `/keys/${revokedId}`, { status: 'REVOKED' })).status, 200);
  const { key: suspended } = await createPartner(service, { partner: { status: 'SUSPENDED' } });
  // A watch for which nothing changes.
  const versions = { ...service.deps.versions, current: () => 1, refresh: async () => {} };
  const [counted, queries] = counting(service.deps.db);
  const book = createKeyCache(counted, versions, (error) => assert.fail(error));
  afterwards(t, () => book.close());
  const ask = async (key: string, now: number): Promise<[boolean, number]> => {
    const before = queries();
    const found = await book.find(key, now);
    return [found !== null, queries() - before];
  };

  assert.deepEqual(await ask(createKey('sandbox').key, ends), [false, 1]);
  for (const key of [createKey('sandbox').key, ending, replaced, revoked, suspended])
    assert.deepEqual(await ask(key, ends), [false, 0]);
  assert.deepEqual(await ask(made, ends), [true, 1]);
  // The clock was set back: they work again.
  assert.deepEqual(await ask(ending, ends - 1), [true, 2]);
  assert.deepEqual(await ask(replaced, ends - 1), [true, 1]);
});
