import assert from 'node:assert/strict';
import { HOUR, MINUTE } from '../src/base/clock.ts';
import { createWorld, everyDay, type World, type WorldOptions } from './fixtures.ts';
import { TEST_NOW, type TestService } from './harness.ts';

/** An evening on which much goes wrong: 36 teams in three zones, and twelve troubles. */

const TODAY = '2026-11-22';

const ZONES = [
  { en: 'Centre', ar: 'الوسط' },
  { en: 'North', ar: 'الشمال' },
  { en: 'West', ar: 'الغرب' },
];

async function zoneOf(service: TestService, index: number, more: WorldOptions = {}): Promise<World> {
  const name = ZONES[index]!;
  const world = await createWorld(service, {
    service: { name: 'Deep cleaning', nameAr: 'تنظيف عميق', durationMinutes: 60, minimumNoticeMinutes: 0 },
    zone: { name: name.en, nameAr: name.ar },
    teams: 12,
    team: { travelBufferMinutes: 0, shifts: everyDay('07:00', '20:00') },
    ...more,
  });
  for (const [number, id] of world.teamIds.entries())
    await service.operator('PATCH', `/teams/${id}`, {
      name: `${name.en} ${number + 1}`,
      nameAr: `${name.ar} ${number + 1}`,
    });
  return world;
}

/** Makes the day and moves the clock to 16:30; returns the bookings of its troubles by concern. */
export async function makeEvening(service: TestService) {
  const worlds = [await zoneOf(service, 0), await zoneOf(service, 1), await zoneOf(service, 2)];
  const unpaid = async () =>
    await createWorld(service, {
      partner: { paymentResponsibility: 'PLATFORM' },
      service: { minimumNoticeMinutes: 0, durationMinutes: 60 },
    });
  // One team of each zone is off, a second is away all day.
  for (const { teamIds } of worlds) {
    await service.operator('PATCH', `/teams/${teamIds[10]}`, { shifts: [] });
    await service.operator('POST', `/teams/${teamIds[11]}/time-off`, {
      startsAt: `${TODAY}T00:00:00+03:00`,
      endsAt: '2026-11-23T00:00:00+03:00',
    });
  }
  async function book(world: World, startAt: string, team: number | null, ...statuses: string[]) {
    const endAt = `${String(Number(startAt.slice(0, 2)) + 1).padStart(2, '0')}:${startAt.slice(3)}`;
    const { body, text } = await world.book({ date: TODAY, timeslot: { startAt, endAt } });
    assert.ok(body.data?.bookingId, text);
    const { data } = (await service.operator('GET', `/bookings/${body.data.bookingId}`)).body;
    const path = `/appointments/${data.appointmentId}`;
    if (team !== null) {
      const moved = await service.operator('PATCH', path, { teamId: world.teamIds[team] });
      assert.equal(moved.status, 200, moved.text);
    }
    for (const status of statuses) {
      const answer = await service.operator('PATCH', path, { status });
      assert.equal(answer.status, 200, answer.text);
    }
    return {
      bookingId: data.bookingId as string,
      id: data.appointmentId as string,
      name: data.trackingReference as string,
    };
  }
  const work = ['In The Way', 'In The location', 'In Progress'];
  for (const world of worlds)
    for (const team of [0, 1, 2, 3, 4, 5, 6, 7, 8, 9]) {
      if (team < 7) await book(world, '18:00', team, 'Confirmed');
      if (team < 9) await book(world, '19:00', team, 'Confirmed');
    }
  const [centre, north, west] = worlds as [World, World, World];
  const troubles = {
    // At the bottom of the board.
    late: [
      await book(west, '16:00', 9, 'Confirmed'),
      await book(west, '16:00', 8, 'Confirmed', 'In The Way'),
    ],
    overdue: [await book(north, '14:00', 9, 'Confirmed')],
    teamAway: [await book(centre, '19:00', 9, 'Confirmed')],
    unconfirmed: [await book(north, '17:30', 8), await book(west, '17:30', 7)],
    cannotComplete: [await book(centre, '12:30', 8, 'In The Way', 'Cannot Complete')],
    notCompleted: [await book(centre, '13:00', 7, ...work, 'Finished')],
    cancelledAlone: [await book(north, '13:00', 7, 'Cancelled')],
    droppedUnpaid: [await book(await unpaid(), '09:00', null)],
    paymentDue: [await book(await unpaid(), '18:00', null)],
    workCancelled: [await book(west, '12:30', 6, ...work, 'Cancelled')],
  };
  await service.operator('POST', `/teams/${centre.teamIds[9]}/time-off`, {
    startsAt: `${TODAY}T18:30:00+03:00`,
    endsAt: `${TODAY}T20:00:00+03:00`,
  });
  // A visit of the night, which no shift of the others reaches.
  const shifts = [...everyDay('07:00', '20:00'), ...everyDay('22:00', '23:30')];
  await service.operator('PATCH', `/teams/${west.teamIds[0]}`, { shifts });
  const lateNight = await book(west, '22:00', 0, 'Confirmed');
  await service.operator('PATCH', `/teams/${west.teamIds[0]}`, { shifts: everyDay('07:00', '20:00') });
  service.clock.set(TEST_NOW + 8 * HOUR + 30 * MINUTE);
  return { troubles, lateNight };
}
