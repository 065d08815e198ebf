import assert from 'node:assert/strict';
import { test } from 'node:test';
import { HOUR } from '../src/base/clock.ts';
import { lockBooking, saveBooking } from '../src/bookings/change-queries.ts';
import { adoptBookings } from '../src/bookings/restored-queries.ts';
import { beginHistory } from '../src/db/histories.ts';
import { createWorld, type World } from './fixtures.ts';
import { onServer, startTestService, TEST_NOW, type TestService } from './harness.ts';
import { becomes, book, linkOf, startPlatform, use } from './payment-flows.ts';
import { until } from './until.ts';

/** The list of bookings: its filters, and lists of changes, by which a partner reconciles. */

// biome-ignore lint/suspicious/noExplicitAny: tests look into bodies freely
type Shown = any;
type Query = Record<string, string>;

async function listed(service: TestService, key: string, query: Query) {
  const answer = await service.v1(
    key,
    'GET',
    `/partners/bookings?${new URLSearchParams({ limit: '100', ...query })}`,
  );
  assert.equal(answer.status, 200, answer.text);
  return {
    data: answer.body.data as Shown[],
    meta: answer.body.meta,
    seen: answer.headers.get('x-updated-since'),
  };
}

const idsOf = (data: Shown[]): string[] => data.map(({ bookingId }) => bookingId);

/** One timeslot each, on days of their own. */
let day = 0;
async function bookOn(world: World, body: Query = {}): Promise<string> {
  const date = new Date(Date.UTC(2026, 10, 24 + (day++ % 50))).toISOString().slice(0, 10);
  const answer = await world.book({ date, ...body });
  assert.equal(answer.status, 200, answer.text);
  return answer.body.data.bookingId;
}

test('each filter, and all of them together, finds what it says', async (t) => {
  const service = await startTestService(t);
  const partner = { paymentResponsibility: 'PARTNER' } as const;
  const world = await createWorld(service, { partner, teams: 20 });
  const other = await createWorld(service, { teams: 20 });
  await other.book();
  const phone = { name: 'Another', phone: '+966501112233', latitude: '24.7', longitude: '46.7' };
  const contact = (await service.v1(world.key, 'POST', '/partners/contacts', phone)).body.data;
  const second = { contactId: contact.id, addressId: contact.addressId };
  for (let count = 0; count < 8; count++) {
    service.clock.advance(250);
    const bookingId = await bookOn(world, count % 2 ? second : {});
    if (count % 3 === 0)
      await service.v1(world.key, 'POST', `/partners/bookings/${bookingId}/confirm-payment`, {});
  }
  const all = (await listed(service, world.key, {})).data;
  assert.equal(all.length, 8);
  const sample = all[3]!;
  const FILTERS: { query: Query; holds: (booking: Shown) => boolean }[] = [
    { query: { contactId: contact.id.toUpperCase() }, holds: ({ contactId }) => contactId === contact.id },
    { query: { serviceId: world.serviceId }, holds: () => true },
    { query: { serviceId: other.serviceId }, holds: () => false },
    { query: { paymentStatus: 'PAID' }, holds: ({ paymentStatus }) => paymentStatus === 'PAID' },
    {
      query: { trackingReference: sample.trackingReference },
      holds: ({ bookingId }) => bookingId === sample.bookingId,
    },
    { query: { trackingReference: 'SA-9999999' }, holds: () => false },
    { query: { updatedSince: sample.updatedAt }, holds: ({ updatedAt }) => updatedAt >= sample.updatedAt },
    { query: { updatedSince: '2026-11-22T05:00:00Z' }, holds: () => true },
    { query: { updatedSince: '2026-12-22T05:00:00Z' }, holds: () => false },
  ];
  for (const first of FILTERS)
    for (const next of FILTERS) {
      const query = { ...first.query, ...next.query };
      const sets = Object.keys(first.query)[0] === Object.keys(next.query)[0] ? [next] : [first, next];
      const { data, meta } = await listed(service, world.key, { ...query, sortBy: 'createdAt' });
      const expected = all.filter((booking) => sets.every(({ holds }) => holds(booking)));
      assert.deepEqual(data, expected, JSON.stringify(query));
      assert.equal(meta.total, expected.length);
    }
  const foreign = await listed(service, other.key, { trackingReference: sample.trackingReference });
  assert.deepEqual(foreign.data, [], "another partner's reference");
  const changes = await listed(service, world.key, { updatedSince: '2026-11-22T05:00:00Z' });
  const later = await listed(service, world.key, {
    updatedSince: '2026-11-22T05:00:00Z',
    limit: '2',
    page: '2',
  });
  assert.deepEqual([later.data.length, later.seen], [2, null], 'the first page alone tells where to go on');
  const order = all.toSorted((a, b) =>
    a.updatedAt < b.updatedAt || (a.updatedAt === b.updatedAt && a.bookingId < b.bookingId) ? 1 : -1,
  );
  assert.deepEqual(idsOf(changes.data), idsOf(order), 'the last changed first');
  assert.ok(
    all.some(({ updatedAt }) => updatedAt.includes('.250+03:00')),
    'in milliseconds',
  );

  for (const query of [
    { contactId: 'x' },
    { paymentStatus: 'paid' },
    { updatedSince: '2026-11-22' },
    { updatedSince: '2026-11-22T08:00:00' },
    { updatedSince: '2026-13-22T08:00:00Z' },
    { updatedSince: 'dTEu' },
    { updatedSince: `${changes.seen}A` },
    { updatedSince: '' },
  ] as Query[]) {
    const answer = await service.v1(world.key, 'GET', `/partners/bookings?${new URLSearchParams(query)}`);
    assert.equal(answer.status, 400, JSON.stringify(query));
  }
});

