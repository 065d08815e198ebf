import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createStepQueue, HOLD_MS, type StepVisit } from '../console/parts/step-queue.ts';
import { placeIn } from '../console/place-text.ts';
import { createEventReader, type ServerEvent } from '../console/server-events.ts';
import { minutesBetween, timeAfter } from '../console/values.ts';

/** Functions of the console that need no browser. */

const readAll = (parts: readonly string[]): ServerEvent[] => parts.flatMap(createEventReader());

const change = (topic: string, id: string | null = null): ServerEvent => ({
  id,
  event: 'change',
  data: `{"topic":"${topic}"}`,
});

test('server-sent events are parsed in any chunks, and with every line ending', () => {
  const lines = [
    'retry: 2000',
    '',
    ': heartbeat',
    '',
    'event: change',
    'data: {"topic":"bookings"}',
    '',
    'event:change',
    'data:{"topic":"audit"}',
    'id: 1-2-3-4',
    'colour: blue',
    '',
    'id: 1-2-3-5',
    '',
    'data: one',
    'data',
    'data:  three: of them',
    '',
    'event: reset',
    'data: {}',
    'id: 6',
  ];
  const expected: ServerEvent[] = [
    change('bookings'),
    change('audit', '1-2-3-4'),
    // No change, only a new position to resume from.
    { id: '1-2-3-5', event: 'message', data: null },
    { id: null, event: 'message', data: 'one\n\n three: of them' },
    // The last one is not complete.
  ];
  for (const end of ['\n', '\r\n', '\r']) {
    const text = lines.map((line) => line + end).join('');
    assert.deepEqual(readAll([text]), expected, JSON.stringify(end));
    assert.deepEqual(readAll([...text]), expected, `${JSON.stringify(end)}, letter by letter`);
    for (let at = 0; at <= text.length; at++)
      assert.deepEqual(readAll([text.slice(0, at), '', text.slice(at)]), expected, `cut at ${at}`);
  }
});

test('a place is found in what people paste', () => {
  const place = { latitude: '24.7136', longitude: '46.6753' };
  for (const text of [
    '24.7136, 46.6753',
    '24.7136 46.6753',
    '(24.7136,46.6753)',
    '+24.7136, +46.6753',
    '٢٤٫٧١٣٦، ٤٦٫٦٧٥٣',
    '۲۴٫۷۱۳۶، ۴۶٫۶۷۵۳',
    'موقعي 24.7136, 46.6753 شكرا',
    'geo:24.7136,46.6753',
    'geo:24.7136,46.6753?z=17',
    'geo:0,0?q=24.7136,46.6753(Home)',
    'https://maps.google.com/?q=24.7136,46.6753',
    'https://maps.google.com/?q=24.7136%2C46.6753&z=17',
    'https://maps.google.com/maps?q=loc:24.7136,46.6753',
    'https://www.google.com/maps/place/X/@24.7,46.6,17z/data=!3m1!4b1!4m5!3d24.7136!4d46.6753',
    'https://www.google.com/maps/@24.7136,46.6753,17z',
    'https://www.google.com/maps/search/24.7136,+46.6753?entry=tts',
    'https://www.google.com/maps/search/?api=1&query=24.7136%2C46.6753',
    'https://www.google.com/maps/dir/?api=1&origin=24.1,46.1&destination=24.7136,46.6753',
    'https://www.google.com/maps/dir/24.1,46.1/24.7136,46.6753/@24.4,46.4,12z',
    'https://www.google.com/maps/place/24.7136,46.6753/@24.71,46.67,17z',
    'https://maps.apple.com/?ll=24.7136,46.6753&q=Home&t=m',
    'https://maps.apple.com/?daddr=24.7136,46.6753&dirflg=d',
    'https://maps.apple.com/place?address=Riyadh&coordinate=24.7136,46.6753',
    'https://www.openstreetmap.org/?mlat=24.7136&mlon=46.6753#map=12/24.1/46.1',
    'https://www.openstreetmap.org/#map=17/24.7136/46.6753',
    'https://waze.com/ul?ll=24.7136,46.6753&navigate=yes',
    'https://www.waze.com/live-map/directions?to=ll.24.7136%2C46.6753',
    'https://www.bing.com/maps?cp=24.7136~46.6753&lvl=16',
  ])
    assert.deepEqual(placeIn(text), { is: 'place', place }, text);
  const degrees = { is: 'place', place: { latitude: '24.713611', longitude: '46.675278' } };
  for (const text of [
    `24°42'49"N 46°40'31"E`,
    `46°40'31" E, 24°42'49" N`,
    'https://www.google.com/maps/place/24%C2%B042%2749%22N+46%C2%B040%2731%22E/',
  ])
    assert.deepEqual(placeIn(text), degrees, text);
  assert.deepEqual(placeIn('24.7136° N, 46.6753° E'), {
    is: 'place',
    place: { latitude: '24.713600', longitude: '46.675300' },
  });
});

