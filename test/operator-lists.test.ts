import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Statement } from '../src/db/connection.ts';
import { createWorld } from './fixtures.ts';
import { OPERATOR_TOKEN, startTestService } from './harness.ts';

test('settings are sorted by their columns, and ties never repeat or lose a row', async (t) => {
  const service = await startTestService(t);
  const { partnerId, categoryId, key } = await createWorld(service, { teams: 1 });
  const make = async (path: string, bodies: object[]): Promise<void> => {
    for (const body of bodies) {
      service.clock.advance(60_000);
      const made = await service.operator('POST', path, body);
      assert.equal(made.status, 201, made.text);
    }
  };
  const sorted = async (path: string, name: string, field = name) => {
    const of = async (order: string) => {
      const found = await service.operator('GET', `${path}?sortBy=${name}&sortOrder=${order}&limit=100`);
      assert.equal(found.status, 200, found.text);
      return found.body.data.map((row: Record<string, unknown>) => row[field]);
    };
    const [up, down] = [await of('ASC'), await of('DESC')];
    assert.deepEqual(down, up.toReversed(), `${path} by ${name}`);
    return up;
  };

  await make('/partners', [
    { name: 'باء', paymentResponsibility: 'PLATFORM', rateLimitPerMinute: 100 },
    { name: 'alpha', rateLimitPerMinute: 9 },
    { name: 'Beta' },
  ]);
  assert.deepEqual((await sorted('/partners', 'name')).slice(0, 2), ['alpha', 'Beta']);
  // No limit is more than any.
  assert.deepEqual(await sorted('/partners', 'rateLimitPerMinute'), [9, 100, null, null]);
  assert.deepEqual(await sorted('/partners', 'paymentResponsibility'), [
    'PARTNER',
    'PARTNER',
    'PARTNER',
    'PLATFORM',
  ]);
  assert.deepEqual((await sorted('/partners', 'createdAt', 'name')).slice(-3), ['باء', 'alpha', 'Beta']);
  await service.operator('PATCH', `/partners/${partnerId}`, { status: 'SUSPENDED' });
  assert.deepEqual((await sorted('/partners', 'status')).at(-1), 'SUSPENDED');

  const permissions = ['partner_contacts_read'];
  await make(`/partners/${partnerId}/keys`, [
    { name: 'b', permissions, expiresAt: '2027-01-01T00:00:00+03:00' },
    { name: 'A', permissions },
  ]);
  await service.operator('PATCH', `/partners/${partnerId}`, { status: 'ACTIVE' });
  const keys = `/partners/${partnerId}/keys`;
  assert.deepEqual((await sorted(keys, 'name')).slice(0, 2), ['A', 'b']);
  assert.deepEqual((await sorted(keys, 'expiresAt', 'name')).at(0), 'b', 'the others never expire');
  assert.equal((await service.v1(key, 'GET', '/partners/bookings')).status, 200);
  await service.deps.db.rows({ text: `update api_keys set last_used_at = now() where name = 'b'` });
  assert.deepEqual(
    (await sorted(keys, 'lastUsedAt', 'name')).at(-1),
    'b',
    'the others were used earlier, or never',
  );

  await make('/tokens', [
    { name: 'Wall', role: 'viewer' },
    { name: 'desk', role: 'dispatcher' },
    { name: 'Anna', role: 'admin' },
  ]);
  assert.deepEqual(await sorted('/tokens', 'name'), ['Anna', 'desk', 'Wall']);
  assert.deepEqual(await sorted('/tokens', 'role'), ['viewer', 'dispatcher', 'admin'], 'by what they may do');
  assert.deepEqual(await sorted('/tokens', 'createdAt', 'name'), ['Wall', 'desk', 'Anna']);
  for (const name of ['status', 'lastUsedAt']) await sorted('/tokens', name);

  await make('/teams', [
    { name: 'Team 10', travelBufferMinutes: 5 },
    { name: 'Team 9', isActive: false },
  ]);
  assert.deepEqual(await sorted('/teams', 'travelBufferMinutes'), [0, 5, 30]);
  assert.deepEqual((await sorted('/teams', 'isActive'))[0], false);
  for (const name of ['name', 'createdAt']) await sorted('/teams', name);

  await make('/services', [
    { categoryId, nameEn: 'Windows', nameAr: 'أبواب', durationMinutes: 60, defaultPrice: 1000 },
    {
      categoryId,
      nameEn: 'Attic',
      nameAr: 'ياء',
      durationMinutes: 240,
      defaultPrice: 90.5,
      assignment: 'deferred',
    },
  ]);
  assert.equal((await sorted('/services', 'nameEn'))[0], 'Attic');
  const arabic = await sorted('/services', 'nameAr', 'nameEn');
  assert.ok(arabic.indexOf('Windows') < arabic.indexOf('Attic'));
  assert.deepEqual(await sorted('/services', 'defaultPrice'), [90.5, 150, 1000], 'as numbers');
  assert.deepEqual(await sorted('/services', 'durationMinutes'), [60, 120, 240]);
  for (const name of ['assignment', 'isActive', 'createdAt']) await sorted('/services', name);

  await make('/pricing-tiers', [
    { minMinutes: 300, factor: 0.5, sorting: 1 },
    { minMinutes: 0, maxMinutes: 99, factor: 10, sorting: 2 },
    { minMinutes: 100, maxMinutes: 299, factor: 2, sorting: 3 },
  ]);
  assert.deepEqual(await sorted('/pricing-tiers', 'sorting', 'minMinutes'), [300, 0, 100]);
  assert.deepEqual(await sorted('/pricing-tiers', 'maxMinutes'), [99, 299, null]);
  assert.deepEqual(await sorted('/pricing-tiers', 'minMinutes'), [0, 100, 300]);
  assert.deepEqual(await sorted('/pricing-tiers', 'factor'), [0.5, 2, 10]);

  await make('/cancellation-reasons', [
    { nameEn: 'Zeal', nameAr: 'أ', sortOrder: 1, isCustomerFacing: false },
    { nameEn: 'Act', nameAr: 'ي', sortOrder: 2 },
  ]);
  assert.deepEqual((await service.operator('GET', '/cancellation-reasons')).body.data[0].nameEn, 'Zeal');
  assert.equal((await sorted('/cancellation-reasons', 'nameEn'))[0], 'Act');
  assert.equal((await sorted('/cancellation-reasons', 'nameAr', 'nameEn'))[0], 'Zeal');
  assert.equal((await sorted('/cancellation-reasons', 'isCustomerFacing'))[0], false);
  for (const name of ['sortOrder', 'isActive']) await sorted('/cancellation-reasons', name);
  for (const name of ['sortOrder', 'nameEn', 'nameAr', 'code', 'isActive']) await sorted('/categories', name);
  for (const name of ['priority', 'name', 'isActive', 'createdAt']) await sorted('/zones', name);
  for (const name of ['createdAt', 'url', 'status', 'failures']) await sorted('/subscriptions', name, 'id');
  await sorted('/deliveries', 'createdAt', 'id');
  const written = await sorted('/audit', 'at', 'at');
  assert.ok(written.length > 10 && written[0] < written.at(-1));

  // Ties: each row once, over all pages.
  const pages: string[] = [];
  for (let page = 1; page <= 4; page++)
    pages.push(
      ...(await service.operator('GET', `/partners?sortBy=status&limit=1&page=${page}`)).body.data.map(
        ({ id }: { id: string }) => id,
      ),
    );
  assert.equal(new Set(pages).size, 4);
  const refused = await service.operator('GET', '/teams?sortBy=colour&sortOrder=up');
  assert.equal(refused.status, 400);
  assert.deepEqual(refused.body.error.details.message.map((text: string) => text.split(' ')[0]).sort(), [
    'sortBy',
    'sortOrder',
  ]);
});

