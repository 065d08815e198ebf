import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { test } from 'node:test';
import { createTier, readTier, tierView, updateTier } from '../src/pricing/pricing.ts';
import { createPartner, createWorld, type World } from './fixtures.ts';
import { type Answer, onServer, startTestService, TEST_NOW, type TestService } from './harness.ts';

async function made(service: TestService, path: string, body: Record<string, unknown>) {
  const answer = await service.operator('POST', path, body);
  assert.equal(answer.status, 201, answer.text);
  return answer.body.data;
}

const makeTier = (
  service: TestService,
  minMinutes: number,
  maxMinutes: number | null,
  factor: number,
  sorting = 0,
) => made(service, '/pricing-tiers', { minMinutes, maxMinutes, factor, sorting });

function calculate(service: TestService, world: World, ...items: unknown[]): Promise<Answer> {
  return service.v1(world.key, 'POST', '/partners/pricing/calculate-price', { items });
}

function refusedWith(answer: Answer, ...messages: string[]): void {
  assert.equal(answer.status, 400, answer.text);
  assert.equal(answer.body.error.code, 'VALIDATION_ERROR');
  assert.deepEqual(answer.body.error.details.message, messages);
}

function conflicts(answer: Answer): void {
  assert.equal(answer.status, 409, answer.text);
  assert.equal(answer.body.error.code, 'CONFLICT');
}

test('partners see the tiers in their order', async (t) => {
  const service = await startTestService(t);
  const { key } = await createPartner(service, { permissions: ['partner_pricing_read'] });
  assert.deepEqual((await service.v1(key, 'GET', '/partners/pricing/tiers')).body, {
    success: true,
    data: [],
  });
  const long = await makeTier(service, 300, null, 0.9, 10);
  const short = await makeTier(service, 60, 179, 1, 20);
  const medium = await makeTier(service, 180, 299, 0.955, 10);
  const { status, body } = await service.v1(key, 'GET', '/partners/pricing/tiers');
  assert.equal(status, 200);
  assert.deepEqual(body, {
    success: true,
    data: [
      { id: medium.id, minMinutes: 180, maxMinutes: 299, factor: 0.955, sorting: 10 },
      { id: long.id, minMinutes: 300, maxMinutes: null, factor: 0.9, sorting: 10 },
      { id: short.id, minMinutes: 60, maxMinutes: 179, factor: 1, sorting: 20 },
    ],
  });

  const { key: other } = await createPartner(service, { permissions: ['partner_services_read'] });
  assert.equal((await service.v1(other, 'GET', '/partners/pricing/tiers')).status, 403);
  const refused = await service.v1(other, 'POST', '/partners/pricing/calculate-price', { items: [] });
  assert.equal(refused.status, 403);
});

test('prices are the base price times the factor of the tier that holds the minutes', async (t) => {
  const service = await startTestService(t);
  const world = await createWorld(service, { service: { defaultPrice: 0.3, durationMinutes: 100 } });
  const { serviceId } = world;
  const sent = serviceId.toUpperCase();
  const priced = async (...items: unknown[]) => {
    const answer = await calculate(service, world, ...items);
    assert.equal(answer.status, 200, answer.text);
    return answer.body.data;
  };

  assert.deepEqual(await priced({ serviceId: sent }), {
    currency: 'SAR',
    items: [
      {
        serviceId,
        hours: 100 / 60,
        basePrice: 0.3,
        tierId: null,
        factor: 1,
        price: 0.3,
        isBookable: true,
      },
    ],
    total: 0.3,
  });

  await makeTier(service, 100, 100, 2);
  const short = await makeTier(service, 120, 179, 0.75);
  const long = await makeTier(service, 300, null, 0.5);
  const tierOf = async (item: object) => {
    const { items } = await priced({ serviceId, ...item });
    return items[0].tierId;
  };
  // No tier has a say in the service's own duration; both bounds belong to the tier.
  assert.equal(await tierOf({}), null);
  assert.equal(await tierOf({ hours: 1.75 }), null);
  assert.equal(await tierOf({ hours: 2 }), short.id);
  assert.equal(await tierOf({ hours: 2.75 }), short.id);
  assert.equal(await tierOf({ hours: 3 }), null);
  assert.equal(await tierOf({ hours: 5 }), long.id);
  assert.equal(await tierOf({ hours: 24 }), long.id);

  // 0.3 x 0.75 = 0.225, which in doubles would become 0.22.
  const several = await priced(
    { serviceId, hours: 2 },
    { serviceId, hours: 1 },
    { serviceId: sent, hours: 2.25 },
  );
  assert.deepEqual(
    several.items.map((item: Record<string, unknown>) => [
      item.serviceId,
      item.hours,
      item.factor,
      item.price,
    ]),
    [
      [serviceId, 2, 0.75, 0.23],
      [serviceId, 1, 1, 0.3],
      [serviceId, 2.25, 0.75, 0.23],
    ],
  );
  assert.equal(several.total, 0.76);

  await service.operator('PUT', `/partners/${world.partnerId}/services`, {
    restricted: true,
    services: [{ serviceId, price: 99.99 }],
  });
  const [item] = (await priced({ serviceId, hours: 2 })).items;
  assert.deepEqual([item.basePrice, item.price], [99.99, 74.99]);

  // The largest of everything is exact.
  await service.operator('PATCH', `/pricing-tiers/${short.id}`, { factor: 98.9999 });
  await service.operator('PUT', `/partners/${world.partnerId}/services`, {
    restricted: false,
    services: [{ serviceId, price: 9_999_999_999.99 }],
  });
  const largest = await priced(...Array(10).fill({ serviceId, hours: 2 }));
  assert.equal(largest.items[0].price, 989_998_999_999.01);
  assert.equal(largest.total, 9_899_989_999_990.1);
});

