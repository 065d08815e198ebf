import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import pg from 'pg';
import { createWorld, WORLD_DATE } from './fixtures.ts';
import { type Answer, createPostgresDatabase, onPostgres, startTestService } from './harness.ts';

/**
 * What a hot operation asks of the database when nothing is in its way and nobody else is there: the short mode of the
 * bench. A count and not a time, so that it holds on any machine. When one falls, write the new one down; none may grow.
 * `statements` leaves out the brackets of a transaction. A statement that is sent while its connection waits for another
 * one's response takes no round trip of its own.
 */
const COUNTS: Record<string, Count> = {
  status: { statements: 1, roundTrips: 1 },
  list: { statements: 1, roundTrips: 1 },
  timeslots: { statements: 1, roundTrips: 1 },
  services: { statements: 1, roundTrips: 1 },
  contact: { statements: 1, roundTrips: 1 },
  // The slot, and the booking.
  create: { statements: 2, roundTrips: 2 },
  // Locked, with the begin; decided; saved, with the commit.
  update: { statements: 2, roundTrips: 2 },
  confirm: { statements: 2, roundTrips: 2 },
  // The reason is looked up with the lock.
  cancel: { statements: 3, roundTrips: 2 },
};

type Count = { statements: number; roundTrips: number };

/** Periodic statements of a process fall into some repetitions; only those of the operation fall into all. */
const REPETITIONS = 6;

/** Runs beside operations, for many of them together: on a slow machine one may fall into every repetition. */
const BESIDE = new Set<string | undefined>([
  'change-counters',
  'wake-workers',
  'touch-keys',
  'insert-requests',
]);
const HEALTH = /^select clock_timestamp\(\)/;

const BRACKET = /^(?:begin|commit|rollback)$/;

/** Counts the statements that this process sends from now on, until the test ends. */
function countStatements(t: TestContext): () => Count {
  let count: Count = { statements: 0, roundTrips: 0 };
  const { query } = pg.Client.prototype;
  const waiting = new WeakMap<pg.Client, number>();
  t.mock.method(
    pg.Client.prototype,
    'query',
    function (this: pg.Client, config: unknown, done?: (...results: unknown[]) => void) {
      const { name, text } = config as { name?: string; text: string };
      if (done === undefined || BESIDE.has(name) || HEALTH.test(text))
        return Reflect.apply(query, this, [config, done]);
      const before = waiting.get(this) ?? 0;
      if (before === 0) count.roundTrips++;
      if (!BRACKET.test(text)) count.statements++;
      waiting.set(this, before + 1);
      return Reflect.apply(query, this, [
        config,
        (...results: unknown[]) => {
          waiting.set(this, waiting.get(this)! - 1);
          done(...results);
        },
      ]);
    },
  );
  return () => {
    const counted = count;
    count = { statements: 0, roundTrips: 0 };
    return counted;
  };
}

// An embedded database needs the worker in the same process, which writes when an operation has written.
const skip = !onPostgres && 'counts on PostgreSQL alone';

test('hot operations take no more statements and round trips than recorded', { skip }, async (t) => {
  const databaseUrl = await createPostgresDatabase(t);
  const service = await startTestService(t, { databaseUrl, env: { ROLES: 'api' } });
  const world = await createWorld(service, { teams: REPETITIONS + 1 });
  const partner = (method: string, path: string, body?: unknown): Promise<Answer> =>
    service.v1(world.key, method, `/partners${path}`, body);
  const reasons = await partner('GET', '/bookings/cancellation-reasons');
  let reasonId = reasons.body.data[0]?.id;
  reasonId ??= (await service.operator('POST', '/cancellation-reasons', { nameEn: 'Moved', nameAr: 'انتقل' }))
    .body.data.id;
  const place = new URLSearchParams({
    addressId: world.addressId,
    serviceId: world.serviceId,
    date: WORLD_DATE,
  });

  const bookings: string[] = [];
  const operations: Record<string, (time: number) => Promise<Answer>> = {
    create: async () => {
      const answer = await world.book();
      bookings.push(answer.body.data?.bookingId);
      return answer;
    },
    status: (time) => partner('GET', `/bookings/${bookings[time]}/status`),
    list: () => partner('GET', '/bookings?limit=20'),
    timeslots: () => partner('GET', `/timeslots/available?${place}`),
    services: () => partner('GET', `/services?addressId=${world.addressId}`),
    contact: () => world.contact(),
    update: (time) => partner('PATCH', `/bookings/${bookings[time]}`, { externalReference: `order-${time}` }),
    confirm: (time) => partner('POST', `/bookings/${bookings[time]}/confirm-payment`, {}),
    cancel: (time) => partner('PATCH', `/bookings/${bookings[time]}/cancel`, { reasonId }),
  };
  const take = countStatements(t);
  const least: Record<string, Count> = {};
  for (const [name, operation] of Object.entries(operations)) {
    for (let time = 0; time < REPETITIONS; time++) {
      take();
      const answer = await operation(time);
      const { statements, roundTrips } = take();
      assert.equal(answer.status, 200, `${name}: ${answer.text}`);
      const known = least[name] ?? { statements, roundTrips };
      least[name] = {
        statements: Math.min(known.statements, statements),
        roundTrips: Math.min(known.roundTrips, roundTrips),
      };
    }
  }
  assert.deepEqual(least, COUNTS);
});
