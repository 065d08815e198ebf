import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createWorld } from './fixtures.ts';
import { type Answer, startTestService } from './harness.ts';

/** A customer's data, corrected and copied, by her partner and by the operator. */

const refusal = ({ status, body }: Answer) => [status, body.error.code, body.error.details.reason];

test('a name is corrected, by the partner and the operator', async (t) => {
  const service = await startTestService(t);
  const world = await createWorld(service);
  const stranger = await createWorld(service);
  const path = `/partners/contacts/${world.contactId}`;
  const renamed = await service.v1(world.key, 'PATCH', path, { name: '  Noora  ' });
  assert.equal(renamed.status, 200, renamed.text);
  assert.deepEqual(renamed.body.data, (await service.v1(world.key, 'GET', path)).body.data);
  assert.equal(renamed.body.data.name, 'Noora');
  assert.equal((await service.v1(world.key, 'PATCH', path, {})).body.data.name, 'Noora');
  assert.equal((await service.v1(stranger.key, 'PATCH', path, { name: 'X' })).status, 404);
  assert.deepEqual((await service.v1(world.key, 'PATCH', path, { name: ' ' })).body.error.details.message, [
    'name should not be empty',
  ]);

  const same = await service.operator('PATCH', `/contacts/${world.contactId}`, { name: 'Noora' });
  assert.equal(same.status, 200, same.text);
  const byOperator = await service.operator('PATCH', `/contacts/${world.contactId}`, { name: 'Nora' });
  assert.equal(byOperator.body.data.name, 'Nora');
  const recorded = (await service.operator('GET', '/audit?action=contact.update')).body.data;
  assert.deepEqual(
    recorded.map(({ target, after }: { target: string; after: unknown }) => [target, after]),
    [[`contact:${world.contactId}`, { id: world.contactId, fields: ['name'] }]],
    'once, and without the name',
  );
  assert.equal((await service.operator('PATCH', `/contacts/${world.addressId}`, { name: 'X' })).status, 404);
});

test('an address is corrected; another place only while nothing is booked there', async (t) => {
  const service = await startTestService(t);
  const world = await createWorld(service);
  const stranger = await createWorld(service);
  const path = `/partners/addresses/${world.addressId}`;
  const patch = (body: object, key = world.key, at = path) => service.v1(key, 'PATCH', at, body);
  const first = await patch({ unit: ' 12 ', shortAddress: 'rrrd2929', directions: 'Blue gate' });
  assert.equal(first.status, 200, first.text);
  const { unit, shortAddress, directions } = first.body.data;
  assert.deepEqual([unit, shortAddress, directions], ['12', 'RRRD2929', 'Blue gate']);
  const second = (await patch({ directions: null, unit: '14' })).body.data;
  assert.deepEqual([second.unit, second.directions, second.shortAddress], ['14', null, 'RRRD2929']);
  assert.equal((await patch({ unit: 'X' }, stranger.key)).status, 404);
  assert.deepEqual((await patch({ latitude: '24.1' })).body.error.details.message, [
    'latitude and longitude must be given together',
  ]);
  assert.deepEqual((await patch({ shortAddress: 'RRR', postalCode: '1' })).body.error.details.message, [
    'shortAddress must be four letters and four digits, such as RRRD2929',
    'postalCode must be five digits',
  ]);

  const place = { latitude: String(world.latitude + 0.001), longitude: String(world.longitude) };
  assert.equal((await patch(place)).body.data.latitude, place.latitude);
  // The same door twice.
  const other = await service.v1(world.key, 'POST', '/partners/contacts', {
    phone: first.body.data.phone ?? (await contactOf()).phone,
    name: 'N',
    ...place,
    unit: '15',
    shortAddress: 'RRRD2929',
  });
  const { addressId } = other.body.data;
  assert.notEqual(addressId, world.addressId);
  assert.deepEqual(refusal(await patch({ unit: '14' }, world.key, `/partners/addresses/${addressId}`)), [
    409,
    'CONFLICT',
    'ADDRESS_EXISTS',
  ]);
  // Only texts, and then nothing.
  const onlyText = await service.v1(world.key, 'POST', '/partners/contacts', {
    phone: (await contactOf()).phone,
    name: 'N',
    floor: '2',
  });
  const emptied = await patch(
    { floor: null },
    world.key,
    `/partners/addresses/${onlyText.body.data.addressId}`,
  );
  assert.deepEqual(emptied.body.error.details.message, ['at least one field of the address must stay']);

  assert.equal((await world.book()).status, 200);
  const moved = await patch({ latitude: '24.1', longitude: '46.1' });
  assert.deepEqual(refusal(moved), [409, 'CONFLICT', 'IN_USE']);
  assert.equal((await patch({ ...place, unit: '16' })).status, 200, 'the same place is no other one');

  const byOperator = await service.operator('PATCH', `/addresses/${world.addressId}`, { floor: '3' });
  assert.deepEqual([byOperator.status, byOperator.body.data.floor], [200, '3']);
  const [entry] = (await service.operator('GET', '/audit?action=address.update')).body.data;
  assert.deepEqual(entry.after, { id: world.addressId, fields: ['floor'] });

  async function contactOf() {
    return (await service.v1(world.key, 'GET', `/partners/contacts/${world.contactId}`)).body.data;
  }
});

test('the copy of what is stored about a customer', async (t) => {
  const service = await startTestService(t);
  const world = await createWorld(service);
  const stranger = await createWorld(service);
  const booked = await world.book({
    notes: 'Please ring twice',
    externalReference: 'ORDER-7',
    accessCode: 'zq81',
    instructions: 'zq81',
  });
  assert.equal(booked.status, 200, booked.text);
  await stranger.book({ notes: 'of somebody else' });
  const path = `/partners/contacts/${world.contactId}/export`;
  const copy = await service.v1(world.key, 'GET', path);
  assert.equal(copy.status, 200, copy.text);
  const { contact, bookings, messages, exportedAt } = copy.body.data;
  assert.equal(exportedAt, '2026-11-22T08:00:00+03:00');
  assert.deepEqual(
    contact,
    (await service.v1(world.key, 'GET', `/partners/contacts/${world.contactId}`)).body.data,
  );
  const { bookingId, trackingReference } = booked.body.data;
  assert.equal(bookings.length, 1);
  const [{ notes, externalReference, ...booking }] = bookings;
  assert.deepEqual([notes, externalReference], ['Please ring twice', 'ORDER-7']);
  assert.deepEqual([booking.bookingId, booking.trackingReference], [bookingId, trackingReference]);
  assert.deepEqual(messages, []);
  assert.doesNotMatch(copy.text, /zq81/);
  assert.deepEqual(
    (await service.operator('GET', `/contacts/${world.contactId}/export`)).body.data,
    copy.body.data,
  );
  assert.equal((await service.v1(stranger.key, 'GET', path)).status, 404);
});