test('a bookable price is the one a booking locks, with any tiers, and its hours can be sent back', async (t) => {
  const service = await startTestService(t);
  await makeTier(service, 0, 400, 0.9);
  await makeTier(service, 401, null, 0.5);
  for (const durationMinutes of [1, 50, 59, 60, 61, 100, 179, 180, 400, 401, 479, 1_439, 1_440]) {
    const world = await createWorld(service, { service: { durationMinutes, defaultPrice: 139 } });
    const { serviceId } = world;
    const priced = async (item: object) => {
      const answer = await calculate(service, world, { serviceId, ...item });
      assert.equal(answer.status, 200, answer.text);
      assert.equal(answer.body.data.total, answer.body.data.items[0].price);
      return answer.body.data.items[0];
    };
    const hours = durationMinutes / 60;
    const own = await priced({});
    const { price, ...bookable } = own;
    assert.deepEqual(bookable, {
      serviceId,
      hours,
      basePrice: 139,
      tierId: null,
      factor: 1,
      isBookable: true,
    });
    assert.deepEqual(await priced({ hours: own.hours }), own, 'as it was answered');
    for (const other of [1, 4.25, 24].filter((quarter) => quarter !== hours)) {
      const estimate = await priced({ hours: other });
      assert.deepEqual([estimate.isBookable, estimate.hours], [false, other]);
      assert.equal(estimate.price, other > 6.75 ? 69.5 : 125.1);
      assert.deepEqual(await priced({ hours: estimate.hours }), estimate);
    }
    if (durationMinutes !== 100) continue;
    const at = { date: '2026-11-24', timeslot: { startAt: '10:00', endAt: '11:40' } };
    const body = { contactId: world.contactId, addressId: world.addressId, serviceId, ...at };
    const booked = await service.v1(world.key, 'POST', '/partners/bookings', body);
    assert.equal(booked.status, 200, booked.text);
    const { amount } = (await service.operator('GET', `/bookings/${booked.body.data.bookingId}`)).body.data;
    assert.equal(amount, price);
  }
});

