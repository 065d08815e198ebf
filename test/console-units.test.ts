import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createEventReader, type ServerEvent } from '../console/server-events.ts';
import { coordinatesOf, minutesBetween, timeAfter } from '../console/values.ts';

/** The same on every database. */

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

test('coordinates are found in pasted texts', () => {
  const place = { latitude: '24.7136', longitude: '46.6753' };
  for (const text of [
    '24.7136, 46.6753',
    '٢٤٫٧١٣٦، ٤٦٫٦٧٥٣',
    '24.7136 46.6753',
    'https://maps.google.com/?q=24.7136,46.6753',
    'https://maps.google.com/?q=24.7136%2C46.6753&z=17',
    'https://www.google.com/maps/place/X/@24.7,46.6,17z/data=!3m1!4b1!4m5!3d24.7136!4d46.6753',
    'https://www.google.com/maps/@24.7136,46.6753,17z',
  ])
    assert.deepEqual(coordinatesOf(text), place, text);
  assert.deepEqual(coordinatesOf('-1,-2.5'), { latitude: '-1', longitude: '-2.5' });
  for (const text of ['', 'Olaya Street 12', '24.7136', '24.7136,', 'https://maps.app.goo.gl/aBc12'])
    assert.equal(coordinatesOf(text), null, text);
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
