import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createWorld } from './fixtures.ts';
import { startTestService } from './harness.ts';

/** In natural order, whatever the database's collation is; numbers in names are text. */
const SORTED = [
  'Äpfel',
  'apple',
  'Banana',
  'c100',
  'c90',
  'deep clean',
  'Deep-Clean',
  'zebra',
  'أحمد',
  'بيت',
];
const MIXED = [9, 2, 7, 4, 0, 8, 5, 3, 1, 6].map((index) => SORTED[index]!);

type Named = { name?: string; nameEn?: string };

test('names are in natural order, in both languages', async (t) => {
  const service = await startTestService(t);
  const world = await createWorld(service);
  const create = async (path: string, body: object): Promise<string> => {
    const answer = await service.operator('POST', path, body);
    assert.equal(answer.status, 201, answer.text);
    return answer.body.data.id;
  };
  const { categoryId } = world;
  const serviceIds: string[] = [];
  for (const name of MIXED) {
    serviceIds.push(await create('/services', { categoryId, name, durationMinutes: 60, defaultPrice: 10 }));
    await create('/categories', { nameEn: name, nameAr: name, sortOrder: 1 });
    await create('/teams', { name });
    await create('/zones', { name, area: AREA, serviceIds: [], priority: 9, confirmOverlap: true });
    await create('/cancellation-reasons', { nameEn: name, nameAr: name });
  }
  await service.operator('PATCH', `/zones/${world.zoneId}`, { serviceIds });

  const names = async (path: string): Promise<string[]> =>
    (await service.operator('GET', path)).body.data
      .map(({ name, nameEn }: Named) => name ?? nameEn)
      .filter((name: string) => SORTED.includes(name));
  for (const path of ['/services', '/categories', '/teams', '/zones', '/cancellation-reasons'])
    assert.deepEqual(await names(path), SORTED, path);

  const v1 = async (path: string) => (await service.v1(world.key, 'GET', path)).body.data;
  const [category] = await v1(`/partners/services?addressId=${world.addressId}`);
  assert.deepEqual(
    category.services.map(({ name }: Named) => name),
    SORTED,
  );
  assert.deepEqual(
    (await v1('/partners/bookings/cancellation-reasons')).map(({ nameEn }: Named) => nameEn),
    SORTED,
  );
});

const AREA = {
  type: 'Polygon',
  coordinates: [
    [
      [10, 10],
      [11, 10],
      [11, 11],
      [10, 10],
    ],
  ],
};
