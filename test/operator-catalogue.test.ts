import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { test } from 'node:test';
import pg from 'pg';
import { createWorld, squareAround, WORLD_DATE } from './fixtures.ts';
import { type Answer, documented, onPostgres, startTestService, type TestService } from './harness.ts';

const CATEGORY = { nameEn: 'Deep cleaning', nameAr: 'تنظيف عميق' };

function refusedWith(answer: Answer, ...messages: string[]): void {
  hinted([], answer, ...messages);
}

function hinted(hints: string[], answer: Answer, ...messages: string[]): void {
  assert.equal(answer.status, 400, answer.text);
  assert.equal(answer.body.error.code, 'VALIDATION_ERROR');
  const details = { message: messages, statusCode: 400, error: 'Bad Request' };
  const expected = documented('VALIDATION_ERROR', { ...details, ...(hints.length > 0 && { hints }) });
  assert.deepEqual(answer.body.error.details, expected);
}

function inUse(answer: Answer, usedBy: Record<string, number>): void {
  assert.equal(answer.status, 409, answer.text);
  assert.equal(answer.body.error.code, 'CONFLICT');
  assert.deepEqual(answer.body.error.details, documented('CONFLICT', { usedBy }));
}

function taken(answer: Answer): void {
  assert.equal(answer.status, 409, answer.text);
  assert.equal(answer.body.error.code, 'CONFLICT');
}

async function made(service: TestService, path: string, body: unknown) {
  const answer = await service.operator('POST', path, body);
  assert.equal(answer.status, 201, answer.text);
  return answer.body.data;
}

async function changed(service: TestService, path: string, body: unknown) {
  service.clock.advance(1_000); // the order of audit rows
  const answer = await service.operator('PATCH', path, body);
  assert.equal(answer.status, 200, answer.text);
  return answer.body.data;
}

async function names(service: TestService, path: string): Promise<string[]> {
  const answer = await service.operator('GET', path);
  assert.equal(answer.status, 200, answer.text);
  return answer.body.data.map((row: { name?: string; nameEn?: string }) => row.name ?? row.nameEn);
}

/** The audit rows of a target, oldest first. */
function auditOf(service: TestService, target: string) {
  return service.deps.db.rows<{ actor: string; action: string; before: unknown; after: unknown }>({
    text: 'select actor, action, before, after from audit_log where target = $1 order by position',
    values: [target],
  });
}

test('categories are created, listed, changed and removed, each with its audit row', async (t) => {
  const service = await startTestService(t);
  const created = await made(service, '/categories', { ...CATEGORY, nameEn: '  Deep cleaning ' });
  const { id, ...rest } = created;
  assert.deepEqual(rest, {
    code: null,
    nameEn: 'Deep cleaning',
    nameAr: 'تنظيف عميق',
    descriptionEn: '',
    descriptionAr: '',
    sortOrder: 0,
    isActive: true,
    createdAt: '2026-11-22T08:00:00+03:00',
    updatedAt: '2026-11-22T08:00:00+03:00',
  });
  assert.deepEqual((await service.operator('GET', `/categories/${id}`)).body.data, created);

  const after = await changed(service, `/categories/${id.toUpperCase()}`, {
    code: 'deep',
    descriptionEn: 'Every corner',
    sortOrder: 5,
    isActive: false,
  });
  assert.deepEqual(after, {
    ...created,
    code: 'deep',
    descriptionEn: 'Every corner',
    sortOrder: 5,
    isActive: false,
    updatedAt: '2026-11-22T08:00:01+03:00',
  });

  // Nothing given, or nothing new: no change and no audit row.
  assert.deepEqual(await changed(service, `/categories/${id}`, {}), after);
  assert.deepEqual(await changed(service, `/categories/${id}`, { code: ' deep ', sortOrder: 5 }), after);
  assert.deepEqual((await changed(service, `/categories/${id}`, { code: null })).code, null);

  service.clock.advance(1_000);
  const removed = await service.operator('DELETE', `/categories/${id}`);
  assert.deepEqual([removed.status, removed.body], [200, { success: true, data: { id, removed: true } }]);
  for (const method of ['GET', 'DELETE'])
    assert.equal((await service.operator(method, `/categories/${id}`)).status, 404);
  const audit = await auditOf(service, `category:${id}`);
  assert.deepEqual(
    audit.map((row) => row.action),
    ['category.create', 'category.update', 'category.update', 'category.delete'],
  );
  assert.deepEqual(audit[0], {
    actor: 'operator:first-token',
    action: 'category.create',
    before: null,
    after: created,
  });
  assert.deepEqual([audit[1]?.before, audit[1]?.after], [created, after]);
  assert.equal(audit[3]?.after, null);
});

