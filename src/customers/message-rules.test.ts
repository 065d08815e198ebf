import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DAY, HOUR, type Instant, MINUTE } from '../base/clock.ts';
import { APPOINTMENT_STATUSES, type EventName } from '../bookings/rules.ts';
import { MESSAGE_KINDS, type MessageKind } from '../partners/account-rules.ts';
import {
  dropReason,
  endOfQuietHours,
  isSame,
  type Planned,
  type Visit,
  wantedMessages,
} from './message-rules.ts';

const at = (text: string): Instant => Date.parse(`${text}:00+03:00`);
const NOW = at('2026-11-22T10:00');
const START = at('2026-11-25T10:00');
const VISIT: Visit = {
  status: 'in progress',
  appointment_status: 'Scheduled',
  since: NOW,
  starts_at: START,
  ends_at: START + 2 * HOUR,
  work_reached: null,
  failure_reason: null,
  late_minutes: null,
  link_starts_at: null,
  link_sent_at: null,
  series_starts_at: null,
  series_told_at: null,
  kinds: ['BOOKED', 'DAY_BEFORE', 'ON_THE_WAY', 'LATE', 'DONE'],
  is_stopped: false,
};
const told = (kind: MessageKind, more: Partial<Planned> = {}): Planned => ({
  kind,
  starts_at: START,
  late_minutes: null,
  left_at: null,
  version: 1,
  status: 'SENT',
  due_at: NOW,
  finished_at: NOW,
  ...more,
});
type Case = { planned?: Planned[]; now?: Instant; events?: EventName[] };
/** Kind and when, of each wanted message. */
const wanted = (visit: Partial<Visit>, { planned = [], now = NOW, events = [] }: Case = {}) =>
  wantedMessages({ ...VISIT, ...visit }, { planned, events, now }).map(({ kind, due_at }) => [kind, due_at]);
const news = (visit: Partial<Visit>, it: Case = {}) =>
  wanted(visit, it).filter(([kind]) => kind !== 'DAY_BEFORE');
const CREATED: EventName[] = ['booking.created'];

test('quiet hours are from 21:00 to 09:00 in Riyadh', () => {
  assert.equal(endOfQuietHours(at('2026-11-22T09:00')), null);
  assert.equal(endOfQuietHours(at('2026-11-22T21:00') - 1), null);
  assert.equal(endOfQuietHours(at('2026-11-22T21:00')), at('2026-11-23T09:00'));
  assert.equal(endOfQuietHours(at('2026-11-23T00:00')), at('2026-11-23T09:00'));
  assert.equal(endOfQuietHours(at('2026-11-23T09:00') - 1), at('2026-11-23T09:00'));
});

test('a booking is told at once, and reminded of a day before, unless she was told shortly before', () => {
  assert.deepEqual(wanted({}, { events: CREATED }), [
    ['BOOKED', NOW],
    ['DAY_BEFORE', START - DAY],
  ]);
  // Another change tells her nothing of a booking that she was not told of.
  assert.deepEqual(news({}, { events: ['booking.appointment_status_changed'] }), []);
  assert.deepEqual(news({ status: 'waiting payment' }, { events: CREATED }), []);
  assert.deepEqual(wanted({ kinds: [] }, { events: CREATED }), []);
  assert.deepEqual(wanted({ starts_at: NOW + DAY }, { events: CREATED }), [['BOOKED', NOW]]);
  // Booked at night for the day after: told at 9:00, and not reminded at 9:30.
  const starts_at = at('2026-11-24T09:30');
  const night = at('2026-11-22T22:00');
  assert.deepEqual(wanted({ starts_at }, { events: CREATED, now: night }), [
    ['BOOKED', at('2026-11-23T09:00')],
  ]);
  const planned = [told('BOOKED', { starts_at, finished_at: at('2026-11-22T20:00') })];
  assert.deepEqual(wanted({ starts_at }, { planned, now: night }), [['DAY_BEFORE', starts_at - DAY]]);
});