test('a place that is not one is told as what it is', () => {
  const is = (text: string) => placeIn(text)?.is ?? null;
  assert.deepEqual(placeIn('46.6753, 24.7136'), {
    is: 'swapped',
    place: { latitude: '24.7136', longitude: '46.6753' },
  });
  for (const text of ['25.2048, 55.9', '-1,-2.5', '51.5,-0.12', '999,999', '24.7136, -46.6753'])
    assert.equal(is(text), 'outside', text);
  for (const text of [
    'https://maps.app.goo.gl/Ab3dEf',
    'https://goo.gl/maps/abcd1234',
    'https://waze.com/ul/hth1',
  ])
    assert.equal(is(text), 'short', text);
  for (const text of ['rrrd2929', 'RRRD-٢٩٢٩', 'My address: RRRD 2929.'])
    assert.deepEqual(placeIn(text), { is: 'code', shortAddress: 'RRRD2929' }, text);
  for (const text of [
    '',
    'Olaya Street 12',
    '24.7136',
    '24.7136,',
    'NaN,NaN',
    '1e3,2e3',
    'Infinity, 24',
    '%E0%A4%A',
  ])
    assert.equal(is(text), null, text);
  for (const piece of ['9', ' ', '1,', '1 ', '°', '/', '%', '&q=1', 'RRRD'])
    assert.notEqual(is(piece.repeat(100_000)), 'place', piece);
});

test('a slot may end on the next day', () => {
  assert.equal(timeAfter('10:00', 90), '11:30');
  assert.equal(timeAfter('23:00', 120), '01:00');
  assert.equal(minutesBetween('23:00', '01:00'), 120);
});

test('an invalid server-sent event does not affect the next', () => {
  assert.deepEqual(readAll(['data\n\n']), [{ id: null, event: 'message', data: '' }]);
  assert.deepEqual(readAll(['id: a\0b\n\n', 'event: change\n\n', ' data: x\n\n']), []);
  assert.deepEqual(readAll(['event: change\n\n', 'data: {"topic":"x"}\n\n'])[0]?.event, 'message');
  const long = 'x'.repeat(1_000_000);
  assert.equal(readAll([`data: ${long}`, long, '\n\n'])[0]?.data?.length, 2_000_000);
  assert.deepEqual(readAll(['id\n\n']), [{ id: '', event: 'message', data: null }]);
});

/** A queue of steps with a clock and a service of its own. */
function stepsWith() {
  let now = 0;
  const timers = new Set<{ at: number; run: () => void }>();
  const sent: { id: string; to: string; version: number | undefined }[] = [];
  const told: string[] = [];
  const answers: ((status: number, details?: object) => void)[] = [];
  let version = 1;
  const queue = createStepQueue<{ status: number; details: { current?: unknown } }>({
    send: ({ visit, to }, known) => {
      sent.push({ id: visit.id, to, version: known });
      return new Promise((resolve, reject) => {
        answers.push((status, details = {}) =>
          status === 200 ? resolve(++version) : reject({ status, details }),
        );
      });
    },
    after: (milliseconds, run) => {
      const timer = { at: now + milliseconds, run };
      timers.add(timer);
      return () => timers.delete(timer);
    },
    onSent: ({ to }) => told.push(`sent ${to}`),
    onWaiting: ({ to }) => told.push(`waiting ${to}`),
    onFailed: ({ to }, { status }) => told.push(`failed ${to} ${status}`),
  });
  const settled = () => new Promise((resolve) => setImmediate(resolve));
  return {
    queue,
    sent,
    told,
    async answer(status: number, details?: object) {
      answers.shift()!(status, details);
      await settled();
    },
    async pass(milliseconds: number) {
      now += milliseconds;
      for (const timer of [...timers].filter(({ at }) => at <= now)) {
        timers.delete(timer);
        timer.run();
      }
      await settled();
    },
  };
}

