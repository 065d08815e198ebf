import assert from 'node:assert/strict';
import { test } from 'node:test';
import { connectPostgres } from '../src/db/connection.ts';
import { localWakeups, postgresWakeups } from '../src/runtime/wakeups.ts';
import { afterwards, createPostgresDatabase, onPostgres } from './harness.ts';
import { until } from './until.ts';

function throwError(error: Error): never {
  throw error;
}

test('within a process all listeners are woken, until they unsubscribe', async () => {
  const wakeups = localWakeups();
  const heard = [0, 0];
  const stop = wakeups.onWake(() => heard[0]!++);
  wakeups.onWake(() => heard[1]!++);
  wakeups.wake();
  stop();
  wakeups.wake();
  assert.deepEqual(heard, [1, 2]);
});

test('between processes by NOTIFY, also after the connection was lost', {
  skip: !onPostgres && 'an embedded database has one process',
}, async (t) => {
  const url = await createPostgresDatabase(t);
  const db = connectPostgres(url, 2, () => {});
  afterwards(t, () => db.close());
  const errors: Error[] = [];
  const [sender, listener] = [
    postgresWakeups(db, null, throwError),
    postgresWakeups(db, Promise.resolve(), (error) => errors.push(error)),
  ];
  afterwards(t, sender.close);
  afterwards(t, listener.close);
  let heard = 0;
  listener.onWake(() => heard++);
  await until(() => heard === 1); // it wakes once when it starts to listen

  for (let index = 0; index < 100; index++) sender.wake();
  await until(() => heard === 2);
  // Messages keep their order: one more of another sender comes after all of the hundred.
  const last = postgresWakeups(db, null, throwError);
  afterwards(t, last.close);
  last.wake();
  await until(() => heard >= 3);
  assert.equal(heard, 3, 'a hundred at once are one message');

  const listening = {
    text: `select pid from pg_stat_activity where datname = current_database() and query = 'listen worker_wakeups'`,
  };
  const ended = await db.rows({
    text: `
      select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and query = 'listen worker_wakeups'`,
  });
  assert.equal(ended.length, 1);
  await until(() => heard === 4); // listening again, with a wake-up for missed ones
  assert.equal(errors.length, 1);
  sender.wake();
  await until(() => heard === 5);

  await listener.close();
  await until(async () => (await db.rows(listening)).length === 0);
});
