import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { addDays, DAY, dateOf, HOUR, startOfDate } from '../src/base/clock.ts';
import { createWorld, type World } from './fixtures.ts';
import { type Answer, startTestService, TEST_NOW, type TestService } from './harness.ts';
import { auditRows } from './operator-partner-fixtures.ts';

/** Prices from a date on: the moment of sale counts (docs/console.md). */

const TODAY = dateOf(TEST_NOW);
const inDays = (days: number): string => addDays(TODAY, days);
const TOMORROW = inDays(1);

async function open(t: TestContext, options: Parameters<typeof createWorld>[1] = {}) {
  const service = await startTestService(t);
  const world = await createWorld(service, { teams: 8, ...options });
  const ok = ({ status, body, text }: Answer) => {
    assert.ok(status < 300, text);
    return body.data;
  };
  const { serviceId, partnerId } = world;
  return {
    service,
    world,
    ok,
    patch: (body: unknown) => service.operator('PATCH', `/services/${serviceId}`, body),
    put: (own: Record<string, unknown> | null) =>
      service.operator('PUT', `/partners/${partnerId}/services`, {
        restricted: false,
        services: own === null ? [] : [{ serviceId, ...own }],
      }),
    shown: async () => {
      const { defaultPrice, comingPrices } = ok(await service.operator('GET', `/services/${serviceId}`));
      return { defaultPrice, comingPrices };
    },
    own: async () => ok(await service.operator('GET', `/partners/${partnerId}/services`)).services[0],
  };
}

/** The price of a sale now by everything that names it. */
async function namedPrices({ v1 }: TestService, world: World): Promise<number[]> {
  const { key, addressId, serviceId, latitude, longitude } = world;
  const get = async (path: string) => (await v1(key, 'GET', `/partners${path}`)).body.data;
  const list = await get(`/services?addressId=${addressId}`);
  const coverage = await get(`/coverage?latitude=${latitude}&longitude=${longitude}`);
  const items = [{ serviceId }, { serviceId, hours: 3 }];
  const { body } = await v1(key, 'POST', '/partners/pricing/calculate-price', { items });
  const calculated = body.data.items.map((item: { basePrice: number }) => item.basePrice);
  return [list[0].services[0].price, coverage.services[0].price, ...calculated];
}

test('a price counts from midnight on for what is sold, whatever the day of the visit', async (t) => {
  const { service, world, ok, patch } = await open(t);
  const date = inDays(5);
  const book = async (startAt: string, more = {}) =>
    ok(
      await world.book({
        date,
        timeslot: { startAt, endAt: `${Number(startAt.slice(0, 2)) + 2}:00` },
        ...more,
      }),
    );
  ok(await patch({ comingPrices: [{ from: TOMORROW, price: 99.5 }] }));
  service.clock.set(startOfDate(TOMORROW) - 1);
  assert.deepEqual(new Set(await namedPrices(service, world)), new Set([150]));
  const before = await book('10:00');
  const timeslot = { startAt: '12:00', endAt: '14:00' };
  const { addressId, serviceId, key } = world;
  const hold = ok(await service.v1(key, 'POST', '/partners/holds', { addressId, serviceId, date, timeslot }));
  assert.deepEqual([before.price, hold.price], [150, 150]);

  service.clock.set(startOfDate(TOMORROW));
  assert.deepEqual(new Set(await namedPrices(service, world)), new Set([99.5]));
  assert.equal((await book('14:00')).price, 99.5);
  // A hold and the list: the lower of both.
  assert.equal((await book('12:00', { holdId: hold.holdId })).price, 99.5);
  const moved = await service.v1(key, 'PATCH', `/partners/bookings/${before.bookingId}`, {
    date: inDays(6),
    timeslot: { startAt: '10:00', endAt: '12:00' },
  });
  assert.equal(ok(moved).price, 150, 'a booking keeps the price of its creation');
});

test('a hold keeps its price beyond a midnight after which the list is dearer', async (t) => {
  const { service, world, ok, patch } = await open(t);
  ok(await patch({ comingPrices: [{ from: TOMORROW, price: 180 }] }));
  service.clock.set(startOfDate(TOMORROW) - 60_000);
  const slot = { date: inDays(5), timeslot: { startAt: '10:00', endAt: '12:00' } };
  const { addressId, serviceId, key } = world;
  const hold = ok(await service.v1(key, 'POST', '/partners/holds', { addressId, serviceId, ...slot }));
  service.clock.set(startOfDate(TOMORROW) + 60_000);
  assert.equal(ok(await world.book({ ...slot, holdId: hold.holdId })).price, 150);
});

