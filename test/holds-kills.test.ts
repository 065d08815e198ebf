import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { type TestContext, test } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
import { type Supervised, supervise } from '../chaos/processes.ts';
import { send } from '../chaos/scene.ts';
import { ready } from '../chaos/settling.ts';
import { DAY } from '../src/base/clock.ts';
import { createWorld, type World } from './fixtures.ts';
import { afterwards, OPERATOR_TOKEN, onPostgres, SECRETS_KEY, startTestService } from './harness.ts';
import { freePort } from './ports.ts';
import { times } from './storm.ts';
import { until } from './until.ts';

/** Processes of the service are killed while customers hold, extend, release, book and cancel. */

const skip = !onPostgres && 'several processes need PostgreSQL';

const TEAMS = 3;
const CUSTOMERS = 10;
const STARTS = ['09:00', '12:00', '15:00', '18:00'];
const KILLS = 6;
/** Between two kills (milliseconds). */
const PAUSE_RANGE = [500, 2_500] as const;

const pick = <T>(list: readonly T[]): T => list[Math.floor(Math.random() * list.length)]!;

/** Of any two rows of a team that count, the later begins before the earlier one's travel is over. */
const OVERLAPS = `
  select count(*) as total from appointments a join appointments b
    on b.team_id = a.team_id and b.id > a.id and b.starts_at < a.busy_until and a.starts_at < b.busy_until
  where a.status <> 'Cancelled' and b.status <> 'Cancelled'`;

/** Rows of one of the two tables that count, without the other. */
const UNPAIRED = `
  select count(*) as total from (select id from appointments where status = 'Held') a
  full join (select id from holds where ended_at is null) h using (id) where a.id is null or h.id is null`;

/** Holds whose booking is another, or for something else. */
const WRONGLY_TAKEN = `
  select count(*) as total from holds h left join bookings b on b.id = h.booking_id
    left join appointments a on a.booking_id = b.id
  where h.booking_id is not null and (b.id is null or b.contact_id <> h.contact_id or b.service_id <> h.service_id
    or a.starts_at <> h.starts_at)`;

const HELD = `select count(*) as total from appointments where status = 'Held'`;

const TAKEN_TWICE = `
  select count(*) as total from (select booking_id from holds where booking_id is not null
    group by booking_id having count(*) > 1) twice`;

type Slot = { date: string; timeslot: { startAt: string; endAt: string } };
type Taken = { bookingId: string; holdId: string };

/** Customers who go on until they are stopped, and repeat what has no response. */
function startCustomers(bases: readonly string[], world: World, slots: readonly Slot[], reasonId: string) {
  const taken: Taken[] = [];
  const outcomes = new Map<string, number>();
  const faults: string[] = [];
  let going = true;

  async function ask(method: string, path: string, body?: unknown) {
    for (;;) {
      try {
        const answer = await send(
          `${pick(bases)}/v1/partners${path}`,
          method,
          { 'x-api-key': world.key },
          body,
        );
        if (answer.status < 500) return { ...answer, code: answer.body.error?.code ?? 'OK' };
      } catch {
        // Killed meanwhile: whether it was done is found out by asking again.
      }
      await wait(50);
    }
  }
  const note = (name: string, code: string, expected: readonly string[]) => {
    outcomes.set(`${name} ${code}`, (outcomes.get(`${name} ${code}`) ?? 0) + 1);
    if (!expected.includes(code)) faults.push(`${name}: ${code}`);
  };

  async function customer(): Promise<void> {
    const phone = `+96650${String(Math.floor(Math.random() * 1e7)).padStart(7, '0')}`;
    const place = { latitude: String(world.latitude), longitude: String(world.longitude) };
    const made = await ask('POST', '/contacts', { name: 'Noura', phone, ...place });
    const { id: contactId, addressId } = made.body.data;
    const { serviceId } = world;
    while (going) {
      const wanted = { addressId, serviceId, ...pick(slots) };
      const held = await ask('POST', '/holds', { ...wanted, seconds: 60 });
      note('hold', held.code, ['OK', 'BOOKING_CREATION_FAILED']);
      if (held.code !== 'OK') continue;
      const { holdId } = held.body.data;
      const fate = Math.random();
      if (fate < 0.3) {
        const extended = await ask('POST', `/holds/${holdId}/extend`, { seconds: 60 });
        note('extend', extended.code, ['OK', 'HOLD_ENDED']);
      }
      if (fate < 0.25 || fate > 0.9) {
        note('release', (await ask('DELETE', `/holds/${holdId}`)).code, ['OK']);
        continue;
      }
      // Left alone until it expires, or is replaced.
      if (fate > 0.8) continue;
      const externalReference = randomUUID();
      const booking = { ...wanted, contactId, holdId, externalReference };
      const booked = await ask('POST', '/bookings', booking);
      const lost = ['HOLD_CONSUMED', 'DUPLICATE_EXTERNAL_REFERENCE'];
      note('book', booked.code, ['OK', 'BOOKING_CREATION_FAILED', ...lost]);
      if (booked.code === 'BOOKING_CREATION_FAILED') continue;
      const own = await ask('GET', `/bookings?externalReference=${externalReference}`);
      const bookingId = own.body.data[0]?.bookingId;
      if (bookingId === undefined) {
        faults.push(`acknowledged and gone: ${externalReference} ${booked.code}`);
        continue;
      }
      taken.push({ bookingId, holdId });
      if (Math.random() < 0.3) continue;
      const canceled = await ask('PATCH', `/bookings/${bookingId}/cancel`, { reasonId });
      note('cancel', canceled.code, ['OK', 'BOOKING_ALREADY_CANCELLED']);
    }
  }

  const customers = Promise.all(times(CUSTOMERS, customer));
  return {
    taken,
    outcomes,
    faults,
    async stop() {
      going = false;
      await customers;
    },
  };
}

