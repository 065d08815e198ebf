import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createPlanCache, type PlanCache } from '../src/availability/plan.ts';
import { availableSlots, loadSlotContext } from '../src/availability/slots.ts';
import { createBooking, createBookingInserts } from '../src/bookings/create.ts';
import { connectPostgres, type Db } from '../src/db/connection.ts';
import { afterwards } from './afterwards.ts';
import { createWorld, WORLD_DATE } from './fixtures.ts';
import { startTestService, TEST_NOW } from './harness.ts';
import { startPair, whyNoReplica } from './replica-pair.ts';
import { until } from './until.ts';

/**
 * Caches of a server that was lost with its last commits, on a real standby that was promoted: the new primary assigns
 * the same transaction numbers again, and its catalogue has the earlier version.
 */

test('a cache of lost commits is not used for later ones', {
  skip: whyNoReplica(),
}, async (t) => {
  const { primary, standby } = await startPair(t);
  const service = await startTestService(t, { databaseUrl: primary.url() });
  const world = await createWorld(service, { teams: 1 });
  const { partnerId, serviceId, contactId, addressId } = world;
  const open = (url: string): Db => {
    const opened = connectPostgres(url, 2, () => {});
    afterwards(t, () => opened.close());
    return opened;
  };
  let server = open(primary.url());
  const db: Db = {
    ...server,
    rows: (statement) => server.rows(statement),
    first: (statement) => server.first(statement),
    transaction: (work) => server.transaction(work),
  };
  const query = { partnerId, addressId, serviceId };
  const answersOf = async (plans: PlanCache) => ({
    slots: (await availableSlots(db, plans, TEST_NOW, { ...query, date: WORLD_DATE })).slots.map(
      ({ startAt }) => startAt,
    ),
    price: Number((await loadSlotContext(db, plans, query, { from: WORLD_DATE, days: 1 })).priceAt(TEST_NOW)),
  });
  const book = (startAt: string, endAt: string) =>
    createBooking({ db, plans: createPlanCache(db), insert: createBookingInserts(db) }, TEST_NOW, {
      partner: { id: partnerId, paymentResponsibility: 'PARTNER', hasGateway: false },
      input: { contactId, addressId, serviceId, date: WORLD_DATE, timeslot: { startAt, endAt } },
    });
  /** A process with a filled cache. */
  const startProcess = async (): Promise<PlanCache> => {
    const plans = createPlanCache(db);
    assert.deepEqual(await answersOf(plans), await answersOf(plans));
    return plans;
  };
  const isSame = async (plans: PlanCache, told: string) => {
    const fresh = await answersOf(createPlanCache(db));
    assert.ok(fresh.slots.length > 0);
    assert.deepEqual(await answersOf(plans), fresh, told);
  };

  const [{ at }] = (await primary.run<{ at: string }>('select pg_current_wal_lsn()::text as at')) as [
    { at: string },
  ];
  await until(async () => {
    const [row] = await standby.run<{ has: boolean }>(
      `select pg_last_wal_replay_lsn() >= '${at}'::pg_lsn as has`,
    );
    return row!.has;
  });
  await standby.run(`alter system set primary_conninfo = ''`);
  await standby.run('select pg_reload_conf()');
  await until(async () => (await standby.run('select from pg_stat_wal_receiver')).length === 0);

  // From here on all is lost.
  await book('10:00', '12:00');
  const beforeTeam = await startProcess();
  await db.rows({ text: 'update teams set is_active = false' });
  const [first, second] = [await startProcess(), await startProcess()];
  assert.deepEqual((await answersOf(first)).slots, []);

  await service.close();
  await primary.kill();
  await standby.run('select pg_promote()');
  server = open(standby.url());
  await until(async () => {
    const row = await db.first<{ standby: boolean }>({ text: 'select pg_is_in_recovery() as standby' });
    return row?.standby === false;
  });

  await isSame(first, 'a version that is lost');
  await book('16:00', '18:00');
  await isSame(beforeTeam, 'as many changes of the date, by transactions of the same numbers');
  await db.rows({ text: 'update services set default_price = 77' });
  const { price } = await answersOf(createPlanCache(db));
  assert.equal(price, 77);
  await isSame(second, 'the next version with the number of the lost one');
});
