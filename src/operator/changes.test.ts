import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Changes } from './change-queries.ts';
import { changesSince, decodeCursor, encodeCursor, toEvents } from './changes.ts';

const NOTHING: Changes = {
  feed: 10,
  audit: 5,
  deliveries: 3,
  payments: 2,
  oldest: 1,
  bookings: [],
  entries: [],
};
const SINCE = { feed: 10, audit: 5, deliveries: 3, payments: 2 };
const ID = '5f0c6a6e-3c1b-4b5e-9a53-0d5a2f1c7b10';

test('without changes there is no event', () => {
  assert.equal(toEvents(changesSince(SINCE, NOTHING), SINCE), '');
});

test('only the last event of a batch has the id', () => {
  const found = {
    ...NOTHING,
    audit: 6,
    entries: [{ id: ID, target: `zone:${ID}`, booking_id: null, appointment_id: null }],
  };
  assert.equal(
    toEvents(changesSince(SINCE, found), { ...SINCE, audit: 6 }),
    `event: change\ndata: {"topic":"audit","ids":["${ID}"]}\n\n` +
      `event: change\ndata: {"topic":"availability","ids":["${ID}"]}\n\n` +
      'event: change\ndata: {"topic":"catalogue","ids":null}\nid: 10-6-3-2\n\n',
  );
});

test('dropped, future or too many changes are a reset', () => {
  const told = (since: Partial<typeof SINCE>, found: Partial<Changes> = {}) =>
    changesSince({ ...SINCE, ...since }, { ...NOTHING, ...found });
  assert.equal(told({ feed: 3 }, { oldest: 5 }), 'reset');
  assert.notEqual(told({ feed: 4 }, { oldest: 5 }), 'reset');
  assert.equal(told({ feed: 11 }), 'reset');
  assert.equal(told({ audit: 6 }), 'reset');
  const bookings = Array.from({ length: 501 }, () => ({ booking_id: ID, appointment_id: null }));
  assert.equal(told({}, { bookings }), 'reset');
  const many = Array.from({ length: 101 }, (_, number) => ({
    booking_id: `${ID}${number}`,
    appointment_id: null,
  }));
  assert.equal((told({}, { bookings: many }) as Map<string, unknown>).get('bookings'), null);
  assert.equal(toEvents('reset', SINCE), 'event: reset\nid: 10-5-3-2\ndata: {}\n\n');
});

test('a cursor survives encoding and decoding', () => {
  assert.deepEqual(decodeCursor(encodeCursor(SINCE)), SINCE);
  for (const text of ['', 'x', '1-2-3', '1-2-3-4-5', '-1-2-3-4', '1-2-3-x', '1'.repeat(16)])
    assert.equal(decodeCursor(text), null, text);
});