test('a telling that a mistaken step dropped is made up for when the step is taken back', () => {
  const taken = { events: ['booking.appointment_status_changed' as const] };
  for (const status of ['DROPPED', 'QUEUED'] as const) {
    const planned = [told('BOOKED', { status, finished_at: null })];
    for (const appointment_status of ['In The Way', 'In Progress', 'Finished', 'Cannot Complete'] as const)
      assert.equal(
        news({ appointment_status }, { planned }).some(([kind]) => kind === 'BOOKED'),
        false,
        appointment_status,
      );
    for (const appointment_status of ['Scheduled', 'Confirmed'] as const) {
      assert.deepEqual(news({ appointment_status }, { planned, ...taken }), [['BOOKED', NOW]]);
      assert.deepEqual(news({ appointment_status }, { planned, ...taken, now: START }), []);
    }
  }
  // Also of one that was further by the first look: its message is planned, not sent, and so remembered.
  for (const appointment_status of ['In The Way', 'In Progress', 'Finished', 'Cannot Complete'] as const) {
    const kinds = news({ appointment_status }, { events: CREATED }).map(([kind]) => kind);
    assert.ok(kinds.includes('BOOKED'), appointment_status);
    assert.equal(
      news({ appointment_status, kinds: ['DONE'] }, { events: CREATED })
        .flat()
        .includes('BOOKED'),
      false,
    );
  }
  assert.deepEqual(news({ status: 'canceled' }, { events: CREATED }), []);
  // A refusal of the provider is final.
  const refused = [told('BOOKED', { status: 'FAILED' })];
  assert.deepEqual(news({}, { planned: refused, ...taken }), []);
  assert.deepEqual(news({ appointment_status: 'In Progress' }, { planned: refused, events: CREATED }), []);
});

test('at night only what concerns the next twelve hours', () => {
  const night = at('2026-11-22T21:30');
  for (const [start, due] of [
    ['2026-11-23T08:00', night],
    ['2026-11-23T09:30', night],
    ['2026-11-23T09:45', at('2026-11-22T21:45')],
    ['2026-11-23T18:00', at('2026-11-23T06:00')],
    ['2026-11-24T10:00', at('2026-11-23T09:00')],
  ] as const)
    assert.deepEqual(news({ starts_at: at(start) }, { events: CREATED, now: night }), [['BOOKED', due]]);
  // One that was delayed into the night waits for its very minute, settled or not.
  const moved = { starts_at: START + HOUR, ends_at: START + 3 * HOUR };
  const minute = START - 12 * HOUR - MINUTE;
  for (const [now, from] of [
    [minute, minute + MINUTE],
    [minute + MINUTE, minute + MINUTE],
  ] as const)
    assert.deepEqual(
      wantedMessages({ ...VISIT, ...moved }, { planned: [told('BOOKED')], events: [], now }).map(
        (one) => one.from,
      )[0],
      from,
    );
  // The time that she believes in counts as well.
  const planned = [told('BOOKED', { starts_at: at('2026-11-23T08:00') })];
  assert.deepEqual(news({}, { planned, now: night }), [['MOVED', night + 2 * MINUTE]]);
  assert.deepEqual(news({ status: 'canceled' }, { planned, now: night }), [['CANCELLED', night]]);
  assert.deepEqual(news({ appointment_status: 'In The Way', since: night }, { now: night }), [
    ['ON_THE_WAY', night],
  ]);
  assert.deepEqual(news({ appointment_status: 'Finished', since: night }, { now: night }), []);
});

test('a difference is told once, whatever led there, and nothing is told without one', () => {
  const planned = [told('BOOKED')];
  assert.deepEqual(news({}, { planned, events: ['booking.updated'] }), []);
  const moved = { starts_at: START + HOUR, ends_at: START + 3 * HOUR };
  assert.deepEqual(news(moved, { planned }), [['MOVED', NOW + 2 * MINUTE]]);
  // There and back before it was sent.
  const waiting = told('MOVED', { ...moved, status: 'QUEUED', finished_at: null });
  assert.deepEqual(news({}, { planned: [...planned, waiting] }), []);
  // And after; also what only may have been sent.
  for (const status of ['SENT', 'UNKNOWN', 'SENDING'] as const)
    assert.deepEqual(news({}, { planned: [...planned, told('MOVED', { ...moved, version: 2, status })] }), [
      ['MOVED', NOW + 2 * MINUTE],
    ]);
  // Refused by the provider: the same is not tried again, another fact is.
  const refused = told('MOVED', { ...moved, version: 2, status: 'FAILED', finished_at: NOW + 1 });
  assert.deepEqual(news(moved, { planned: [...planned, refused] }), []);
  assert.deepEqual(news({ starts_at: START + 2 * HOUR }, { planned: [...planned, refused] }).length, 1);
});

