import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DAY } from '../src/base/clock.ts';
import { eraseAfterRetention } from '../src/privacy/retention.ts';
import { booked, patched } from './appointment-fixtures.ts';
import { createWorld } from './fixtures.ts';
import { createPostgresDatabase, onServer, startTestService, TEST_NOW } from './harness.ts';
import { until } from './until.ts';

/** CONTACT_RETENTION_MONTHS: customers are erased some months after they were last served. */

/** 22 January, 08:00: two months after TEST_NOW. */
const TWO_MONTHS = TEST_NOW + 61 * DAY;

test('customers are erased months after they were made and last served, unless a booking is open', async (t) => {
  const service = await startTestService(t);
  const { db } = service.deps;
  const world = await createWorld(service, { teams: 2 });
  const made = async (name: string): Promise<{ id: string; addressId: string }> => {
    const answer = await world.contact({ name });
    assert.equal(answer.status, 200, answer.text);
    return answer.body.data;
  };
  const [never, open] = [await made('Never'), await made('Open')];
  // Until 23 November, 12:00.
  const visit = await booked(world, '10:00');
  await booked(world, '10:00', { contactId: open.id, addressId: open.addressId });
  for (const status of ['Confirmed', 'In The Way', 'In The location', 'In Progress', 'Finished'])
    await patched(service, visit, { status });
  service.clock.advance(10 * DAY);
  await patched(service, visit, { status: 'Completed' });
  const recent = await made('Recent');

  const erased = async (): Promise<string[]> => {
    const text = 'select id from contacts where phone is null order by id';
    return (await db.rows<{ id: string }>({ text })).map(({ id }) => id);
  };
  const runAt = (now: number): Promise<number> => {
    service.clock.set(now);
    return eraseAfterRetention(service.deps, 2);
  };
  assert.equal(await runAt(TWO_MONTHS), 0);
  assert.equal(await runAt(TWO_MONTHS + 1), 1);
  assert.deepEqual(await erased(), [never.id]);
  assert.equal(await runAt(TWO_MONTHS + 1.16 * DAY), 0, 'its visit ended later that day');
  assert.equal(await runAt(TWO_MONTHS + 1.17 * DAY), 1);
  assert.deepEqual(await erased(), [never.id, world.contactId].sort());
  assert.equal(await runAt(TWO_MONTHS + 11 * DAY), 0);
  assert.equal(await runAt(TWO_MONTHS + 12 * DAY), 1);
  assert.deepEqual(await erased(), [never.id, world.contactId, recent.id].sort());
  assert.match(service.logged(), new RegExp(`"contactId":"${recent.id}"[^\\n]*contact erased`));

  const { data } = (await service.operator('GET', '/privacy-requests?kind=RETENTION')).body;
  assert.deepEqual(
    data.map(
      ({ status, receivedBy, partner }: { status: string; receivedBy: string; partner: { id: string } }) => [
        status,
        receivedBy,
        partner.id,
      ],
    ),
    Array(3).fill(['DONE', 'retention', world.partnerId]),
  );
});

test(
  'a worker erases them daily when months are configured, and never otherwise',
  onServer('an embedded database is in one process'),
  async (t) => {
    const databaseUrl = await createPostgresDatabase(t);
    const before = await startTestService(t, { databaseUrl });
    const { contactId } = await createWorld(before);
    const { db, clock } = before.deps;
    before.clock.set(TWO_MONTHS + DAY);
    const erased = async (): Promise<boolean> => {
      const text = 'select 1 as one from contacts where id = $1 and phone is null';
      return (await db.first({ text, values: [contactId] })) !== null;
    };
    const env = { CONTACT_RETENTION_MONTHS: '3' };
    await startTestService(t, { databaseUrl, env, clock: before.clock });
    assert.equal(await eraseAfterRetention(before.deps, 3), 0);
    assert.equal(await erased(), false);
    assert.equal(clock.now(), TWO_MONTHS + DAY);
    await startTestService(t, { databaseUrl, env: { CONTACT_RETENTION_MONTHS: '2' }, clock: before.clock });
    await until(erased);
  },
);
