import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createWorld, randomPhone, WORLD_DATE } from './fixtures.ts';
import { call, startTestService } from './harness.ts';

const box = (west: number, south: number, east: number, north: number) => ({
  type: 'Polygon',
  coordinates: [
    [
      [west, south],
      [east, south],
      [east, north],
      [west, north],
      [west, south],
    ],
  ],
});

test('several zones are changed at once, after a preview of the effects', async (t) => {
  const service = await startTestService(t);
  // Around 46.7, 24.7; its half in the east becomes another zone's.
  const world = await createWorld(service, { teams: 2, zone: { name: 'West' } });
  const made = async (path: string, body: Record<string, unknown>) => {
    const answer = await service.operator('POST', path, body);
    assert.equal(answer.status, 201, answer.text);
    return answer.body.data;
  };
  const { zoneId: west, serviceId, teamIds } = world;
  const east = (
    await made('/zones', { name: 'East', area: box(46.8, 24.6, 46.9, 24.8), serviceIds: [serviceId] })
  ).id;
  const customer = async (longitude: number, startAt: string) => {
    const contact = { phone: randomPhone(), name: 'Reem', latitude: '24.7', longitude: String(longitude) };
    const end = `${Number(startAt.slice(0, 2)) + 2}:00`;
    const answer = await service.operator('POST', '/bookings', {
      partnerId: world.partnerId,
      contact,
      serviceId,
      date: WORLD_DATE,
      timeslot: { startAt, endAt: end },
    });
    assert.equal(answer.status, 201, answer.text);
    return answer.body.data;
  };
  const stays = await customer(46.65, '10:00');
  const moves = await customer(46.75, '10:00');
  const outside = await customer(46.79, '13:00');
  const cancelled = await customer(46.76, '16:00');
  await service.operator('PATCH', `/appointments/${cancelled.appointmentId}`, { status: 'Cancelled' });

  const read = async (id: string) => (await service.operator('GET', `/zones/${id}`)).body.data;
  const before = [await read(west), await read(east)];
  const zones = [
    { id: west, area: box(46.6, 24.6, 46.74, 24.8) },
    { id: east, area: box(46.74, 24.6, 46.78, 24.8), version: before[1].version },
  ];
  const send = (body: unknown, preview = '') => service.operator('POST', `/zones/changes${preview}`, body);
  const preview = await send({ zones }, '?preview=true');
  assert.equal(preview.status, 200, preview.text);
  const { isApplied, addresses, bookings } = preview.body.data;
  assert.equal(isApplied, false);
  assert.deepEqual(addresses, {
    moved: 3,
    moves: [
      { fromZoneId: west, toZoneId: east, addresses: 2 },
      { fromZoneId: west, toZoneId: null, addresses: 1 },
    ],
  });
  assert.deepEqual([await read(west), await read(east)], before, 'nothing is kept');
  assert.equal((await service.operator('GET', '/audit?action=zone.update')).body.meta.total, 0);

  const applied = await send({ zones });
  assert.equal(applied.status, 200, applied.text);
  assert.equal(applied.body.data.isApplied, true);
  assert.deepEqual([applied.body.data.addresses, applied.body.data.bookings], [addresses, bookings]);
  const after = [await read(west), await read(east)];
  assert.deepEqual(applied.body.data.zones, after);
  assert.deepEqual(
    after.map(({ area }) => area),
    zones.map(({ area }) => area),
  );
  assert.equal(bookings.moved, 2, 'a cancelled one does not count');
  const named = ({ phone: _, ...team }: Record<string, unknown>) => team;
  assert.deepEqual(bookings.rows, [
    {
      bookingId: moves.bookingId,
      appointmentId: moves.appointmentId,
      trackingReference: moves.trackingReference,
      startsAt: '2026-11-23T10:00:00+03:00',
      fromZoneId: west,
      toZoneId: east,
      team: named(moves.team),
      teamServesZone: false,
    },
    {
      bookingId: outside.bookingId,
      appointmentId: outside.appointmentId,
      trackingReference: outside.trackingReference,
      startsAt: '2026-11-23T13:00:00+03:00',
      fromZoneId: west,
      toZoneId: null,
      team: named(outside.team),
      teamServesZone: false,
    },
  ]);
  const kept = (await service.operator('GET', `/appointments/${moves.appointmentId}`)).body.data;
  assert.deepEqual([kept.team, kept.zoneId, kept.startsAt], [moves.team, west, '2026-11-23T10:00:00+03:00']);
  assert.ok(stays.bookingId);
  const log = (await service.operator('GET', '/audit?action=zone.update')).body.data;
  assert.equal(log.length, 2);
  assert.ok(log[0].groupId !== null && log[0].groupId === log[1].groupId, 'one audit group');

  // A zone that is switched off, and a team that serves where the address comes to lie.
  await service.operator('PATCH', `/teams/${moves.team.id}`, { zoneIds: [west, east] });
  const back = await send(
    {
      zones: [
        { id: west, area: before[0].area },
        { id: east, isActive: false },
      ],
    },
    '?preview=true',
  );
  assert.deepEqual(
    back.body.data.addresses.moves.map((move: { toZoneId: string }) => move.toZoneId),
    [west, west],
  );
  assert.equal(back.body.data.bookings.rows[0].teamServesZone, true);
  assert.ok(teamIds.includes(moves.team.id));

  const teamless = (await made('/zones', { name: 'Far', area: box(47.5, 24.6, 47.6, 24.8) })).id;
  // A new zone takes its place from another, in the same batch; a preview makes none.
  const fresh = { name: 'Middle', area: box(46.7, 24.6, 46.78, 24.8), serviceIds: [serviceId], priority: 1 };
  const both = { zones: [{ id: teamless, slotGridMinutes: 60 }, fresh] };
  const planned = await send(both, '?preview=true');
  assert.equal(planned.status, 200, planned.text);
  const [, plannedZone] = planned.body.data.zones;
  assert.equal(plannedZone.name, 'Middle');
  assert.deepEqual(planned.body.data.addresses.moves, [
    { fromZoneId: east, toZoneId: plannedZone.id, addresses: 2 },
    { fromZoneId: west, toZoneId: plannedZone.id, addresses: 1 },
  ]);
  assert.equal((await service.operator('GET', '/zones?search=Middle')).body.meta.total, 0);
  const both2 = await send(both);
  const [, madeZone] = both2.body.data.zones;
  assert.deepEqual(await read(madeZone.id), madeZone);
  const groups = ['zone.update', 'zone.create'].map(
    async (action) => (await service.operator('GET', `/audit?action=${action}`)).body.data[0].groupId,
  );
  const [ofUpdate, ofCreate] = await Promise.all(groups);
  assert.equal(ofUpdate, ofCreate, 'one audit group');
  const lacking = await send({ zones: [{ priority: 3 }] });
  assert.deepEqual(lacking.body.error.details.message, [
    'zones.0.name must be given, or the id of a zone',
    'zones.0.area must be given, or the id of a zone',
  ]);
  assert.equal((await service.operator('DELETE', `/zones/${madeZone.id}`)).status, 200);

  // One that is refused keeps all as they are.
  const stale = await send({
    zones: [
      { id: west, priority: 7 },
      { id: east, priority: 7, version: 1 },
    ],
  });
  assert.deepEqual([stale.status, stale.body.error.details.reason], [409, 'STALE']);
  const taken = await send({
    zones: [
      { id: west, priority: 7 },
      { id: east, name: 'WEST' },
    ],
  });
  assert.equal(taken.status, 409);
  const unknown = '5f0c6a6e-3c1b-4b5e-9a53-0d5a2f1c7b10';
  const missing = await send({
    zones: [
      { id: unknown, priority: 7 },
      { id: east, serviceIds: [unknown] },
    ],
  });
  assert.deepEqual(missing.body.error.details.message, [
    'zones.0.id must be the id of a zone',
    'zones.1.serviceIds.0 must be the id of a service',
  ]);
  const crossing = [
    [
      [46, 24],
      [47, 25],
      [47, 24],
      [46, 25],
      [46, 24],
    ],
  ];
  const faulty = await send({
    zones: [
      { id: west, area: { type: 'Polygon', coordinates: crossing }, colour: 'red' },
      { id: east, area: { type: 'Polygon', coordinates: [[[46, 24]]] } },
    ],
  });
  assert.deepEqual(faulty.body.error.details.message.sort(), [
    'property zones.0.colour should not exist',
    'zones.0.area must not cross or touch itself',
    'zones.1.area.coordinates.0 must contain at least 4 positions',
  ]);
  assert.equal((await send({ zones: [] })).status, 400);
  assert.deepEqual([await read(west), await read(east)], after);
  const { token } = (await service.operator('POST', '/tokens', { name: 'Desk', role: 'dispatcher' })).body
    .data;
  const asDispatcher = await call(
    `${service.operatorUrl}/operator`,
    'POST',
    '/zones/changes',
    { zones },
    {
      authorization: `Bearer ${token}`,
    },
  );
  assert.equal(asDispatcher.status, 403);
});