async function open(t: TestContext) {
  const service = await startTestService(t, { env: { ROLES: 'api' }, sandboxClock: true });
  const world = await createWorld(service, { teams: TEAMS, partner: { maxHolds: 1_000 } });
  const { db, clock, config } = service.deps;
  const total = async (text: string) => (await db.first<{ total: number }>({ text }))!.total;
  const start = (name: string, port: number, env: Record<string, string> = {}): Supervised => {
    const it = supervise(name, {
      DATABASE_URL: config.databaseUrl!,
      DEPLOYMENT: 'sandbox',
      OPERATOR_TOKEN,
      SECRETS_KEY,
      LOG_LEVEL: 'error',
      PUBLIC_URL: service.url,
      PORT: String(port),
      ...env,
    });
    afterwards(t, () => it.stop());
    return it;
  };
  const ports = [await freePort(), await freePort()];
  const processes = ports.map((port) => start(`service at ${port}`, port));
  const startWorker = async () => start('worker', await freePort(), { ROLES: 'worker' });
  const bases = ports.map((port) => `http://127.0.0.1:${port}`);
  await Promise.all(bases.map(ready));
  const slots = [2, 3].flatMap((days) =>
    STARTS.map((startAt) => ({
      date: new Date(clock.now() + days * DAY).toISOString().slice(0, 10),
      timeslot: { startAt, endAt: `${Number(startAt.slice(0, 2)) + 2}:00` },
    })),
  );
  return { service, world, total, processes, startWorker, bases, slots };
}

test('while processes are killed nothing is held twice, nor for ever', { skip }, async (t) => {
  const { service, world, total, processes, startWorker, bases, slots } = await open(t);
  const reason = { nameEn: 'Moved', nameAr: 'انتقل' };
  const reasonId = (await service.operator('POST', '/cancellation-reasons', reason)).body.data.id;
  const customers = startCustomers(bases, world, slots, reasonId);
  for (let kill = 0; kill < KILLS; kill++) {
    const [least, most] = PAUSE_RANGE;
    await wait(least + Math.random() * (most - least));
    pick(processes).kill();
    assert.equal(await total(OVERLAPS), 0);
    // Some of what is held now expires.
    await service.operator('POST', '/clock/advance', { seconds: 45 });
  }
  await Promise.all(bases.map(ready));
  await customers.stop();
  t.diagnostic(JSON.stringify(Object.fromEntries(customers.outcomes)));
  assert.deepEqual(customers.faults, []);
  assert.deepEqual(
    processes.flatMap(({ deaths }) => deaths),
    [],
  );
  assert.ok(customers.taken.length > 0);
  assert.equal(await total(OVERLAPS), 0);
  assert.equal(await total(UNPAIRED), 0);
  assert.equal(await total(WRONGLY_TAKEN), 0);
  assert.equal(await total(TAKEN_TWICE), 0);
  for (const { holdId, bookingId } of customers.taken) {
    const hold = (await service.v1(world.key, 'GET', `/partners/holds/${holdId}`)).body.data;
    assert.deepEqual([hold.status, hold.bookingId], ['CONSUMED', bookingId]);
  }

  // Without a worker, too, nothing is held when its time is over: all teams but those with a visit are free.
  await Promise.all(processes.map((it) => it.stop()));
  const hold = async ({ date, timeslot }: Slot) => {
    const { addressId } = (await world.contact()).body.data;
    const body = { addressId, serviceId: world.serviceId, date, timeslot };
    return (await service.v1(world.key, 'POST', '/partners/holds', body)).status;
  };
  /** Holds what is free. */
  const fill = () =>
    Promise.all(
      slots.map(async (slot) => {
        let held = 0;
        while ((await hold(slot)) === 200) held++;
        return held;
      }),
    );
  const free = await Promise.all(
    slots.map(async ({ date, timeslot }) => {
      const visits = await service.deps.db.first<{ total: number }>({
        text: `select count(*) as total from appointments where status not in ('Cancelled', 'Held') and starts_at = $1`,
        values: [`${date}T${timeslot.startAt}:00+03:00`],
      });
      return TEAMS - visits!.total;
    }),
  );
  await fill();
  await service.operator('POST', '/clock/advance', { seconds: 1_800 });
  assert.deepEqual(await fill(), free);
  assert.equal(await total(UNPAIRED), 0);
  await service.operator('POST', '/clock/advance', { seconds: 1_800 });
  await startWorker();
  await until(async () => (await total(HELD)) === 0);
  assert.equal(await total(UNPAIRED), 0);
});
