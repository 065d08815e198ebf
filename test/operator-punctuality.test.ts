import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { AppointmentStatus } from '../src/bookings/rules.ts';
import { createWorld, type World } from './fixtures.ts';
import { startTestService, type TestService } from './harness.ts';

/** Punctuality against a small model. */

const MINUTE = 60_000;
const DAY_START = Date.parse('2026-11-23T00:00:00+03:00');
const NOW = Date.parse('2026-11-24T15:00:00+03:00');

type Visit = {
  world: number;
  team: number;
  /** Minutes after the start of the first day. */
  startsAt: number;
  status: AppointmentStatus;
  /** Minutes after its start; null: not begun. */
  began: number | null;
};

const STATUSES: AppointmentStatus[] = [
  'Scheduled',
  'In The Way',
  'In Progress',
  'Finished',
  'Completed',
  'Cannot Complete',
  'Cancelled',
];

const visit = fc.record({
  world: fc.nat(1),
  team: fc.nat(1),
  startsAt: fc.integer({ min: -2, max: 23 }).map((hours) => hours * 120),
  status: fc.constantFrom(...STATUSES),
  began: fc.option(fc.integer({ min: -30, max: 60 })),
});

/** The model: counts as the documentation says. */
function expected(visits: readonly Visit[], minutes: number) {
  const due = visits.filter(({ startsAt, status, began }) => {
    const starts = DAY_START + startsAt * MINUTE;
    const isInPeriod = startsAt >= 0 && startsAt < 2 * 24 * 60;
    const counts = status !== 'Cancelled' && (status !== 'Cannot Complete' || began !== null);
    return isInPeriod && counts && starts + minutes * MINUTE <= NOW;
  });
  return {
    visits: due.length,
    punctual: due.filter(({ began }) => began !== null && began <= minutes).length,
    late: due.filter(({ began }) => began !== null && began > minutes).length,
    notBegun: due.filter(({ began }) => began === null).length,
  };
}

/** Writes the visits as they are: one team has each start once. */
async function store({ deps: { db } }: TestService, worlds: readonly World[], visits: readonly Visit[]) {
  await db.rows({ text: 'delete from appointments' });
  for (const [at, { world, team, startsAt, status, began }] of visits.entries()) {
    const { partnerId, contactId, addressId, serviceId, zoneId, teamIds } = worlds[world]!;
    const starts = new Date(DAY_START + startsAt * MINUTE);
    const id = `00000000-0000-4000-8000-${String(world * 100 + at).padStart(12, '0')}`;
    await db.rows({
      text: `insert into bookings (id, partner_id, contact_id, address_id, service_id, status, payment_status,
          payment_responsibility, amount, service_date, created_at, updated_at)
        values ($1, $2, $3, $4, $5, 'in progress', 'PENDING', 'PARTNER', 150, '2026-11-23', $6, $6)
        on conflict (id) do nothing`,
      values: [id, partnerId, contactId, addressId, serviceId, starts.toISOString()],
    });
    await db.rows({
      text: `insert into appointments (id, booking_id, team_id, zone_id, name, status, starts_at, ends_at, busy_until,
          began_at, created_at, updated_at)
        values ($1, $1, $2, $3, $4, $5, $6, $7, $7, $8, $6, $6)`,
      values: [
        id,
        teamIds[team],
        zoneId,
        `SA-${at}`,
        status,
        starts.toISOString(),
        new Date(starts.getTime() + 60 * MINUTE).toISOString(),
        began === null ? null : new Date(starts.getTime() + began * MINUTE).toISOString(),
      ],
    });
  }
}

test('begun within the minutes of the start, by team, zone and partner, as a model counts', async (t) => {
  const service = await startTestService(t);
  const worlds = [await createWorld(service, { teams: 2 }), await createWorld(service, { teams: 2 })];
  service.clock.set(NOW);
  const apart = (one: Visit): string => `${one.world} ${one.team} ${one.startsAt}`;
  await fc.assert(
    fc.asyncProperty(
      fc.uniqueArray(visit, { selector: apart, maxLength: 12 }),
      fc.constantFrom(0, 10, 15, 30),
      async (visits, minutes) => {
        await store(service, worlds, visits);
        const query = `from=2026-11-23&to=2026-11-24&minutes=${minutes}`;
        const answer = await service.operator('GET', `/punctuality?${query}`);
        assert.equal(answer.status, 200, answer.text);
        const { share, teams, zones, partners, ...all } = answer.body.data;
        const whole = expected(visits, minutes);
        assert.deepEqual(all, { from: '2026-11-23', to: '2026-11-24', minutes, ...whole });
        assert.equal(share, whole.visits === 0 ? null : Number((whole.punctual / whole.visits).toFixed(4)));
        const groups = worlds.flatMap(({ zoneId, partnerId, teamIds }, world) => [
          ...teamIds.map((id, team) => ({
            rows: teams,
            id,
            of: (one: Visit) => one.world === world && one.team === team,
          })),
          { rows: zones, id: zoneId, of: (one: Visit) => one.world === world },
          { rows: partners, id: partnerId, of: (one: Visit) => one.world === world },
        ]);
        for (const { rows, id, of } of groups) {
          const found = rows.find((row: { id: string }) => row.id === id);
          const counts = expected(visits.filter(of), minutes);
          assert.equal(found === undefined, counts.visits === 0);
          if (found === undefined) continue;
          const { visits: count, punctual, late, notBegun } = found;
          assert.deepEqual({ visits: count, punctual, late, notBegun }, counts);
        }
      },
    ),
    { numRuns: process.env.TEST_FULL === undefined ? 15 : 60 },
  );
});

test('15 minutes are the default; a period that is too long or ends before it begins is refused', async (t) => {
  const service = await startTestService(t);
  const answer = await service.operator('GET', '/punctuality?from=2026-11-22&to=2026-11-22');
  assert.deepEqual([answer.body.data.minutes, answer.body.data.share], [15, null]);
  for (const query of ['from=2026-11-22&to=2026-11-21', 'from=2026-01-01&to=2026-11-22', 'from=2026-11-22'])
    assert.equal((await service.operator('GET', `/punctuality?${query}`)).status, 400, query);
});
