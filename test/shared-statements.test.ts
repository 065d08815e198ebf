import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { test } from 'node:test';
import { createWorld } from './fixtures.ts';
import { startTestService } from './harness.ts';
import { times } from './storm.ts';

test('bookings that are read together are read right, each for its own partner', async (t) => {
  const service = await startTestService(t);
  const [world, other] = [await createWorld(service, { teams: 4 }), await createWorld(service, { teams: 4 })];
  const read = (key: string, id: string) => service.v1(key, 'GET', `/partners/bookings/${id}/status`);
  const booked = await Promise.all(times(8, (index) => (index % 2 === 0 ? world : other).book()));
  const ids: string[] = booked.map(({ body }) => body.data.bookingId);

  const answers = await Promise.all(
    times(64, async (index) => {
      const place = index % ids.length;
      const ours = index % 3 !== 0;
      const owner = place % 2 === 0 ? world : other;
      const stranger = place % 2 === 0 ? other : world;
      const id = index % 5 === 0 ? ids[place]!.toUpperCase() : ids[place]!;
      return { place, ours, answer: await read(ours ? owner.key : stranger.key, id) };
    }),
  );
  for (const { place, ours, answer } of answers) {
    if (ours) assert.deepEqual(answer.body.data, booked[place]!.body.data);
    else assert.equal(answer.body.error.code, 'RESOURCE_NOT_FOUND');
  }
  const missing = await Promise.all(times(4, () => read(world.key, randomUUID())));
  assert.deepEqual(
    missing.map(({ status }) => status),
    [404, 404, 404, 404],
  );
});