test('a category code is unique; lists are searched, filtered and paged', async (t) => {
  const service = await startTestService(t);
  const first = await made(service, '/categories', { ...CATEGORY, code: 'a', nameEn: 'Beta', sortOrder: 2 });
  await made(service, '/categories', { ...CATEGORY, code: 'b', nameEn: 'Alpha', sortOrder: 2 });
  await made(service, '/categories', { ...CATEGORY, nameEn: 'Gamma', sortOrder: 1, isActive: false });
  await made(service, '/categories', { ...CATEGORY, nameEn: 'Delta', nameAr: 'سجاد', sortOrder: 3 });

  taken(await service.operator('POST', '/categories', { ...CATEGORY, code: 'b' }));
  taken(await service.operator('PATCH', `/categories/${first.id}`, { code: 'b' }));

  assert.deepEqual(await names(service, '/categories'), ['Gamma', 'Alpha', 'Beta', 'Delta']);
  assert.deepEqual(await names(service, '/categories?isActive=false'), ['Gamma']);
  assert.deepEqual(await names(service, '/categories?search=ALPH'), ['Alpha']);
  assert.deepEqual(await names(service, `/categories?search=${encodeURIComponent('سجاد')}`), ['Delta']);
  assert.deepEqual(await names(service, '/categories?search=%25'), [], 'search takes no wildcards');
  const page = await service.operator('GET', '/categories?isActive=true&limit=2&page=2');
  assert.deepEqual(page.body.meta, { page: 2, limit: 2, total: 3, totalPages: 2 });
  assert.deepEqual(
    page.body.data.map((row: { nameEn: string }) => row.nameEn),
    ['Delta'],
  );
});

test('bodies and queries of the catalogue are checked, all faults at once', async (t) => {
  const service = await startTestService(t);
  const category = await made(service, '/categories', CATEGORY);
  const post = (path: string, body: unknown) => service.operator('POST', path, body);

  hinted(
    ['nameAr is missing'],
    await post('/categories', { code: ' ', nameEn: ' ', sortOrder: 1.5, isActive: 'yes', colour: 'red' }),
    'nameAr should not be empty',
    'property colour should not exist',
    'code should not be empty',
    'nameEn should not be empty',
    'sortOrder must be an integer number',
    'isActive must be a boolean value',
  );
  hinted(
    ['code: must be in quotation marks: "7", not 7'],
    await post('/categories', {
      ...CATEGORY,
      nameAr: 'x'.repeat(201),
      descriptionEn: 'x'.repeat(2001),
      code: 7,
    }),
    'code must be a string or null',
    'nameAr must be shorter than or equal to 200 characters',
    'descriptionEn must be shorter than or equal to 2000 characters',
  );
  refusedWith(await service.operator('GET', '/categories/7'), 'id must be a UUID');
  refusedWith(
    await service.operator('GET', '/categories?isActive=1&limit=101'),
    'isActive must be one of the following values: true, false',
    'limit must not be greater than 100',
  );
  refusedWith(
    await service.operator('PATCH', `/categories/${category.id}`, { id: 'x' }),
    'property id should not exist',
  );
  hinted(
    ['the body must be a JSON object: send {} when there is nothing to say'],
    await service.operator('PATCH', `/categories/${category.id}`),
    'body must be an object',
  );

  hinted(
    ['categoryId is missing', 'durationMinutes is missing', 'defaultPrice is missing'],
    await post('/services', {}),
    'categoryId must be a UUID',
    'durationMinutes must be an integer number',
    'defaultPrice must be a number',
    'nameEn should not be empty',
  );
  hinted(
    ['defaultPrice: must be without quotation marks: 9, not "9"'],
    await post('/services', {
      name: 'Visit',
      categoryId: category.id,
      durationMinutes: 1441,
      defaultPrice: '9',
      zeroPriceMeans: 'nothing',
      assignment: 'later',
      minimumNoticeMinutes: -1,
      bookingHorizonDays: 731,
    }),
    'durationMinutes must not be greater than 1440',
    'defaultPrice must be a number',
    'zeroPriceMeans must be one of the following values: free, deferred',
    'assignment must be one of the following values: instant, deferred',
    'minimumNoticeMinutes must not be less than 0',
    'bookingHorizonDays must not be greater than 730',
  );
  const zone = { name: 'Zone', area: squareAround(24.7, 46.7) };
  hinted(
    ['area.coordinates is missing', 'priority: must be without quotation marks: 1, not "1"'],
    await post('/zones', {
      ...zone,
      slotGridMinutes: 4,
      priority: '1',
      serviceIds: ['x'],
      area: { type: 'Point' },
    }),
    'area.coordinates must be an array',
    'area.type must be one of the following values: Polygon',
    'serviceIds.0 must be a UUID',
    'slotGridMinutes must not be less than 5',
    'priority must be an integer number',
  );
});

