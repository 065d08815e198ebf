import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { test } from 'node:test';
import pg from 'pg';
import { auditOf, changed, made, names, refusedWith, taken } from './catalogue-fixtures.ts';
import { createWorld, squareAround } from './fixtures.ts';
import { onServer, startTestService } from './harness.ts';

/** Zones of the catalogue: their areas, and which of them covers a point. */

test('a zone has a plain polygon and services', async (t) => {
  const service = await startTestService(t);
  const { serviceId } = await createWorld(service);
  const area = squareAround(10, 20, 1);
  const created = await made(service, '/zones', {
    name: 'Alpha',
    area,
    serviceIds: [serviceId.toUpperCase()],
  });
  const { id, createdAt, updatedAt, ...rest } = created;
  assert.deepEqual(rest, {
    name: 'Alpha',
    nameAr: null,
    confirmedOverlaps: [],
    area,
    serviceIds: [serviceId],
    slotGridMinutes: 30,
    priority: 100,
    isActive: true,
    version: 1,
  });
  assert.deepEqual((await service.operator('GET', `/zones/${id}`)).body.data, created);

  taken(await service.operator('POST', '/zones', { name: ' ALPHA', area }));
  const other = await made(service, '/zones', { name: 'Beta', area, priority: 1 });
  assert.deepEqual(other.serviceIds, []);
  taken(await service.operator('PATCH', `/zones/${other.id}`, { name: 'alpha' }));
  assert.equal((await changed(service, `/zones/${id}`, { name: 'ALPHA' })).name, 'ALPHA');

  const unknown = randomUUID();
  for (const [method, path] of [
    ['POST', '/zones'],
    ['PATCH', `/zones/${id}`],
  ] as const) {
    refusedWith(
      await service.operator(method, path, { name: 'Gamma', area, serviceIds: [serviceId, unknown] }),
      'serviceIds.1 must be the id of a service',
    );
    for (const twin of [serviceId, serviceId.toUpperCase()])
      refusedWith(
        await service.operator(method, path, { name: 'Gamma', area, serviceIds: [serviceId, twin] }),
        "All serviceIds's elements must be unique",
      );
  }

  assert.deepEqual(await names(service, '/zones?search=a&isActive=true&limit=2'), ['Beta', 'ALPHA']);
  assert.deepEqual(await names(service, `/zones?search=alp&serviceId=${serviceId}`), ['ALPHA']);
  assert.deepEqual(await names(service, `/services?zoneId=${other.id}`), []);

  const moved = { ...area, coordinates: [area.coordinates[0]!.map(([x, y]) => [x! + 1, y!, 600])] };
  const after = await changed(service, `/zones/${id}`, { area: moved, serviceIds: [], isActive: false });
  assert.deepEqual([after.area, after.serviceIds, after.isActive], [moved, [], false]);
  await changed(service, `/zones/${id}`, { area: moved, serviceIds: [] });
  service.clock.advance(1_000);
  assert.equal((await service.operator('DELETE', `/zones/${id}`)).status, 200);
  assert.equal((await service.operator('GET', `/zones/${id}`)).status, 404);
  assert.deepEqual(
    (await auditOf(service, `zone:${id}`)).map((row) => row.action),
    ['zone.create', 'zone.update', 'zone.update', 'zone.delete'],
  );
});

