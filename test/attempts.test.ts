import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createWorld } from './fixtures.ts';
import { startTestService, type TestService } from './harness.ts';

/** The maximum of lost claims before a booking or a move gives up. */
const MAX_ATTEMPTS = 20;

const STALE = `outcome := 'STALE'; return`;
const TAKEN = `outcome := 'TAKEN'; return`;
const RAISE = {
  overlap: `raise exclusion_violation using constraint = 'appointments_no_overlap'`,
  deadlock: `raise deadlock_detected`,
};

/** Loses each claim of a team before the winning one, as if another booking had been faster, and counts the claims. */
async function loseClaims({ deps: { db } }: TestService, lost = STALE) {
  const definition = await db.first<{ text: string }>({
    text: `select pg_get_functiondef('claim_team'::regproc) as text`,
  });
  const named = definition!.text;
  await db.rows({ text: named.replace('public.claim_team(', 'public.claim_team_unhindered(') });
  await db.rows({ text: 'create sequence claims minvalue 0 start 0' });
  const head = named.slice(0, named.indexOf('AS $function$'));
  return async (winning: number): Promise<() => Promise<number>> => {
    await db.rows({
      text: `${head} as $function$
        begin
          if nextval('claims') < ${winning} then ${lost}; end if;
          select * into outcome, team_id, busy_until
          from claim_team_unhindered(p_catalogue_version, p_team_ids, p_starts_at, p_ends_at, p_moving, p_waits);
        end $function$`,
    });
    await db.rows({ text: `select setval('claims', 0)` });
    return async () =>
      (await db.first<{ made: number }>({ text: 'select last_value as made from claims' }))!.made;
  };
}

for (const [how, lost] of Object.entries({ 'a change of the catalogue': STALE, ...RAISE })) {
  test(`the number of attempts of a booking and of both moves is limited: ${how}`, async (t) => {
    const service = await startTestService(t);
    const world = await createWorld(service, { teams: 2 });
    const { bookingId, appointmentId } = (await world.book()).body.data;
    const ways = {
      create: (startAt: string, endAt: string) => world.book({ timeslot: { startAt, endAt } }),
      update: (startAt: string, endAt: string) =>
        service.v1(world.key, 'PATCH', `/partners/bookings/${bookingId}`, { timeslot: { startAt, endAt } }),
      operator: (startAt: string, endAt: string) =>
        service.operator('PATCH', `/appointments/${appointmentId}`, { timeslot: { startAt, endAt } }),
    };
    const starting = await loseClaims(service, lost);
    for (const [way, send] of Object.entries(ways)) {
      const [from, until] = way === 'operator' ? ['16:00', '18:00'] : ['14:00', '16:00'];
      const made = await starting(MAX_ATTEMPTS + 1);
      const refused = await send(from!, until!);
      assert.equal(refused.status, 422, `${way}: ${refused.text}`);
      assert.equal(refused.body.error.details.reason, 'SLOT_UNAVAILABLE', way);
      assert.equal(await made(), MAX_ATTEMPTS, way);

      await starting(MAX_ATTEMPTS);
      const done = await send(from!, until!);
      assert.equal(done.status, 200, `${way}: ${done.text}`);
      assert.equal(await made(), MAX_ATTEMPTS, way);
    }
  });
}

test('a forced move is refused by the first overlap', async (t) => {
  for (const lost of [TAKEN, RAISE.overlap]) {
    const service = await startTestService(t);
    const world = await createWorld(service);
    const { appointmentId } = (await world.book()).body.data;
    const made = await (await loseClaims(service, lost))(MAX_ATTEMPTS + 1);
    const refused = await service.operator('PATCH', `/appointments/${appointmentId}`, {
      timeslot: { startAt: '14:00', endAt: '16:00' },
      force: true,
    });
    assert.deepEqual([refused.status, refused.body.error?.details.reason], [422, 'BUSY'], lost);
    assert.equal(await made(), 1, lost);
  }
});

test('a booking without a free team is refused by the first claim', async (t) => {
  const service = await startTestService(t);
  const world = await createWorld(service);
  const made = await (await loseClaims(service, TAKEN))(MAX_ATTEMPTS + 1);
  const refused = await world.book();
  assert.deepEqual([refused.status, refused.body.error?.details.reason], [422, 'SLOT_UNAVAILABLE']);
  assert.equal(await made(), 1);
});