test('a service has a category and exact money', async (t) => {
  const service = await startTestService(t);
  const category = await made(service, '/categories', CATEGORY);
  const body = {
    name: 'Sofa',
    categoryId: category.id.toUpperCase(),
    durationMinutes: 90,
    defaultPrice: 149.5,
  };
  const created = await made(service, '/services', body);
  const { id, createdAt, updatedAt, ...rest } = created;
  assert.deepEqual(rest, {
    ...body,
    nameEn: 'Sofa',
    nameAr: null,
    categoryId: category.id,
    zeroPriceMeans: 'free',
    assignment: 'instant',
    minimumNoticeMinutes: 120,
    bookingHorizonDays: 60,
    isActive: true,
  });
  assert.deepEqual((await service.operator('GET', `/services/${id}`)).body.data, created);
  await made(service, '/services', body); // names need not be unique

  for (const price of [0, 0.01, 0.1, 1.15, 9_999_999_999.99]) {
    assert.equal((await changed(service, `/services/${id}`, { defaultPrice: price })).defaultPrice, price);
    const stored = await service.deps.db.first<{ default_price: string }>({
      text: 'select default_price from services where id = $1',
      values: [id],
    });
    assert.equal(stored?.default_price, price.toFixed(2));
  }
  for (const price of [0.001, 1.005, 0.1 + 0.2, 1e-7])
    refusedWith(
      await service.operator('PATCH', `/services/${id}`, { defaultPrice: price }),
      'defaultPrice must be a number with at most 2 decimal places',
    );
  refusedWith(
    await service.operator('POST', '/services', { ...body, defaultPrice: 10_000_000_000 }),
    'defaultPrice must not be greater than 9999999999.99',
  );
  refusedWith(
    await service.operator('PATCH', `/services/${id}`, { defaultPrice: -0.01 }),
    'defaultPrice must not be less than 0',
  );
  const unknown = randomUUID();
  for (const [method, path] of [
    ['POST', '/services'],
    ['PATCH', `/services/${id}`],
  ] as const)
    refusedWith(
      await service.operator(method, path, { ...body, categoryId: unknown }),
      'categoryId must be the id of a category',
    );
  // The resource comes before what its body refers to.
  assert.equal(
    (await service.operator('PATCH', `/services/${unknown}`, { categoryId: unknown })).status,
    404,
  );

  const after = await changed(service, `/services/${id}`, {
    name: 'Sofas',
    assignment: 'deferred',
    isActive: false,
  });
  assert.equal(after.assignment, 'deferred');
  await changed(service, `/services/${id}`, { name: ' Sofas ', defaultPrice: 9_999_999_999.99 });
  assert.deepEqual(await names(service, '/services?search=SOFAS'), ['Sofas']);
  assert.deepEqual(await names(service, `/services?categoryId=${category.id}&isActive=true`), ['Sofa']);
  assert.deepEqual(await names(service, `/services?categoryId=${unknown}`), []);

  service.clock.advance(1_000);
  assert.equal((await service.operator('DELETE', `/services/${id}`)).status, 200);
  const audit = await auditOf(service, `service:${id}`);
  assert.deepEqual(
    audit.map((row) => row.action),
    ['service.create', ...Array(6).fill('service.update'), 'service.delete'],
  );
  assert.deepEqual(audit.at(-2)?.after, audit.at(-1)?.before);
  assert.deepEqual(audit.at(-1)?.before, after);
});

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
    await made(service, '/zones', { name: `Zone ${index}`, area: { type: 'Polygon', coordinates: [ring] } });
});

