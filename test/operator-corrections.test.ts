import assert from 'node:assert/strict';
import { test } from 'node:test';
import { dayOf, TODAY, telephoneOf } from './crew-fixtures.ts';
import { booked, data, payloadsOf, quote, refusedWith, type Scene, withPolicy } from './fee-fixtures.ts';
import { createWorld } from './fixtures.ts';
import { afterwards, call, onServer, startTestService } from './harness.ts';
import { tablesWith } from './needle.ts';
import { until } from './until.ts';

/** Corrections of sold bookings by the operator: what the crew needs, and not what was sold. */

const SLOT = { startAt: '14:00', endAt: '16:00' };

const bookingOf = async ({ service }: Scene, id: string) =>
  data(await service.operator('GET', `/bookings/${id}`));
const correct = ({ service }: Scene, id: string, body: object) =>
  service.operator('PATCH', `/bookings/${id}`, body);

/** Another address of the world's customer, by default 100 m from hers. */
async function otherAddress({ service, world }: Scene, overrides: object = {}): Promise<string> {
  const { phone, name } = data(await service.operator('GET', `/contacts/${world.contactId}`));
  const place = { latitude: String(world.latitude + 0.001), longitude: String(world.longitude) };
  return data(await world.contact({ phone, name, ...place, ...overrides })).addressId;
}

test('notes, access and door of a sold booking are corrected, and nothing that was sold', async (t) => {
  const service = await startTestService(t);
  const world = await createWorld(service);
  const scene = { service, world };
  await withPolicy(scene);
  const id = await booked(scene, {
    date: TODAY,
    timeslot: SLOT,
    notes: 'Ring',
    accessCode: 'zq1',
    instructions: 'zq2',
  });
  const earlier = await booked(scene);
  const before = await bookingOf(scene, id);
  const feesBefore = data(await quote(scene, id, 'cancel'));
  const phone = await telephoneOf(service, before.team.id);
  const seen = '/partners/bookings?updatedSince=';
  const listed = await service.v1(world.key, 'GET', `${seen}2026-01-01T00:00:00%2B03:00`);
  const since = listed.headers.get('x-updated-since')!;
  const events = (await service.v1(world.key, 'GET', '/partners/events?limit=100&events=all')).body.data
    .length;
  service.clock.advance(60_000);

  const body = {
    notes: 'Bring a ladder',
    accessCode: 'zq4412',
    address: { unit: '12', directions: 'Blue gate' },
  };
  const after = data(await correct(scene, id, body));
  assert.deepEqual(
    [after.notes, after.address.unit, after.address.directions, after.version],
    ['Bring a ladder', '12', 'Blue gate', before.version + 1],
  );
  const same = ['price', 'amount', 'policyId', 'fees', 'feeHistory', 'timeslot', 'date', 'team', 'status'];
  for (const field of same) assert.deepEqual(after[field], before[field], field);
  assert.deepEqual(data(await quote(scene, id, 'cancel')), feesBefore);
  const [visit] = (await dayOf(service, phone)).visits;
  assert.deepEqual(
    [visit.notes, visit.accessCode, visit.instructions, visit.address.unit],
    ['Bring a ladder', 'zq4412', 'zq2', '12'],
  );
  // Another booking at the old door keeps it.
  const kept = await bookingOf(scene, earlier);
  assert.deepEqual([kept.address.unit, kept.address.id], [null, world.addressId]);

  const changed = await service.v1(world.key, 'GET', seen + since);
  assert.deepEqual(
    changed.body.data.map((one: { bookingId: string }) => one.bookingId),
    [id],
  );
  assert.equal(changed.body.data[0].addressId, after.address.id);
  const { length } = (await service.v1(world.key, 'GET', '/partners/events?limit=100&events=all')).body.data;
  assert.equal(length, events, 'no event');
  assert.equal((await payloadsOf(scene, id, 'booking.updated')).length, 0);

  const [entry] = data(await service.operator('GET', '/audit?action=booking.correct'));
  assert.deepEqual(
    [entry.target, entry.before, entry.after],
    [
      `booking:${id}`,
      { addressId: world.addressId },
      { addressId: after.address.id, fields: ['notes', 'accessCode', 'unit', 'directions'] },
    ],
  );
  assert.deepEqual(await tablesWith(service.deps.db, 'zq4412'), []);
  assert.equal(after.history.at(-1).what, 'booking.correct');

  // Without a difference nothing is written, and the same door again is the same address.
  assert.equal(data(await correct(scene, id, body)).version, after.version);
  assert.equal(data(await correct(scene, id, {})).version, after.version);
  const moved = data(await correct(scene, id, { address: { unit: '14' }, notes: null, instructions: ' ' }));
  assert.deepEqual([moved.address.id, moved.address.unit, moved.notes], [after.address.id, '14', null]);
  assert.equal((await dayOf(service, phone)).visits[0].instructions, null);
  // The floor only helps to find a door that other bookings have, too.
  const floor = data(await correct(scene, earlier, { address: { floor: '3' } }));
  assert.deepEqual([floor.address.id, floor.address.floor], [world.addressId, '3']);
  // A version from before is refused with the booking as it is.
  const headers = { authorization: `Bearer ${service.deps.operatorToken}`, 'if-match': '"1"' };
  const url = `${service.operatorUrl}/operator`;
  const stale = await call(url, 'PATCH', `/bookings/${id}`, { notes: 'x' }, headers);
  assert.equal(refusedWith(stale, 409, 'CONFLICT').reason, 'STALE');
});

