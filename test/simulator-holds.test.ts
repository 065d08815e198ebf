import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createWorld, WORLD_DATE } from './fixtures.ts';
import { type Answer, startTestService } from './harness.ts';
import { times } from './storm.ts';

/**
 * The endings of holds that a sandbox plays, by the phone number of the customer (docs/sandbox.md).
 */

const SLOT = { startAt: '10:00', endAt: '12:00' };
const PHONES = {
  expires: '+966590000011',
  lost: '+966590000012',
  dearer: '+966590000013',
  limit: '+966590000014',
};

async function open(t: Parameters<typeof startTestService>[0], env: Record<string, string> = {}) {
  const service = await startTestService(t, { env });
  const world = await createWorld(service, { teams: 3, partner: { maxHolds: 4 } });
  const { key, serviceId } = world;
  const customer = async (phone?: string) => {
    const { id: contactId, addressId } = (await world.contact(phone === undefined ? {} : { phone })).body
      .data;
    return { contactId, addressId };
  };
  type Customer = Awaited<ReturnType<typeof customer>>;
  const hold = ({ addressId }: Customer, headers: Record<string, string> = {}) => {
    const body = { addressId, serviceId, date: WORLD_DATE, timeslot: SLOT };
    return service.v1(key, 'POST', '/partners/holds', body, headers);
  };
  const held = async (it: Customer): Promise<{ holdId: string; expiresAt: string; price: number }> => {
    const answer = await hold(it);
    assert.equal(answer.status, 200, answer.text);
    assert.equal(answer.body.data.status, 'HELD');
    return answer.body.data;
  };
  return {
    service,
    customer,
    hold,
    held,
    book: (it: Customer, holdId?: string) => world.book({ ...it, ...(holdId !== undefined && { holdId }) }),
    statusOf: async (holdId: string): Promise<string> =>
      (await service.v1(key, 'GET', `/partners/holds/${holdId}`)).body.data.status,
    async offered({ addressId }: Customer): Promise<boolean> {
      const query = new URLSearchParams({ addressId, serviceId, date: WORLD_DATE });
      const { body } = await service.v1(key, 'GET', `/partners/timeslots/available?${query}`);
      return body.data.slots.some(({ startAt }: { startAt: string }) => startAt === SLOT.startAt);
    },
    /** The remainder when the second of a simulated customer is over. */
    later: () => service.clock.advance(1_000),
  };
}

const reasonOf = ({ status, body }: Answer) => `${status} ${body.error?.details.reason ?? body.error?.code}`;

test('expired and still free: the booking is made as without the hold', async (t) => {
  const { customer, held, statusOf, book, later } = await open(t);
  const it = await customer(PHONES.expires);
  const { holdId } = await held(it);
  later();
  assert.equal(await statusOf(holdId), 'EXPIRED');
  const booked = await book(it, holdId);
  assert.deepEqual([booked.status, booked.body.data?.price], [200, 150]);
  // Taken twice.
  assert.equal(reasonOf(await book(it, holdId)), '409 HOLD_CONSUMED');
});

test('expired and gone: nobody is offered the slot until others let go of it', async (t) => {
  const { service, customer, held, hold, statusOf, book, offered, later } = await open(t);
  const it = await customer(PHONES.lost);
  for (let play = 0; play < 2; play++) {
    const { holdId } = await held(it);
    later();
    assert.equal(await statusOf(holdId), 'EXPIRED');
    assert.equal(await offered(it), false);
    const refused = await book(it, holdId);
    assert.equal(reasonOf(refused), '422 HOLD_EXPIRED');
    const { alternatives } = refused.body.error.details;
    assert.ok(alternatives.length > 0);
    const slots = alternatives.map((one: { date: string; startAt: string }) => `${one.date} ${one.startAt}`);
    assert.ok(!slots.includes(`${WORLD_DATE} ${SLOT.startAt}`));
    assert.equal(reasonOf(await book(it)), '422 SLOT_UNAVAILABLE');
    assert.equal(reasonOf(await hold(await customer())), '422 SLOT_UNAVAILABLE');
    service.clock.advance(300_000);
    assert.equal(await offered(it), true);
  }
});

test('expired and dearer: the booking is refused with the price', async (t) => {
  const { customer, held, book, later } = await open(t);
  const it = await customer(PHONES.dearer);
  const first = await held(it);
  assert.equal(first.price, 135);
  const kept = await book(it, first.holdId);
  assert.deepEqual([kept.status, kept.body.data?.price], [200, 135]);
  const { holdId } = await held(it);
  later();
  const refused = await book(it, holdId);
  assert.equal(reasonOf(refused), '422 PRICE_CHANGED');
  assert.equal(refused.body.error.details.price, 150);
  assert.equal((await book(it)).body.data.price, 150);
});

test('the limit of the account is reached, with its number', async (t) => {
  const { customer, hold, held } = await open(t);
  const refused = await hold(await customer(PHONES.limit));
  assert.equal(reasonOf(refused), '422 HOLD_LIMIT_REACHED');
  assert.equal(refused.body.error.details.maxHolds, 4);
  // Of anybody else it is the account's.
  for (const it of await Promise.all(times(3, () => customer()))) await held(it);
});

test('an Idempotency-Key plays an ending once', async (t) => {
  const { customer, hold, book, statusOf, later } = await open(t, { IDEMPOTENCY: 'true' });
  const it = await customer(PHONES.lost);
  const key = { 'idempotency-key': 'lost-1' };
  const { body } = await hold(it, key);
  later();
  assert.equal((await hold(it, key)).body.data.holdId, body.data.holdId);
  assert.equal(await statusOf(body.data.holdId), 'EXPIRED');
  assert.equal(reasonOf(await book(it, body.data.holdId)), '422 HOLD_EXPIRED');
});

test('in production the numbers are those of anybody', async (t) => {
  const { customer, held } = await open(t, { DEPLOYMENT: 'production' });
  for (const phone of [PHONES.lost, PHONES.dearer]) {
    const { expiresAt, price } = await held(await customer(phone));
    assert.deepEqual([expiresAt, price], ['2026-11-22T08:10:00+03:00', 150]);
  }
});
