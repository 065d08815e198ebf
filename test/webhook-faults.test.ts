import assert from 'node:assert/strict';
import { test } from 'node:test';
import pg from 'pg';
import { afterwards, createPostgresDatabase, onPostgres, startTestService } from './harness.ts';
import { type Moment, startTcpProxy } from './tcp-proxy.ts';
import { until } from './until.ts';
import { createHookWorld } from './webhook-fixtures.ts';
import { startReceiver, subscribe } from './webhook-receiver.ts';

/** The connection breaks during a worker's claim: its deliveries are sent without waiting for the lease. */

const skip = !onPostgres && 'an embedded database has no connection';

/** Real time that is shorter than a claim (milliseconds). */
const BEFORE_THE_LEASE_ENDS = 12_000;
const COUNT = 3;

const LOST = {
  received: 'while the server is at work on it',
  answered: 'when it is made and its answer is on the way',
} satisfies Partial<Record<Moment, string>>;

for (const [moment, when] of Object.entries(LOST) as [Moment, string][]) {
  test(`a claim whose connection breaks ${when} is released, and its deliveries are sent once`, {
    skip,
  }, async (t) => {
    const url = await createPostgresDatabase(t);
    const proxy = await startTcpProxy(t, url);
    const receiver = await startReceiver(t);
    const service = await startTestService(t, {
      databaseUrl: proxy.through(url),
      env: { WEBHOOK_ALLOW_HOSTS: receiver.host },
    });
    const world = await createHookWorld(service);
    const { bookingId } = (await world.book()).body.data;
    await subscribe(service, world.partnerId, receiver.url, ['booking.updated']);

    // The deliveries, and a lock that claims wait for: the breaking one has it.
    const admin = new pg.Client({ connectionString: url });
    await admin.connect();
    afterwards(t, () => admin.end());
    await admin.query('begin');
    await admin.query(
      `with booking as (update bookings set event_count = event_count + $2 where id = $1 returning *)
      insert into events (id, partner_id, booking_id, sequence, event, payload, created_at)
      select gen_random_uuid(), partner_id, id, event_count - $2 + number, 'booking.updated', '{}', $3
      from booking, generate_series(1, $2::integer) as number`,
      [bookingId, COUNT, new Date(service.clock.now()).toISOString()],
    );
    await admin.query('lock table webhook_pending in access exclusive mode');
    const broken = proxy.injectFaultAt('claim-deliveries', 'reset', moment);
    if (moment === 'received') await broken;
    // The server continues a claim whose connection broke: its release waits, too.
    const waiting = moment === 'received' ? 2 : 1;
    await until(async () => {
      const { rows } = await admin.query(
        `select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock' and wait_event = 'relation'`,
      );
      return rows.length === waiting;
    });
    await admin.query('commit');
    await broken;

    const late = AbortSignal.timeout(BEFORE_THE_LEASE_ENDS);
    await receiver.arrived(COUNT);
    assert.ok(!late.aborted, 'nobody waited for a lease to end');
    await until(async () => {
      const { rowCount } = await admin.query(`select 1 from webhook_deliveries where status = 'DELIVERED'`);
      return rowCount === COUNT;
    });
    assert.equal(receiver.received.length, COUNT);
  });
}