test(
  'a change that commits late is in the next list of changes',
  onServer('an embedded database has one connection'),
  async (t) => {
    const service = await startTestService(t);
    const world = await createWorld(service, { teams: 3 });
    const { db } = service.deps;
    const [late, early] = [await bookOn(world), await bookOn(world)];
    service.clock.advance(HOUR);
    const start = await listed(service, world.key, {
      updatedSince: new Date(service.clock.now()).toISOString(),
    });
    assert.deepEqual(start.data, []);
    let seen = '';
    await db.transaction(async (tx) => {
      const booking = (await lockBooking(tx, null, late))!;
      await saveBooking(tx, service.clock.now(), {
        after: { ...booking, notes: 'late' },
        events: [],
        by: 'test',
      });
      // A change that begins and commits meanwhile, and has a later time.
      service.clock.advance(HOUR);
      await service.v1(world.key, 'PATCH', `/partners/bookings/${early}`, { notes: 'early' });
      const found = await listed(service, world.key, { updatedSince: start.seen! });
      assert.deepEqual(idsOf(found.data), [early]);
      seen = found.seen!;
      // Later changes do not hide it either.
      service.clock.advance(HOUR);
      await service.v1(world.key, 'PATCH', `/partners/bookings/${early}`, { notes: 'again' });
    });
    const next = await listed(service, world.key, { updatedSince: seen });
    assert.deepEqual(idsOf(next.data), [early, late]);
    assert.deepEqual((await listed(service, world.key, { updatedSince: next.seen! })).data, []);
  },
);

test('lists of changes miss none, whatever changes between their pages', async (t) => {
  const service = await startTestService(t);
  const world = await createWorld(service, { teams: 40 });
  const bookings: string[] = [];
  for (let count = 0; count < 30; count++) bookings.push(await bookOn(world));
  let random = 7;
  const next = (below: number): number => {
    random = (random * 48_271) % 2_147_483_647;
    return random % below;
  };
  let round = 0;
  const change = async (): Promise<void> => {
    // Often in the same millisecond: ties are in an order too.
    service.clock.advance(next(3));
    const bookingId = bookings[next(bookings.length)]!;
    const body = { externalReference: `ORDER-${round++}` };
    assert.equal((await service.v1(world.key, 'PATCH', `/partners/bookings/${bookingId}`, body)).status, 200);
  };
  /** What the partner knows: all of it by these lists. */
  const known = new Map<string, string | null>();
  let since = new Date(TEST_NOW).toISOString();
  for (let run = 0; run < 12; run++) {
    let pages = 1;
    for (let page = 1, first = ''; page <= pages; page++) {
      const query = { updatedSince: since, limit: '4', page: String(page) };
      const { data, meta, seen } = await listed(service, world.key, query);
      for (const { bookingId, externalReference } of data) known.set(bookingId, externalReference);
      pages = meta.totalPages;
      first ||= seen!;
      if (page >= pages) since = first;
      for (let count = next(5); count > 0 && run < 10; count--) await change();
    }
  }
  const { data } = await listed(service, world.key, {});
  assert.deepEqual(
    new Map(data.map(({ bookingId, externalReference }) => [bookingId, externalReference])),
    known,
  );
});

test('a payment link, a payment and a refund are changes', async (t) => {
  const it = await startPlatform(t);
  const { service, world } = it;
  let { seen } = await listed(service, world.key, { updatedSince: '2026-11-22T05:00:00Z' });
  const changed = async (): Promise<Shown> => {
    const found = await listed(service, world.key, { updatedSince: seen! });
    seen = found.seen;
    return found.data[0];
  };
  const bookingId = await book(it);
  const link = await linkOf(it, bookingId);
  assert.notEqual((await changed()).paymentLink, null);
  assert.equal(await changed(), undefined);
  await use(it, link, 'paid');
  await becomes(it, bookingId, ['in progress', 'PAID']);
  assert.equal((await changed()).paymentStatus, 'PAID');
  await service.operator('POST', `/bookings/${bookingId}/fail`, { reason: 'Closed' });
  await until(async () => (await changed())?.refund?.status === 'DONE');
});

test('what an earlier list has seen is refused once data may have been lost', async (t) => {
  const service = await startTestService(t);
  const world = await createWorld(service);
  const { seen } = await listed(service, world.key, { updatedSince: '2026-11-22T05:00:00Z' });
  await service.deps.db.transaction((tx) => beginHistory(tx, 1));
  const query = new URLSearchParams({ updatedSince: seen! });
  const answer = await service.v1(world.key, 'GET', `/partners/bookings?${query}`);
  assert.equal(answer.status, 400);
  assert.match(answer.body.error.details.hints[0], /send a time before it/);
  assert.equal((await listed(service, world.key, { updatedSince: '2026-11-22T05:00:00Z' })).data.length, 0);
});

test('bookings that another cluster has changed are seen once they are adopted', async (t) => {
  const service = await startTestService(t);
  const world = await createWorld(service);
  const bookingId = await bookOn(world);
  const { db } = service.deps;
  await db.transaction(async (tx) => {
    await tx.rows({ text: 'alter table bookings disable trigger bookings_stamp_change' });
    await tx.rows({ text: `update bookings set changed_in = '900000000000'` });
    await tx.rows({ text: 'alter table bookings enable trigger bookings_stamp_change' });
  });
  assert.equal(await adoptBookings(db), 1);
  assert.equal(await adoptBookings(db), 0);
  const first = await listed(service, world.key, { updatedSince: '2026-11-22T05:00:00Z' });
  assert.deepEqual(idsOf(first.data), [bookingId]);
  assert.deepEqual((await listed(service, world.key, { updatedSince: first.seen! })).data, []);
});