test('what is in use is not deleted, and the answer says what uses it', async (t) => {
  const service = await startTestService(t);
  const world = await createWorld(service, { teams: 2 });
  const { categoryId, serviceId, zoneId, partnerId } = world;
  await service.deps.db.rows({
    text: 'insert into partner_services (partner_id, service_id, price) values ($1, $2, 100)',
    values: [partnerId, serviceId],
  });
  for (let hour = 10; hour <= 11; hour++) assert.equal((await world.book()).status, 200);

  const remove = (path: string) => service.operator('DELETE', path);
  inUse(await remove(`/categories/${categoryId}`), { services: 1 });
  inUse(await remove(`/services/${serviceId}`), { bookings: 2, zones: 1, teams: 2, partners: 1 });
  inUse(await remove(`/zones/${zoneId}`), { teams: 2, appointments: 2 });

  // Each kind of use alone is enough.
  const other = await made(service, '/services', {
    name: 'Other',
    categoryId,
    durationMinutes: 60,
    defaultPrice: 1,
  });
  inUse(await remove(`/categories/${categoryId}`), { services: 2 });
  const path = `/services/${other.id}`;
  await changed(service, `/zones/${zoneId}`, { serviceIds: [serviceId, other.id] });
  inUse(await remove(path), { zones: 1 });
  await changed(service, `/zones/${zoneId}`, { serviceIds: [serviceId] });
  await changed(service, `/teams/${world.teamIds[0]}`, { serviceIds: [other.id] });
  inUse(await remove(path), { teams: 1 });
  await changed(service, `/teams/${world.teamIds[0]}`, { serviceIds: [], zoneIds: [] });
  await changed(service, `/teams/${world.teamIds[1]}`, { zoneIds: [] });
  inUse(await remove(`/zones/${zoneId}`), { appointments: 2 });
  const rows = { text: 'insert into partner_services values ($1, $2)', values: [partnerId, other.id] };
  await service.deps.db.rows(rows);
  inUse(await remove(path), { partners: 1 });

  const refused = await service.deps.db.rows({
    text: "select 1 from audit_log where action like '%.delete'",
  });
  assert.equal(refused.length, 0, 'a refused removal leaves no audit row');
});

