import assert from 'node:assert/strict';
import { test } from 'node:test';
import { VISIT_STEPS } from '../src/crew/rules.ts';
import { completeFinished } from '../src/dispatch/jobs.ts';
import { parseConfig } from '../src/program/config.ts';
import { type Booked, booked, patched, shown, slot, traces } from './appointment-fixtures.ts';
import {
  crew,
  dayOf,
  makeCrewLink,
  openLink,
  sendStep,
  step,
  stepBody,
  TODAY,
  telephone,
  telephoneOf,
} from './crew-fixtures.ts';
import { createWorld, everyDay } from './fixtures.ts';
import { type Answer, alsoOnServer, startTestService, type TestService } from './harness.ts';
import { refused } from './portal-fixtures.ts';
import { until } from './until.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

/** A world with a visit of its team today, and a telephone of that team. */
async function worldWithVisit(service: TestService, options: Parameters<typeof createWorld>[1] = {}) {
  const world = await createWorld(service, options);
  const booking = await booked(world, '10:00', { date: TODAY });
  const teamId = (await shown(service, booking)).team.id as string;
  return { world, booking, teamId, phone: await telephoneOf(service, teamId) };
}

const endsWith = (answer: Answer, check: string, reason: string): void =>
  refused(answer, 401, 'UNAUTHORIZED', { check, reason });

// ---------------------------------------------------------------------------
// Links and sessions

test('a link opens sessions of several telephones for a day, and is listed with when they were seen', async (t) => {
  const service = await startTestService(t);
  const { teamIds } = await createWorld(service);
  const teamId = teamIds[0]!;
  const { token, ...link } = await makeCrewLink(service, teamId);
  assert.match(token, /^pbs_crew_[\w-]{43}$/);
  assert.deepEqual(link, {
    id: link.id,
    teamId,
    status: 'ACTIVE',
    hasPin: false,
    telephones: 0,
    lastSeenAt: null,
    createdBy: 'operator:first-token',
    createdAt: '2026-11-22T08:00:00+03:00',
    expiresAt: '2026-11-23T08:00:00+03:00',
    revokedAt: null,
  });
  const opened = await openLink(service, { link: token });
  assert.equal(opened.status, 201, opened.text);
  assert.match(
    opened.headers.get('set-cookie')!,
    /^pbs_crew=pbs_crew_session_[\w-]{43}; Path=\/crew; Max-Age=34560000; HttpOnly; SameSite=Strict$/,
  );
  assert.doesNotMatch(opened.text, /pbs_crew/);
  const first = opened.headers.get('set-cookie')!.split(';')[0]!;
  // The same telephone once more is no other one.
  assert.equal((await openLink(service, { link: token }, first)).headers.get('set-cookie'), null);
  const second = await telephone(service, { link: token });
  assert.notEqual(first, second);
  for (const each of [first, second])
    assert.equal((await crew(service, each, 'GET', '/me')).body.data.teamId, teamId);

  const listed = async () => (await service.operator('GET', `/teams/${teamId}/crew-links`)).body.data[0];
  assert.equal((await listed()).telephones, 2);
  service.clock.advance(HOUR);
  await crew(service, second, 'GET', '/me');
  await until(async () => (await listed()).lastSeenAt === '2026-11-22T09:00:00+03:00');

  // One signs out; the other stays until the link ends.
  assert.equal((await crew(service, first, 'DELETE', '/session')).status, 200);
  endsWith(await crew(service, first, 'GET', '/me'), 'session', 'not-valid');
  service.clock.advance(23 * HOUR - 1);
  assert.equal((await crew(service, second, 'GET', '/me')).status, 200);
  service.clock.advance(1);
  endsWith(await crew(service, second, 'GET', '/me'), 'session', 'link-ended');
  endsWith(await openLink(service, { link: token }), 'link', 'not-valid');
  assert.equal((await listed()).status, 'EXPIRED');
  refused(await service.operator('DELETE', `/crew-links/${link.id}`), 422, 'INVALID_TRANSITION');

  // The plain text is stored nowhere.
  const stored = await service.deps.db.rows({
    text: `select to_jsonb(l)::text from crew_links l union all select to_jsonb(s)::text from crew_sessions s
      union all select to_jsonb(a)::text from audit_log a`,
  });
  for (const secret of [token, first.split('=')[1]!, second.split('=')[1]!]) {
    assert.ok(!JSON.stringify(stored).includes(secret));
    assert.ok(!service.logged().includes(secret));
  }
});

test('a link until revoked lasts; revoking it signs all telephones out at once', async (t) => {
  const service = await startTestService(t);
  const { phone: other, teamId } = await worldWithVisit(service);
  const link = await makeCrewLink(service, teamId, { lasts: 'UNTIL_REVOKED' });
  assert.equal(link.expiresAt, null);
  const phone = await telephone(service, { link: link.token });
  service.clock.advance(20 * HOUR);
  assert.equal((await crew(service, phone, 'GET', '/day')).status, 200);
  const revoked = await service.operator('DELETE', `/crew-links/${link.id}`);
  assert.equal(revoked.body.data.status, 'REVOKED');
  // When its telephones were last seen is stored a moment later.
  const again = await service.operator('DELETE', `/crew-links/${link.id}`);
  assert.deepEqual({ ...again.body.data, lastSeenAt: null }, { ...revoked.body.data, lastSeenAt: null });
  endsWith(await crew(service, phone, 'GET', '/day'), 'session', 'link-ended');
  endsWith(await openLink(service, { link: link.token }), 'link', 'not-valid');
  // Another link of the team is another one.
  assert.equal((await crew(service, other, 'GET', '/day')).status, 200);
  const entries = await service.deps.db.rows({
    text: `select action, actor from audit_log where target = $1 order by position`,
    values: [`crew-link:${link.id}`],
  });
  const actor = 'operator:first-token';
  assert.deepEqual(entries, [
    { action: 'crew-link.create', actor },
    { action: 'crew-link.revoke', actor },
  ]);
});