test('coming prices are listed, changed and taken back before their day, and are audited', async (t) => {
  const { service, ok, patch, shown } = await open(t);
  const coming = [
    { from: inDays(2), price: 160 },
    { from: inDays(9), price: 170 },
  ];
  ok(await patch({ comingPrices: coming.toReversed() }));
  assert.deepEqual(await shown(), { defaultPrice: 150, comingPrices: coming });
  // Other fields, a price of now, the same again: they stay, and nothing is written without a difference.
  ok(await patch({ durationMinutes: 90 }));
  ok(await patch({ defaultPrice: 140 }));
  ok(await patch({ comingPrices: coming }));
  assert.deepEqual(await shown(), { defaultPrice: 140, comingPrices: coming });
  ok(await patch({ comingPrices: [{ from: inDays(2), price: 165 }] }));
  assert.deepEqual(await shown(), { defaultPrice: 140, comingPrices: [{ from: inDays(2), price: 165 }] });
  ok(await patch({ comingPrices: [] }));
  assert.deepEqual(await shown(), { defaultPrice: 140, comingPrices: [] });
  const audited = (await auditRows(service)).filter(({ action }) => action === 'service.update');
  assert.deepEqual(
    audited.map(({ before, after }) => [before.comingPrices.length, after.comingPrices.length]),
    [
      [0, 2],
      [2, 2],
      [2, 2],
      [2, 1],
      [1, 0],
    ],
  );
});

test('once it has begun, a coming price is the price, and changes build on it', async (t) => {
  const { service, world, ok, patch, shown } = await open(t);
  const later = { from: inDays(9), price: 170 };
  ok(await patch({ comingPrices: [{ from: TOMORROW, price: 160 }, later] }));
  service.clock.set(startOfDate(TOMORROW));
  assert.deepEqual(await shown(), { defaultPrice: 160, comingPrices: [later] });
  const listed = ok(await service.operator('GET', '/services'))[0];
  assert.deepEqual([listed.defaultPrice, listed.comingPrices], [160, [later]]);
  // The same as now: no change, no entry.
  const entries = (await auditRows(service)).length;
  ok(await patch({ defaultPrice: 160 }));
  assert.equal((await auditRows(service)).length, entries);
  ok(await patch({ comingPrices: [] }));
  assert.deepEqual(await shown(), { defaultPrice: 160, comingPrices: [] });
  assert.deepEqual(new Set(await namedPrices(service, world)), new Set([160]));
  ok(await patch({ comingPrices: [{ from: inDays(3), price: 1 }] }));
  service.clock.set(startOfDate(inDays(4)));
  ok(await patch({ defaultPrice: 155 }));
  assert.deepEqual(await shown(), { defaultPrice: 155, comingPrices: [] });
});

test('coming prices of today or before, of one day twice, and of a wrong form are refused', async (t) => {
  const { patch, put, service, world } = await open(t);
  const faultsOf = ({ status, body }: Answer) => [status, body.error?.details.message];
  const today = [
    { from: TODAY, price: 1 },
    { from: inDays(-1), price: 1 },
    { from: TOMORROW, price: 1 },
  ];
  assert.deepEqual(faultsOf(await patch({ comingPrices: today })), [
    400,
    ['comingPrices.0.from must be after today', 'comingPrices.1.from must be after today'],
  ]);
  const twice = [
    { from: TOMORROW, price: 1 },
    { from: TOMORROW, price: 2 },
  ];
  assert.deepEqual(faultsOf(await patch({ comingPrices: twice })), [
    400,
    ['comingPrices.1.from must not be listed twice'],
  ]);
  assert.deepEqual(faultsOf(await put({ comingPrices: [...today, ...twice] })), [
    400,
    [
      'services.0.comingPrices.0.from must be after today',
      'services.0.comingPrices.1.from must be after today',
      'services.0.comingPrices.3.from must not be listed twice',
      'services.0.comingPrices.4.from must not be listed twice',
    ],
  ]);
  // A service always has a price.
  assert.equal((await patch({ comingPrices: [{ from: TOMORROW, price: null }] })).status, 400);
  const made = await service.operator('POST', '/services', {
    nameEn: 'Windows',
    categoryId: world.categoryId,
    durationMinutes: 60,
    defaultPrice: 10,
    comingPrices: today,
  });
  assert.equal(made.status, 400);
});

