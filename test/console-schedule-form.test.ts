import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Schedule } from '../console/contract.ts';
import { createWorld, everyDay, WORLD_DATE } from './fixtures.ts';
import { startTestService } from './harness.ts';

/** The form of schedules against the service. */

// The console's language is kept in the browser.
Object.defineProperty(globalThis, 'localStorage', { value: { getItem: () => 'en', setItem: () => {} } });

test('a schedule that is opened and saved is the same, and moved there and back too', async (t) => {
  const { bodyOf, draftOf, moved } = await import('../console/pages/schedule-draft.ts');
  const service = await startTestService(t);
  const world = await createWorld(service);
  const names = { nameEn: 'Season', nameAr: 'موسم' };
  const yearly = { month: 2, day: 22, days: 3, shifts: [] as object[] };
  const pause = { startAt: '11:30', endAt: '13:00' };
  const kinds: Record<string, object> = {
    closed: { from: WORLD_DATE, to: WORLD_DATE, closed: true },
    'without an end, with breaks': {
      from: WORLD_DATE,
      breaks: [{ ...pause, weekdays: [5, 1] }, { ...pause }],
    },
    'weekly, of zones': {
      from: WORLD_DATE,
      to: null,
      weekly: everyDay('18:00', '02:00'),
      zoneIds: [world.zoneId],
    },
    'of teams, with a priority': { from: WORLD_DATE, closed: true, teamIds: world.teamIds, priority: -3 },
    gregorian: { closed: true, yearly: { ...yearly, calendar: 'gregorian' } },
    hijri: { closed: true, yearly: { ...yearly, calendar: 'islamic-umalqura', month: 10, day: 1 } },
    'hijri, moved in this and another year': {
      closed: true,
      yearly: {
        calendar: 'islamic-umalqura',
        month: 10,
        day: 1,
        days: 4,
        shifts: [
          { year: 1448, days: 1 },
          { year: 1450, days: -1 },
        ],
      },
    },
    'over the turn of a year': {
      closed: true,
      yearly: { calendar: 'gregorian', month: 12, day: 31, days: 2, shifts: [] },
    },
    'the last day of a long month, moved back': {
      closed: true,
      yearly: { calendar: 'islamic-umalqura', month: 1, day: 1, days: 1, shifts: [{ year: 1449, days: -2 }] },
    },
  };
  const changed = async (id: string, body: unknown): Promise<Schedule> => {
    const answer = await service.operator('PATCH', `/schedules/${id}`, body);
    assert.equal(answer.status, 200, answer.text);
    return answer.body.data.schedule;
  };
  for (const [name, fields] of Object.entries(kinds)) {
    const made = await service.operator('POST', '/schedules', { ...names, ...fields });
    assert.equal(made.status, 200, made.text);
    const schedule: Schedule = made.body.data.schedule;
    assert.deepEqual(
      await changed(schedule.id, bodyOf(draftOf(schedule, WORLD_DATE), schedule)),
      schedule,
      name,
    );
    for (const days of [1, -1, 2]) {
      const later = await changed(schedule.id, moved(schedule, days, WORLD_DATE));
      assert.notDeepEqual(later.periods, schedule.periods, name);
      assert.deepEqual(
        await changed(schedule.id, bodyOf(draftOf(later, WORLD_DATE), later)),
        later,
        `${name}, moved by ${days}`,
      );
      const { periods } = await changed(schedule.id, moved(later, -days, WORLD_DATE));
      assert.deepEqual(periods, schedule.periods, `${name}, moved by ${days} and back`);
    }
  }
});
