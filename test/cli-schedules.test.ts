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

const skip = !onPostgres && 'an embedded database is in the process';

test('a season is kept in a set-up file, checked before it is applied, and listed', { skip }, async (t) => {
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
    runToEnd(args, { DATABASE_URL: databaseUrl, DEPLOYMENT: 'sandbox', OPERATOR_TOKEN });
  const ok = async (...args: string[]): Promise<string> => {
    const { code, stdout, stderr } = await cli(...args);
    assert.deepEqual([code, stderr], [0, ''], stdout);
    return stdout;
  };
  const folder = mkdtempSync(join(tmpdir(), 'pbs-schedules-'));
  afterwards(t, () => rmSync(folder, { recursive: true }));
  const file = join(folder, 'season.json');
  const write = (...schedules: unknown[]): void =>
    writeFileSync(file, JSON.stringify({ format: 1, schedules }));
  const names = async (): Promise<string[]> =>
    (await service.operator('GET', '/schedules')).body.data.map(({ nameEn }: { nameEn: string }) => nameEn);

  const closed = { nameEn: 'Closed', nameAr: 'مغلق', from: date, to: date, closed: true, priority: 5 };
  const prayer = {
    nameEn: 'Friday prayer',
    nameAr: 'صلاة الجمعة',
    from: date,
    breaks: [{ weekdays: [5], startAt: '11:30', endAt: '13:00' }],
  };
  write(closed, prayer);
  const lost = new RegExp(
    `^this would change:\n {2}new schedule "Closed"\n {2}new schedule "Friday prayer"\n1 sold visits out of place, 0 of them of series; .*\n` +
      ` {2}${date} {2}Zone \\w+: 1\n {2}${trackingReference} {2}${date}T.* {2}OFF_SHIFT\n`,
  );
  assert.match(await ok('setup', 'check', file), lost);
  assert.deepEqual(await names(), []);
  assert.match(await ok('setup', 'apply', file), /^changed:\n {2}new schedule "Closed"\n/);
  assert.match(await ok('setup', 'apply', file), /^nothing differs\n/);
  assert.deepEqual(await names(), ['Closed', 'Friday prayer']);
  const listed = await ok('schedules', 'list');
  assert.match(
    listed,
    new RegExp(`^${date} to ${date} +5 +closed +Closed\n${date} to further notice +0 +breaks +Friday`),
  );
  const json = JSON.parse(await ok('schedules', 'list', '--to', date, '--json'));
  assert.deepEqual(json, (await service.operator('GET', '/schedules')).body.data);

  writeFileSync(file, await ok('schedules', 'templates', '1448'));
  assert.match(await ok('setup', 'check', file), /^this would change:\n[\s\S]*new schedule "Ramadan 1448"/);
  assert.equal((await cli('schedules', 'templates', '1453')).code, 1);
});