test(
  'tries of a PIN are limited, also at once and in several processes; the telephones stay',
  alsoOnServer,
  async (t) => {
    const service = await startTestService(t, { maxAuthFailures: 1_000 });
    const { teamIds } = await createWorld(service);
    const { token, id } = await makeCrewLink(service, teamIds[0]!, { pin: '4711' });
    endsWith(await openLink(service, { link: token }), 'link', 'pin-missing');
    endsWith(await openLink(service, { link: token, pin: '4712' }), 'link', 'pin-wrong');
    const phone = await telephone(service, { link: token, pin: '4711' });
    // The right one has taken the wrong one back: all ten are left.
    const tries = await Promise.all(
      Array.from({ length: 30 }, (_, at) => openLink(service, { link: token, pin: String(5_000 + at) })),
    );
    const reasons = tries.map(({ body }) => body.error.details.reason).sort();
    assert.deepEqual(reasons, [...Array(20).fill('locked'), ...Array(10).fill('pin-wrong')]);
    endsWith(await openLink(service, { link: token, pin: '4711' }), 'link', 'locked');
    const [link] = (await service.operator('GET', `/teams/${teamIds[0]}/crew-links`)).body.data;
    assert.deepEqual([link.id, link.status, link.hasPin], [id, 'LOCKED', true]);
    assert.equal((await crew(service, phone, 'GET', '/me')).status, 200);
    const stored = await service.deps.db.first<{ hash: Buffer }>({
      text: 'select pin_hash as hash from crew_links',
    });
    assert.equal(stored!.hash.length, 32);
  },
);

test('guesses of links, PINs and sessions are failed authentications', async (t) => {
  const service = await startTestService(t, { maxAuthFailures: 3 });
  const { teamIds } = await createWorld(service);
  const { token } = await makeCrewLink(service, teamIds[0]!, { pin: '4711' });
  for (let look = 0; look < 5; look++)
    endsWith(await openLink(service, { link: token }), 'link', 'pin-missing');
  endsWith(await openLink(service, { link: 'pbs_crew_guess' }), 'link', 'not-valid');
  endsWith(await openLink(service, { link: token, pin: '0000' }), 'link', 'pin-wrong');
  endsWith(await crew(service, 'pbs_crew=guess', 'GET', '/day'), 'session', 'not-valid');
  const limited = { check: 'failed-authentications' };
  refused(await crew(service, 'pbs_crew=guess', 'GET', '/day'), 429, 'RATE_LIMIT_EXCEEDED', limited);
  refused(await openLink(service, { link: 'pbs_crew_guess' }), 429, 'RATE_LIMIT_EXCEEDED', limited);
  // Valid links work still, and an ended one is no guess.
  const phone = await telephone(service, { link: token, pin: '4711' });
  service.clock.advance(24 * HOUR);
  for (let look = 0; look < 5; look++)
    endsWith(await crew(service, phone, 'GET', '/day'), 'session', 'link-ended');
});

test('a link of another team than the telephone shows is refused, and is no guess', async (t) => {
  const service = await startTestService(t, { maxAuthFailures: 1 });
  const { phone, teamId, world } = await worldWithVisit(service, { teams: 2 });
  const other = world.teamIds.find((id) => id !== teamId)!;
  const { token } = await makeCrewLink(service, other, { pin: '4711' });
  for (let look = 0; look < 3; look++)
    endsWith(await openLink(service, { link: token, teamId }, phone), 'link', 'other-team');
  assert.equal((await crew(service, phone, 'GET', '/me')).body.data.teamId, teamId);
  endsWith(await openLink(service, { link: token, teamId: other }, phone), 'link', 'pin-missing');
  assert.equal((await openLink(service, { link: token, teamId: other, pin: '4711' }, phone)).status, 201);
});

