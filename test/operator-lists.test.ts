import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createWorld } from './fixtures.ts';
import { OPERATOR_TOKEN, startTestService } from './harness.ts';

test("the operator's lists are sorted, and sent as CSV", async (t) => {
  const service = await startTestService(t);
  const world = await createWorld(service, { teams: 3 });
  const csv = (path: string, accept = 'text/csv', token = OPERATOR_TOKEN) =>
    fetch(`${service.operatorUrl}/operator${path}`, {
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

  // More rows than a batch, each once; more than a file holds is refused.
  await service.deps.db.rows({
    text: `insert into zones (name, area, area_geojson, created_at, updated_at)
      select 'Zone ' || n, area, area_geojson, created_at, updated_at from zones, generate_series(1, 1100) n`,
  });
  const zones = await linesOf('/zones');
  assert.deepEqual([zones.length, new Set(zones).size], [1102, 1102]);
  await service.deps.db.rows({
    text: `insert into audit_log (at, actor, action, target)
      select now(), 'test', 'test', 'test:' || n from generate_series(1, 10001) n`,
  });
  const tooMany = await csv('/audit?actor=test');
  assert.equal(tooMany.status, 400);
  assert.match(await tooMany.text(), /the list has 10001 rows, and CSV 10000 at most/);
});
