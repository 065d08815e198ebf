import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Schedule, ScheduleTemplate } from '../console/contract.ts';
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

test('Ramadan is one schedule by day, or two: teams by night first, all others by day', async (t) => {
  const { apartDrafts, bodyOf, shiftsOf } = await import('../console/pages/schedule-draft.ts');
  const service = await startTestService(t);
  const { teamIds } = await createWorld(service, { teams: 3 });
  const templates = (await service.operator('GET', '/schedules/templates?year=1448')).body.data;
  const apart = templates.filter((template: ScheduleTemplate) => shiftsOf(template, 'night').length > 0);
  assert.deepEqual(
    apart.map(({ key }: ScheduleTemplate) => key),
    ['ramadan'],
  );
  const save = async (drafts: ReturnType<typeof apartDrafts>) => {
    for (const draft of drafts) {
      const { status, body } = await service.operator('POST', '/schedules', bodyOf(draft));
      assert.deepEqual([status, body.data.longDays], [200, []]);
    }
    return drafts.length;
  };
  const hoursOf = async (team: string) => {
    const { body } = await service.operator('GET', `/teams/${team}/hours?from=2027-02-15&to=2027-02-15`);
    return body.data[0].hours
      .filter(({ startsAt }: Record<string, string>) => startsAt!.startsWith('2027-02-15'))
      .map(({ startsAt, endsAt }: Record<string, string>) =>
        [startsAt, endsAt].map((stamp) => stamp!.slice(11, 16)).join(' '),
      );
  };
  assert.equal(await save(apartDrafts(apart[0], [teamIds[2]!])), 2);
  assert.deepEqual(await Promise.all(teamIds.map(hoursOf)), [
    ['10:00 16:00'],
    ['10:00 16:00'],
    ['20:00 01:00'],
  ]);
  assert.equal(apartDrafts(apart[0], []).length, 1);
});