test('pages of other sites reach nothing, and unknown paths are 404', async (t) => {
  const service = await startTestService(t);
  const { phone, booking } = await worldWithVisit(service);
  const { token } = await makeCrewLink(service, (await shown(service, booking)).team.id);
  const other: Record<string, string> = { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' };
  const origin = { check: 'origin' };
  refused(await crew(service, phone, 'GET', '/day', undefined, other), 403, 'FORBIDDEN', origin);
  refused(await openLink(service, { link: token }, null, other), 403, 'FORBIDDEN', origin);
  const body = stepBody(service, booking, { to: 'In The Way' });
  const path = `/visits/${booking.appointmentId}/steps`;
  refused(await crew(service, phone, 'POST', path, body, other), 403, 'FORBIDDEN', origin);
  refused(await crew(service, phone, 'GET', '/nothing'), 404, 'RESOURCE_NOT_FOUND');
  refused(await crew(service, phone, 'POST', '/nothing'), 404, 'RESOURCE_NOT_FOUND');
  refused(await crew(service, null, 'POST', '/nothing'), 401, 'UNAUTHORIZED');
  refused(await sendStep(service, phone, { appointmentId: body.key }, body), 404, 'RESOURCE_NOT_FOUND');
  // Nothing else can be done to a visit.
  for (const to of ['Scheduled', 'Confirmed', 'Completed', 'Cancelled', 'New'])
    refused(await sendStep(service, phone, booking, { ...body, to }), 400, 'VALIDATION_ERROR');
});

// ---------------------------------------------------------------------------
// The day

/** Random ones of the fixtures, which may have any digits. */
const RANDOM = /Service [0-9a-f]{12}|[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g;

test('a crew sees its own visits of today and tomorrow in order, and of customers the first name', async (t) => {
  const service = await startTestService(t);
  const world = await createWorld(service, { teams: 2, service: { nameAr: 'تنظيف' } });
  const late = await booked(world, '15:00', { date: TODAY });
  const { team } = await shown(service, late);
  const other = world.teamIds.find((id) => id !== team.id)!;
  const early = await booked(world, '10:00', { date: TODAY });
  await patched(service, early, { teamId: team.id });
  const tomorrow = await booked(world, '10:00');
  await patched(service, tomorrow, { teamId: team.id });
  const elsewhere = await booked(world, '12:30');
  await patched(service, elsewhere, { teamId: other });
  const later = await booked(world, '10:00', { date: '2026-11-24' });
  await patched(service, later, { teamId: team.id });
  const phone = await telephoneOf(service, team.id);

  const day = await dayOf(service, phone);
  assert.deepEqual([day.today, day.tomorrow], [TODAY, '2026-11-23']);
  assert.deepEqual(
    day.visits.map(({ id, date, startAt }: Record<string, string>) => [id, date, startAt]),
    [
      [early.appointmentId, TODAY, '10:00'],
      [late.appointmentId, TODAY, '15:00'],
      [tomorrow.appointmentId, '2026-11-23', '10:00'],
    ],
  );
  const [first] = day.visits;
  assert.deepEqual([first.customer, first.status, first.next], ['Noura', 'Scheduled', ['In The Way']]);
  assert.deepEqual(first.payment, { state: 'DUE', amount: 150, isAwaited: false });
  assert.equal(first.service.nameAr, 'تنظيف');
  assert.equal(Number(first.address.latitude), world.latitude);
  const others = await dayOf(service, await telephoneOf(service, other));
  assert.deepEqual(
    others.visits.map(({ id }: { id: string }) => id),
    [elsewhere.appointmentId],
  );
  assert.doesNotMatch(JSON.stringify(day).replaceAll(RANDOM, ''), /Qahtani|966/);
});

test('an unchanged day is 304; a change of the office is in the next one', async (t) => {
  const service = await startTestService(t);
  const { booking, phone } = await worldWithVisit(service);
  const first = await crew(service, phone, 'GET', '/day');
  const same = { 'if-none-match': first.headers.get('etag')! };
  service.clock.advance(MINUTE);
  assert.equal((await crew(service, phone, 'GET', '/day', undefined, same)).status, 304);
  await patched(service, booking, { status: 'Confirmed' });
  const changed = await crew(service, phone, 'GET', '/day', undefined, same);
  assert.equal(changed.body.data.visits[0].status, 'Confirmed');
});

test('the phone is shown from an hour before the start until the end, and not once the visit is over', async (t) => {
  const service = await startTestService(t);
  const { booking, phone } = await worldWithVisit(service);
  const number = async (): Promise<string | null> => (await dayOf(service, phone)).visits[0].phone;
  const at = (time: string) => service.clock.set(Date.parse(`${TODAY}T${time}+03:00`));
  at('08:59:59.999');
  assert.equal(await number(), null);
  at('09:00:00.000');
  assert.match((await number())!, /^\+9665\d{8}$/);
  at('11:59:59.999');
  assert.match((await number())!, /^\+9665\d{8}$/);
  at('12:00:00.000');
  assert.equal(await number(), null);
  at('10:30:00.000');
  for (const to of VISIT_STEPS) {
    assert.notEqual(await number(), null, `before ${to}`);
    const taken = await step(service, phone, booking, { to });
    assert.equal(taken.visit.phone === null, to === 'Finished');
  }
  assert.equal(await number(), null);
});

test('a visit that has begun stays past midnight; a cancelled one is shown without its notes', async (t) => {
  const service = await startTestService(t);
  const { world, booking, phone } = await worldWithVisit(service);
  const gone = await booked(world, '15:00', { date: TODAY, notes: 'Code 4711' });
  assert.match(JSON.stringify(await dayOf(service, phone)), /Code 4711/);
  const cancel = {
    reasonId: (await service.operator('POST', '/cancellation-reasons', { nameEn: 'a', nameAr: 'b' })).body
      .data.id,
  };
  await service.operator('POST', `/bookings/${gone.bookingId}/cancel`, cancel);
  const day = await dayOf(service, phone);
  assert.deepEqual(
    day.visits.map(({ status, notes, next }: Record<string, unknown>) => [status, notes, next]),
    [
      ['Scheduled', null, ['In The Way']],
      ['Cancelled', null, []],
    ],
  );
  service.clock.advance(2 * HOUR);
  await step(service, phone, booking, { to: 'In The Way' });
  service.clock.set(Date.parse('2026-11-23T00:30:00+03:00'));
  const night = await dayOf(service, phone);
  assert.deepEqual(
    night.visits.map(({ id, status }: Record<string, unknown>) => [id, status]),
    [[booking.appointmentId, 'In The Way']],
  );
});

test('a visit after midnight belongs to the evening before: listed, with its code, and worked then', async (t) => {
  const service = await startTestService(t);
  const team = { shifts: everyDay('18:00', '06:00') };
  const world = await createWorld(service, { team, service: { durationMinutes: 60 } });
  const at = (time: string) => service.clock.set(Date.parse(time));
  const night = async (date: string, startAt: string, endAt: string) =>
    booked(world, startAt, { date, timeslot: { startAt, endAt }, accessCode: '4711#' });
  const first = await night('2026-11-23', '00:30', '01:30');
  const last = await night('2026-11-24', '04:30', '05:30');
  await night('2026-11-24', '19:00', '20:00');
  await night('2026-11-25', '00:30', '01:30');
  const { token } = await makeCrewLink(service, world.teamIds[0]!, { lasts: 'UNTIL_REVOKED' });
  const phone = await telephone(service, { link: token });
  const codes = async () =>
    (await dayOf(service, phone)).visits.map(({ date, startAt, accessCode }: Record<string, string>) => [
      date?.slice(8),
      startAt,
      accessCode,
    ]);
  at('2026-11-22T23:40:00+03:00');
  assert.deepEqual(await codes(), [
    ['23', '00:30', '4711#'],
    // Tomorrow's night.
    ['24', '04:30', null],
  ]);
  assert.equal((await step(service, phone, first, { to: 'In The Way' })).outcome, 'DONE');
  at('2026-11-23T23:00:00+03:00');
  assert.deepEqual(await codes(), [
    ['23', '00:30', '4711#'],
    ['24', '04:30', '4711#'],
    ['24', '19:00', null],
    ['25', '00:30', null],
  ]);
  assert.equal((await step(service, phone, last, { to: 'In The Way' })).outcome, 'DONE');
});

// ---------------------------------------------------------------------------
// Steps

const beganAt = (row: unknown): number => (row as { began_at: number }).began_at;

type Events = Awaited<ReturnType<typeof traces>>['events'];
const moves = (events: Events) =>
  events
    .filter(({ event }) => event === 'booking.appointment_status_changed')
    .map(({ actor, payload }) => [actor, payload.appointmentStatusChange.to]);

test('the steps of a visit are those of the office: one event and one audit entry each, by the crew', async (t) => {
  const service = await startTestService(t);
  const { booking, phone, teamId } = await worldWithVisit(service);
  for (const to of VISIT_STEPS) {
    service.clock.advance(30 * MINUTE);
    const taken = await step(service, phone, booking, { to, minutesAgo: 10 });
    assert.deepEqual([taken.outcome, taken.refusal, taken.visit.status], ['DONE', null, to]);
  }
  const { events, audit, appointment } = await traces(service, booking);
  const actor = `crew:${teamId}`;
  assert.deepEqual(
    moves(events),
    VISIT_STEPS.map((to) => [actor, to]),
  );
  assert.deepEqual(
    (audit as { actor: string; after: { status: string; happenedAt: string } }[]).map(({ actor, after }) => [
      actor,
      after.status,
      after.happenedAt,
    ]),
    [
      [actor, 'In The Way', '2026-11-22T08:20:00+03:00'],
      [actor, 'In The location', '2026-11-22T08:50:00+03:00'],
      [actor, 'In Progress', '2026-11-22T09:20:00+03:00'],
      [actor, 'Finished', '2026-11-22T09:50:00+03:00'],
    ],
  );
  // When it happened is where the partner and punctuality read it.
  assert.equal(events.at(-1)!.payload.appointmentStatusChange.changedAt, '2026-11-22T09:50:00+03:00');
  assert.equal(beganAt(appointment), Date.parse('2026-11-22T09:20:00+03:00'));
  const { history } = (await service.operator('GET', `/bookings/${booking.bookingId}`)).body.data;
  assert.deepEqual(
    history.map(({ by, happenedAt }: Record<string, string>) => [by, happenedAt?.slice(11, 16) ?? null]),
    [['partner', null], ...['08:20', '08:50', '09:20', '09:50'].map((time) => [actor, time])],
  );
  assert.equal((await step(service, phone, booking, { to: 'Finished' })).outcome, 'DONE');
  assert.equal(moves((await traces(service, booking)).events).length, 4);
});

test('cannot complete takes one of five reasons and a text, for the office', async (t) => {
  const service = await startTestService(t);
  const { booking, phone } = await worldWithVisit(service);
  await step(service, phone, booking, { to: 'In The Way' });
  const wrong = [
    { to: 'Cannot Complete' },
    { to: 'Cannot Complete', reason: 'OTHER' },
    { to: 'In The location', reason: 'CREW' },
    { to: 'In The location', text: 'Rang' },
  ];
  for (const fields of wrong)
    refused(
      await sendStep(service, phone, booking, stepBody(service, booking, fields)),
      400,
      'VALIDATION_ERROR',
    );
  const why = { reason: 'CUSTOMER_ABSENT', text: 'Rang three times' };
  const taken = await step(service, phone, booking, { to: 'Cannot Complete', ...why });
  assert.deepEqual([taken.outcome, taken.visit.status], ['DONE', 'Cannot Complete']);
  const { history } = (await service.operator('GET', `/bookings/${booking.bookingId}`)).body.data;
  assert.deepEqual([history.at(-1).reason, history.at(-1).notes], ['CUSTOMER_ABSENT', 'Rang three times']);
  const { cannotComplete } = (await service.operator('GET', '/attention')).body.data;
  assert.equal(cannotComplete.count, 1);
});

test('a step that is sent twice, or at once, is one', alsoOnServer, async (t) => {
  const service = await startTestService(t);
  const { booking, phone } = await worldWithVisit(service);
  const body = stepBody(service, booking, { to: 'In The Way' });
  const answers = await Promise.all(Array.from({ length: 6 }, () => sendStep(service, phone, booking, body)));
  for (const answer of answers) assert.equal(answer.body.data?.outcome, 'DONE', answer.text);
  // A repetition has the result of the first, whatever was done since.
  await step(service, phone, booking, { to: 'In The location' });
  const again = (await sendStep(service, phone, booking, body)).body.data;
  assert.deepEqual([again.outcome, again.visit.status], ['DONE', 'In The location']);
  assert.equal(moves((await traces(service, booking)).events).length, 2);
});

test('the key of a step stands for its content: with other content it is refused', async (t) => {
  const service = await startTestService(t);
  const { booking, phone } = await worldWithVisit(service);
  const outcome = async (body: object): Promise<string> =>
    (await sendStep(service, phone, booking, body)).body.data?.outcome;
  const first = stepBody(service, booking, { to: 'In The Way' });
  assert.equal(await outcome(first), 'DONE');
  const later = { happenedAt: first.sentAt, sentAt: new Date(service.clock.now() + 5_000).toISOString() };
  assert.equal(await outcome({ ...first, ...later }), 'DONE');
  const other = { startsAt: '2026-11-22T23:00:00+03:00' };
  for (const change of [{ to: 'In The location' }, { to: 'Cannot Complete', reason: 'CREW' }, other])
    assert.equal(await outcome({ ...first, ...change }), 'REFUSED', JSON.stringify(change));
  const last = stepBody(service, booking, {
    to: 'Cannot Complete',
    reason: 'CREW',
    text: 'The van broke down',
  });
  assert.equal(await outcome(last), 'DONE');
  assert.equal(await outcome(last), 'DONE');
  for (const change of [{ reason: 'UNSAFE' }, { text: 'A dog' }, { text: undefined }])
    assert.equal(await outcome({ ...last, ...change }), 'REFUSED', JSON.stringify(change));
  const second = await worldWithVisit(service);
  const elsewhere = await sendStep(service, phone, second.booking, first);
  assert.notEqual(elsewhere.body.data?.outcome, 'DONE', elsewhere.text);
  assert.equal(moves((await traces(service, booking)).events).length, 2);
});

test(
  'two telephones of a team: the same tap is one move, and a later status wins',
  alsoOnServer,
  async (t) => {
    const service = await startTestService(t);
    const { booking, phone, teamId } = await worldWithVisit(service);
    const other = await telephoneOf(service, teamId);
    const both = await Promise.all(
      [phone, other].map((one) => step(service, one, booking, { to: 'In The Way' })),
    );
    assert.deepEqual(
      both.map(({ outcome }) => outcome),
      ['DONE', 'DONE'],
    );
    await step(service, phone, booking, { to: 'In The location' });
    await step(service, phone, booking, { to: 'In Progress' });
    // The other one was without a network, and sends what it did then.
    const late = await step(service, other, booking, { to: 'In The location', minutesAgo: 5 });
    assert.deepEqual([late.outcome, late.refusal, late.visit.status], ['REFUSED', 'MOVED_ON', 'In Progress']);
    assert.deepEqual(
      moves((await traces(service, booking)).events).map(([, to]) => to),
      ['In The Way', 'In The location', 'In Progress'],
    );
  },
);

test('steps of a dead network keep their times: up to 12 hours ago, not before the one before', async (t) => {
  const service = await startTestService(t);
  const { world, booking, phone } = await worldWithVisit(service);
  service.clock.set(Date.parse('2026-11-22T13:00:00+03:00'));
  const times = [180, 190, 120, 5];
  for (const [at, to] of VISIT_STEPS.entries())
    assert.equal((await step(service, phone, booking, { to, minutesAgo: times[at]! })).outcome, 'DONE');
  const { events, appointment } = await traces(service, booking);
  assert.deepEqual(
    events.slice(1).map(({ payload }) => payload.appointmentStatusChange.changedAt.slice(11, 16)),
    ['10:00', '10:00', '11:00', '12:55'],
  );
  assert.equal(beganAt(appointment), Date.parse('2026-11-22T11:00:00+03:00'));

  // The clock of a telephone may be wrong by years, and ahead: the time since counts.
  const second = await booked(world, '15:30', { date: TODAY });
  const minute = (time: string) => new Date(Date.parse(`2001-01-01T${time}Z`)).toISOString();
  const wrong = { happenedAt: minute('00:10:00'), sentAt: minute('00:25:00') };
  assert.equal((await step(service, phone, second, { to: 'In The Way', ...wrong })).outcome, 'DONE');
  const ahead = { happenedAt: minute('00:40:00'), sentAt: minute('00:25:00') };
  assert.equal((await step(service, phone, second, { to: 'In The location', ...ahead })).outcome, 'DONE');
  assert.deepEqual(
    (await traces(service, second)).events
      .slice(1)
      .map(({ payload }) => payload.appointmentStatusChange.changedAt.slice(11, 16)),
    ['12:45', '13:00'],
  );
  service.clock.advance(13 * HOUR);
  const old = await step(service, phone, second, { to: 'In Progress', minutesAgo: 12 * 60 + 1 });
  assert.equal(old.refusal, 'TOO_OLD');
  assert.equal(
    (await step(service, phone, second, { to: 'In Progress', minutesAgo: 12 * 60 })).outcome,
    'DONE',
  );
});

/** A refused step is in the visit's history, in the audit log, in the list of steps, and needs attention. */
async function toldToOffice(service: TestService, booking: Booked, refusal: string): Promise<void> {
  const { history } = (await service.operator('GET', `/bookings/${booking.bookingId}`)).body.data;
  const told = history.findLast(({ what }: { what: string }) => what === 'crew-step.refuse');
  assert.equal(told.reason, refusal);
  const list = await service.operator(
    'GET',
    `/crew-steps?appointmentId=${booking.appointmentId}&outcome=REFUSED`,
  );
  assert.equal(list.body.data[0].refusal, refusal, list.text);
  const { stepsRefused } = (await service.operator('GET', '/attention')).body.data;
  assert.ok(stepsRefused.rows.some(({ key }: { key: string }) => key === list.body.data[0].key));
}

test('a visit that was reassigned, moved or cancelled meanwhile refuses the step, and the office is told', async (t) => {
  const service = await startTestService(t);
  const { world, booking, phone, teamId } = await worldWithVisit(service, { teams: 2 });
  const other = world.teamIds.find((id) => id !== teamId)!;
  await patched(service, booking, { teamId: other });
  const reassigned = await step(service, phone, booking, { to: 'In The Way' });
  assert.deepEqual(
    [reassigned.outcome, reassigned.refusal, reassigned.visit],
    ['REFUSED', 'OTHER_TEAM', null],
  );
  await toldToOffice(service, booking, 'OTHER_TEAM');

  service.clock.advance(MINUTE);
  await patched(service, booking, { teamId, date: '2026-11-23' });
  const moved = await step(service, phone, booking, { to: 'In The Way' });
  assert.deepEqual([moved.refusal, moved.visit.date], ['RESCHEDULED', '2026-11-23']);
  await toldToOffice(service, booking, 'RESCHEDULED');

  service.clock.advance(MINUTE);
  const { id: reasonId } = (
    await service.operator('POST', '/cancellation-reasons', { nameEn: 'Rain', nameAr: 'مطر' })
  ).body.data;
  await service.operator('POST', `/bookings/${booking.bookingId}/cancel`, { reasonId });
  const cancelled = await step(service, phone, booking, { to: 'In The Way' });
  assert.deepEqual([cancelled.refusal, cancelled.visit.status], ['CANCELLED', 'Cancelled']);
  await toldToOffice(service, booking, 'CANCELLED');
  const office = 'operator:first-token';
  assert.deepEqual(moves((await traces(service, booking)).events), [[office, 'Cancelled']]);
});

test('a visit that was moved within its day takes the steps of the work, with their times', async (t) => {
  const service = await startTestService(t);
  const { booking, phone } = await worldWithVisit(service);
  await patched(service, booking, { timeslot: slot('10:30', '12:30') });
  service.clock.set(Date.parse('2026-11-22T13:00:00+03:00'));
  for (const [at, to] of VISIT_STEPS.entries())
    assert.equal((await step(service, phone, booking, { to, minutesAgo: 180 - at * 40 })).outcome, 'DONE');
  assert.deepEqual(
    (await traces(service, booking)).events
      .filter(({ payload }) => payload.appointmentStatusChange !== undefined)
      .map(({ payload }) => payload.appointmentStatusChange.changedAt.slice(11, 16)),
    ['10:00', '10:40', '11:20', '12:00'],
  );
});

test('the clock of a telephone is set between a step and its sending: taken, and marked as uncertain', async (t) => {
  const service = await startTestService(t);
  const { booking, phone } = await worldWithVisit(service);
  service.clock.set(Date.parse('2026-11-22T11:00:00+03:00'));
  const now = service.clock.now();
  const stamp = (at: number): string => new Date(at).toISOString();
  const sent = (to: string, fields: { happenedAt: number; sentAt: number; ahead: number }) =>
    step(service, phone, booking, {
      to,
      ...fields,
      happenedAt: stamp(fields.happenedAt),
      sentAt: stamp(fields.sentAt),
    });
  // Five hours slow when it happened 50 minutes ago, right when it is sent; then 20 hours slow; then years.
  const slow = { happenedAt: now - 50 * MINUTE - 5 * HOUR, sentAt: now, ahead: 5 * HOUR };
  assert.equal((await sent('In The Way', slow)).outcome, 'DONE');
  const slower = { happenedAt: now - 30 * MINUTE - 20 * HOUR, sentAt: now, ahead: 20 * HOUR };
  assert.equal((await sent('In The location', slower)).outcome, 'DONE');
  assert.equal((await sent('In Progress', { happenedAt: 60_000, sentAt: now, ahead: HOUR })).outcome, 'DONE');
  // A clock that is wrong all the time is not.
  const wrong = { happenedAt: now - 3 * HOUR - MINUTE, sentAt: now - 3 * HOUR, ahead: 3 * HOUR };
  assert.equal((await sent('Finished', wrong)).outcome, 'DONE');
  const { history } = (await service.operator('GET', `/bookings/${booking.bookingId}`)).body.data;
  const [, ...steps] = history as { happenedAt: string; isTimeUncertain: boolean }[];
  assert.deepEqual(
    steps.map(({ happenedAt, isTimeUncertain }) => [happenedAt.slice(11, 16), isTimeUncertain]),
    [
      ['10:10', true],
      ['10:30', true],
      ['10:30', true],
      ['10:59', false],
    ],
  );
  const list = await service.operator('GET', `/crew-steps?appointmentId=${booking.appointmentId}`);
  const marks = list.body.data.map(({ to, isTimeUncertain }: Record<string, unknown>) => [
    to,
    isTimeUncertain,
  ]);
  assert.deepEqual(Object.fromEntries(marks), {
    'In The Way': true,
    'In The location': true,
    'In Progress': true,
    Finished: false,
  });
});

test(
  'two telephones that contradict each other: the office takes one as reported, or leaves it',
  alsoOnServer,
  async (t) => {
    const service = await startTestService(t);
    const { booking, phone, teamId } = await worldWithVisit(service);
    const other = await telephoneOf(service, teamId);
    service.clock.set(Date.parse('2026-11-22T14:00:00+03:00'));
    const away = { to: 'Cannot Complete', reason: 'CUSTOMER_ABSENT' };
    await step(service, other, booking, { to: 'In The Way', minutesAgo: 60 });
    await step(service, other, booking, { ...away, minutesAgo: 50 });
    const keys: string[] = [];
    for (const [at, to] of VISIT_STEPS.entries()) {
      const body = stepBody(service, booking, { to, minutesAgo: 45 - 10 * at });
      const { refusal } = (await sendStep(service, phone, booking, body)).body.data;
      assert.equal(refusal, 'MOVED_ON');
      keys.push(body.key);
    }
    const undecided = async () => (await service.operator('GET', '/attention')).body.data.stepsRefused.count;
    assert.equal(await undecided(), 4);
    const decide = (key: string, decision: string) =>
      service.operator('POST', `/teams/${teamId}/crew-steps/${key}/decide`, { decision });
    const taken = await decide(keys[2]!, 'TAKE');
    assert.deepEqual([taken.status, taken.body.data?.decision], [200, 'TAKEN'], taken.text);
    assert.equal((await shown(service, booking)).status, 'In Progress');
    assert.equal(await undecided(), 1);
    refused(await decide(keys[0]!, 'TAKE'), 422, 'INVALID_TRANSITION');
    assert.equal((await decide(keys[3]!, 'LEAVE')).body.data.decision, 'LEFT');
    assert.equal(await undecided(), 0);
    refused(await decide(keys[3]!, 'TAKE'), 422, 'INVALID_TRANSITION');
    refused(await decide(booking.bookingId, 'TAKE'), 404, 'RESOURCE_NOT_FOUND');
    const { events, appointment } = await traces(service, booking);
    assert.deepEqual(
      events
        .slice(-3)
        .map(({ actor, payload: { appointmentStatusChange: change } }) => [
          actor,
          change.to,
          change.changedAt.slice(11, 16),
        ]),
      [
        ['operator:first-token', 'In The Way', '13:15'],
        ['operator:first-token', 'In The location', '13:25'],
        ['operator:first-token', 'In Progress', '13:35'],
      ],
    );
    assert.equal(beganAt(appointment), Date.parse('2026-11-22T13:35:00+03:00'));
    // Two of the office at once: one decides.
    await step(service, phone, booking, { to: 'In Progress' });
    const late = stepBody(service, booking, { to: 'In The location' });
    await sendStep(service, phone, booking, late);
    const both = await Promise.all([decide(late.key, 'LEAVE'), decide(late.key, 'TAKE')]);
    assert.deepEqual(both.map(({ status }) => status).sort(), [200, 422]);
  },
);

test('a step out of order, too early or before the payment is refused', async (t) => {
  const service = await startTestService(t);
  const { world, booking, phone, teamId } = await worldWithVisit(service);
  assert.equal((await step(service, phone, booking, { to: 'In Progress' })).refusal, 'NOT_ALLOWED');
  const tomorrow = await booked(world, '18:00');
  assert.equal((await step(service, phone, tomorrow, { to: 'In The Way' })).refusal, 'TOO_EARLY');
  assert.equal((await shown(service, tomorrow)).status, 'Scheduled');
  await toldToOffice(service, tomorrow, 'TOO_EARLY');

  const { db } = service.deps;
  await db.rows({
    text: `update bookings set status = 'waiting payment' where id = $1`,
    values: [booking.bookingId],
  });
  const [visit] = (await dayOf(service, await telephoneOf(service, teamId))).visits;
  assert.deepEqual([visit.payment.isAwaited, visit.next], [true, []]);
  assert.equal((await step(service, phone, booking, { to: 'In The Way' })).refusal, 'WAITS_FOR_PAYMENT');
});

test('a link for a day ends with the shift that is running then; what was done before counts for 12 hours', async (t) => {
  const service = await startTestService(t);
  const { world, teamId } = await worldWithVisit(service);
  const booking = await booked(world);
  service.clock.set(Date.parse('2026-11-22T09:30:00+03:00'));
  const link = await makeCrewLink(service, teamId);
  assert.equal(link.expiresAt, '2026-11-23T20:00:00+03:00');
  const phone = await telephone(service, { link: link.token });
  assert.equal((await crew(service, phone, 'GET', '/me')).body.data.endsAt, link.expiresAt);
  // After the shift 24 hours are 24 hours.
  service.clock.set(Date.parse('2026-11-22T20:00:00+03:00'));
  assert.equal((await makeCrewLink(service, teamId)).expiresAt, '2026-11-23T20:00:00+03:00');
  service.clock.set(Date.parse('2026-11-22T20:30:00+03:00'));
  assert.equal((await makeCrewLink(service, teamId)).expiresAt, '2026-11-23T20:30:00+03:00');

  service.clock.set(Date.parse('2026-11-23T20:10:00+03:00'));
  endsWith(await crew(service, phone, 'GET', '/day'), 'session', 'link-ended');
  const before = await step(service, phone, booking, { to: 'In The Way', minutesAgo: 11 });
  assert.deepEqual([before.outcome, before.refusal, before.visit], ['DONE', null, null]);
  const after = await step(service, phone, booking, { to: 'In The location', minutesAgo: 9 });
  assert.equal(after.refusal, 'LINK_ENDED');
  assert.equal((await shown(service, booking)).status, 'In The Way');
  service.clock.set(Date.parse('2026-11-24T08:00:00.001+03:00'));
  const late = stepBody(service, booking, { to: 'In The location', minutesAgo: 725 });
  endsWith(await sendStep(service, phone, booking, late), 'session', 'not-valid');
});

test('what was done before the link was revoked is told to the office, and not lost', async (t) => {
  const service = await startTestService(t);
  const { booking, teamId } = await worldWithVisit(service);
  const link = await makeCrewLink(service, teamId, { lasts: 'UNTIL_REVOKED' });
  const phone = await telephone(service, { link: link.token });
  await service.operator('DELETE', `/crew-links/${link.id}`);
  const refusedStep = await step(service, phone, booking, { to: 'In The Way', minutesAgo: 5 });
  assert.deepEqual([refusedStep.refusal, refusedStep.visit], ['LINK_ENDED', null]);
  await toldToOffice(service, booking, 'LINK_ENDED');
  assert.equal((await shown(service, booking)).status, 'Scheduled');
  service.clock.advance(12 * HOUR + 1);
  const later = await sendStep(service, phone, booking, stepBody(service, booking, { to: 'In The Way' }));
  endsWith(later, 'session', 'not-valid');
});

// ---------------------------------------------------------------------------
// Completed by itself

test(
  'finished visits are completed after the minutes of the configuration, not before their start',
  alsoOnServer,
  async (t) => {
    const service = await startTestService(t);
    const { booking, phone } = await worldWithVisit(service);
    const at = (time: string) => service.clock.set(Date.parse(`${TODAY}T${time}+03:00`));
    const completed = () => completeFinished(service.deps, service.clock.now(), 30 * MINUTE);
    at('09:00:00');
    for (const to of VISIT_STEPS) {
      assert.equal(await completed(), 0, `before ${to}`);
      await step(service, phone, booking, { to });
    }
    at('09:59:59');
    assert.equal(await completed(), 0);
    at('10:00:00');
    // Two processes at once.
    const both = await Promise.all([completed(), completed()]);
    assert.deepEqual(both.sort(), [0, 1]);
    assert.deepEqual(moves((await traces(service, booking)).events).at(-1), ['worker', 'Completed']);
    assert.equal(
      (await service.operator('GET', `/bookings/${booking.bookingId}`)).body.data.status,
      'success',
    );

    const second = await booked(await createWorld(service), '13:00', { date: TODAY });
    const other = await telephoneOf(service, (await shown(service, second)).team.id);
    at('13:30:00');
    for (const to of VISIT_STEPS) await step(service, other, second, { to });
    at('13:59:59');
    assert.equal(await completed(), 0);
    at('14:00:00');
    assert.equal(await completed(), 1);
  },
);

test('the worker completes what is finished when COMPLETE_FINISHED_AFTER is set, and never by default', async (t) => {
  assert.equal(parseConfig({}).completeFinishedAfter, 0);
  const service = await startTestService(t, { env: { COMPLETE_FINISHED_AFTER: '30' } });
  const { booking, phone } = await worldWithVisit(service);
  service.clock.set(Date.parse(`${TODAY}T10:00:00+03:00`));
  for (const to of VISIT_STEPS) await step(service, phone, booking, { to });
  service.clock.advance(30 * MINUTE);
  await until(async () => (await shown(service, booking)).status === 'Completed');
});
