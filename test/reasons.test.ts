import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { test } from 'node:test';
import { customerReasonsAmong, isActiveReason } from '../src/reasons/queries.ts';
import { createPartner, createWorld } from './fixtures.ts';
import { type Answer, documented, startTestService, type TestService } from './harness.ts';

const ROUTE = '/partners/bookings/cancellation-reasons';
const NAMES = { nameEn: 'Changed their mind', nameAr: 'غيّر رأيه' };

async function make(service: TestService, body: Record<string, unknown> = {}) {
  const answer = await service.operator('POST', '/cancellation-reasons', { ...NAMES, ...body });
  assert.equal(answer.status, 201, answer.text);
  return answer.body.data;
}

function refusedWith(answer: Answer, ...messages: string[]): void {
  assert.equal(answer.status, 400, answer.text);
  assert.deepEqual(answer.body.error.details.message, messages);
}

async function namesAt(service: TestService, query: string): Promise<string[]> {
  const answer = await service.operator('GET', `/cancellation-reasons${query}`);
  assert.equal(answer.status, 200, answer.text);
  return answer.body.data.map((row: { nameEn: string }) => row.nameEn);
}

test('partners see the active, customer-facing reasons in their order', async (t) => {
  const service = await startTestService(t);
  const { key } = await createPartner(service, { permissions: ['partner_bookings_cancel'] });
  const empty = await service.v1(key, 'GET', ROUTE);
  assert.deepEqual([empty.status, empty.body], [200, { success: true, data: [] }]);

  const last = await make(service, { nameEn: 'Last', sortOrder: 30 });
  const beta = await make(service, { nameEn: 'Beta', sortOrder: 20 });
  const twin = await make(service, { nameEn: 'Beta', sortOrder: 20 });
  const alpha = await make(service, { nameEn: 'Alpha', nameAr: 'أ', sortOrder: 20 });
  const first = await make(service, { nameEn: 'Zulu', sortOrder: -1 });
  await make(service, { nameEn: 'Inactive', isActive: false });
  await make(service, { nameEn: 'For the operator', isCustomerFacing: false });

  const { body } = await service.v1(key, 'GET', ROUTE);
  const betas = [beta.id, twin.id].sort();
  assert.deepEqual(
    body.data.map((row: { id: string }) => row.id),
    [first.id, alpha.id, ...betas, last.id],
  );
  assert.deepEqual(body.data[1], { id: alpha.id, nameEn: 'Alpha', nameAr: 'أ' });

  const { key: other } = await createPartner(service, { permissions: ['partner_bookings_read'] });
  assert.equal((await service.v1(other, 'GET', ROUTE)).status, 403);
  assert.equal((await service.v1(null, 'GET', ROUTE)).status, 401);
});

test('the reasons that partners and operators may give', async (t) => {
  const service = await startTestService(t);
  const { db } = service.deps;
  const answers = async (id: string) => [
    (await customerReasonsAmong(db, [id])).has(id.toLowerCase()),
    await isActiveReason(db, id),
  ];
  const { id } = await make(service);
  assert.deepEqual(await answers(id), [true, true]);
  assert.deepEqual(await answers(id.toUpperCase()), [true, true]);
  await service.operator('PATCH', `/cancellation-reasons/${id}`, { isCustomerFacing: false });
  assert.deepEqual(await answers(id), [false, true]);
  await service.operator('PATCH', `/cancellation-reasons/${id}`, {
    isCustomerFacing: true,
    isActive: false,
  });
  assert.deepEqual(await answers(id), [false, false]);
  assert.deepEqual(await answers(randomUUID()), [false, false]);
});

