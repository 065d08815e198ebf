import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createWorld } from './fixtures.ts';
import { startTestService } from './harness.ts';

/** A booking says what was sold, whatever its service is called later. */

test('renaming a service renames what is sold from then on', async (t) => {
  const service = await startTestService(t);
  const world = await createWorld(service);
  const rename = async (name: string, nameAr: string | null) => {
    const answer = await service.operator('PATCH', `/services/${world.serviceId}`, { name, nameAr });
    assert.equal(answer.status, 200, answer.text);
  };
  const sell = async (date: string): Promise<string> => {
    const answer = await world.book({ date });
    assert.equal(answer.status, 200, answer.text);
    return answer.body.data.bookingId;
  };
  const told = async (bookingId: string): Promise<(string | null)[]> => {
    const { body } = await service.v1(world.key, 'GET', `/partners/bookings/${bookingId}/status`);
    const shown = (await service.operator('GET', `/bookings/${bookingId}`)).body.data;
    const names = [body.data.serviceNameEn, body.data.serviceNameAr];
    assert.deepEqual([shown.serviceNameEn ?? names[0], shown.serviceNameAr ?? names[1]], names);
    return names;
  };
  await rename('Deep cleaning', 'تنظيف عميق');
  const first = await sell('2026-12-01');
  // As bookings are that were made before names were kept.
  const before = await sell('2026-12-02');
  const untold = 'update bookings set sold_name = null, sold_name_ar = null where id = $1';
  await service.deps.db.rows({ text: untold, values: [before] });
  await service.deps.db.rows({ text: 'update services set name_before = null, name_ar_before = null' });
  await rename('Pest control', null);
  const second = await sell('2026-12-03');
  await rename('Gardening', 'تنسيق الحدائق');
  assert.deepEqual(await told(first), ['Deep cleaning', 'تنظيف عميق']);
  assert.deepEqual(await told(before), ['Deep cleaning', 'تنظيف عميق']);
  assert.deepEqual(await told(second), ['Pest control', 'Pest control']);
  assert.deepEqual(await told(await sell('2026-12-04')), ['Gardening', 'تنسيق الحدائق']);
  const copy = await service.v1(world.key, 'GET', `/partners/contacts/${world.contactId}/export`);
  const copied = copy.body.data.bookings.find((each: { bookingId: string }) => each.bookingId === first);
  assert.equal(copied.service, 'Deep cleaning');
});
