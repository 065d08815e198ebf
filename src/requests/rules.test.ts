import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createBatch, unpackBodies, unpackEntries } from './packing.ts';
import { type NewEntry, parseId, peaksOf } from './rules.ts';

const KEY = '5f0c6a6e-3c1b-4b5e-9a53-0d5a2f1c7b10';
const OTHER = '6f0c6a6e-3c1b-4b5e-9a53-0d5a2f1c7b11';
const PARTNER = '7f0c6a6e-3c1b-4b5e-9a53-0d5a2f1c7b12';
const BOOKING = '8f0c6a6e-3c1b-4b5e-9a53-0d5a2f1c7b13';

const entry = (fields: Partial<NewEntry>): NewEntry => ({
  at: 1_000,
  requestId: 'r-1',
  partnerId: PARTNER,
  keyId: KEY,
  method: 'GET',
  route: '/v1/partners/bookings',
  path: null,
  status: 200,
  code: null,
  message: null,
  check: null,
  reason: null,
  hints: [],
  ignoredParameters: [],
  details: null,
  durationMs: 1.5,
  bookingId: null,
  userAgent: null,
  bodies: null,
  ...fields,
});

function batchOf(entries: readonly NewEntry[]) {
  const batch = createBatch(PARTNER);
  for (const each of entries) batch.add(each);
  assert.equal(batch.size(), entries.length);
  return batch;
}

test('what is packed comes back as it was', () => {
  const bodies = { request: '{"a":1}', response: null, requestCut: false, responseCut: false };
  const entries = [
    entry({ at: 5_000, bookingId: BOOKING, userAgent: 'app/1' }),
    entry({ at: 4_000, keyId: OTHER, requestId: 'r-2', bodies }),
    entry({
      at: 6_500,
      method: 'POST',
      route: null,
      path: '/v1/nowhere',
      status: 404,
      code: 'RESOURCE_NOT_FOUND',
      message: 'Route not found',
      check: 'route',
      reason: 'typo',
      hints: ['look'],
      ignoredParameters: ['pageSize'],
      details: { resource: 'route' },
    }),
    entry({ at: 6_400, status: 404, code: 'RESOURCE_NOT_FOUND', message: 'Booking not found' }),
  ];
  const batch = batchOf(entries);
  const packed = batch.pack();
  assert.deepEqual(batch.entries(), entries);
  assert.deepEqual([packed.firstAt, packed.lastAt], [4_000, 6_500]);
  assert.deepEqual(packed.keyIds, [KEY, OTHER]);
  assert.deepEqual(packed.routes, ['GET /v1/partners/bookings', 'POST *']);
  assert.deepEqual(packed.statuses, [200, 404]);
  assert.deepEqual(packed.codes, ['RESOURCE_NOT_FOUND']);
  assert.equal(packed.failures?.length, 2);
  assert.deepEqual(packed.seconds, {
    [KEY]: [
      [5, 1],
      [6, 2],
    ],
    [OTHER]: [[4, 1]],
  });
  const row = {
    id: 7,
    partner_id: PARTNER,
    first_at: packed.firstAt,
    key_ids: packed.keyIds,
    request_ids: packed.requestIds,
    booking_ids: packed.bookingIds,
    entries: packed.entries,
  };
  assert.deepEqual(
    unpackEntries(row),
    entries.map(({ bodies: _, ...request }, place) => ({ ...request, id: `7-${place}` })),
  );
  assert.deepEqual(unpackBodies(packed.bodies ?? Buffer.alloc(0)), [null, bodies, null, null]);
  assert.equal(batchOf([entry({})]).pack().bookingIds, null);
  assert.equal(batchOf([entry({})]).pack().bodies, null);
  assert.equal(batchOf([entry({})]).pack().failures, null);
});

test('a batch takes as many as come, with ids of every length', () => {
  const entries = Array.from({ length: 1_000 }, (_, place) =>
    entry({
      at: 1_000 + (place % 7),
      requestId: `${'x'.repeat(place % 128)}${place}`,
      bookingId: place % 3 === 0 ? BOOKING : null,
      durationMs: place * 61.7,
      userAgent: place % 2 === 0 ? null : `app/${place % 40}`,
      path: place % 100 === 99 ? `/v1/${place}` : null,
    }),
  );
  const rounded = entries.map((each) => ({ ...each, durationMs: Math.round(each.durationMs * 10) / 10 }));
  assert.deepEqual(batchOf(entries).entries(), rounded);
});

test('a peak counts what the limit counts', () => {
  const checks = [null, null, 'domain', 'permission', 'key', 'address', 'rate-limit', 'https'];
  const batch = batchOf(checks.map((check) => entry({ check, status: check === null ? 200 : 403 })));
  const [peak] = peaksOf([batch.pack().seconds]);
  assert.equal(peak?.requests, 4);
});

test('the peak is of any 60 seconds, across batches, for each key', () => {
  const peaks = peaksOf([
    { [KEY]: [[100, 3]], [OTHER]: [[5, 2]] },
    {
      [KEY]: [
        [159, 4],
        [160, 5],
      ],
    },
    { [KEY]: [[400, 8]] },
  ]);
  assert.deepEqual(peaks, [
    { keyId: KEY, requests: 9, from: 159_000 },
    { keyId: OTHER, requests: 2, from: 5_000 },
  ]);
  // The sixtieth second still counts, the sixty-first does not.
  assert.equal(peaksOf([{ [KEY]: [[100, 3], [159, 4]] }])[0]?.requests, 7); // biome-ignore format: as one line
  assert.equal(peaksOf([{ [KEY]: [[100, 3], [160, 4]] }])[0]?.requests, 4); // biome-ignore format: as one line
  assert.deepEqual(peaksOf([]), []);
});

test('ids are of one form', () => {
  assert.deepEqual(parseId('481-12'), { batch: 481, place: 12 });
  for (const id of [
    '',
    '481',
    '0-1',
    '1--1',
    '01-1',
    '1-01',
    '1-12345',
    `${'9'.repeat(17)}-1`,
    ' 1-1',
    '1-1\n',
  ])
    assert.equal(parseId(id), null, id);
});
