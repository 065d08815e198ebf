import assert from 'node:assert/strict';
import { test } from 'node:test';
import { connectPostgres } from '../src/db/connection.ts';
import { localWakeups, postgresWakeups } from '../src/runtime/wakeups.ts';
import { afterwards, createPostgresDatabase, onPostgres } from './harness.ts';
import { until } from './until.ts';

function throwError(error: Error): never {
  throw error;
}

test('within a process everybody is woken, until they stop listening', async () => {
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
  const db = connectPostgres(url, 2, throwError);
  afterwards(t, () => db.close());
  const errors: Error[] = [];
  const [sender, listener] = [
    postgresWakeups(db, url, null, throwError),
    postgresWakeups(db, url, Promise.resolve(), (error) => errors.push(error)),
  ];
  afterwards(t, sender.close);
  afterwards(t, listener.close);
  let heard = 0;
  listener.onWake(() => heard++);
  await until(() => heard === 1); // it says so when it begins to listen

  for (let index = 0; index < 100; index++) sender.wake();
  await until(() => heard === 2);
  // Messages keep their order: one more of another sender comes after all of the hundred.
  const last = postgresWakeups(db, url, null, throwError);
  afterwards(t, last.close);
  last.wake();
  await until(() => heard >= 3);
  assert.equal(heard, 3, 'a hundred at once are one message');

  await db.rows({
    text: `
      select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and application_name = 'partner-booking wakeups'`,
  });
  await until(() => heard === 4); // listening again, whatever was missed
  sender.wake();
  await until(() => heard === 5);

  // Its own message would be the second wake-up for one change.
  let others = 0;
  const other = postgresWakeups(db, url, Promise.resolve(), throwError);
  afterwards(t, other.close);
  other.onWake(() => others++);
  await until(() => others === 1);
  listener.wake();
  assert.equal(heard, 6);
  await until(() => others === 2);
  last.wake();
  await until(() => others === 3 && heard >= 7);
  last.wake();
  await until(() => others === 4 && heard >= 8);
  assert.equal(heard, 8, 'its own once, by itself, and two of another');
});
