import assert from 'node:assert/strict';
import { test } from 'node:test';
import { MINUTE, SECOND } from '../base/clock.ts';
import type { LoggedRequest } from '../requests/rules.ts';
import { type Creation, type Evidence, evaluate } from './evaluate.ts';
import { type PointId, scoreOf } from './rules.ts';

/** Random orders of a partner's actions, and the decisions on them. */

const BOOKINGS = '/v1/partners/bookings';
const WANTED = { date: '2026-12-01', timeslot: { startAt: '03:10', endAt: '05:10' } };
const FREE = { date: '2026-12-01', timeslot: { startAt: '08:00', endAt: '10:00' } };
const LIMIT_OF = 30 * SECOND;

type Result = Omit<Partial<Creation>, 'route'>;
type Act = Result & { route: string; waits?: number };

const booked = (externalReference: string | undefined, result: Result, wish: object = FREE): Act => ({
  method: 'POST',
  route: BOOKINGS,
  ...result,
  body: {
    contactId: 'noura',
    serviceId: 'cleaning',
    ...wish,
    ...(externalReference && { externalReference }),
  },
});
const made = (reference?: string, wish?: object) =>
  booked(reference, { status: 200, bookingId: reference ?? 'x' }, wish);
const known = (reference: string) => booked(reference, { status: 409, code: 'DUPLICATE_EXTERNAL_REFERENCE' });
const notFree = (reference: string) =>
  booked(
    reference,
    {
      status: 422,
      code: 'BOOKING_CREATION_FAILED',
      details: { alternatives: [{ date: FREE.date, ...FREE.timeslot }] },
    },
    WANTED,
  );
const get = (route: string, result: Result = {}): Act => ({
  method: 'GET',
  route,
  status: 200,
  ...result,
});
const LIST = get(BOOKINGS);
const LIMITED = get('/v1/partners/pricing/tiers', {
  status: 429,
  code: 'RATE_LIMIT_EXCEEDED',
  details: { retryAfter: LIMIT_OF / SECOND },
});

/** The requests one after the other, as the log has them. */
function evidenceOf(acts: readonly Act[], later = 0): Evidence {
  let at = 0;
  const requests = acts.map((act, index) => {
    at += act.waits ?? SECOND;
    return {
      id: `1-${index}`,
      at,
      requestId: `request-${index}`,
      keyId: 'key',
      durationMs: 5,
      bookingId: null,
      code: null,
      details: null,
      ...act,
    } as Creation;
  });
  return {
    now: at + later,
    startedAt: 0,
    requests: requests as LoggedRequest[],
    creations: requests.filter(({ method, route }) => method === 'POST' && route === BOOKINGS),
    steps: new Map(),
    readEvents: new Set(),
    isLimited: true,
    firstHold: null,
    firstOutcome: null,
  };
}

const BY_PARTNER = ['reference', 'repeat', 'slot-taken', 'rate-limit'] as const satisfies PointId[];
const statesOf = (evidence: Evidence) => {
  const findings = evaluate(evidence);
  return Object.fromEntries(BY_PARTNER.map((point) => [point, findings[point]!.state]));
};
const ALL_PASSED = Object.fromEntries(BY_PARTNER.map((point) => [point, 'passed']));

/** The steps of the page for each point, for one customer, service and time. */
const AS_TOLD: Act[][] = [
  [made('first')],
  [made('again'), known('again'), get(`${BOOKINGS}/:bookingId/status`, { bookingId: 'again' })],
  [notFree('taken'), made('taken')],
  [
    LIMITED,
    { ...get('/v1/partners/sandbox/certifications/:id'), waits: 5 * SECOND },
    { ...LIST, waits: LIMIT_OF },
  ],
];

function* ordersOf<Item>(items: readonly Item[]): Generator<Item[]> {
  if (items.length === 0) yield [];
  for (const [index, item] of items.entries())
    for (const rest of ordersOf(items.toSpliced(index, 1))) yield [item, ...rest];
}

test('points done as the page says are passed, in every order', () => {
  for (const order of ordersOf(AS_TOLD)) assert.deepEqual(statesOf(evidenceOf(order.flat())), ALL_PASSED);
});