test('an area that is no simple polygon is refused with the reason', async (t) => {
  const service = await startTestService(t);
  const tryArea = (...rings: unknown[]) =>
    service.operator('POST', '/zones', { name: 'Zone', area: { type: 'Polygon', coordinates: rings } });
  const square = squareAround(24.7, 46.7).coordinates[0]!;
  const [a, b, c, d] = square as [number[], number[], number[], number[]];
  const many = Array.from({ length: 2000 }, (_, i) => [
    46 + Math.cos((i / 2000) * 2 * Math.PI),
    24 + Math.sin((i / 2000) * 2 * Math.PI),
  ]);

  const range = 'must be a longitude from -180 to 180 and a latitude from -90 to 90, in this order';
  const cases: [string, unknown[], string][] = [
    ['no ring', [], 'area.coordinates must contain one ring'],
    [
      'a hole',
      [square, squareAround(24.7, 46.7, 0.1).coordinates[0]],
      'area.coordinates must contain one ring only: holes are not supported',
    ],
    ['three positions', [[a, b, a]], 'area.coordinates.0 must contain at least 4 positions'],
    [
      'too many positions',
      [[...many, many[0]]],
      'area.coordinates.0 must contain no more than 2000 positions',
    ],
    ['not closed', [[a, b, c, d]], 'area.coordinates.0 must end where it begins'],
    ['one number', [[a, b, [46.7], a]], `area.coordinates.0.2 ${range}`],
    ['four numbers', [[a, b, [46.7, 24.7, 0, 0], a]], `area.coordinates.0.2 ${range}`],
    ['longitude out of range', [[a, [180.1, 24], c, a]], `area.coordinates.0.1 ${range}`],
    [
      'latitude first',
      [
        [
          [24, 100],
          [24, 101],
          [25, 101],
          [24, 100],
        ],
      ],
      `area.coordinates.0.0 ${range}`,
    ],
    ['a point', [[a, a, a, a]], 'area must enclose something'],
    ['a line', [[a, b, a, b, a]], 'area must not cross or touch itself'],
    ['a line of three', [[a, b, [46.7, 24.6], a]], 'area must enclose something'],
    ['there and back', [[a, b, a, a]], 'area must enclose something'],
    [
      'a fold past its start',
      [
        [
          [0, 0],
          [4, 0],
          [-2, 0],
          [0, 3],
          [0, 0],
        ],
      ],
      'area must not cross or touch itself',
    ],
    [
      'almost nothing',
      [
        [
          [46, 24],
          [46.0000001, 24],
          [46, 24.0000001],
          [46, 24],
        ],
      ],
      'area must enclose something',
    ],
    ['a bow tie', [[a, c, b, d, a]], 'area must not cross or touch itself'],
    [
      'a ring that touches itself',
      [
        [
          [0, 0],
          [4, 0],
          [2, 2],
          [4, 4],
          [0, 4],
          [2, 2],
          [0, 0],
        ],
      ],
      'area must not cross or touch itself',
    ],
    [
      'a spike',
      [
        [
          [0, 0],
          [4, 0],
          [9, 0],
          [4, 0],
          [4, 4],
          [0, 0],
        ],
      ],
      'area must not cross or touch itself',
    ],
  ];
  for (const [what, rings, message] of cases) {
    const answer = await tryArea(...rings);
    assert.equal(answer.status, 400, `${what}: ${answer.text}`);
    assert.deepEqual(answer.body.error.details.message, [message], what);
  }
  refusedWith(await tryArea([a, b, [46.7, null], a]), 'area.coordinates.0.2.1 must be a number');
  const infinite = `{"name":"Zone","area":{"type":"Polygon","coordinates":[[[46,24],[1e999,24],[46,25],[46,24]]]}}`;
  assert.equal((await service.operator('POST', '/zones', infinite)).status, 400);

  // Either direction, corners that repeat or lie on a side, concave shapes, up to 2,000 positions.
  const fine = [
    [a, d, c, b, a],
    [a, a, b, [b[0], 24.7], c, d, a],
    [
      [0, 0],
      [4, 0],
      [4, 4],
      [2, 1],
      [0, 4],
      [0, 0],
    ],
    [...many.slice(1), many[1]],
  ];
  for (const [index, ring] of fine.entries())
    await made(service, '/zones', {
      name: `Zone ${index}`,
      area: { type: 'Polygon', coordinates: [ring] },
      priority: index,
    });
});

test('where zones overlap, the lower priority, then the name, takes precedence', async (t) => {
  const service = await startTestService(t);
  const world = await createWorld(service, { zone: { name: 'M', priority: 10 } });
  const add = async (name: string, priority: number) => {
    const offered = await made(service, '/services', {
      name,
      categoryId: world.categoryId,
      durationMinutes: 60,
      defaultPrice: 1,
    });
    return made(service, '/zones', {
      name,
      priority,
      area: squareAround(world.latitude, world.longitude, 0.1),
      serviceIds: [offered.id],
      confirmOverlap: true,
    });
  };
  const covering = async () => {
    const answer = await service.v1(world.key, 'GET', `/partners/services?addressId=${world.addressId}`);
    return answer.body.data[0].services.map((row: { name: string }) => row.name);
  };
  const named = (await service.operator('GET', `/services/${world.serviceId}`)).body.data.name;

  await add('A later', 11);
  assert.deepEqual(await covering(), [named], 'a higher number gives way');
  const z = await add('Z', 10);
  assert.deepEqual(await covering(), [named], 'the later name gives way');
  await changed(service, `/zones/${z.id}`, { name: 'B', confirmOverlap: true });
  assert.deepEqual(await covering(), ['Z'], 'the earlier name wins');
  const urgent = await add('Z urgent', -1);
  assert.deepEqual(await covering(), ['Z urgent'], 'the lower number wins');
  await changed(service, `/zones/${urgent.id}`, { isActive: false });
  assert.deepEqual(await covering(), ['Z']);
});

test(
  'a service that is being removed cannot be added to a zone',
  onServer('needs several connections'),
  async (t) => {
    const service = await startTestService(t);
    const { categoryId } = await createWorld(service);
    const body = { name: 'Going', categoryId, durationMinutes: 60, defaultPrice: 1 };
    const going = (await made(service, '/services', body)).id;

    const holder = new pg.Client({ connectionString: service.deps.config.databaseUrl! });
    await holder.connect();
    const waiting = async (count: number) => {
      const query = "select count(*)::int as n from pg_locks where locktype = 'advisory' and not granted";
      while ((await holder.query(query)).rows[0].n < count);
    };
    // Both requests queue up behind this lock, the removal first.
    await holder.query('begin');
    await holder.query('select pg_advisory_xact_lock(1, 0)');
    const removal = service.operator('DELETE', `/services/${going}`);
    await waiting(1);
    const use = service.operator('POST', '/zones', {
      name: 'New',
      area: squareAround(0, 0),
      serviceIds: [going],
    });
    await waiting(2);
    await holder.query('commit');
    await holder.end();
    assert.equal((await removal).status, 200);
    refusedWith(await use, 'serviceIds.0 must be the id of a service');
  },
);