test('the operator creates, finds, changes and removes reasons, each with its audit row', async (t) => {
  const service = await startTestService(t);
  const created = await make(service, { nameEn: '  Changed their mind ' });
  const { id, ...rest } = created;
  assert.deepEqual(rest, {
    ...NAMES,
    isActive: true,
    isCustomerFacing: true,
    sortOrder: 0,
    createdAt: '2026-11-22T08:00:00+03:00',
    updatedAt: '2026-11-22T08:00:00+03:00',
  });
  assert.deepEqual((await service.operator('GET', `/cancellation-reasons/${id}`)).body.data, created);

  service.clock.advance(1_000);
  const patch = (body: unknown) =>
    service.operator('PATCH', `/cancellation-reasons/${id.toUpperCase()}`, body);
  const after = (await patch({ nameEn: 'Moved away', sortOrder: 3, isCustomerFacing: false })).body.data;
  assert.deepEqual(after, {
    ...created,
    nameEn: 'Moved away',
    sortOrder: 3,
    isCustomerFacing: false,
    updatedAt: '2026-11-22T08:00:01+03:00',
  });
  assert.deepEqual((await patch({})).body.data, after);
  assert.deepEqual((await patch({ nameEn: ' Moved away ' })).body.data, after);

  refusedWith(
    await service.operator('POST', '/cancellation-reasons', {}),
    'nameEn should not be empty',
    'nameAr should not be empty',
  );
  refusedWith(
    await patch({ nameEn: ' ', price: 1 }),
    'property price should not exist',
    'nameEn should not be empty',
  );

  const removed = await service.operator('DELETE', `/cancellation-reasons/${id}`);
  assert.deepEqual([removed.status, removed.body.data], [200, { id, removed: true }]);
  for (const method of ['GET', 'DELETE'])
    assert.equal((await service.operator(method, `/cancellation-reasons/${id}`)).status, 404, method);
  assert.equal((await patch({ sortOrder: 1 })).status, 404);

  const audit = await service.deps.db.rows({
    text: 'select actor, action, before, after from audit_log where target = $1 order by position',
    values: [`reason:${id}`],
  });
  const actor = 'operator:first-token';
  assert.deepEqual(audit, [
    { actor, action: 'reason.create', before: null, after: created },
    { actor, action: 'reason.update', before: created, after },
    { actor, action: 'reason.delete', before: after, after: null },
  ]);
});

test('reasons are searched, filtered and paged', async (t) => {
  const service = await startTestService(t);
  await make(service, { nameEn: 'Alpha', nameAr: 'سبب', sortOrder: 1 });
  await make(service, { nameEn: 'Beta', sortOrder: 2, isActive: false });
  await make(service, { nameEn: 'Alphabet', sortOrder: 3, isCustomerFacing: false });
  assert.deepEqual(await namesAt(service, ''), ['Alpha', 'Beta', 'Alphabet']);
  assert.deepEqual(await namesAt(service, '?search=ALPHA'), ['Alpha', 'Alphabet']);
  assert.deepEqual(await namesAt(service, `?search=${encodeURIComponent('سبب')}`), ['Alpha']);
  assert.deepEqual(await namesAt(service, '?search=%25'), []);
  assert.deepEqual(await namesAt(service, '?isActive=false'), ['Beta']);
  const page = await service.operator('GET', '/cancellation-reasons?page=2&limit=2');
  assert.deepEqual(page.body.meta, { page: 2, limit: 2, total: 3, totalPages: 2 });
  assert.equal(page.body.data[0].nameEn, 'Alphabet');
});

test('a reason of a cancelled booking cannot be removed', async (t) => {
  const service = await startTestService(t);
  const world = await createWorld(service);
  const { id } = await make(service);
  const booking = await world.book();
  assert.equal(booking.status, 200, booking.text);
  await service.deps.db.rows({
    text: `
      update bookings set status = 'canceled', payment_status = 'CANCELLED', cancellation_reason_id = $2,
        cancellation_action = 'CANCEL_ONLY', cancelled_by = 'partner', cancelled_at = created_at
      where id = $1`,
    values: [booking.body.data.bookingId, id],
  });
  const answer = await service.operator('DELETE', `/cancellation-reasons/${id}`);
  assert.equal(answer.status, 409, answer.text);
  assert.equal(answer.body.error.code, 'CONFLICT');
  assert.deepEqual(
    answer.body.error.details,
    documented('CONFLICT', { reason: 'IN_USE', usedBy: { bookings: 1 } }),
  );
  const off = await service.operator('PATCH', `/cancellation-reasons/${id}`, { isActive: false });
  assert.equal(off.body.data.isActive, false);
});
