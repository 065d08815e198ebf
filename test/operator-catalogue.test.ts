import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { test } from 'node:test';
import { auditOf, changed, hinted, made, names, refusedWith, taken } from './catalogue-fixtures.ts';
import { createWorld, squareAround, WORLD_DATE } from './fixtures.ts';
import { type Answer, documented, startTestService } from './harness.ts';

/** Categories and services; test/operator-zones.test.ts has the zones. */

const CATEGORY = { nameEn: 'Deep cleaning', nameAr: 'تنظيف عميق' };

function inUse(answer: Answer, usedBy: Record<string, number>): void {
  assert.equal(answer.status, 409, answer.text);
  assert.equal(answer.body.error.code, 'CONFLICT');
  assert.deepEqual(answer.body.error.details, documented('CONFLICT', { reason: 'IN_USE', usedBy }));
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

test('bodies and queries of the catalogue are validated, all errors at once', async (t) => {
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
    comingPrices: [],
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
  // The resource is checked before references in the body.
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

test('entries in use are not deleted, and the response names the users', async (t) => {
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
  assert.deepEqual(await offered(), [
    {
      id: world.serviceId,
      name: 'New name',
      nameEn: 'New name',
      nameAr: 'New name',
      price: 99.95,
      policy: null,
    },
  ]);

  await changed(service, `/categories/${world.categoryId}`, { isActive: false });
  assert.deepEqual(await offered(), []);
  assert.equal(await slots(), 404);
  assert.equal((await world.book()).body.error.code, 'SERVICE_NOT_ALLOWED');
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

test('a simultaneous removal and first use end in one of the two orders', async (t) => {
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