test("a partner's prices from dates on: its own, none any more, and the service's coming one", async (t) => {
  const { service, world, ok, patch, put, own } = await open(t);
  ok(await patch({ comingPrices: [{ from: inDays(3), price: 160 }] }));
  const comingPrices = [
    { from: TOMORROW, price: 120 },
    { from: inDays(2), price: null },
  ];
  ok(await put({ price: null, comingPrices }));
  // Left out they stay, as for programs of before that put the prices of now.
  ok(await put({ price: 130 }));
  assert.deepEqual(await own(), { serviceId: world.serviceId, price: 130, comingPrices });
  const prices = [];
  for (let days = 0; days <= 3; days++) {
    service.clock.set(startOfDate(inDays(days)) + 12 * HOUR);
    prices.push(new Set(await namedPrices(service, world)));
  }
  assert.deepEqual(prices, [new Set([130]), new Set([120]), new Set([150]), new Set([160])]);
  assert.deepEqual(await own(), { serviceId: world.serviceId, price: null, comingPrices: [] });
  ok(await put({ price: 125 }));
  assert.deepEqual(new Set(await namedPrices(service, world)), new Set([125]));
});

const pick = <T>(list: readonly T[]): T => list[Math.floor(Math.random() * list.length)]!;
const anAmount = (): number => Math.round(Math.random() * 30_000) / 100;

/** A price list as everybody would write it down: the newest entry whose moment has come counts. */
function listFrom<Price>(price: Price) {
  let entries = [{ from: 0, price }];
  return {
    at: (now: number) =>
      entries
        .filter(({ from }) => from <= now)
        .sort((a, b) => a.from - b.from)
        .at(-1)!.price,
    set: (now: number, to: Price) => entries.push({ from: now, price: to }),
    setComing(now: number, coming: readonly { from: string; price: Price }[]) {
      entries = entries.filter(({ from }) => from <= now);
      for (const { from, price: to } of coming) entries.push({ from: startOfDate(from), price: to });
    },
  };
}

test('in random histories each booking has the price of the list at its creation', async (t) => {
  const { service, world, ok, patch, put } = await open(t, {
    teams: 10,
    service: { defaultPrice: 150, bookingHorizonDays: 200, zeroPriceMeans: 'free' },
    partner: { rateLimitPerMinute: null },
  });
  const ofService = listFrom<number>(150);
  const ofPartner = listFrom<number | null>(null);
  const log: string[] = [];
  const sold: { bookingId: string; price: number }[] = [];
  const now = () => service.clock.now();
  const someComing = <Price>(amount: () => Price) =>
    [1, 2, 3, 5]
      .filter(() => Math.random() < 0.5)
      .map((days) => ({ from: addDays(dateOf(now()), days), price: amount() }));
  const ownAmount = () => (Math.random() < 0.3 ? null : anAmount());
  const acts: (() => Promise<void>)[] = [
    async () => {
      const defaultPrice = anAmount();
      ok(await patch({ defaultPrice }));
      ofService.set(now(), defaultPrice);
    },
    async () => {
      const comingPrices = someComing(anAmount);
      ok(await patch({ comingPrices }));
      ofService.setComing(now(), comingPrices);
    },
    async () => {
      const price = ownAmount();
      ok(await put({ price }));
      ofPartner.set(now(), price);
    },
    async () => {
      const [price, comingPrices] = [ownAmount(), someComing(ownAmount)];
      ok(await put({ price, comingPrices }));
      ofPartner.set(now(), price);
      ofPartner.setComing(now(), comingPrices);
    },
    async () => {
      // Often to the very midnight, or the last millisecond before it.
      const midnight = startOfDate(addDays(dateOf(now()), 1));
      service.clock.set(pick([midnight - 1, midnight, now() + 1 + Math.floor(Math.random() * DAY)]));
    },
    sell,
    sell,
  ];
  async function sell(): Promise<void> {
    const price = ofPartner.at(now()) ?? ofService.at(now());
    assert.deepEqual(new Set(await namedPrices(service, world)), new Set([price]), log.join('\n'));
    const date = addDays(dateOf(now()), 2 + (sold.length % 30));
    const startAt = pick(['08', '11', '14', '17']);
    const timeslot = { startAt: `${startAt}:00`, endAt: `${Number(startAt) + 2}:00` };
    const { bookingId } = ok(await world.book({ date, timeslot }));
    sold.push({ bookingId, price });
    log.push(`${new Date(now()).toISOString()} sold at ${price}`);
  }
  for (let step = 0; step < 150; step++) {
    await pick(acts)();
    log.push(`${new Date(now()).toISOString()} ${ofPartner.at(now())} ${ofService.at(now())}`);
  }
  assert.ok(sold.length > 10);
  const rows = await service.deps.db.rows<{ id: string; amount: string }>({
    text: 'select id, amount from bookings',
  });
  const amounts = new Map(rows.map(({ id, amount }) => [id, Number(amount)]));
  for (const { bookingId, price } of sold) assert.equal(amounts.get(bookingId), price, log.join('\n'));
});
