import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createEventReader, type ServerEvent } from '../console/server-events.ts';

/** The same on every database. */

/** What the console reckons without a browser. */

const readAll = (parts: readonly string[]): ServerEvent[] => parts.flatMap(createEventReader());

const change = (topic: string, id: string | null = null): ServerEvent => ({
  id,
  event: 'change',
  data: `{"topic":"${topic}"}`,
});

test('server-sent events are read however they are cut, and with every end of a line', () => {
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
    // Nothing happened: it is only known where to go on.
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

test('of server-sent events, what is wrong with one is of no account to the next', () => {
  assert.deepEqual(readAll(['data\n\n']), [{ id: null, event: 'message', data: '' }]);
  assert.deepEqual(readAll(['id: a\0b\n\n', 'event: change\n\n', ' data: x\n\n']), []);
  assert.deepEqual(readAll(['event: change\n\n', 'data: {"topic":"x"}\n\n'])[0]?.event, 'message');
  const long = 'x'.repeat(1_000_000);
  assert.equal(readAll([`data: ${long}`, long, '\n\n'])[0]?.data?.length, 2_000_000);
  assert.deepEqual(readAll(['id\n\n']), [{ id: '', event: 'message', data: null }]);
});
