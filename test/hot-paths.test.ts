import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import pg from 'pg';
import { cancelBooking } from '../src/bookings/cancel.ts';
import type { BookingChanges } from '../src/bookings/change-seen.ts';
import { confirmPayment } from '../src/bookings/confirm-payment.ts';
import { updateBooking } from '../src/bookings/update.ts';
import { findOrCreateContact } from '../src/contacts/contacts.ts';
import { createContactSaver } from '../src/contacts/queries.ts';
import { createWorld, randomPhone, WORLD_DATE } from './fixtures.ts';
import { type Answer, createPostgresDatabase, onPostgres, startTestService } from './harness.ts';
import { times } from './storm.ts';
import { bookTogether, changeTogether, listening } from './together.ts';

/**
 * What a hot operation asks of the database when nothing is in its way and nobody else is there: the short mode of the
 * bench. A count and not a time, so that it holds on any machine. When one falls, write the new one down; none may grow.
 * `statements` leaves out the brackets of a transaction, `roundTrips` has them: each is waited for.
 */
const COUNTS: Record<string, Count> = {
  status: { statements: 1, roundTrips: 1 },
  list: { statements: 1, roundTrips: 1 },
  timeslots: { statements: 1, roundTrips: 1 },
  services: { statements: 1, roundTrips: 1 },
  contact: { statements: 1, roundTrips: 1 },
  // What is free is read, then claimed.
  create: { statements: 2, roundTrips: 2 },
  update: { statements: 1, roundTrips: 1 },
  confirm: { statements: 1, roundTrips: 1 },
  cancel: { statements: 1, roundTrips: 1 },
  // Of bookings that another process has written last.
  'update, not known': { statements: 2, roundTrips: 2 },
  'confirm, not known': { statements: 2, roundTrips: 2 },
  'cancel, not known': { statements: 2, roundTrips: 2 },
};

/** What eight that come together ask of the database. Creations have looked at their slots before. */
const SHARED: Record<string, string[]> = {
  create: ['book-appointments'],
  contact: ['find-or-create-contacts'],
  update: ['see-bookings', 'save-changes'],
  confirm: ['see-bookings', 'save-changes'],
  cancel: ['see-bookings', 'save-changes'],
};

type Count = { statements: number; roundTrips: number };

/** What a process does now and then falls into some repetitions; into all falls only what the operation needs. */
const REPETITIONS = 6;
const KINDS_OF_CHANGE = 3;

/** Runs beside operations, for many of them together: on a slow machine one may fall into every repetition. */
const BESIDE = new Set<string | undefined>([
  'change-counters',
  'wake-workers',
  'touch-keys',
  'insert-requests',
]);
const HEALTH = /^select clock_timestamp\(\)/;

const TOGETHER = 8;

const BRACKET = /^(?:begin|commit|rollback)$/;

/** Counts the statements that this process sends from now on, until the test ends. */
function countStatements(t: TestContext): () => Count {
  let count: Count = { statements: 0, roundTrips: 0 };
  const { query } = pg.Client.prototype;
  t.mock.method(pg.Client.prototype, 'query', function (this: pg.Client, ...given: unknown[]) {
    const { name, text } = given[0] as { name?: string; text: string };
    if (!BESIDE.has(name) && !HEALTH.test(text)) {
      count.roundTrips++;
      if (!BRACKET.test(text)) count.statements++;
    }
    return Reflect.apply(query, this, given);
  });
  return () => {
    const counted = count;
    count = { statements: 0, roundTrips: 0 };
    return counted;
  };
}

// An embedded database needs the worker in the same process, which writes when an operation has written.
const skip = !onPostgres && 'counts on PostgreSQL alone';

test('hot operations take no more statements and round trips than they did', { skip }, async (t) => {
  const databaseUrl = await createPostgresDatabase(t);
  const service = await startTestService(t, { databaseUrl, env: { ROLES: 'api' } });
  const other = await startTestService(t, { databaseUrl, env: { ROLES: 'api' } });
  const world = await createWorld(service, { teams: KINDS_OF_CHANGE * REPETITIONS + 1 });
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
  const foreign: string[] = [];
  for (let made = 0; made < KINDS_OF_CHANGE * REPETITIONS; made++) {
    const { contactId, addressId, serviceId } = world;
    const slot = { date: WORLD_DATE, timeslot: { startAt: '14:00', endAt: '16:00' } };
    const input = { contactId, addressId, serviceId, ...slot };
    foreign.push((await other.v1(world.key, 'POST', '/partners/bookings', input)).body.data.bookingId);
  }
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
    'update, not known': () =>
      partner('PATCH', `/bookings/${foreign.pop()}`, {
        externalReference: `order-${foreign.length}-foreign`,
      }),
    'confirm, not known': () => partner('POST', `/bookings/${foreign.pop()}/confirm-payment`, {}),
    'cancel, not known': () => partner('PATCH', `/bookings/${foreign.pop()}/cancel`, { reasonId }),
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

test('operations that come together take no more statements than one of them', async (t) => {
  const service = await startTestService(t);
  const { plans, clock } = service.deps;
  const { db, names } = listening(service.deps.db);
  // So many that the few teams which each of them guesses are never all taken by the others.
  const world = await createWorld(service, { teams: 3 * TOGETHER });
  const partner = { id: world.partnerId, paymentResponsibility: 'PARTNER' as const, name: 'Partner' };
  const reason = await service.operator('POST', '/cancellation-reasons', {
    nameEn: 'Moved',
    nameAr: 'انتقل',
  });
  const reasonId = reason.body.data.id;
  const ids: string[] = [];
  const each = (change: (on: BookingChanges, id: string) => Promise<unknown>) => () =>
    changeTogether(
      db,
      ids.map((id) => (on: BookingChanges) => change(on, id)),
    );
  const operations: Record<string, () => Promise<PromiseSettledResult<unknown>[]>> = {
    create: async () => {
      const inputs = times(TOGETHER, () => ({ world }));
      const made = await bookTogether(service, db, inputs, () => names.splice(0));
      for (const one of made) if (one.status === 'fulfilled') ids.push(one.value.bookingId);
      return made;
    },
    contact: () => {
      const save = createContactSaver(db);
      const place = { latitude: '24.7', longitude: '46.7' };
      return Promise.allSettled(
        times(TOGETHER, () =>
          findOrCreateContact(db, clock.now(), partner, { phone: randomPhone(), name: 'N', ...place }, save),
        ),
      );
    },
    update: each((on, id) =>
      updateBooking(on, plans, clock.now(), partner.id, id, { externalReference: `order-${id}` }),
    ),
    confirm: each((on, id) => confirmPayment(on, clock.now(), partner, id, null)),
    cancel: each((on, id) => cancelBooking(on, clock.now(), partner.id, id, { reasonId })),
  };
  const asked: Record<string, (string | undefined)[]> = {};
  for (const [name, operation] of Object.entries(operations)) {
    names.splice(0);
    for (const outcome of await operation()) {
      assert.equal(outcome.status, 'fulfilled', `${name}: ${(outcome as PromiseRejectedResult).reason}`);
    }
    asked[name] = names.splice(0);
  }
  assert.deepEqual(asked, SHARED);
});