const visit: StepVisit = {
  id: 'a',
  bookingId: 'b',
  name: 'SA-1',
  version: 1,
  status: 'Scheduled',
  bookingStatus: 'in progress',
  startsAt: '2026-11-26T10:00:00+03:00',
  endsAt: '2026-11-23T12:00:00+03:00',
};

test('a step is sent after a while, unless it is undone', async () => {
  const { queue, sent, told, pass, answer } = stepsWith();
  const undo = queue.take([{ visit, to: 'Confirmed' }]);
  assert.equal(queue.statusOf(visit), 'Confirmed');
  await pass(HOLD_MS - 1);
  assert.equal(undo(), 1);
  assert.equal(queue.statusOf(visit), 'Scheduled');
  await pass(HOLD_MS);
  assert.deepEqual(sent, []);
  const late = queue.take([{ visit, to: 'Confirmed' }]);
  await pass(HOLD_MS);
  assert.equal(late(), 0);
  await answer(200);
  assert.deepEqual([sent, told], [[{ id: 'a', to: 'Confirmed', version: 1 }], ['sent Confirmed']]);
  // Until the data is reloaded, and no longer.
  assert.equal(queue.statusOf(visit), 'Confirmed');
  assert.equal(queue.statusOf({ ...visit, version: 3, status: 'In The Way' }), 'In The Way');
  assert.equal(queue.isBusy(), false);
});

test('steps of a visit are sent in order, each for the version of the one before', async () => {
  const { queue, sent, pass, answer } = stepsWith();
  queue.take([{ visit, to: 'Confirmed' }]);
  const undo = queue.take([{ visit, to: 'In The Way' }]);
  assert.deepEqual(sent, [{ id: 'a', to: 'Confirmed', version: 1 }]);
  assert.equal(undo(), 1);
  assert.equal(queue.statusOf(visit), 'Confirmed');
  queue.take([{ visit, to: 'In The Way' }]);
  await pass(HOLD_MS);
  assert.equal(sent.length, 1, 'the first has no response yet');
  await answer(200);
  assert.deepEqual(sent[1], { id: 'a', to: 'In The Way', version: 2 });
  await answer(200);
  assert.equal(await queue.settle('a'), undefined);
  // A click on data that is older than the response.
  queue.take([{ visit, to: 'In The location' }]);
  const version = queue.settle('a');
  assert.equal(sent[2]!.version, 3);
  await answer(200);
  assert.equal(await version, 4);
});

test('a page that is left sends all steps at once', () => {
  const { queue, sent } = stepsWith();
  queue.take([
    { visit, to: 'Confirmed' },
    { visit: { ...visit, id: 'c' }, to: 'Confirmed' },
  ]);
  queue.take([{ visit, to: 'In The Way' }]);
  queue.flush({ isLeaving: true });
  assert.deepEqual(sent, [
    { id: 'a', to: 'Confirmed', version: 1 },
    { id: 'c', to: 'Confirmed', version: 1 },
    { id: 'a', to: 'In The Way', version: undefined },
  ]);
});

test('a step is tried again while the service is away; a lost response is no conflict', async () => {
  const { queue, sent, told, pass, answer } = stepsWith();
  queue.take([{ visit, to: 'Confirmed' }]);
  await pass(HOLD_MS);
  await answer(0);
  await pass(2_000);
  await answer(503);
  await pass(4_000);
  assert.equal(sent.length, 3);
  await answer(409, { current: { status: 'Confirmed', version: 2 } });
  assert.deepEqual(told, ['waiting Confirmed', 'waiting Confirmed', 'sent Confirmed']);

  queue.take([{ visit: { ...visit, version: 2 }, to: 'In The Way' }]);
  await pass(HOLD_MS);
  await answer(0);
  queue.giveUp('a');
  await pass(60_000);
  assert.equal(sent.length, 4);
  assert.equal(queue.isBusy(), false);
});

test('a refused step is told once, with the one that builds on it', async () => {
  const { queue, sent, told, pass, answer } = stepsWith();
  queue.take([{ visit, to: 'Confirmed' }]);
  await pass(HOLD_MS);
  queue.take([{ visit, to: 'In The Way' }]);
  await answer(409, { current: { status: 'Cancelled', version: 2 } });
  await pass(HOLD_MS);
  assert.deepEqual([sent.length, told], [1, ['failed In The Way 409']]);
  assert.equal(queue.statusOf(visit), 'Scheduled');
});