test('a sold booking gets another address of its customer in the zone, and only there', async (t) => {
  const service = await startTestService(t);
  const world = await createWorld(service);
  const other = await createWorld(service);
  const scene = { service, world };
  const id = await booked(scene, { date: TODAY, timeslot: SLOT });
  const { team } = await bookingOf(scene, id);
  const phone = await telephoneOf(service, team.id);
  const near = await otherAddress(scene, { districtName: 'Al Malqa' });
  const after = data(await correct(scene, id, { addressId: near }));
  assert.deepEqual([after.address.id, after.appointment.status], [near, 'Scheduled']);
  assert.equal((await dayOf(service, phone)).visits[0].address.districtName, 'Al Malqa');
  const [{ after: recorded }] = data(await service.operator('GET', '/audit?action=booking.correct'));
  assert.deepEqual(recorded, { addressId: near, fields: ['addressId'] });

  // A new one is made of the present one: a pin elsewhere.
  const pin = { latitude: String(world.latitude - 0.002), longitude: String(world.longitude) };
  const pinned = data(await correct(scene, id, { address: pin }));
  assert.deepEqual([pinned.address.id, pinned.address.latitude], [near, pin.latitude], 'of no other booking');

  const far = await otherAddress(scene, {
    latitude: String(other.latitude),
    longitude: String(other.longitude),
  });
  const { reason, zone, addressZone } = refusedWith(
    await correct(scene, id, { addressId: far }),
    409,
    'CONFLICT',
  );
  assert.deepEqual([reason, zone.id, addressZone.id], ['OTHER_ZONE', world.zoneId, other.zoneId]);
  const desert = { latitude: '20.1', longitude: '50.1' };
  const outside = refusedWith(await correct(scene, id, { address: desert }), 409, 'CONFLICT');
  assert.deepEqual([outside.reason, outside.addressZone], ['OTHER_ZONE', null]);
  assert.equal((await bookingOf(scene, id)).address.latitude, pin.latitude, 'a refusal writes nothing');
  const textOnly = await otherAddress(scene, { latitude: undefined, longitude: undefined, cityName: 'R' });
  assert.deepEqual(
    refusedWith(await correct(scene, id, { addressId: textOnly }), 400, 'VALIDATION_ERROR').message,
    ['addressId must belong to an address with coordinates'],
  );
  refusedWith(await correct(scene, id, { addressId: other.addressId }), 404, 'RESOURCE_NOT_FOUND');
  // Of another customer of the same partner.
  const { addressId: hers } = data(await world.contact());
  refusedWith(await correct(scene, id, { addressId: hers }), 404, 'RESOURCE_NOT_FOUND');
  refusedWith(await correct(scene, id, { address: { latitude: '24.1' } }), 400, 'VALIDATION_ERROR');
});

test('what can be corrected ends with the work, and with the customer', async (t) => {
  const service = await startTestService(t);
  const world = await createWorld(service);
  const scene = { service, world };
  const id = await booked(scene, { date: TODAY, timeslot: SLOT });
  const near = await otherAddress(scene);
  const { appointment } = await bookingOf(scene, id);
  const go = async (...statuses: string[]) => {
    for (const status of statuses)
      data(
        await service.operator('PATCH', `/appointments/${appointment.id}`, {
          status,
          force: true,
          reason: 'r',
        }),
      );
  };
  const details = { status: 'in progress', appointmentStatus: 'In Progress' };
  await go('Confirmed', 'In The Way', 'In The location');
  data(await correct(scene, id, { addressId: near }));
  await go('In Progress');
  const { docUrl: _url, ...begun } = refusedWith(
    await correct(scene, id, { addressId: world.addressId }),
    422,
    'BOOKING_NOT_EDITABLE',
  );
  assert.deepEqual(begun, details);
  refusedWith(await correct(scene, id, { address: { unit: '1' } }), 422, 'BOOKING_NOT_EDITABLE');
  assert.equal(data(await correct(scene, id, { notes: 'Second floor, too' })).notes, 'Second floor, too');
  await go('Finished');
  refusedWith(await correct(scene, id, { notes: 'late' }), 422, 'BOOKING_NOT_EDITABLE');
  await go('Completed');
  data(await service.operator('POST', `/contacts/${world.contactId}/erase`, { reason: 'She asked' }));
  refusedWith(await correct(scene, id, { notes: 'late' }), 404, 'RESOURCE_NOT_FOUND');
});

test(
  'a correction of the door waits for an erasure of the customer, and neither ends in a deadlock',
  onServer('needs several connections'),
  async (t) => {
    const service = await startTestService(t);
    const world = await createWorld(service);
    const scene = { service, world };
    const id = await booked(scene, { date: TODAY, timeslot: SLOT });
    await booked(scene);
    const client = await service.deps.db.open!();
    afterwards(t, () => client.end());
    // The locks of an erasure, in its order.
    await client.query('begin');
    await client.query('select 1 from contacts where id = $1 for update', [world.contactId]);
    const corrected = correct(scene, id, { address: { unit: '12' } });
    const waits = `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
    await until(async () => (await client.query(waits)).rows.length > 0);
    await client.query('select 1 from bookings where contact_id = $1 for update', [world.contactId]);
    await client.query('commit');
    assert.equal(data(await corrected).address.unit, '12');
  },
);