test('the end is told to whoever was told of the visit, whatever the partner chose, and to nobody else', () => {
  const planned = [told('DAY_BEFORE')];
  const now = START;
  for (const [visit, kind] of [
    [{ status: 'canceled' }, 'CANCELLED'],
    [{ appointment_status: 'Cancelled' }, 'CANCELLED'],
    [{ status: 'failed', failure_reason: 'LINK_EXPIRED' }, 'UNPAID'],
    [{ status: 'failed', failure_reason: 'Nobody can be reached' }, 'CANCELLED'],
    [{ appointment_status: 'Cannot Complete' }, 'NOT_DONE'],
  ] as const) {
    const silent = { ...visit, kinds: [], is_stopped: true };
    assert.deepEqual(news(silent, { planned, now }), [[kind, now]]);
    assert.deepEqual(news(visit, { now }), []);
    assert.deepEqual(news(silent, { planned: [...planned, told(kind, { version: 2 })], now }), []);
    // A day later nobody waits any more.
    assert.deepEqual(news(silent, { planned, now: now + DAY }), []);
  }
  const done = { status: 'canceled', appointment_status: 'Cancelled', work_reached: 'Completed' } as const;
  assert.deepEqual(news(done, { planned, now }), []);
  // One that was reported as done before it was to begin: somebody is expected yet, unless she was told that it is done.
  const early = START - 5 * MINUTE;
  assert.deepEqual(news(done, { planned, now: early }), [['CANCELLED', early]]);
  assert.deepEqual(news(done, { planned: [...planned, told('DONE', { version: 2 })], now: early }), []);
  // The payment link told her, too.
  const link = { link_sent_at: NOW, link_starts_at: START, kinds: [] };
  assert.deepEqual(news({ ...link, status: 'failed', failure_reason: 'LINK_EXPIRED' }, { now }), [
    ['UNPAID', now],
  ]);
  assert.deepEqual(news({ ...link, status: 'waiting payment' }), []);
  assert.equal(news({ ...link, status: 'waiting payment', link_starts_at: START - HOUR })[0]![0], 'MOVED');
  // What ended takes place after all.
  for (const kind of ['CANCELLED', 'NOT_DONE', 'UNPAID'] as const)
    assert.deepEqual(news({ kinds: [] }, { planned: [told(kind)] }), [['ANOTHER_VISIT', NOW]]);
});

test('a visit of a series has no message that it is booked, and those of its changes', () => {
  const series = { series_starts_at: START, series_told_at: NOW };
  assert.deepEqual(news(series, { events: CREATED }), []);
  assert.deepEqual(wanted(series, { events: CREATED }), [['DAY_BEFORE', START - DAY]]);
  const moved = { ...series, starts_at: START + HOUR, ends_at: START + 3 * HOUR };
  assert.deepEqual(news(moved, { events: CREATED }), [['MOVED', NOW + 2 * MINUTE]]);
  assert.deepEqual(news({ ...series, status: 'canceled' }), [['CANCELLED', NOW]]);
  // Nobody was told of the series.
  assert.deepEqual(news({ ...series, status: 'canceled', kinds: ['DAY_BEFORE'] }), []);
});

test('a departure is told within an hour, and the true one after a correction', () => {
  const now = START - HOUR;
  const way = { appointment_status: 'In The Way', since: now } as const;
  assert.deepEqual(news(way, { now: now + HOUR - 1 }), [['ON_THE_WAY', now + HOUR - 1]]);
  assert.deepEqual(news(way, { now: now + HOUR }), []);
  const planned = [told('BOOKED'), told('ON_THE_WAY', { version: 2, left_at: now - HOUR })];
  assert.deepEqual(news({}, { planned, now }), [['NOT_YET', now + 2 * MINUTE]]);
  assert.deepEqual(news(way, { planned, now }), [['ON_THE_WAY', now]]);
  assert.deepEqual(news({ ...way, since: now - HOUR }, { planned, now }), []);
});

test('a delay is told, and again when it has grown by a quarter of an hour', () => {
  const now = START - HOUR;
  const planned = [told('BOOKED')];
  const late = (minutes: number, known: number[] = [], more: Partial<Visit> = {}, then = now) =>
    news(
      { late_minutes: minutes, ...more },
      {
        planned: [
          ...planned,
          ...known.map((late_minutes, place) => told('LATE', { late_minutes, version: 2 + place })),
        ],
        now: then,
      },
    ).map(([kind]) => kind);
  assert.deepEqual(late(20), ['LATE']);
  assert.deepEqual(late(34, [20]), []);
  assert.deepEqual(late(35, [20]), ['LATE']);
  assert.deepEqual(late(0), []);
  assert.deepEqual(late(20, [], { kinds: ['BOOKED'] }), []);
  assert.deepEqual(late(20, [], { appointment_status: 'In The location' }), []);
  // When the team should be there by then, it is no news.
  assert.deepEqual(late(20, [], {}, START + 20 * MINUTE), []);
  assert.deepEqual(late(20, [], { is_stopped: true }), []);
});

