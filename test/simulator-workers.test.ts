import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { type TestContext, test } from 'node:test';
import type { PlanCache } from '../src/availability/plan.ts';
import { HOUR, toUtcIso } from '../src/base/clock.ts';
import { setFault } from '../src/simulator/faults.ts';
import { startSimulator } from '../src/simulator/queue.ts';
import { MAX_TRIES, type Script } from '../src/simulator/rules.ts';
import { claimSteps } from '../src/simulator/run-queries.ts';
import { readRun, startRun } from '../src/simulator/runs.ts';
import { takeStep } from '../src/simulator/steps.ts';
import { createWorld, type World } from './fixtures.ts';
import { afterwards, startTestService, type TestService } from './harness.ts';
import { until } from './until.ts';
import { createHookWorld, subscribe } from './webhook-fixtures.ts';
import { claim, releaseAll } from './webhook-queue-fixtures.ts';

/** Workers of the simulator that share their work, and that die between any two lines. */

type It = { service: TestService; world: World };

/** A production has no worker of the simulator, so a test has those only that it starts. */
const WITHOUT_WORKER = { env: { DEPLOYMENT: 'production' } };

const LEASE_SECONDS = 20;
let day = 0;

async function booked({ world }: It): Promise<string> {
  const answer = await world.book({ date: `2026-12-${String(++day).padStart(2, '0')}` });
  assert.equal(answer.status, 200, answer.text);
  return answer.body.data.bookingId;
}

const start = ({ service, world }: It, bookingId: string, script: Script, everySeconds = 0) =>
  startRun(
    service.deps.db,
    service.clock.now(),
    { partnerId: world.partnerId, bookingId },
    { script, everySeconds },
  );

const ended = ({ service, world }: It, bookingId: string, runId: string) =>
  until(async () => {
    const run = await readRun(service.deps.db, world.partnerId, bookingId, runId);
    return run.status !== 'RUNNING' && run;
  });

const eventsOf = ({ service }: It, bookingId: string): Promise<{ event: string }[]> =>
  service.deps.db.rows({
    text: 'select event from events where booking_id = $1 order by sequence',
    values: [bookingId],
  });

function startWorker(t: TestContext, service: TestService, parts: { plans?: PlanCache } = {}): void {
  const stop = startSimulator({ ...service.deps, ...parts });
  afterwards(t, stop);
}

test("steps are executed once by any number of workers, and not repeated after a worker's death", async (t) => {
  const service = await startTestService(t, WITHOUT_WORKER);
  const { db } = service.deps;
  const it: It = { service, world: await createWorld(service) };
  await service.operator('POST', '/cancellation-reasons', { nameEn: 'Moved away', nameAr: 'انتقل' });
  const claim = async () =>
    claimSteps(db, service.clock.now(), { lease: randomUUID(), leaseSeconds: LEASE_SECONDS, limit: 10 });
  /** Expires the leases, by the clock of the database. */
  const endLeases = () =>
    db.rows({ text: 'update simulator_steps set leased_until = $1', values: ['2020-01-01'] });

  // Each is executed, and its worker dies before it saves that.
  const died: [Script, number][] = [
    ['complete', 6],
    ['operator-moves', 1],
    ['operator-cancels', 2],
  ];
  const runs: { bookingId: string; runId: string; events: number; script: Script }[] = [];
  for (const [script, events] of died) {
    const bookingId = await booked(it);
    const run = await start(it, bookingId, script);
    runs.push({ bookingId, runId: run.id, events, script });
    const [step] = await claim();
    assert.equal(step?.run_id, run.id);
    assert.equal(await takeStep(service.deps, service.clock.now(), step!), 'done');
    assert.deepEqual(await claim(), [], 'it is held, and what comes after it waits');
  }
  const before = await Promise.all(runs.map(({ bookingId }) => eventsOf(it, bookingId)));
  assert.deepEqual(
    before.map(({ length }) => length),
    [2, 2, 3],
  );
  await endLeases();
  // Two workers at once, and more work for them.
  for (let more = 0; more < 4; more++) {
    const bookingId = await booked(it);
    const run = await start(it, bookingId, 'complete');
    runs.push({ bookingId, runId: run.id, events: 6, script: 'complete' });
  }
  startWorker(t, service);
  startWorker(t, service);
  for (const { bookingId, runId, events, script } of runs) {
    assert.equal((await ended(it, bookingId, runId)).status, 'COMPLETED', script);
    assert.equal((await eventsOf(it, bookingId)).length, 1 + events, `${script}: each event once`);
  }
});

test('an internal error is retried a limited number of times, and then ends the run', async (t) => {
  const service = await startTestService(t, WITHOUT_WORKER);
  const { db } = service.deps;
  const it: It = { service, world: await createWorld(service) };
  const bookingId = await booked(it);
  const run = await start(it, bookingId, 'operator-moves');
  await db.rows({ text: 'update simulator_steps set tries = $1', values: [MAX_TRIES - 2] });
  startWorker(t, service, { plans: {} as PlanCache });
  const [step] = await until(async () => {
    const { steps } = await readRun(db, it.world.partnerId, bookingId, run.id);
    return steps[0]!.tries === MAX_TRIES - 1 && steps[0]!.lease === null && steps;
  });
  assert.equal(step!.status, 'WAITING');
  await db.rows({ text: 'update simulator_steps set leased_until = null' });
  const end = await ended(it, bookingId, run.id);
  assert.deepEqual([end.status, end.reason_code], ['FAILED', 'INTERNAL_ERROR']);
  assert.match(service.logged(), /a run of the simulator has failed/);
  assert.equal((await eventsOf(it, bookingId)).length, 1);
});

test('the fault of a delivery stays when its worker dies', async (t) => {
  const service = await startTestService(t);
  const { db } = service.deps;
  const world = await createHookWorld(service);
  const { id } = await subscribe(service, world.key, { events: ['booking.updated'] });
  // Later than now, so that the service's own worker leaves them alone.
  const now = service.clock.now() + HOUR;
  await setFault(
    db,
    now,
    { partnerId: world.partnerId, subscriptionId: id },
    { kind: 'duplicate', count: 1 },
  );
  await db.rows({
    text: `
      with booking as (update bookings set event_count = 3 where id = $1 returning *)
      insert into events (id, partner_id, booking_id, sequence, event, payload, created_at)
      select gen_random_uuid(), partner_id, id, number, 'booking.updated', '{}', $2
      from booking, generate_series(2, 3) as number`,
    values: [await booked({ service, world }), toUtcIso(now)],
  });
  const take = () => claim(db, { at: now, withFaults: true });
  const first = await take();
  assert.deepEqual(
    first.map(({ fault }) => fault),
    ['duplicate', null],
  );
  assert.deepEqual(await take(), []);
  await releaseAll(db);
  const again = await take();
  assert.deepEqual(
    again.map((row) => [row.id, row.fault]),
    first.map((row) => [row.id, row.fault]),
  );
  // In production nothing is read.
  await releaseAll(db);
  const plain = await claim(db, { at: now });
  assert.deepEqual(
    plain.map(({ fault }) => fault),
    [null, null],
  );
});
