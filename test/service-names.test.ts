import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createWorld } from './fixtures.ts';
import { type Answer, startTestService, type TestService } from './harness.ts';

/**
 * Services have an English and an Arabic name; a partner is answered in the language of its account.
 */

type Named = { id: string; name: string };

const operatorData = async (service: TestService, method: string, path: string, body?: object) => {
  const answer = await service.operator(method, path, body);
  assert.ok(answer.status < 300, answer.text);
  return answer.body.data;
};

function messagesOf(answer: Answer): string[] {
  assert.equal(answer.status, 400, answer.text);
  return answer.body.error.details.message;
}

const SOFA = { durationMinutes: 60, defaultPrice: 10 };

test('both names, and the former one as the English one', async (t) => {
  const service = await startTestService(t);
  const { categoryId } = await createWorld(service);
  const body = { ...SOFA, categoryId };
  const namesOf = ({ name, nameEn, nameAr }: Record<string, unknown>) => [name, nameEn, nameAr];

  const old = await operatorData(service, 'POST', '/services', { ...body, name: ' Sofa ' });
  assert.deepEqual(namesOf(old), ['Sofa', 'Sofa', null], 'a script that knows name only');
  const made = await operatorData(service, 'POST', '/services', {
    ...body,
    nameEn: ' Carpet ',
    nameAr: ' سجاد ',
  });
  assert.deepEqual(namesOf(made), ['Carpet', 'Carpet', 'سجاد']);
  assert.deepEqual(await operatorData(service, 'GET', `/services/${made.id}`), made);

  const patched = async (changes: object) =>
    namesOf(await operatorData(service, 'PATCH', `/services/${made.id}`, changes));
  assert.deepEqual(await patched({ name: 'Rug' }), ['Rug', 'Rug', 'سجاد']);
  assert.deepEqual(await patched({ nameEn: 'Mat' }), ['Mat', 'Mat', 'سجاد']);
  assert.deepEqual(await patched({ nameAr: 'سجادة' }), ['Mat', 'Mat', 'سجادة']);
  assert.deepEqual(await patched({ name: ' Rug', nameEn: 'Rug ' }), ['Rug', 'Rug', 'سجادة']);
  assert.deepEqual(await patched({ nameAr: null }), ['Rug', 'Rug', null]);
  const audit = await operatorData(service, 'GET', '/audit?limit=1');
  assert.deepEqual([audit[0].before.nameAr, audit[0].after.nameAr], ['سجادة', null]);

  await patched({ nameAr: 'سجادة' });
  const found = await operatorData(service, 'GET', `/services?search=${encodeURIComponent('جاد')}`);
  assert.deepEqual(
    found.map(({ id }: Named) => id),
    [made.id],
  );
});

test('invalid names are refused with all other errors', async (t) => {
  const service = await startTestService(t);
  const { categoryId, serviceId } = await createWorld(service);
  const post = async (names: object) =>
    messagesOf(await service.operator('POST', '/services', { ...SOFA, categoryId, ...names }));
  assert.deepEqual(await post({ nameAr: 'سجاد' }), ['nameEn should not be empty']);
  assert.deepEqual(await post({ name: ' ' }), ['name should not be empty']);
  assert.deepEqual(await post({ nameEn: 7, nameAr: '' }), [
    'nameEn must be a string',
    'nameAr should not be empty',
  ]);
  assert.deepEqual(await post({ nameEn: 'Sofa', nameAr: 'س'.repeat(201) }), [
    'nameAr must be shorter than or equal to 200 characters',
  ]);
  const two = { name: 'Sofa', nameEn: 'Carpet', defaultPrice: 0.001 };
  const faults = [
    'defaultPrice must be a number with at most 2 decimal places',
    'name must be the same as nameEn when both are given',
  ];
  assert.deepEqual(await post(two), faults);
  assert.deepEqual(messagesOf(await service.operator('PATCH', `/services/${serviceId}`, two)), faults);
});

