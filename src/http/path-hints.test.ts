import assert from 'node:assert/strict';
import { test } from 'node:test';
import { routeHints } from './path-hints.ts';

const ROUTES = [
  'GET /v1/partners/services',
  'GET /v1/partners/services/:serviceId',
  'GET /v1/partners/timeslots/available',
  'GET /v1/partners/bookings',
  'POST /v1/partners/bookings',
  'GET /v1/partners/bookings/cancellation-reasons',
  'GET /v1/partners/bookings/:bookingId/status',
  'PATCH /v1/partners/bookings/:bookingId',
  'PATCH /v1/partners/bookings/:bookingId/cancel',
  'POST /v1/partners/bookings/:bookingId/confirm-payment',
  'GET /operator/bookings',
  'POST /operator/bookings/:id/cancel',
].map((route) => {
  const [method = '', url = ''] = route.split(' ');
  return { method, url };
});
const ID = '5f0c6a6e-3c1b-4b5e-9a53-0d5a2f1c7b10';
const hints = (request: string) => {
  const [method = '', url = ''] = request.split(' ');
  return routeHints(ROUTES, method, url);
};

test('a wrong method and a similar path name the right route', () => {
  const cases: [string, string[]][] = [
    [
      `GET /v1/partners/bookings/${ID}`,
      [
        'GET is no method of this path: send PATCH',
        'did you mean GET /v1/partners/bookings/:bookingId/status?',
      ],
    ],
    [`POST /v1/partners/bookings/${ID}/cancel`, ['POST is no method of this path: send PATCH']],
    ['PUT /v1/partners/bookings', ['PUT is no method of this path: send GET or POST']],
    ['GET /v1/partners/timeslots', ['did you mean GET /v1/partners/timeslots/available?']],
    ['GET /v1/partners/Timeslots/Available', ['did you mean GET /v1/partners/timeslots/available?']],
    ['GET /v1/partner/services/', ['did you mean GET /v1/partners/services?']],
    ['GET /v1/bookings', ['did you mean GET /v1/partners/bookings?']],
    ['GET /v1/partners/booking', ['did you mean GET /v1/partners/bookings?']],
    ['GET /operator/booking', ['did you mean GET /operator/bookings?']],
    [`PATCH /operator/bookings/${ID}/cancel`, ['PATCH is no method of this path: send POST']],
  ];
  for (const [request, wanted] of cases) {
    const found = hints(request);
    for (const hint of wanted) assert.ok(found.includes(hint), `${request}: ${JSON.stringify(found)}`);
    assert.equal(found[0], wanted[0], request);
  }
  const removed = hints(`DELETE /v1/partners/bookings/${ID}`);
  assert.ok(removed.includes('did you mean PATCH /v1/partners/bookings/:bookingId/cancel?'), `${removed}`);
});

test('a path far from every route gets no hint, and long paths are skipped', () => {
  for (const request of [
    'GET /v1/nothing/of/the/kind',
    'GET /other',
    'GET /',
    `GET /v1${'/a'.repeat(5_000)}`,
  ])
    assert.deepEqual(hints(request), [], request.slice(0, 50));
  assert.ok(hints('GET /v1/partners').length <= 5);
});