test('hours are quarters from 1 to 24, and every error is reported at once', async (t) => {
  const service = await startTestService(t);
  const world = await createWorld(service);
  const { serviceId } = world;
  for (const hours of [1, 1.25, 9.75, 23.75, 24])
    assert.equal((await calculate(service, world, { serviceId, hours })).status, 200, `${hours}`);
  const multiple = 'items.0.hours must be a multiple of 0.25';
  for (const [hours, message] of [
    [1.1, multiple],
    [1 + 1e-9, multiple],
    [1 + Number.EPSILON, multiple],
    [23.999999999999996, multiple],
    [1.3333333333333333, multiple],
    [0.75, 'items.0.hours must not be less than 1'],
    [-2, 'items.0.hours must not be less than 1'],
    [24.25, 'items.0.hours must not be greater than 24'],
    [1e300, 'items.0.hours must not be greater than 24'],
    ['2', 'items.0.hours must be a number'],
    [null, 'items.0.hours must be a number'],
  ] as const)
    refusedWith(await calculate(service, world, { serviceId, hours }), message);
  // Hours that are neither quarters nor those of an unknown service.
  refusedWith(await calculate(service, world, { serviceId: randomUUID(), hours: 1.1 }), multiple);
  refusedWith(
    await calculate(service, world, { serviceId }, { serviceId, hours: 0.5 }, { serviceId, hours: 1.1 }),
    'items.1.hours must not be less than 1',
    'items.2.hours must be a multiple of 0.25',
  );
  const infinite = await service.v1(
    world.key,
    'POST',
    '/partners/pricing/calculate-price',
    `{"items":[{"serviceId":"${serviceId}","hours":1e999}]}`,
  );
  assert.equal(infinite.status, 400);

  refusedWith(await calculate(service, world), 'items must contain at least 1 elements');
  refusedWith(
    await calculate(service, world, ...Array(11).fill({ serviceId })),
    'items must contain no more than 10 elements',
  );
  refusedWith(
    await calculate(service, world, { serviceId, price: 1 }, { serviceId: 'x', hours: 1.01 }, {}),
    'property items.0.price should not exist',
    'items.1.serviceId must be a UUID',
    'items.1.hours must be a multiple of 0.25',
    'items.2.serviceId must be a UUID',
  );
  refusedWith(
    await service.v1(world.key, 'POST', '/partners/pricing/calculate-price', {}),
    'items must be an array',
  );
});

test('a service that the partner may not book has no price', async (t) => {
  const service = await startTestService(t);
  const world = await createWorld(service);
  const other = await createWorld(service);
  const notAllowed = async (...serviceIds: string[]) => {
    const items = [world.serviceId, ...serviceIds].map((serviceId) => ({ serviceId }));
    const answer = await calculate(service, world, ...items);
    assert.equal(answer.status, 404, answer.text);
    assert.equal(answer.body.error.code, 'SERVICE_NOT_ALLOWED');
    return answer.body.error.details.serviceIds;
  };
  const unknown = randomUUID();
  assert.deepEqual(await notAllowed(unknown.toUpperCase(), unknown), [unknown]);
  assert.equal((await calculate(service, world, { serviceId: other.serviceId })).status, 200);

  await service.operator('PATCH', `/services/${other.serviceId}`, { isActive: false });
  assert.deepEqual(await notAllowed(other.serviceId), [other.serviceId]);
  await service.operator('PATCH', `/services/${other.serviceId}`, { isActive: true });
  await service.operator('PATCH', `/categories/${other.categoryId}`, { isActive: false });
  assert.deepEqual(await notAllowed(other.serviceId), [other.serviceId]);
  await service.operator('PATCH', `/categories/${other.categoryId}`, { isActive: true });
  await service.operator('PUT', `/partners/${world.partnerId}/services`, {
    restricted: true,
    services: [{ serviceId: world.serviceId }],
  });
  assert.deepEqual(await notAllowed(other.serviceId), [other.serviceId]);
});

