import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DAY, dateOf, HOUR, type Instant, MINUTE, manualClock, timeOf } from '../src/base/clock.ts';
import { reportLateness } from '../src/bookings/late-queries.ts';
import { sendMessages } from '../src/customers/messages.ts';
import { NotifierError } from '../src/payments/notifier.ts';
import { type Booked, slot } from './appointment-fixtures.ts';
import { createWorld } from './fixtures.ts';
import { onServer, startTestService, TEST_NOW } from './harness.ts';
import { cancel } from './payment-flows.ts';

/**
 * Random days of an office, and customers who know nothing but their messages: what each believes is read from the texts
 * alone, and compared with what is so. TEST_BELIEF_SEED repeats a walk.
 */

const SEED = Number(process.env.TEST_BELIEF_SEED ?? Date.now() % 1e9);
const OPERATIONS = process.env.TEST_FULL === 'on' ? 400 : 120;
const STARTS = ['08:00', '11:00', '14:00', '17:00'];
const STEPS = ['Scheduled', 'Confirmed', 'In The Way', 'In The location', 'In Progress', 'Finished'];

/** Mulberry32. */
function randomOf(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below;
  };
}

/** What a text says: `when` is `DD/MM HH:MM`, or `HH:MM`. */
type Word = {
  says: 'comes' | 'reminder' | 'left' | 'late' | 'cancelled' | 'not done' | 'done';
  when: string | null;
  at: Instant;
  /** Of the visit, at that moment. */
  start: Instant;
};
const WORDS: [RegExp, Word['says']][] = [
  [/Your visit is booked:|has moved to|Not on the way yet|Your next visit:/, 'comes'],
  [/Reminder of your visit:/, 'reminder'],
  [/Team on the way since/, 'left'],
  [/Team late: about/, 'late'],
  [/cancelled:/, 'cancelled'],
  [/Could not be done:/, 'not done'],
  [/The work is done/, 'done'],
];
function read(text: string, at: Instant, start: Instant): Word {
  const says = WORDS.find(([pattern]) => pattern.test(text))![1];
  const when = /^\d\d\/\d\d \d\d:\d\d$/m.exec(text)?.[0] ?? /(?:since|about) (\d\d:\d\d)/.exec(text)?.[1];
  return { says, when: when ?? null, at, start };
}

type Truth = {
  status: string;
  appointment: string;
  starts_at: Instant;
  ends_at: Instant;
  /** The progress of the work at the cancellation. */
  reached: string | null;
  late: number;
  since: string | null;
  name: string;
};

const time = (at: Instant): string => timeOf(at).slice(0, 5);
const day = (at: Instant): string => `${dateOf(at).slice(8)}/${dateOf(at).slice(5, 7)} ${time(at)}`;
const isNight = (at: Instant): boolean => time(at) < '09:00' || time(at) >= '21:00';
const isComing = ({ status, appointment }: Truth): boolean =>
  ['in progress', 'success'].includes(status) && ['New', 'Scheduled', 'Confirmed'].includes(appointment);
const isCancelled = ({ status, appointment }: Truth): boolean =>
  status === 'canceled' || status === 'failed' || appointment === 'Cancelled';

