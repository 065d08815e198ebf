import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { booked, data, reasonOf, refusedWith } from './fee-fixtures.ts';
import { createPartnerKey, createWorld, WORLD_DATE, type World, type WorldOptions } from './fixtures.ts';
import { OPERATOR_TOKEN, startTestService, type TestService } from './harness.ts';
import { PARTY, SETTINGS } from './statement-fixtures.ts';

/** What partners owe for a month: drafts, what is issued, its files, who reads it, and whether it adds up. */

type Scene = { service: TestService; world: World };

async function scene(t: TestContext, options: WorldOptions = {}): Promise<Scene> {
  const service = await startTestService(t);
  const world = await createWorld(service, { teams: 6, ...options });
  data(await service.operator('PUT', '/statement-settings', SETTINGS));
  await open({ service, world });
  return { service, world };
}

const open = async ({ service, world }: Scene, openedOn = '2026-11-01') =>
  data(
    await service.operator('PUT', `/partners/${world.partnerId}/statement-account`, {
      buyer: PARTY,
      openedOn,
    }),
  );

const WAY = ['In The Way', 'In The location', 'In Progress', 'Finished'];

/** The visit gets these statuses. */
async function becomes({ service }: Scene, bookingId: string, ...statuses: string[]): Promise<void> {
  const { appointmentId } = data(await service.operator('GET', `/bookings/${bookingId}`));
  for (const status of statuses)
    data(await service.operator('PATCH', `/appointments/${appointmentId}`, { status }));
}

async function done(it: Scene, overrides: Record<string, unknown> = {}): Promise<string> {
  const id = await booked(it, overrides);
  await becomes(it, id, ...WAY);
  return id;
}

const isoOf = (date: string): number => Date.parse(`${date}T12:00:00+03:00`);

const draft = ({ service, world }: Scene, month: string) =>
  service.operator('POST', '/statements', { partnerId: world.partnerId, month });

/** The issued statement of the month. */
async function issued(it: Scene, month: string) {
  const { id } = data(await draft(it, month));
  return data(await it.service.operator('POST', `/statements/${id}/issue`));
}

const linesOf = async ({ service }: Scene, id: string) =>
  data(await service.operator('GET', `/statements/${id}/lines?limit=100`)).map(
    ({ bookingId, kind, gross, vat, corrects }: Record<string, unknown>) => [
      bookingId,
      kind,
      gross,
      vat,
      corrects,
    ],
  );

async function file({ service }: Scene, path: string, headers: Record<string, string>) {
  const response = await fetch(`${service.url}${path}`, { headers });
  return {
    status: response.status,
    headers: response.headers,
    bytes: Buffer.from(await response.arrayBuffer()),
  };
}
const AS_OPERATOR = { authorization: `Bearer ${OPERATOR_TOKEN}` };

test('a visit is owed once it is done; what changes later is a line of the next month', async (t) => {
  const it = await scene(t);
  const { service, world } = it;
  const [first, second] = [await done(it), await done(it)].sort() as [string, string];
  await booked(it);
  const open = data(await draft(it, '2026-11'));
  assert.deepEqual(
    [open.status, open.number, open.totals.lines, open.totals.gross, open.totals.vat],
    ['DRAFT', null, 2, 300, 39.14],
  );
  assert.equal(
    refusedWith(await service.operator('POST', `/statements/${open.id}/issue`), 422, 'INVALID_TRANSITION')
      .hints.length,
    1,
  );

  service.clock.set(isoOf('2026-12-02'));
  const november = await issued(it, '2026-11');
  assert.equal(november.number, 'ST-2026-000001');
  assert.deepEqual(await linesOf(it, november.id), [
    [first, 'VISIT', 150, 19.57, null],
    [second, 'VISIT', 150, 19.57, null],
  ]);
  assert.deepEqual(november.seller.legalNameEn, 'Cleaning Company');

  // The operator gives the second one back: its partner cancelled it, and owes the work that was done until then.
  const reasonId = await reasonOf(it);
  const canceled = data(
    await service.v1(world.key, 'PATCH', `/partners/bookings/${second}/cancel`, { reasonId, maxFee: 150 }),
  );
  assert.equal(canceled.cancellation.fee, 150);
  data(
    await service.operator('POST', `/bookings/${second}/fees/waive`, {
      amount: 50,
      reason: 'It was not clean',
    }),
  );
  const december = data(await draft(it, '2026-12'));
  assert.deepEqual(await linesOf(it, december.id), [[second, 'WAIVER', -50, -6.52, 'ST-2026-000001']]);
  assert.equal(december.totals.gross, -50);
  const check = data(await service.operator('GET', '/statements/check'));
  assert.deepEqual(
    [
      check.isSound,
      check.partners[0].differences.map(({ isNext, owed }: Record<string, unknown>) => [isNext, owed]),
    ],
    [true, [[true, 100]]],
  );
  service.clock.set(isoOf('2027-01-02'));
  await issued(it, '2026-12');
  const after = data(await service.operator('GET', '/statements/check'));
  assert.deepEqual(
    [after.partners[0].statements, after.partners[0].owed, after.partners[0].differing, after.gaps],
    [250, 250, 0, []],
  );
  assert.deepEqual(
    data(await service.operator('GET', `/bookings/${second}/statement-lines`)).map(
      ({ number, kind, gross }: Record<string, unknown>) => [number, kind, gross],
    ),
    [
      ['ST-2026-000001', 'VISIT', 150],
      ['ST-2026-000002', 'WAIVER', -50],
    ],
  );
});