/** English and Arabic, which sort differently. The last has no Arabic name. */
const NAMES = [
  ['Banana', 'أحمد'],
  ['apple', 'بيت'],
  ['Cherry', 'آدم'],
  ['Date', null],
] as const;

test('a partner gets names in its language, sorted by them', async (t) => {
  const service = await startTestService(t);
  const world = await createWorld(service);
  const ids: string[] = [];
  for (const [nameEn, nameAr] of NAMES) {
    const { id } = await operatorData(service, 'POST', '/services', {
      ...SOFA,
      categoryId: world.categoryId,
      nameEn,
      nameAr,
    });
    ids.push(id);
  }
  await operatorData(service, 'PATCH', `/zones/${world.zoneId}`, { serviceIds: ids });

  const answered = async () => {
    const list = await service.v1(world.key, 'GET', `/partners/services?addressId=${world.addressId}`);
    assert.equal(list.status, 200, list.text);
    const [{ services }] = list.body.data;
    for (const { id, name } of services as Named[]) {
      const one = await service.v1(world.key, 'GET', `/partners/services/${id}`);
      assert.equal(one.body.data.name, name);
    }
    return services.map(({ name }: Named) => name);
  };
  const partner = `/partners/${world.partnerId}`;
  assert.equal((await operatorData(service, 'GET', partner)).language, 'en');
  assert.deepEqual(await answered(), ['apple', 'Banana', 'Cherry', 'Date']);
  assert.equal((await operatorData(service, 'PATCH', partner, { language: 'ar' })).language, 'ar');
  assert.deepEqual(
    await answered(),
    ['Date', 'آدم', 'أحمد', 'بيت'],
    'without an Arabic name the English one',
  );
  assert.deepEqual(messagesOf(await service.operator('PATCH', partner, { language: 'fr' })), [
    'language must be one of the following values: en, ar',
  ]);
});

test('a process of the previous version still works, and its writes are returned', async (t) => {
  const service = await startTestService(t);
  const world = await createWorld(service, { partner: { language: 'ar' } });
  const { db } = service.deps;
  const nameOf = async (id: string) =>
    (await service.v1(world.key, 'GET', `/partners/services/${id}`)).body.data.name;

  // The statements of version 0008.
  const row = await db.first<{ id: string; name: string }>({
    text: `
      insert into services (category_id, name, duration_minutes, default_price, zero_price_means, assignment,
        minimum_notice_minutes, booking_horizon_days, is_active, created_at, updated_at)
      values ($1, 'Old', 60, 10, 'free', 'instant', 120, 60, true, now(), now()) returning id, name`,
    values: [world.categoryId],
  });
  assert.equal(await nameOf(row!.id), 'Old');
  await operatorData(service, 'PATCH', `/services/${row!.id}`, { nameEn: 'New', nameAr: 'جديد' });
  const read = await db.first<{ name: string }>({
    text: 'select name from services where id = $1',
    values: [row!.id],
  });
  assert.equal(read?.name, 'New', 'it reads the English name where it always has');
  await db.rows({ text: `update services set name = 'Newer' where id = $1`, values: [row!.id] });
  const after = await operatorData(service, 'GET', `/services/${row!.id}`);
  assert.deepEqual([after.name, after.nameEn, after.nameAr], ['Newer', 'Newer', 'جديد']);

  const partner = await db.first<{ id: string }>({
    text: `
      insert into partners (name, status, payment_responsibility, rate_limit_per_minute, allowed_domains,
        sandbox_domains, allowed_webhook_domains, require_https_webhooks, created_at, updated_at)
      values ('Old partner', 'ACTIVE', 'PARTNER', null, '{}', '{}', '{}', true, now(), now()) returning id`,
  });
  assert.equal((await operatorData(service, 'GET', `/partners/${partner!.id}`)).language, 'en');
});