test('a change of the catalogue shows to partners with the next request', async (t) => {
  const service = await startTestService(t);
  const world = await createWorld(service);
  const offered = async () => {
    const answer = await service.v1(world.key, 'GET', `/partners/services?addressId=${world.addressId}`);
    assert.equal(answer.status, 200, answer.text);
    return answer.body.data.flatMap((category: { services: unknown[] }) => category.services);
  };
  const slots = async () => {
    const query = `addressId=${world.addressId}&serviceId=${world.serviceId}&date=${WORLD_DATE}`;
    const answer = await service.v1(world.key, 'GET', `/partners/timeslots/available?${query}`);
    return answer.status === 200
      ? answer.body.data.slots.map((slot: { startAt: string }) => slot.startAt)
      : answer.status;
  };
  const [before] = await offered();
  assert.deepEqual([before.id, before.price], [world.serviceId, 150]);
  assert.equal((await slots()).length, 21);

  const servicePath = `/services/${world.serviceId}`;
  await changed(service, servicePath, { isActive: false });
  assert.deepEqual(await offered(), []);
  assert.equal(await slots(), 404);
  assert.equal((await world.book()).body.error.code, 'SERVICE_NOT_ALLOWED');
  await changed(service, servicePath, { isActive: true, defaultPrice: 99.95, name: 'New name' });
  assert.deepEqual(await offered(), [{ id: world.serviceId, name: 'New name', price: 99.95 }]);

  await changed(service, `/categories/${world.categoryId}`, { isActive: false });
  assert.deepEqual(await offered(), []);
  await changed(service, `/categories/${world.categoryId}`, { isActive: true });

  await changed(service, servicePath, { durationMinutes: 240 });
  assert.equal((await slots()).at(-1), '16:00');
  const zonePath = `/zones/${world.zoneId}`;
  await changed(service, zonePath, { slotGridMinutes: 240 });
  assert.deepEqual(await slots(), ['08:00', '12:00', '16:00']);

  await changed(service, zonePath, { serviceIds: [] });
  assert.deepEqual([await offered(), await slots()], [[], []]);
  await changed(service, zonePath, { serviceIds: [world.serviceId], isActive: false });
  assert.deepEqual([await offered(), await slots()], [[], []]);
  await changed(service, zonePath, { isActive: true });
  assert.equal((await offered()).length, 1);
  await changed(service, zonePath, { area: squareAround(world.latitude + 5, world.longitude) });
  assert.deepEqual([await offered(), await slots()], [[], []]);
});

test('where zones overlap, the lower priority, then the name, covers the point', async (t) => {
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
  await changed(service, `/zones/${z.id}`, { name: 'B' });
  assert.deepEqual(await covering(), ['Z'], 'the earlier name wins');
  const urgent = await add('Z urgent', -1);
  assert.deepEqual(await covering(), ['Z urgent'], 'the lower number wins');
  await changed(service, `/zones/${urgent.id}`, { isActive: false });
  assert.deepEqual(await covering(), ['Z']);
});

test('a removal and a first use at the same time end in one of the two orders', async (t) => {
  const service = await startTestService(t);
  const { categoryId } = await createWorld(service);
  for (let round = 0; round < 10; round++) {
    const category = await made(service, '/categories', CATEGORY);
    const body = { name: 'Service', categoryId: category.id, durationMinutes: 60, defaultPrice: 1 };
    const [removal, use] = await Promise.all([
      service.operator('DELETE', `/categories/${category.id}`),
      service.operator('POST', '/services', body),
    ]);
    const outcome = `${removal.status} ${use.status}`;
    assert.ok(['200 400', '409 201'].includes(outcome), `${outcome} ${removal.text} ${use.text}`);
  }
  // Changes of different kinds that touch each other's rows do not deadlock.
  const ids: string[] = [];
  for (let n = 0; n < 4; n++) {
    const body = { name: `Service ${n}`, categoryId, durationMinutes: 60, defaultPrice: 1 };
    ids.push((await made(service, '/services', body)).id);
  }
  const zones = await Promise.all(
    ids.map((id, n) =>
      made(service, '/zones', { name: `Zone ${n}`, area: squareAround(0, n), serviceIds: [id] }),
    ),
  );
  const answers = await Promise.all(
    zones.flatMap((zone, n) => [
      service.operator('PATCH', `/zones/${zone.id}`, { serviceIds: ids, name: `Zone ${n}!` }),
      service.operator('PATCH', `/services/${ids[n]}`, { name: `Service ${n}!` }),
      service.operator('DELETE', `/services/${ids[n]}`),
    ]),
  );
  for (const answer of answers) assert.ok([200, 409].includes(answer.status), answer.text);
});

test('a zone is not given a service that is being removed', { skip: !onPostgres }, async (t) => {
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
});
