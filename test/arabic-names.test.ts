import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createWorld, WORLD_DATE } from './fixtures.ts';
import { OPERATOR_TOKEN, startTestService, TEST_NOW } from './harness.ts';

/** Teams and zones have an Arabic name beside the one that they always had. */

const TEAM = 'الفريق الأول';
const ZONE = 'شمال الرياض';

test('teams and zones have an Arabic name wherever the operator reads their name', async (t) => {
  const service = await startTestService(t);
  const world = await createWorld(service, {
    zone: { name: 'North', nameAr: `  ${ZONE} ` },
    team: { name: 'First', nameAr: TEAM },
  });
  const booked = await world.book();
  assert.equal(booked.status, 200, booked.text);
  const { bookingId, appointmentId } = booked.body.data;
  const [teamId] = world.teamIds as [string];
  const read = async (path: string, method = 'GET', body?: object) => {
    const answer = await service.operator(method, path, body);
    assert.ok(answer.status < 300, answer.text);
    return answer.body.data;
  };
  const off = { startsAt: `${WORLD_DATE}T08:00:00+03:00`, endsAt: `${WORLD_DATE}T20:00:00+03:00` };

  const team = [teamId, 'First', TEAM];
  const zone = [world.zoneId, 'North', ZONE];
  const named = ({ id, name, nameAr }: { id: string; name: string; nameAr: string }) => [id, name, nameAr];
  assert.deepEqual(named(await read(`/teams/${teamId}`)), team);
  assert.deepEqual(named(await read(`/zones/${world.zoneId}`)), zone);
  assert.deepEqual(named((await read(`/bookings/${bookingId}`)).team), team);
  assert.deepEqual(named((await read('/bookings'))[0].team), team);
  assert.deepEqual(named((await read(`/appointments/${appointmentId}`)).team), team);
  const board = await read(`/board?date=${WORLD_DATE}`);
  assert.deepEqual(
    [board.teams, board.zones].map(([one]) => named(one)),
    [team, zone],
  );
  const places = await read(`/appointments/${appointmentId}/placements?date=${WORLD_DATE}`);
  assert.deepEqual([places.teams[0], places.zone].map(named), [team, zone]);
  const query = `addressId=${world.addressId}&serviceId=${world.serviceId}&date=${WORLD_DATE}`;
  const free = await read(`/availability?${query}`);
  assert.deepEqual([free.teams[0], free.zone].map(named), [team, zone]);
  const used = await read(`/utilisation?from=${WORLD_DATE}&to=${WORLD_DATE}`);
  assert.deepEqual([used.teams[0], used.zones[0]].map(named), [team, zone]);
  service.clock.set(Date.parse(`${WORLD_DATE}T23:00:00+03:00`));
  const begun = await read(`/punctuality?from=${WORLD_DATE}&to=${WORLD_DATE}`);
  assert.deepEqual([begun.teams[0], begun.zones[0]].map(named), [team, zone]);
  service.clock.set(TEST_NOW);
  const closed = { nameEn: 'Closed', nameAr: 'مغلق', from: WORLD_DATE, to: WORLD_DATE, closed: true };
  const preview = await read('/schedules?preview=true', 'POST', closed);
  assert.deepEqual([preview.hours[0].zoneName, preview.hours[0].zoneNameAr], zone.slice(1));
  assert.deepEqual([preview.appointments.rows[0].team, preview.appointments.rows[0].zone].map(named), [
    team,
    zone,
  ]);
  const area = {
    type: 'Polygon',
    coordinates: [
      [
        [1, 1],
        [2, 1],
        [2, 2],
        [1, 1],
      ],
    ],
  };
  const moved = await read('/zones/changes?preview=true', 'POST', { zones: [{ id: world.zoneId, area }] });
  assert.deepEqual(named(moved.bookings.rows[0].team), team);
  await read(`/teams/${teamId}/time-off`, 'POST', off);
  const [away] = await read(`/time-off?from=${WORLD_DATE}&to=${WORLD_DATE}`);
  assert.deepEqual([away.teamId, away.teamName, away.teamNameAr], team);
  const [entry] = await read(`/audit?action=team.create&target=team:${teamId}`);
  assert.equal(entry.after.nameAr, TEAM);

  // By any part, in any spelling of Arabic; and in lists.
  for (const [q, kind, title] of [
    ['الاول', 'team', TEAM],
    ['شمال', 'zone', ZONE],
  ] as const) {
    const [group] = await read(`/search?q=${encodeURIComponent(q)}`);
    assert.deepEqual([group.kind, group.items[0].titleAr], [kind, title]);
  }
  assert.equal((await read(`/teams?search=${encodeURIComponent('الأول')}`)).length, 1);
  assert.equal((await read(`/zones?search=${encodeURIComponent('الرياض')}`)).length, 1);
  assert.equal((await read(`/zones?search=${encodeURIComponent('جنوب')}`)).length, 0);
  const csv = await fetch(`${service.operatorUrl}/operator/appointments`, {
    headers: { authorization: `Bearer ${OPERATOR_TOKEN}`, accept: 'text/csv' },
  });
  const [head = '', row = ''] = (await csv.text()).split('\n');
  assert.equal(row.split(',')[head.split(',').indexOf('team.nameAr')], TEAM);

  // Partners read what they always read.
  for (const path of [`/partners/bookings/${bookingId}/status`, '/partners/bookings']) {
    const { status, text } = await service.v1(world.key, 'GET', path);
    assert.equal(status, 200, text);
    assert.doesNotMatch(text, new RegExp(`${TEAM}|${ZONE}`));
  }
});

test('the Arabic name is optional, and null removes it', async (t) => {
  const service = await startTestService(t);
  for (const [path, more] of [
    ['/teams', {}],
    [
      '/zones',
      {
        area: {
          type: 'Polygon',
          coordinates: [
            [
              [1, 1],
              [2, 1],
              [2, 2],
              [1, 1],
            ],
          ],
        },
      },
    ],
  ] as const) {
    const made = (await service.operator('POST', path, { name: 'B', ...more })).body.data;
    assert.equal(made.nameAr, null);
    const change = async (nameAr: string | null) =>
      service.operator('PATCH', `${path}/${made.id}`, { nameAr });
    const { nameAr, name, version } = (await change(' ب ')).body.data;
    assert.deepEqual([nameAr, name, version], ['ب', 'B', 2]);
    assert.equal((await change('ب')).body.data.version, 2, 'no difference');
    assert.equal((await change(null)).body.data.nameAr, null);
    for (const wrong of ['', ' ', 'ب'.repeat(201), 'سطر\nآخر']) {
      const refused = await change(wrong);
      assert.equal(refused.status, 400, refused.text);
    }
    const second = await service.operator('POST', path, {
      name: 'A',
      nameAr: 'ي',
      ...more,
      confirmOverlap: path === '/zones' ? true : undefined,
    });
    assert.equal(second.status, 201, second.text);
    const third = await service.operator('POST', path, {
      name: 'C',
      nameAr: 'ي',
      ...more,
      confirmOverlap: path === '/zones' ? true : undefined,
    });
    assert.equal(third.status, 201, 'an Arabic name need not be unique');
    await change('أ');
    const { body } = await service.operator('GET', `${path}?sortBy=nameAr`);
    assert.deepEqual(
      body.data.map((row: { name: string }) => row.name),
      ['B', 'A', 'C'],
    );
  }
});