test('the files of a statement are for ever what they were, for those who may read it', async (t) => {
  const it = await scene(t);
  const { service, world } = it;
  const id = await done(it, { externalReference: '=ORDER-1' });
  service.clock.set(isoOf('2026-12-02'));
  const { id: statementId, number } = await issued(it, '2026-11');
  const { key } = await createPartnerKey(service, world.partnerId, ['partner_statements_read']);
  const names = ['lines.csv', 'invoices.json', 'print.html'];
  const read = async (name: string, headers = { 'x-api-key': key } as Record<string, string>) =>
    file(it, `/v1/partners/statements/${statementId}/${name}`, headers);
  const before = await Promise.all(names.map((name) => read(name)));
  assert.deepEqual(
    before.map(({ status }) => status),
    [200, 200, 200],
  );
  assert.deepEqual(
    before.map(({ headers }) => headers.get('content-disposition')),
    [
      `attachment; filename="${number}.csv"`,
      `attachment; filename="${number}.json"`,
      `inline; filename="${number}.html"`,
    ],
  );
  assert.match(
    before[0]!.bytes.toString(),
    /\r\n1,[-0-9a-f]{36},SA-\d+,'=ORDER-1,.*,VISIT,130.43,19.57,150,S,15,\r\n/,
  );
  const [invoice] = JSON.parse(before[1]!.bytes.toString()).documents;
  assert.deepEqual(
    [invoice.typeCode, invoice.number, invoice.lines.length, invoice.totals.vat, invoice.lines[0].bookingId],
    ['388', number, 1, '19.57', id],
  );
  assert.match(before[2]!.headers.get('content-security-policy')!, /style-src 'sha256-/);
  const page = before[2]!.bytes.toString();
  assert.ok(page.includes('SA-') && page.includes('كشف حساب'));

  // Renamed, another seller, and cancelled by the operator afterwards.
  data(await service.operator('PUT', '/statement-settings', { ...SETTINGS, seller: PARTY }));
  data(await service.operator('POST', `/bookings/${id}/cancel`, { reasonId: await reasonOf(it) }));
  const after = await Promise.all(
    names.map((name) => file(it, `/operator/statements/${statementId}/${name}`, AS_OPERATOR)),
  );
  for (const [index, { bytes }] of after.entries())
    assert.ok(bytes.equals(before[index]!.bytes), names[index]!);

  // A key without the permission, another partner, and a draft.
  const { key: without } = await createPartnerKey(service, world.partnerId, ['partner_bookings_read']);
  refusedWith(await service.v1(without, 'GET', '/partners/statements'), 403, 'FORBIDDEN');
  const other = await createWorld(service);
  const { key: otherKey } = await createPartnerKey(service, other.partnerId, ['partner_statements_read']);
  refusedWith(
    await service.v1(otherKey, 'GET', `/partners/statements/${statementId}`),
    404,
    'RESOURCE_NOT_FOUND',
  );
  const next = data(await draft(it, '2026-12'));
  assert.equal(next.totals.gross, -150);
  refusedWith(await service.v1(key, 'GET', `/partners/statements/${next.id}`), 404, 'RESOURCE_NOT_FOUND');
  const drafted = await service.operator('GET', `/statements/${next.id}/lines.csv`);
  refusedWith(drafted, 422, 'INVALID_TRANSITION');
  assert.deepEqual(
    data(await service.v1(key, 'GET', '/partners/statements')).map((row: { number: string }) => row.number),
    [number],
  );
});

test('the database refuses to change what was issued', async (t) => {
  const it = await scene(t);
  await done(it);
  it.service.clock.set(isoOf('2026-12-02'));
  const { id } = await issued(it, '2026-11');
  const { db } = it.service.deps;
  for (const text of [
    `update statements set totals = '{}' where id = '${id}'`,
    `delete from statements where id = '${id}'`,
    `update statement_lines set gross = 1 where statement_id = '${id}'`,
    `delete from statement_lines where statement_id = '${id}'`,
    `insert into statement_lines select statement_id, line + 1, booking_id, kind, tracking_reference, external_reference,
      service_id, service_name, service_name_ar, service_date, gross, vat, vat_category, vat_percent, formula, document,
      corrects from statement_lines where statement_id = '${id}'`,
    `update statement_files set content = '' where statement_id = '${id}'`,
    `delete from statement_files where statement_id = '${id}'`,
    `insert into statement_files values ('${id}', 'csv', 7, '')`,
    'truncate statement_files',
    'truncate statement_lines',
    'truncate statements cascade',
  ])
    await assert.rejects(db.rows({ text }), /an issued statement never changes/, text);
});

test('months are issued in order, once they are over, and only with lines', async (t) => {
  const it = await scene(t);
  const { service } = it;
  await done(it);
  await done(it, { date: '2026-12-01' });
  const tooEarly = data(await draft(it, '2026-11'));
  refusedWith(await draft(it, '2026-12'), 400, 'VALIDATION_ERROR');
  service.clock.set(isoOf('2027-02-02'));
  assert.equal(refusedWith(await draft(it, '2026-12'), 422, 'INVALID_TRANSITION').month, '2026-11');
  data(await service.operator('POST', `/statements/${tooEarly.id}/issue`));
  await issued(it, '2026-12');
  const empty = data(await draft(it, '2027-01'));
  assert.equal(empty.totals.lines, 0);
  refusedWith(await service.operator('POST', `/statements/${empty.id}/issue`), 422, 'INVALID_TRANSITION');
  refusedWith(await draft(it, '2026-11'), 422, 'INVALID_TRANSITION');
  refusedWith(
    await service.operator('PUT', `/partners/${it.world.partnerId}/statement-account`, {
      buyer: PARTY,
      openedOn: '2026-01-01',
    }),
    422,
    'INVALID_TRANSITION',
  );
});

test('what was before the first statement is on none', async (t) => {
  const it = await scene(t);
  await done(it);
  const later = await done(it, { date: '2026-11-25' });
  await open(it, '2026-11-24');
  const { id } = data(await draft(it, '2026-11'));
  assert.deepEqual(await linesOf(it, id), [[later, 'VISIT', 150, 19.57, null]]);
  assert.ok(WORLD_DATE < '2026-11-24');
});

test('an issue that is repeated, or made twice at once, is one; paid is marked and unmarked', async (t) => {
  const it = await scene(t);
  const { service } = it;
  await done(it);
  service.clock.set(isoOf('2026-12-02'));
  const { id } = data(await draft(it, '2026-11'));
  const pay = (body: unknown) => service.operator('POST', `/statements/${id}/paid`, body);
  refusedWith(await pay({ reference: 'SARIE 1' }), 422, 'INVALID_TRANSITION');
  const answers = await Promise.all([1, 2, 3].map(() => service.operator('POST', `/statements/${id}/issue`)));
  assert.deepEqual(
    answers.map(data).map(({ number }) => number),
    Array(3).fill('ST-2026-000001'),
  );
  const paid = data(await pay({ reference: 'SARIE 1', paidOn: '2026-12-01' }));
  assert.deepEqual(paid.paid, { reference: 'SARIE 1', paidOn: '2026-12-01' });
  assert.equal(data(await pay({ reference: 'SARIE 2' })).paid.paidOn, '2026-12-02');
  assert.equal(data(await pay({ reference: null })).paid, null);
});