/** Reproducible: the same seed gives the same numbers. */
function randomOf(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

test('points mixed with each other are passed, and decisions are final', () => {
  for (let seed = 0; seed < 500; seed++) {
    const random = randomOf(seed);
    // A refused caller waits, so nothing comes between the requests of the limit.
    const [limit, ...others] = [[...AS_TOLD[3]!], ...AS_TOLD.slice(0, 3).map((acts) => [...acts])];
    const acts: Act[] = [];
    while (others.some(({ length }) => length > 0)) acts.push(...(others[random(3)]!.splice(0, 1) ?? []));
    acts.splice(random(acts.length + 1), 0, ...limit!);
    assert.deepEqual(statesOf(evidenceOf(acts)), ALL_PASSED, `seed ${seed}`);
    assertStays(acts, `seed ${seed}`);
  }
});

/** Neither further requests nor time change decisions. */
function assertStays(acts: readonly Act[], message: string): void {
  let decided: Record<string, string> = {};
  const look = (evidence: Evidence) => {
    const states = statesOf(evidence);
    for (const [point, state] of Object.entries(decided))
      assert.equal(states[point], state, `${message}: ${point} of ${JSON.stringify(acts)}`);
    decided = Object.fromEntries(Object.entries(states).filter(([, state]) => state !== 'waiting'));
  };
  for (let length = 1; length <= acts.length; length++) {
    look(evidenceOf(acts.slice(0, length)));
    // As late as a look before the next request may be; the log is a little behind.
    const next = acts[length];
    look(evidenceOf(acts.slice(0, length), next === undefined ? 60 * MINUTE : (next.waits ?? SECOND) - 1));
  }
}

test('decisions are final for any requests in any order', () => {
  for (let seed = 0; seed < 1_000; seed++) {
    const random = randomOf(seed);
    const acts = Array.from({ length: 12 }, (): Act => {
      const reference = ['a', 'b', 'c', undefined][random(4)];
      const kinds = [
        () => made(reference),
        () => made(reference, { ...FREE, date: '2026-12-02' }),
        () => known(reference ?? 'a'),
        () => notFree(reference ?? 'b'),
        () => LIMITED,
        () => LIST,
        () => get('/v1/partners/timeslots/available'),
      ];
      const waits = [SECOND, 20 * SECOND, 4 * MINUTE, 11 * MINUTE][random(4)]!;
      return { ...kinds[random(kinds.length)]!(), waits };
    });
    assertStays(acts, `seed ${seed}`);
  }
});

test('a mistake fails its own point only', () => {
  const failedOf = (acts: Act[], later = 0) =>
    Object.entries(statesOf(evidenceOf(acts, later)))
      .filter(([, state]) => state === 'failed')
      .map(([point]) => point);
  assert.deepEqual(failedOf([made(undefined), made('first')]), ['reference']);
  assert.deepEqual(failedOf([made('again'), known('again')], 11 * MINUTE), ['repeat']);
  assert.deepEqual(failedOf([notFree('b'), notFree('b'), notFree('b'), made('b')]), ['slot-taken']);
  assert.deepEqual(failedOf([notFree('b')], 11 * MINUTE), ['slot-taken']);
  assert.deepEqual(failedOf([LIMITED, { ...LIST, waits: 5 * SECOND }, { ...LIST, waits: LIMIT_OF }]), [
    'rate-limit',
  ]);
});

test('recommended points: holds that are used, and reconciliation; they change no score', () => {
  const found = (firstHold: Evidence['firstHold'], acts: Act[] = []) =>
    evaluate({ ...evidenceOf(acts), firstHold });
  const states = (['CONSUMED', 'RELEASED', 'HELD', 'EXPIRED', null] as const).map(
    (status) => found(status).holds!.state,
  );
  assert.deepEqual(states, ['passed', 'passed', 'waiting', 'failed', 'not-applicable']);
  const read = (path: string, route = BOOKINGS) => found(null, [get(route, { path })]).reconcile!.state;
  assert.equal(read('/v1/partners/bookings?limit=5'), 'waiting');
  assert.equal(read('/v1/partners/bookings?updatedSince=2026-11-01T00:00:00Z'), 'passed');
  assert.equal(read('/v1/partners/events', '/v1/partners/events'), 'passed');
  const { holds: _, reconcile: __, ...before } = found('EXPIRED');
  assert.deepEqual(scoreOf(found('EXPIRED')), scoreOf(before));
});

test('recommended points: fees that are asked for, and outcomes that are read', () => {
  const quoted = (bookingId: string) => get(`${BOOKINGS}/:bookingId/quote`, { bookingId });
  const refused: Act = {
    method: 'PATCH',
    route: `${BOOKINGS}/:bookingId/cancel`,
    status: 409,
    code: 'FEE_CHANGED',
    bookingId: 'a',
  };
  const feesOf = (acts: Act[], later = 0) => evaluate(evidenceOf(acts, later)).fees!.state;
  const { code: _, ...agreed } = refused;
  assert.deepEqual(
    [[], [quoted('a')], [quoted('a'), refused], [refused, { ...quoted('b') }]].map((acts) => feesOf(acts)),
    ['waiting', 'passed', 'waiting', 'waiting'],
  );
  assert.equal(feesOf([quoted('a'), refused], 11 * MINUTE), 'failed');
  for (const next of [quoted('a'), { ...agreed, status: 200 }])
    assert.equal(feesOf([refused, next]), 'passed');
  assert.equal(feesOf([refused, { ...quoted('a'), waits: 11 * MINUTE }]), 'failed');

  const read = { bookingId: 'a', at: 2 * SECOND };
  const outcomeOf = (acts: Act[], firstOutcome: Evidence['firstOutcome'], later = 0) =>
    evaluate({ ...evidenceOf(acts, later), firstOutcome }).outcome!.state;
  const status = (bookingId: string) => get(`${BOOKINGS}/:bookingId/status`, { bookingId });
  assert.equal(outcomeOf([LIST], null), 'not-applicable');
  assert.equal(outcomeOf([LIST, status('b')], read), 'waiting');
  assert.equal(outcomeOf([LIST, status('b')], read, 11 * MINUTE), 'failed');
  assert.equal(outcomeOf([status('b'), status('a')], read), 'passed');
  assert.equal(outcomeOf([status('b'), LIST], read), 'passed');
});
