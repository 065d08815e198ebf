import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Account, violations } from '../chaos/checker.ts';

/** A storm proves nothing when its checker lets things pass: each kind of fault is shown to it. */

const TEAMS = 2;

/** Two bookings, one of them canceled, with nothing amiss. */
function flawless(): Account {
  const booking = (bookingId: string, startAt: string, canceled: boolean) => ({
    bookingId,
    externalReference: `REF-${bookingId}`,
    date: '2026-12-01',
    startAt,
    canceled,
  });
  const acknowledged = [booking('a', '08:00', false), booking('b', '09:30', true)];
  const event = (id: string, bookingId: string, sequence: number, name: string) => ({
    id,
    bookingId,
    sequence,
    event: name,
  });
  const feed = [
    event('1', 'a', 1, 'booking.created'),
    event('2', 'b', 1, 'booking.created'),
    event('3', 'b', 2, 'booking.cancelled'),
  ];
  return {
    name: 'partner',
    platform: true,
    acknowledged,
    followed: [...feed],
    feed,
    bookings: acknowledged.map(({ canceled, ...rest }) => ({
      ...rest,
      status: canceled ? 'canceled' : 'waiting payment',
    })),
    delivered: new Map([
      ['a booking.created', new Set(['d1'])],
      ['b booking.created', new Set(['d2'])],
      ['b booking.cancelled', new Set(['d3'])],
    ]),
    payments: [
      {
        bookingId: 'a',
        status: 'OPEN',
        linkUrl: 'https://pay.example/a',
        sentAt: '2026-11-22T08:00:00+03:00',
      },
      { bookingId: 'b', status: 'CANCELED', linkUrl: null, sentAt: null },
    ],
  };
}

const FAULTS: [name: string, found: RegExp, harm: (account: Account) => void][] = [
  ['a lost booking', /lost: booking a/, (it) => void it.bookings.shift()],
  [
    'a booking at another time',
    /changed: startAt of booking a/,
    (it) => {
      it.bookings[0]!.startAt = '11:00';
    },
  ],
  [
    'a lost cancellation',
    /lost: the cancellation of booking b/,
    (it) => {
      it.bookings[1]!.status = 'success';
    },
  ],
  [
    'a reference that was booked twice',
    /reference REF-a has 2 bookings/,
    (it) => void it.bookings.push({ ...it.bookings[0]!, bookingId: 'c' }),
  ],
  ['a gap in what a reader saw', /event 2 was missed/, (it) => void it.followed.splice(1, 1)],
  [
    'an event that was read twice',
    /event 1 was read 2 times/,
    (it) => void it.followed.push(it.followed[0]!),
  ],
  ['an event that appeared behind the cursor', /event 1 has moved/, (it) => void it.followed.reverse()],
  ['an event that has gone', /event 3 has gone/, (it) => void it.feed.pop()],
  ['a gap in the events of a booking', /booking b has 2 where 1 comes/, (it) => void it.feed.splice(1, 1)],
  [
    'an event that was written twice',
    /booking.created of booking a 2 times/,
    (it) => void it.feed.push({ ...it.feed[0]!, id: '4', sequence: 2 }),
  ],
  [
    'a booking without events',
    /nothing of booking c/,
    (it) => void it.bookings.push({ ...it.bookings[1]!, bookingId: 'c', externalReference: null }),
  ],
  [
    'an event that was not delivered',
    /a booking.created arrived 0 of 1 times/,
    (it) => {
      it.delivered = new Map([...it.delivered].slice(1));
    },
  ],
  [
    'two deliveries for one event',
    /has 2 deliveries for 1 events/,
    (it) => {
      it.delivered = new Map([...it.delivered, ['a booking.created', new Set(['d1', 'd9'])]]);
    },
  ],
  [
    'a booking that waits without a link',
    /waits for payment without a link/,
    (it) => {
      it.payments[0]!.linkUrl = null;
    },
  ],
  ['a booking without a payment', /booking a has 0 payments/, (it) => void it.payments.shift()],
];

test('consistent accounts have no violations', () => {
  assert.deepEqual(violations([flawless()], TEAMS), []);
});

for (const [name, found, harm] of FAULTS) {
  test(`the checker finds ${name}`, () => {
    const account = flawless();
    harm(account);
    assert.match(violations([account], TEAMS).join('\n'), found);
  });
}

test('the checker finds more bookings at one time than there are teams, over all partners', () => {
  const accounts = ['x', 'y', 'z'].map((name) => ({ ...flawless(), name }));
  assert.match(violations(accounts, TEAMS).join('\n'), /double booking: 3 bookings at 2026-12-01 08:00/);
  assert.deepEqual(violations(accounts, 3), []);
});
