import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { createWorld, WORLD_DATE } from './fixtures.ts';
import {
  afterwards,
  createPostgresDatabase,
  OPERATOR_TOKEN,
  onPostgres,
  startTestService,
} from './harness.ts';
import { runToEnd } from './terminal.ts';

/** Schedules of a file, on the command line. */

const NATIONAL_DAY = {
  yearly: { calendar: 'gregorian', month: 9, day: 23, days: 1, shifts: [] },
  breaks: [{ startAt: '11:30', endAt: '13:00' }],
};

/** The defaults of a schedule. */
const WITHOUT_HOURS = {
  from: null,
  to: null,
  zoneIds: null,
  teamIds: null,
  closed: false,
  weekly: null,
  breaks: [],
  priority: 0,
};

const skip = !onPostgres && 'an embedded database is in the process';

test('a season is kept in a file, shown before it is applied, and applied once', { skip }, async (t) => {
  const databaseUrl = await createPostgresDatabase(t);
  const service = await startTestService(t, { databaseUrl });
  const world = await createWorld(service);
  const { trackingReference } = (await world.book()).body.data;
  // The command line has the clock of the database: the visit lies some weeks after it.
  const now = await service.deps.db.first<{ days: number }>({
    text: `update appointments set starts_at = starts_at + weeks, ends_at = ends_at + weeks, busy_until = busy_until + weeks
      from (select (4 + greatest(0, ceil((current_date - $1::date) / 7.0))) * interval '1 week' as weeks) later
      returning (extract(epoch from weeks) / 86400)::integer as days`,
    values: [WORLD_DATE],
  });
  const date = new Date(Date.parse(WORLD_DATE) + now!.days * 86_400_000).toISOString().slice(0, 10);
  const cli = (...args: string[]) =>
    runToEnd(['schedules', ...args], { DATABASE_URL: databaseUrl, DEPLOYMENT: 'sandbox', OPERATOR_TOKEN });
  const ok = async (...args: string[]): Promise<string> => {
    const { code, stdout, stderr } = await cli(...args);
    assert.deepEqual([code, stderr], [0, ''], stdout);
    return stdout;
  };
  const folder = mkdtempSync(join(tmpdir(), 'pbs-schedules-'));
  afterwards(t, () => rmSync(folder, { recursive: true }));
  const file = join(folder, 'season.json');
  const write = (value: unknown): void => writeFileSync(file, JSON.stringify(value));
  const fails = async (message: RegExp): Promise<void> => {
    const { code, stdout, stderr } = await cli('apply', file);
    assert.deepEqual([code, stdout], [1, '']);
    assert.match(stderr, message);
  };
  const names = async (): Promise<string[]> =>
    (await service.operator('GET', '/schedules')).body.data.map(({ nameEn }: { nameEn: string }) => nameEn);

  const closed = { nameEn: 'Closed', nameAr: 'مغلق', from: date, to: date, closed: true, priority: 5 };
  const prayer = {
    nameEn: 'Friday prayer',
    nameAr: 'صلاة الجمعة',
    from: date,
    breaks: [{ weekdays: [5], startAt: '11:30', endAt: '13:00' }],
  };
  write([closed, prayer]);
  const lost = '1 sold visits outside of the hours of their teams';
  assert.match(await ok('apply', file, '--preview'), new RegExp(`^would be created: Closed; ${lost}\n  `));
  assert.deepEqual(await names(), []);
  const applied = await ok('apply', file);
  assert.match(applied, new RegExp(`^created: Closed; ${lost}\n  ${trackingReference}  ${date}T.*\n`));
  assert.match(applied, /^created: Friday prayer$/m);
  assert.equal(await ok('apply', file), 'unchanged: Closed\nunchanged: Friday prayer\n');
  write([{ ...closed, priority: 6 }]);
  assert.match(await ok('apply', file, '--preview'), /^would be changed: Closed$/m);
  assert.match(await ok('apply', file), /^changed: Closed$/m);
  // Left out of the file means the default: a shared file and the service do not drift apart.
  const morning = { ...closed, closed: false, weekly: [{ weekday: 5, startAt: '08:00', endAt: '12:00' }] };
  for (const whole of [
    { ...morning, priority: 6, teamIds: world.teamIds, breaks: prayer.breaks },
    { ...prayer, nameEn: 'Closed' },
    { ...closed, closed: undefined, from: undefined, to: undefined, ...NATIONAL_DAY },
    { ...closed, zoneIds: [world.zoneId] },
    { ...closed, priority: 6 },
  ]) {
    write([whole]);
    await ok('apply', file);
    const [known] = JSON.parse(await ok('list', '--json')).filter(
      ({ nameEn }: { nameEn: string }) => nameEn === 'Closed',
    );
    const fields = ['from', 'to', 'zoneIds', 'teamIds', 'closed', 'weekly', 'breaks', 'priority'] as const;
    const defaults = { ...WITHOUT_HOURS, ...JSON.parse(JSON.stringify(whole)) };
    assert.deepEqual(
      fields.map((field) => known[field]),
      fields.map((field) => defaults[field]),
    );
  }
  assert.deepEqual(await names(), ['Closed', 'Friday prayer']);
  const listed = await ok('list');
  assert.match(
    listed,
    new RegExp(`^${date} to ${date} +6 +closed +Closed\n${date} to further notice +0 +breaks +Friday`),
  );
  const json = JSON.parse(await ok('list', '--to', date, '--json'));
  assert.deepEqual(json, (await service.operator('GET', '/schedules')).body.data);
  const { data: entries } = (await service.operator('GET', '/audit?action=schedule.update')).body;
  assert.match(entries[0].actor, /^cli:/);

  const templates = JSON.parse(await ok('templates', '1448'));
  write(templates);
  assert.match(await ok('apply', file, '--preview'), /^would be created: Ramadan 1448/m);
  assert.equal((await cli('templates', '1453')).code, 1);

  // A file with a fault changes nothing.
  write([
    { ...closed, priority: 7 },
    { ...prayer, from: 'tomorrow' },
  ]);
  await fails(/^error: schedule 2: from /);
  write([closed, closed]);
  await fails(/two schedules have the name Closed/);
  write([closed, null]);
  await fails(/^error: schedule 2: /);
  write({});
  await fails(/must have an array/);
  writeFileSync(file, '{');
  await fails(/cannot be read/);
  assert.equal(JSON.parse(await ok('list', '--json'))[0].priority, 6);
});
