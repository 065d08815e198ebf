import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { test } from 'node:test';
import { type Answer, onServer, type TestService } from './harness.ts';
import { auditRows, NOW_TEXT, partnerWithKey, refused } from './operator-partner-fixtures.ts';
import { until } from './until.ts';

/** Which services a partner may book, and at which price. */

async function insertService(service: TestService, name: string): Promise<string> {
  const now = new Date(service.clock.now()).toISOString();
  const row = await service.deps.db.first<{ id: string }>({
    text: `
      with category as (
        insert into categories (name_en, name_ar, created_at, updated_at) values ($1, $1, $2, $2) returning id)
      insert into services (category_id, name, duration_minutes, default_price, created_at, updated_at)
      select id, $1, 120, 100, $2, $2 from category returning id`,
    values: [name, now],
  });
  return row!.id;
}

test('services of a partner are put and read, prices exact', async (t) => {
  const { service, partner } = await partnerWithKey(t);
  const path = `/partners/${partner.id}/services`;
  const [sofa, deep, window] = [
    await insertService(service, 'Sofa'),
    await insertService(service, 'Deep cleaning'),
    await insertService(service, 'Windows'),
  ];
  const none = { version: 1, restricted: false, services: [] };
  assert.deepEqual((await service.operator('GET', path)).body.data, none);

  const body = {
    restricted: true,
    services: [
      { serviceId: sofa.toUpperCase(), price: 9999999999.99 },
      { serviceId: deep, price: 0.1 },
      { serviceId: window },
    ],
  };
  const expected = {
    version: 2,
    restricted: true,
    services: [
      { serviceId: deep, price: 0.1, comingPrices: [] },
      { serviceId: sofa, price: 9999999999.99, comingPrices: [] },
      { serviceId: window, price: null, comingPrices: [] },
    ],
  };
  service.clock.advance(1000);
  const put = await service.operator('PUT', path, body);
  assert.equal(put.status, 200, put.text);
  assert.deepEqual(put.body.data, expected);
  assert.deepEqual((await service.operator('GET', path)).body.data, expected);
  const stored = await service.deps.db.rows({
    text: 'select price from partner_services order by price nulls last',
  });
  assert.deepEqual(stored, [{ price: '0.10' }, { price: '9999999999.99' }, { price: null }]);

  const again = await service.operator('PUT', path, expected);
  assert.equal(again.status, 200);
  service.clock.advance(1000);
  // A read body is changed and sent back; repeated, it is the same request; with other changes, it is outdated.
  const open = { version: 3, restricted: false, services: [{ serviceId: sofa, price: 0, comingPrices: [] }] };
  for (let times = 0; times < 2; times++)
    assert.deepEqual((await service.operator('PUT', path, { ...open, version: 2 })).body.data, open);
  const late = await service.operator('PUT', path, { ...expected, version: 2 });
  assert.deepEqual([late.status, late.body.error.details.current], [409, open]);

  const audited = (await auditRows(service)).filter((row) => row.action === 'partner.services');
  assert.deepEqual(
    audited.map((row) => [row.target, row.before, row.after]),
    [
      [`partner:${partner.id}`, none, expected],
      [`partner:${partner.id}`, expected, open],
    ],
  );
});

test('unknown, repeated and wrongly priced services are refused and change nothing', async (t) => {
  const { service, partner } = await partnerWithKey(t);
  const path = `/partners/${partner.id}/services`;
  const known = await insertService(service, 'Deep cleaning');
  const before = { restricted: true, services: [{ serviceId: known, price: 5, comingPrices: [] }] };
  assert.equal((await service.operator('PUT', path, before)).status, 200);

  const money = 'price must be an amount from 0 to 9999999999.99 with at most 2 decimals';
  const cases: [unknown, ...string[]][] = [
    [{}, 'restricted must be a boolean value', 'services must be an array'],
    [{ ...before, prices: [] }, 'property prices should not exist'],
    [
      { restricted: false, services: [{ serviceId: known }, { serviceId: randomUUID(), price: 1 }] },
      'services.1.serviceId must be the id of a service',
    ],
    [
      { restricted: false, services: [{ serviceId: known }, { serviceId: known.toUpperCase() }] },
      'services.1.serviceId must not be listed twice',
    ],
    [{ restricted: false, services: [{ serviceId: 'deep' }] }, 'services.0.serviceId must be a UUID'],
    [{ restricted: false, services: [{ serviceId: known, price: 1.005 }] }, `services.0.${money}`],
    [{ restricted: false, services: [{ serviceId: known, price: 1e-7 }] }, `services.0.${money}`],
    [
      { restricted: false, services: [{ serviceId: known, price: -0.01 }] },
      'services.0.price must not be less than 0',
    ],
    [
      { restricted: false, services: [{ serviceId: known, price: 1e10 }] },
      'services.0.price must not be greater than 9999999999.99',
    ],
    [
      { restricted: false, services: [{ serviceId: known, price: '5' }] },
      'services.0.price must be a number or null',
    ],
    [
      { restricted: false, services: [{ serviceId: known, note: '' }] },
      'property services.0.note should not exist',
    ],
  ];
  for (const [body, ...messages] of cases) {
    refused(await service.operator('PUT', path, body), 400, 'VALIDATION_ERROR', ...messages);
  }
  assert.deepEqual((await service.operator('GET', path)).body.data, { version: 2, ...before });
});

test("changes of a partner's services take effect at once", async (t) => {
  const { service, partner, key } = await partnerWithKey(t);
  const path = `/partners/${partner.id}/services`;
  const [one, two] = [await insertService(service, 'One'), await insertService(service, 'Two')];
  const readable = async (id: string) =>
    (await service.v1(key.key, 'GET', `/partners/services/${id}`)).status === 200;
  assert.deepEqual([await readable(one), await readable(two)], [true, true]);
  await service.operator('PUT', path, { restricted: true, services: [{ serviceId: one, price: null }] });
  assert.deepEqual([await readable(one), await readable(two)], [true, false]);
  await service.operator('PUT', path, { restricted: false, services: [{ serviceId: one, price: 1 }] });
  assert.deepEqual([await readable(one), await readable(two)], [true, true]);
});

test(
  'a booking being written and a change of services do not deadlock',
  onServer('needs two connections'),
  async (t) => {
    const { service, partner } = await partnerWithKey(t);
    const id = await insertService(service, 'One');
    let put: Promise<Answer> | undefined;
    await service.deps.db.transaction(async (tx) => {
      // As book_appointment does: first the catalogue lock, then a row that refers to the partner.
      await tx.rows({ text: 'select pg_advisory_xact_lock_shared(1, 0)' });
      put = service.operator('PUT', `/partners/${partner.id}/services`, {
        restricted: true,
        services: [{ serviceId: id }],
      });
      await until(async () => {
        const waiting = await tx.first({
          text: `select 1 from pg_locks where locktype = 'advisory' and not granted
          and database = (select oid from pg_database where datname = current_database())`,
        });
        return waiting !== null;
      });
      await tx.rows({
        text: `insert into contacts (partner_id, phone, name, utm_source, created_at)
        values ($1, '+966501234567', 'N', 'u', $2)`,
        values: [partner.id, NOW_TEXT],
      });
    });
    assert.equal((await put!).status, 200);
  },
);
