import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DAY } from '../src/base/clock.ts';
import { keepEventsAndDeliveries } from '../src/program/worker.ts';
import { createWorld } from './fixtures.ts';
import { startTestService, TEST_NOW } from './harness.ts';

test('the event feed', async (t) => {
  const service = await startTestService(t);
  const world = await createWorld(service, { teams: 5 });
  const other = await createWorld(service);
  await other.book();
  const read = async (query = '') => service.v1(world.key, 'GET', `/partners/events${query}`);

  const empty = await read();
  assert.equal(empty.status, 200);
  assert.deepEqual(empty.body.data, []);
  assert.equal(empty.body.meta.hasMore, false);
  assert.equal(typeof empty.body.meta.nextCursor, 'string', 'always present');

  const bookings: { bookingId: string }[] = [];
  for (let index = 0; index < 3; index++) bookings.push((await world.book()).body.data);
  await service.v1(world.key, 'POST', `/partners/bookings/${bookings[0]!.bookingId}/confirm-payment`, {});

  await t.test(
    "oldest first, with the payload of the event's time, after the cursor of the empty page",
    async () => {
      const { body } = await read(`?after=${empty.body.meta.nextCursor}`);
      assert.deepEqual(Object.keys(body.data[0]), [
        'id',
        'event',
        'bookingId',
        'sequence',
        'createdAt',
        'payload',
      ]);
      assert.deepEqual(
        body.data.map((event: { event: string; bookingId: string; sequence: number }) => [
          event.event,
          event.bookingId,
          event.sequence,
        ]),
        [
          ...bookings.map((booking) => ['booking.created', booking.bookingId, 1]),
          ['booking.payment_confirmed', bookings[0]!.bookingId, 2],
        ],
      );
      assert.deepEqual(body.data[0].payload, bookings[0]);
      assert.equal(body.data[0].payload.paymentStatus, 'PENDING', 'fixed when it was written');
      assert.equal(body.data[0].createdAt, '2026-11-22T08:00:00+03:00');
    },
  );

  await t.test('a page continues exactly where the last one ended', async () => {
    const seen: string[] = [];
    let cursor = '';
    let more = true;
    while (more) {
      const { body } = await read(`?limit=1${cursor && `&after=${cursor}`}`);
      seen.push(...body.data.map((event: { id: string }) => event.id));
      cursor = body.meta.nextCursor;
      more = body.meta.hasMore;
    }
    assert.equal(seen.length, 4);
    assert.deepEqual(
      (await read()).body.data.map((event: { id: string }) => event.id),
      seen,
    );
    const end = await read(`?after=${cursor}`);
    assert.deepEqual([end.body.data, end.body.meta], [[], { nextCursor: cursor, hasMore: false }]);
  });

  await t.test('latest: the current end of the feed, after which only new events come', async () => {
    const { body } = await read('?after=latest');
    assert.deepEqual([body.data, body.meta.hasMore], [[], false]);
    assert.equal(body.meta.nextCursor, (await read('?limit=100')).body.meta.nextCursor);
    const { bookingId } = (await world.book()).body.data;
    // Committed but not placed yet when it is asked for: it is before that end.
    const later = (await read('?after=latest&limit=1')).body.meta.nextCursor;
    assert.deepEqual((await read(`?after=${later}`)).body.data, []);
    await other.book({ timeslot: { startAt: '14:00', endAt: '16:00' } });
    assert.deepEqual((await read(`?after=${later}`)).body.data, [], "another partner's");
    const events = (await read(`?after=${body.meta.nextCursor}`)).body.data;
    assert.deepEqual(
      events.map((event: { bookingId: string }) => event.bookingId),
      [bookingId],
    );
  });

  await t.test('latest of an empty feed is its beginning', async () => {
    const third = await createWorld(service);
    const readThird = async (after: string) =>
      (await service.v1(third.key, 'GET', `/partners/events?after=${after}`)).body;
    const { nextCursor } = (await readThird('latest')).meta;
    await third.book();
    assert.equal((await readThird(nextCursor)).data.length, 1);
  });

  await t.test('validation errors', async () => {
    for (const after of ['x', '', 'ZjEueA', 'ZjEuMQ==', 'Latest']) {
      const answer = await read(`?after=${after}`);
      assert.deepEqual(
        answer.body.error?.details.message,
        ['after must be a cursor that the feed returned'],
        after,
      );
    }
    assert.equal((await read('?limit=101')).status, 400);
    // Of a database whose last events this one has lost: its next events would count as seen.
    const last = await service.deps.db.first<{ place: number }>({
      text: 'select max(place)::float8 as place from event_places',
    });
    const cursorAt = (place: number) => Buffer.from(`f1.${place}`).toString('base64url');
    const ahead = cursorAt(last!.place + 1);
    assert.equal((await read(`?after=${cursorAt(last!.place)}`)).status, 200);
    const refused = await read(`?after=${ahead}`);
    assert.equal(refused.status, 400);
    assert.deepEqual(refused.body.error.details.message, ['after must be a cursor that the feed returned']);
    assert.match(refused.body.error.details.hints[0], /begin from a time .* reconcile your bookings/);
    const history = `f2.00000000.${last!.place}`;
    const unknown = await read(`?after=${Buffer.from(history).toString('base64url')}`);
    assert.equal(unknown.status, 400, 'of a history that this database does not know');
    assert.deepEqual(unknown.body.error.details, refused.body.error.details);
    for (const since of ['', 'yesterday', '2026-11-22', '2026-11-22T08:00:00', '2026-02-30T08:00:00Z'])
      assert.deepEqual(
        (await read(`?since=${since}`)).body.error?.details.message,
        ['since must be a valid ISO 8601 date and time with offset'],
        since,
      );
    const blank = await read('?since=2026-11-22T08:00:00+03:00');
    assert.equal(blank.status, 400);
    assert.deepEqual(blank.body.error.details.hints, ['since: a + in a URL is a blank: write %2B']);
    assert.equal((await read('?since=1999-01-01T08:00:00Z')).status, 400);
  });

  await t.test('since: events from that time on, for readers without a cursor', async () => {
    const fourth = await createWorld(service, { teams: 5 });
    const readFourth = async (query: string) =>
      (await service.v1(fourth.key, 'GET', `/partners/events?${query}`)).body;
    const times: string[] = [];
    const ids: string[] = [];
    for (let index = 0; index < 3; index++) {
      await fourth.book();
      const event = (await readFourth('limit=100')).data.at(-1);
      times.push(event.createdAt);
      ids.push(event.id);
      service.clock.advance(1_500);
    }
    const idsOf = async (query: string) => (await readFourth(query)).data.map(({ id }: { id: string }) => id);
    assert.deepEqual(await idsOf(`since=${encodeURIComponent(times[1]!)}`), ids.slice(1));
    assert.deepEqual(await idsOf('since=2000-01-01T00:00:00Z'), ids);
    const page = await readFourth(`limit=1&since=${encodeURIComponent(times[1]!)}`);
    assert.deepEqual([page.data[0].id, page.meta.hasMore], [ids[1], true]);
    const rest = `after=${page.meta.nextCursor}&since=${encodeURIComponent(times[0]!)}`;
    assert.deepEqual(await idsOf(rest), ids.slice(2), 'a cursor goes before it');
    const later = await readFourth(`since=${new Date(service.clock.now()).toISOString()}`);
    assert.deepEqual([later.data, later.meta.hasMore], [[], false]);
    await fourth.book();
    assert.equal((await readFourth(`after=${later.meta.nextCursor}`)).data.length, 1);
    service.clock.set(TEST_NOW);
  });

  await t.test('events are kept for 90 days', async () => {
    const kept = async (now: number): Promise<number[]> => {
      await keepEventsAndDeliveries(service.deps.db, now);
      const tables = ['events', 'event_places', 'unplaced_events'];
      const counted = tables.map((table) =>
        service.deps.db.first<{ count: number }>({ text: `select count(*) as count from ${table}` }),
      );
      return (await Promise.all(counted)).map((row) => row!.count);
    };
    service.clock.set(TEST_NOW + 90 * DAY + 1);
    assert.equal((await read()).body.data.length, 0);
    service.clock.set(TEST_NOW);
    // They go with their month.
    const nextMonth = Date.parse('2026-12-01T00:00:00Z');
    assert.deepEqual(await kept(nextMonth + 90 * DAY - 1), [12, 12, 0]);
    assert.deepEqual(await kept(nextMonth + 90 * DAY), [0, 0, 0]);
  });
});