test('the operator creates, changes and removes tiers, each with its audit row', async (t) => {
  const service = await startTestService(t);
  const created = await made(service, '/pricing-tiers', { minMinutes: 60, factor: 0.9 });
  const { id, ...rest } = created;
  assert.deepEqual(rest, {
    minMinutes: 60,
    maxMinutes: null,
    factor: 0.9,
    sorting: 0,
    createdAt: '2026-11-22T08:00:00+03:00',
    updatedAt: '2026-11-22T08:00:00+03:00',
  });
  service.clock.advance(1_000);
  const patch = (body: unknown) => service.operator('PATCH', `/pricing-tiers/${id.toUpperCase()}`, body);
  const after = (await patch({ maxMinutes: 119, factor: 1.2345, sorting: -3 })).body.data;
  assert.deepEqual(after, {
    ...created,
    maxMinutes: 119,
    factor: 1.2345,
    sorting: -3,
    updatedAt: '2026-11-22T08:00:01+03:00',
  });
  assert.deepEqual((await patch({})).body.data, after);
  assert.deepEqual((await patch({ factor: 1.2345 })).body.data, after);
  assert.deepEqual((await service.operator('GET', `/pricing-tiers/${id}`)).body.data, after);
  const page = await service.operator('GET', '/pricing-tiers?limit=1');
  assert.deepEqual(page.body, {
    success: true,
    data: [after],
    meta: { page: 1, limit: 1, total: 1, totalPages: 1 },
  });

  const post = (body: unknown) => service.operator('POST', '/pricing-tiers', body);
  refusedWith(await post({}), 'minMinutes must be an integer number', 'factor must be a number');
  refusedWith(
    await post({ minMinutes: -1, maxMinutes: 1.5, factor: 0, sorting: '1' }),
    'minMinutes must not be less than 0',
    'maxMinutes must be an integer number or null',
    'factor must not be less than 0.0001',
    'sorting must be an integer number',
  );
  refusedWith(await post({ minMinutes: 1, factor: 99.5 }), 'factor must not be greater than 99');
  refusedWith(
    await post({ minMinutes: 10, maxMinutes: 9, factor: 0.12345 }),
    'factor must have at most 4 decimals',
    'maxMinutes must not be less than minMinutes',
  );
  refusedWith(await patch({ minMinutes: 120 }), 'maxMinutes must not be less than minMinutes');

  const removed = await service.operator('DELETE', `/pricing-tiers/${id}`);
  assert.deepEqual([removed.status, removed.body.data], [200, { id, removed: true }]);
  for (const method of ['GET', 'DELETE'])
    assert.equal((await service.operator(method, `/pricing-tiers/${id}`)).status, 404, method);
  assert.equal((await patch({ sorting: 1 })).status, 404);

  const audit = await service.deps.db.rows({
    text: 'select actor, action, before, after from audit_log where target = $1 order by position',
    values: [`tier:${id}`],
  });
  const actor = 'operator:first-token';
  assert.deepEqual(audit, [
    { actor, action: 'tier.create', before: null, after: created },
    { actor, action: 'tier.update', before: created, after },
    { actor, action: 'tier.delete', before: after, after: null },
  ]);
});

test('tiers never overlap', async (t) => {
  const service = await startTestService(t);
  const middle = await makeTier(service, 120, 239, 1);
  const post = (minMinutes: number, maxMinutes: number | null) =>
    service.operator('POST', '/pricing-tiers', { minMinutes, maxMinutes, factor: 1 });
  for (const [min, max] of [
    [239, 300],
    [60, 120],
    [150, 160],
    [0, null],
    [120, 239],
  ] as const)
    conflicts(await post(min, max));
  const before = await makeTier(service, 60, 119, 1);
  await makeTier(service, 240, null, 1);
  conflicts(await post(10_000, 10_001));
  conflicts(await service.operator('PATCH', `/pricing-tiers/${before.id}`, { maxMinutes: 120 }));
  const moved = await service.operator('PATCH', `/pricing-tiers/${middle.id}`, { minMinutes: 130 });
  assert.equal(moved.status, 200, moved.text);
});

test(
  'of overlapping tiers created simultaneously one wins',
  onServer('needs several connections'),
  async (t) => {
    const { db } = (await startTestService(t)).deps;
    for (let round = 0; round < 40; round++) {
      const outcomes = await Promise.all(
        Array.from({ length: 10 }, (_, index) =>
          db
            .transaction((tx) =>
              createTier(tx, TEST_NOW, 'test', {
                minMinutes: round * 1_000 + index,
                maxMinutes: round * 1_000 + 500,
                factor: 1,
              }),
            )
            .then(
              () => 'made',
              (error) => error.code,
            ),
        ),
      );
      assert.deepEqual(outcomes.sort(), [...Array(9).fill('CONFLICT'), 'made']);
    }
  },
);

test('simultaneous changes of one tier all count', onServer('needs several connections'), async (t) => {
  const service = await startTestService(t);
  const { db } = service.deps;
  const { id } = await makeTier(service, 10, 20, 1);
  for (let round = 1; round <= 10; round++) {
    const wanted = { minMinutes: round, maxMinutes: 30 + round, factor: round / 10, sorting: round };
    await Promise.all(
      Object.entries(wanted).map(([field, value]) =>
        db.transaction((tx) => updateTier(tx, TEST_NOW, 'test', { id, changes: { [field]: value } })),
      ),
    );
    const { minMinutes, maxMinutes, factor, sorting } = tierView(await readTier(db, id));
    assert.deepEqual({ minMinutes, maxMinutes, factor, sorting }, wanted);
  }
});