test(
  'no customer believes what is not so, is told it twice, or is told what is no longer so',
  onServer('processes of one role need PostgreSQL'),
  async (t) => {
    t.diagnostic(`TEST_BELIEF_SEED=${SEED}`);
    const random = randomOf(SEED);
    const pick = <Of>(list: readonly Of[]): Of => list[random(list.length)]!;
    const clock = manualClock(TEST_NOW);
    // Without workers: the rounds are the test's own, two at a time.
    const service = await startTestService(t, { clock, env: { ROLES: 'api' } });
    const chosen = ['BOOKED', 'DAY_BEFORE', 'ON_THE_WAY', 'LATE', 'DONE'] as const;
    const kinds = chosen.filter(() => random(5) > 0);
    const world = await createWorld(service, {
      partner: { trackingPage: true, customerMessages: kinds },
      teams: 4,
    });
    const { db, tracking } = service.deps;
    t.diagnostic(kinds.join());

    const truthOf = async (bookingId: string): Promise<Truth> =>
      (await db.first<Truth>({
        text: `
          select b.status, a.status as appointment, a.starts_at, a.ends_at, a.name, a.work_reached as reached,
            case when b.late_starts_at = a.starts_at then b.late_minutes else 0 end as late,
            (select e.payload #>> '{appointmentStatusChange,changedAt}' from events e
              where e.booking_id = b.id and e.payload #>> '{appointmentStatusChange,to}' = 'In The Way'
              order by e.sequence desc limit 1) as since
          from bookings b join appointments a on a.booking_id = b.id where b.id = $1`,
        values: [bookingId],
      }))!;

    /** By booking, the words that its customer has read. */
    const words = new Map<string, Word[]>();
    const ids = new Set<string>();
    const notifier = {
      name: 'unifonic' as const,
      async send({ id, text }: { id: string; text: string }) {
        if (random(5) === 0) throw new NotifierError('busy', true);
        const row = await db.first<{ booking_id: string }>({
          text: 'select booking_id from customer_messages where id = $1',
          values: [id],
        });
        const { booking_id: bookingId } = row!;
        const [now, truth] = [clock.now(), await truthOf(bookingId)];
        assert.ok(!ids.has(id), 'no message twice');
        ids.add(id);
        const before = words.get(bookingId) ?? [];
        const word = read(text, now, truth.starts_at);
        const story = `${truth.name}: ${JSON.stringify([...before, word])} ${JSON.stringify(truth)}`;
        checkWord(word, truth, now, story);
        // One fact, one message; a reminder long after.
        for (const other of before.slice(-1))
          if (word.says !== 'reminder') {
            const isSame = other.says === word.says && other.when === word.when;
            assert.ok(!isSame, `twice: ${story}`);
          }
        const told = before.findLast(({ says }) => says === 'comes' || says === 'reminder');
        if (word.says === 'reminder' && told?.when === word.when)
          assert.ok(now - told!.at >= 12 * HOUR, `just told: ${story}`);
        words.set(bookingId, [...before, word]);
      },
    };

    /** What is said must be so at that moment, and may be said then. */
    function checkWord({ says, when }: Word, truth: Truth, now: Instant, story: string): void {
      const { starts_at, appointment, late, since } = truth;
      if (says === 'comes' || says === 'reminder') {
        assert.equal(when, day(starts_at), story);
        assert.ok(isComing(truth) || appointment === 'In The Way', story);
      } else if (says === 'left') {
        assert.equal(appointment, 'In The Way', story);
        assert.equal(when, time(Date.parse(since!)), story);
        assert.ok(now - Date.parse(since!) < HOUR, story);
      } else if (says === 'late') {
        assert.equal(when, time(starts_at + late * MINUTE), story);
        assert.ok(isComing(truth) || appointment === 'In The Way', story);
      } else if (says === 'cancelled') assert.ok(isCancelled(truth), story);
      else if (says === 'not done') assert.equal(appointment, 'Cannot Complete', story);
      else assert.ok(['Finished', 'Completed'].includes(appointment), story);
      if (!isNight(now)) return;
      assert.notEqual(says, 'done', story);
      if (says === 'comes' || says === 'reminder' || says === 'cancelled') {
        const known = words.get(idOf(truth.name))?.map(({ start }) => start) ?? [];
        assert.ok(
          [...known, starts_at].some((start) => start <= now + 12 * HOUR),
          `at night: ${story}`,
        );
      }
    }
    const idOf = (name: string): string =>
      bookings.find(({ trackingReference }) => trackingReference === name)!.bookingId;

    /** What she believes must be so. */
    async function checkBelief({ bookingId }: Booked): Promise<boolean> {
      const read = words.get(bookingId) ?? [];
      const [truth, now] = [await truthOf(bookingId), clock.now()];
      const { starts_at, ends_at, appointment } = truth;
      const story = `${truth.name} at ${new Date(now + 3 * HOUR).toISOString()}: ${JSON.stringify(read)} ${JSON.stringify(truth)}`;
      const last = read.at(-1);
      if (last === undefined) {
        // Nobody who was told nothing is told of an end; whoever is to be told of a booking is.
        const isTold = kinds.includes('BOOKED') && isComing(truth);
        const isWaiting = isNight(now) && starts_at > now + 12 * HOUR;
        assert.ok(!isTold || isWaiting || now >= starts_at, `not told: ${story}`);
        return false;
      }
      const told = read.findLast(({ says }) => says === 'comes' || says === 'reminder');
      const expected = last.start;
      const mayWait = isNight(now) && Math.min(expected, starts_at) > now + 12 * HOUR;
      if (mayWait) return true;
      const believesInVisit = ['comes', 'reminder', 'late', 'left'].includes(last.says);
      if (isCancelled(truth) || appointment === 'Cannot Complete') {
        // She was told, or somebody came.
        const hasCome = ['Finished', 'Completed'].includes(truth.reached!) && now >= starts_at;
        const wasDone = hasCome || read.some(({ says }) => says === 'done');
        if (now < Math.min(expected, starts_at) + DAY - HOUR && !wasDone)
          assert.ok(!believesInVisit, `she waits for nobody: ${story}`);
      } else if (isComing(truth) && now < ends_at) {
        assert.ok(believesInVisit, `she expects nobody: ${story}`);
        assert.notEqual(last.says, 'left', `nobody is on the way: ${story}`);
        if (told !== undefined) assert.equal(told.when, day(starts_at), `another time: ${story}`);
        const late = read
          .slice(read.findLastIndex(({ says }) => says === 'comes') + 1)
          .find(({ says }) => says === 'late');
        const isLate = truth.late > 0 && kinds.includes('LATE') && now < starts_at + truth.late * MINUTE;
        if (isLate && late === undefined) assert.fail(`late, and not told: ${story}`);
      } else if (appointment === 'In The Way' && now < ends_at) {
        assert.ok(believesInVisit, `she expects nobody: ${story}`);
        if (kinds.includes('ON_THE_WAY') && now - Date.parse(truth.since!) < HOUR)
          assert.ok(
            read.some(({ says, when }) => says === 'left' && when === time(Date.parse(truth.since!))),
            `left, and not told: ${story}`,
          );
      }
      return true;
    }

    const inStatus = async (status: string): Promise<Booked | undefined> => {
      const found = await db.first<{ id: string }>({
        text: 'select id from appointments where status = $1 and starts_at > $2 order by updated_at desc limit 1',
        values: [status, new Date(clock.now())],
      });
      return bookings.find(({ appointmentId }) => appointmentId === found?.id);
    };
    const round = () => sendMessages({ db, clock, notifier, tracking, logger: { warn: () => {} } });
    const bookings: Booked[] = [];
    let checked = 0;
    for (let number = 0; number < OPERATIONS; number++) {
      const booking = bookings.length === 0 ? undefined : pick(bookings.slice(-12));
      const date = dateOf(clock.now() + random(4) * DAY);
      const startAt = pick(STARTS);
      const timeslot = slot(startAt, `${Number(startAt.slice(0, 2)) + 2}:00`);
      const forced = { force: true, reason: 'As the customer wishes' };
      const action = random(14);
      // Refusals are a part of a history: the slot is taken, the step not allowed.
      if (booking === undefined || action < 3) {
        const answer = await world.book({ date, timeslot });
        if (answer.status === 200) bookings.push(answer.body.data);
      } else if (action < 6) {
        const path = `/appointments/${booking.appointmentId}`;
        const { starts_at } = await truthOf(booking.bookingId);
        await service.operator('PATCH', path, { date, timeslot, ...forced });
        // And back.
        if (random(3) === 0) {
          const start = slot(time(starts_at), time(starts_at + 2 * HOUR));
          await service.operator('PATCH', path, { date: dateOf(starts_at), timeslot: start, ...forced });
        }
      } else if (action < 9) {
        const { appointment } = await truthOf(booking.bookingId);
        const next = random(6) === 0 ? 'Cannot Complete' : STEPS[STEPS.indexOf(appointment) + 1];
        if (next !== undefined)
          await service.operator('PATCH', `/appointments/${booking.appointmentId}`, { status: next });
      } else if (action === 9) {
        const one = (await inStatus('In The Way')) ?? booking;
        await service.operator('POST', `/appointments/${one.appointmentId}/correct`, {
          status: pick(STEPS.slice(0, 4)),
          reason: 'A mistake',
        });
      } else if (action === 10) {
        const one = (await inStatus('Cannot Complete')) ?? booking;
        const revisit = { date, timeslot, ...forced };
        await service.operator('POST', `/bookings/${one.bookingId}/revisit`, revisit);
      } else if (action < 13) await reportLateness(db, booking.bookingId, random(5) * 10, clock.now());
      else await cancel({ service, world }, booking.bookingId);
      if (random(3) > 0) await Promise.all([round(), round()]);
      clock.advance(random(3) === 0 ? random(8 * HOUR) : random(20 * MINUTE));
      if (number % 6 > 0) continue;
      // A delayed or refused try, and what waits to settle.
      for (let pause = 0; pause < 9; pause++) {
        clock.advance(3 * MINUTE);
        await round();
      }
      // Refusals, final or until the next try, leave the belief open.
      const failed = await db.rows<{ booking_id: string }>({
        text: `select booking_id from customer_messages where status = 'FAILED' or status = 'QUEUED' and tries > 0`,
      });
      for (const one of bookings)
        if (!failed.some(({ booking_id }) => booking_id === one.bookingId) && (await checkBelief(one)))
          checked++;
    }
    t.diagnostic(`${bookings.length} bookings, ${ids.size} messages, ${checked} beliefs`);
    assert.ok(checked > 0 || !kinds.includes('BOOKED'));
  },
);