test('why a waiting message is not sent', () => {
  const reason = (kind: MessageKind, visit: Partial<Visit>, now = NOW) =>
    dropReason(told(kind), { ...VISIT, ...visit }, now);
  assert.equal(reason('DAY_BEFORE', { starts_at: NOW + DAY }), 'MOVED');
  assert.equal(reason('DAY_BEFORE', { status: 'canceled' }), 'CANCELLED');
  assert.equal(reason('DAY_BEFORE', { appointment_status: 'In The Way' }), 'OVER');
  assert.equal(reason('DAY_BEFORE', { kinds: [] }), 'SWITCHED_OFF');
  assert.equal(reason('DAY_BEFORE', { is_stopped: true }), 'STOPPED');
  assert.equal(reason('DAY_BEFORE', {}), 'TOLD');
  assert.equal(reason('BOOKED', {}, START), 'TOO_LATE');
  assert.equal(reason('ON_THE_WAY', { appointment_status: 'In The Way' }), 'TOO_LATE');
  assert.equal(reason('DONE', { appointment_status: 'Finished' }, at('2026-11-25T22:00')), 'QUIET_HOURS');
});

test('telling ends, whatever is so, whatever was told, and wherever the clock was meanwhile', () => {
  // Mulberry32: the same thousands of situations each time.
  let state = 58;
  const random = (below: number): number => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below;
  };
  const pick = <Of>(list: readonly Of[]): Of => list[random(list.length)]!;
  const moments = [NOW - DAY, NOW - 5 * MINUTE, NOW, NOW + HOUR, NOW + 100 * DAY];
  const starts = [NOW - HOUR, NOW + HOUR, NOW + 20 * HOUR, START];
  const facts = (): Planned => ({
    kind: pick(MESSAGE_KINDS),
    starts_at: pick(starts),
    late_minutes: pick([null, 20]),
    left_at: pick([null, ...moments]),
    version: 0,
    status: pick(['SENT', 'UNKNOWN', 'FAILED', 'DROPPED']),
    due_at: NOW,
    finished_at: pick(moments),
  });
  for (let number = 0; number < 20_000; number++) {
    const starts_at = pick(starts);
    const visit: Visit = {
      status: pick(['waiting payment', 'in progress', 'success', 'canceled', 'failed']),
      appointment_status: pick(APPOINTMENT_STATUSES),
      since: pick([null, ...moments]),
      starts_at,
      ends_at: starts_at + 2 * HOUR,
      work_reached: pick([null, 'In Progress', 'Completed']),
      failure_reason: pick([null, 'LINK_EXPIRED', 'Nobody came']),
      late_minutes: pick([null, 20, 40]),
      link_starts_at: pick(starts),
      link_sent_at: pick([null, ...moments]),
      series_starts_at: pick([null, null, ...starts]),
      series_told_at: pick(moments),
      kinds: VISIT.kinds.filter(() => random(4) > 0),
      is_stopped: random(6) === 0,
    };
    const planned = Array.from({ length: random(4) }, (_, place) => ({ ...facts(), version: place + 1 }));
    const before = planned.length;
    let events: EventName[] = random(2) === 0 ? CREATED : [];
    const story: string[] = [];
    for (let now = NOW; ; now += 100) {
      const [next] = wantedMessages(visit, { planned, events, now });
      events = [];
      if (next === undefined) break;
      now = Math.max(now, next.due_at);
      const told = planned.slice(before).some((one) => one.status === 'SENT' && isSame(one, next));
      assert.ok(!told, `twice: ${JSON.stringify([story, visit, planned])}`);
      story.push(next.kind);
      // One for what is so, one that reminds, what these hid, and what was refused again after them.
      assert.ok(story.length <= 8, JSON.stringify([story, visit, planned.slice(0, 4)]));
      const ended = [
        visit.link_sent_at,
        ...planned.map(({ status, finished_at }) =>
          status === 'SENT' || status === 'UNKNOWN' ? finished_at : null,
        ),
      ];
      planned.push({
        ...next,
        version: planned.length + 1,
        status: random(4) === 0 ? 'FAILED' : 'SENT',
        finished_at: Math.max(now, ...ended.map((end) => end ?? now)),
      });
    }
  }
});
