import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DAY } from '../src/base/clock.ts';
import { forgetCrews } from '../src/crew/retention.ts';
import { booked } from './appointment-fixtures.ts';
import { makeCrewLink, step, TODAY, telephone } from './crew-fixtures.ts';
import { createWorld } from './fixtures.ts';
import { startTestService } from './harness.ts';

test('steps of 90 days ago are deleted, and links that ended so long ago with their telephones', async (t) => {
  const service = await startTestService(t);
  const world = await createWorld(service);
  const booking = await booked(world, '10:00', { date: TODAY });
  const [teamId] = world.teamIds as [string];
  const { db, clock } = service.deps;
  const link = await makeCrewLink(service, teamId, { lasts: 'UNTIL_REVOKED' });
  const lasting = await makeCrewLink(service, teamId, { lasts: 'UNTIL_REVOKED' });
  const phones = await Promise.all([link, lasting].map(({ token }) => telephone(service, { link: token })));
  for (const phone of phones) await step(service, phone, booking, { to: 'In Progress' });
  await service.operator('DELETE', `/crew-links/${link.id}`);
  const left = async (): Promise<unknown[]> =>
    db.rows({
      text: `
        select l.id, (select count(*)::int from crew_sessions s where s.link_id = l.id) as telephones,
          (select count(*)::int from crew_steps s where s.link_id = l.id) as steps
        from crew_links l where l.id = any ($1::uuid[]) order by l.revoked_at`,
      values: [[link.id, lasting.id]],
    });
  const kept = [
    { id: link.id, telephones: 1, steps: 1 },
    { id: lasting.id, telephones: 1, steps: 1 },
  ];
  const forgetAt = (days: number, realDays: number) => {
    const now = clock.now() + days * DAY + 1;
    return forgetCrews(db, { now: () => now, offset: () => (days - realDays) * DAY });
  };
  assert.deepEqual(await left(), kept);
  await forgetAt(89, 91);
  assert.deepEqual(await left(), kept, 'a link stays with its steps');
  await forgetAt(90, 89);
  assert.deepEqual(
    await left(),
    kept.map((row) => ({ ...row, steps: 0 })),
  );
  await forgetAt(90, 90);
  assert.deepEqual(await left(), [{ ...kept[1], steps: 0 }], 'one that has not ended stays');
});