test("the operator's lists are sorted, and sent as CSV", async (t) => {
  const service = await startTestService(t);
  const world = await createWorld(service, { teams: 3 });
  const csv = (path: string, accept = 'text/csv', token = OPERATOR_TOKEN, method = 'GET') =>
    fetch(`${service.operatorUrl}/operator${path}`, {
      method,
      headers: { authorization: `Bearer ${token}`, accept },
    });
  const linesOf = async (path: string): Promise<string[]> => {
    const response = await csv(path);
    const text = new TextDecoder('utf-8', { ignoreBOM: true }).decode(await response.arrayBuffer());
    assert.equal(response.status, 200, text);
    assert.equal(response.headers.get('content-type'), 'text/csv; charset=utf-8; header=present');
    assert.ok(text.startsWith('\uFEFF') && text.endsWith('\r\n'));
    return text.slice(1, -2).split('\r\n');
  };

  const [header, ...none] = await linesOf('/bookings');
  assert.deepEqual(none, [], 'an empty list is its first line');
  assert.match(header!, /^bookingId,externalReference,.*,contact\.name,contact\.phone,.*,payment/);

  // Names that a spreadsheet would run, or break at; the third in Arabic.
  const names = ['=HYPERLINK("http://x")', 'A, "B"', 'هيفاء'];
  for (const [index, name] of names.entries()) {
    const contact = await world.contact({ name });
    service.clock.advance(1_000);
    const answer = await world.book({
      contactId: contact.body.data.id,
      addressId: contact.body.data.addressId,
      date: `2026-11-2${5 - index}`,
      externalReference: `ORDER-${(index + 1) % 3}`,
    });
    assert.equal(answer.status, 200, answer.text);
  }

  const lines = await linesOf('/bookings?limit=1&page=2&sortBy=createdAt&sortOrder=ASC');
  assert.equal(lines.length, 4, 'all pages in one');
  assert.match(lines[1]!, /,"'=HYPERLINK\(""http:\/\/x""\)",'\+9665/);
  assert.match(lines[2]!, /,"A, ""B""",'\+9665/);
  assert.match(lines[3]!, /,هيفاء,'\+9665/);
  assert.equal(
    (await csv('/bookings')).headers.get('content-disposition'),
    'attachment; filename="bookings.csv"',
  );
  const head = await csv('/bookings', 'text/csv', OPERATOR_TOKEN, 'HEAD');
  assert.deepEqual(
    ['content-type', 'content-disposition', 'content-length'].map((name) => head.headers.get(name)),
    ['text/csv; charset=utf-8; header=present', 'attachment; filename="bookings.csv"', null],
    'the headers of GET',
  );
  assert.equal(await head.text(), '');
  for (const path of ['/partners', '/teams', '/zones', '/appointments', '/deliveries', '/payments', '/audit'])
    assert.ok((await linesOf(path))[0]!.startsWith('id,'), path);
  assert.equal((await linesOf('/teams')).length, 4);

  // JSON unless CSV is preferred; refusals are JSON.
  for (const accept of ['*/*', 'application/json', 'text/csv;q=0.5, application/json', 'text/html'])
    assert.match((await csv('/teams', accept)).headers.get('content-type')!, /^application\/json/, accept);
  const faulty = await csv('/bookings?sortBy=colour&partnerId=x');
  assert.equal(faulty.status, 400);
  assert.match(await faulty.text(), /"VALIDATION_ERROR"/);
  assert.equal((await csv('/teams', 'text/csv', 'nobody')).status, 401);
  assert.match((await csv(`/teams/${world.teamIds[0]}`)).headers.get('content-type')!, /^application\/json/);

  const references = async (query: string) =>
    (await service.operator('GET', `/bookings?${query}`)).body.data.map(
      (row: { externalReference: string }) => row.externalReference,
    );
  assert.deepEqual(await references(''), ['ORDER-0', 'ORDER-2', 'ORDER-1'], 'newest first');
  assert.deepEqual(await references('sortOrder=ASC'), ['ORDER-1', 'ORDER-2', 'ORDER-0']);
  assert.deepEqual(await references('sortBy=externalReference'), ['ORDER-2', 'ORDER-1', 'ORDER-0']);
  assert.deepEqual(await references('sortBy=date&sortOrder=ASC'), ['ORDER-0', 'ORDER-2', 'ORDER-1']);
  const starts = async (query: string) =>
    (await service.operator('GET', `/appointments?${query}`)).body.data.map((row: { date: string }) =>
      row.date.slice(-2),
    );
  assert.deepEqual(await starts(''), ['23', '24', '25'], 'by start');
  assert.deepEqual(await starts('sortOrder=DESC'), ['25', '24', '23']);
  assert.deepEqual(await starts('sortBy=name'), ['25', '24', '23']);
  for (const sortBy of ['createdAt', 'updatedAt', 'amount', 'status'])
    assert.equal((await service.operator('GET', `/payments?sortBy=${sortBy}&sortOrder=ASC`)).status, 200);

  // More rows than a batch, and than one statement reads, each once.
  await service.deps.db.rows({
    text: `insert into zones (name, area, area_geojson, created_at, updated_at)
      select 'Zone ' || n, area, area_geojson, created_at, updated_at from zones, generate_series(1, 1100) n`,
  });
  const zones = await linesOf('/zones');
  assert.deepEqual([zones.length, new Set(zones).size], [1102, 1102]);
  // Without the trigger that chains entries: it reads all of a table that was analysed while small, and PGlite blocks the
  // process until its connections have timed out.
  await service.deps.db.transaction(async (tx) => {
    await tx.rows({ text: 'set local session_replication_role = replica' });
    await tx.rows({
      text: `insert into audit_log (at, actor, action, target)
        select now(), 'test', 'test', 'test:' || n from generate_series(1, 20001) n`,
    });
  });
  const entries = await linesOf('/audit?actor=test');
  assert.deepEqual([entries.length, new Set(entries).size], [20_002, 20_002], 'with the header');
});

test('a row that leaves the list during its CSV does not displace another', async (t) => {
  const service = await startTestService(t);
  const world = await createWorld(service);
  const { db } = service.deps;
  await db.rows({
    text: `insert into zones (name, area, area_geojson, created_at, updated_at)
      select 'Row ' || to_char(n, 'FM0000'), area, area_geojson, created_at, updated_at
      from zones, generate_series(1, 1200) n where id = $1`,
    values: [world.zoneId],
  });
  const ask = db.rows;
  t.mock.method(db, 'rows', async (statement: Statement) => {
    const found = await ask(statement);
    // Each time that the list has been read its first row goes.
    if (/from "zones"/.test(statement.text))
      await ask({
        text: `delete from zones where id = (select id from zones where name ~ '^Row' order by name limit 1)`,
      });
    return found;
  });
  const response = await fetch(`${service.operatorUrl}/operator/zones?sortBy=name&sortOrder=ASC`, {
    headers: { authorization: `Bearer ${OPERATOR_TOKEN}`, accept: 'text/csv' },
  });
  const lines = (await response.text()).match(/Row \d{4}/g)!;
  const left = await ask<{ name: string }>({
    text: `select name from zones where name ~ '^Row' order by name`,
  });
  assert.ok(left.length < 1200, 'rows have gone');
  for (const { name } of left) assert.ok(lines.includes(name), `${name} is missing`);
});
