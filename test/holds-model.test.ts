import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { MINUTE, manualClock } from '../src/base/clock.ts';
import { createWorld, WORLD_DATE } from './fixtures.ts';
import { startTestService, TEST_NOW } from './harness.ts';
import { times } from './storm.ts';

/**
 * Random operations of holds and bookings, each compared with a model that only counts. TEST_HOLD_OPERATIONS is their number, for a
 * longer run.
 */

const TEAMS = 2;
const STARTS = ['09:00', '12:00', '15:00', '18:00'];
const USUAL = process.env.TEST_FULL === 'on' ? 1_500 : 400;
const OPERATIONS = Number(process.env.TEST_HOLD_OPERATIONS ?? USUAL);
/** Of one world, whose clock comes near its slots. */
const MOST = 1_000;
/** Live holds of places at once. */
const MAX_PLACES = 3;
const slotAt = (startAt: string) => ({ startAt, endAt: `${Number(startAt.slice(0, 2)) + 2}:00` });
const pick = <T>(list: readonly T[]): T => list[Math.floor(Math.random() * list.length)]!;

type Hold = {
  id: string;
  slot: string;
  madeAt: number;
  expiresAt: number;
  isOver: boolean;
  isDisplaced: boolean;
  bookingId: string | null;
};

test('holds and bookings do what a model of counts says', async (t) => {
  for (let done = 0; done < OPERATIONS; done += MOST)
    await t.test(`from operation ${done} on`, (it) => walk(it, Math.min(MOST, OPERATIONS - done)));
});

async function walk(t: TestContext, count: number): Promise<void> {
  const clock = manualClock(TEST_NOW);
  const service = await startTestService(t, { clock });
  const world = await createWorld(service, { teams: TEAMS, partner: { maxHolds: 5 * MAX_PLACES } });
  const { key, serviceId } = world;
  const customers = await Promise.all(
    times(5, async () => {
      const { id: contactId, addressId } = (await world.contact()).body.data;
      return { contactId, addressId, hold: null as Hold | null, displaced: [] as Hold[] };
    }),
  );
  type Customer = (typeof customers)[number];
  /** Holds of places: those of a reference, and each without one. */
  const carts: { reference: string | null; hold: Hold | null }[] = ['A', 'B'].map((reference) => ({
    reference,
    hold: null,
  }));
  const visits: { customer: Customer; slot: string; bookingId: string; appointmentId: string }[] = [];
  const reason = { nameEn: 'Moved', nameAr: 'انتقل' };
  const reasonId = (await service.operator('POST', '/cancellation-reasons', reason)).body.data.id;
  const log: string[] = [];

  const isHeld = (hold: Hold | null): boolean =>
    hold !== null && !hold.isOver && hold.bookingId === null && hold.expiresAt > clock.now();
  const holders = () => [...customers, ...carts];
  const freeFor = (customer: Customer | null, slot: string): number =>
    TEAMS -
    visits.filter((visit) => visit.slot === slot).length -
    holders().filter((other) => other !== customer && isHeld(other.hold) && other.hold!.slot === slot).length;
  const called = async (method: string, path: string, body?: unknown) => {
    const { status, body: answer } = await service.v1(key, method, `/partners${path}`, body);
    const code = answer.error?.details?.reason ?? answer.error?.code ?? 'OK';
    log.push(`${clock.now() - TEST_NOW} ${method} ${path} ${JSON.stringify(body)} → ${status} ${code}`);
    return { code, data: answer.data };
  };
  const place = ({ addressId }: Customer, slot: string) => ({
    addressId,
    serviceId,
    date: WORLD_DATE,
    timeslot: slotAt(slot),
  });

  /** A booking for the slot takes the customer's own hold of it; one that is over it may take. */
  const consumesOwn = async (customer: Customer, slot: string, bookingId: string): Promise<void> => {
    for (const hold of new Set([customer.hold, ...customer.displaced])) {
      if (hold === null || hold.bookingId !== null || hold.slot !== slot) continue;
      const after = (await called('GET', `/holds/${hold.id}`)).data;
      if (isHeld(hold)) assert.deepEqual([after.status, after.bookingId], ['CONSUMED', bookingId]);
      hold.bookingId = after.bookingId;
    }
  };
  /** A booking without `holdId` is told of the customer's own hold that gave way, as long as its price holds. */
  const gaveWay = ({ displaced }: Customer, slot: string): boolean =>
    displaced.some((hold) => hold.slot === slot && hold.bookingId === null && hold.expiresAt > clock.now());
  /** Books the slot of a hold for the customer, who takes it; null: refused, as the model says. */
  const bookWith = async (hold: Hold, customer: Customer): Promise<string | null> => {
    const expected =
      hold.bookingId !== null
        ? 'HOLD_CONSUMED'
        : isHeld(hold) || freeFor(customer, hold.slot) > 0
          ? 'OK'
          : hold.isDisplaced
            ? 'HOLD_DISPLACED'
            : 'HOLD_EXPIRED';
    const { contactId } = customer;
    const body = { ...place(customer, hold.slot), contactId, holdId: hold.id };
    const { code, data } = await called('POST', '/bookings', body);
    assert.equal(code, expected);
    if (expected !== 'OK') return null;
    const { bookingId, appointmentId } = data;
    visits.push({ customer, slot: hold.slot, bookingId, appointmentId });
    hold.bookingId = bookingId;
    return bookingId;
  };
  const operations = {
    async hold(customer: Customer) {
      const slot = pick(STARTS);
      const seconds = pick([60, 300, 900]);
      const isFree = freeFor(customer, slot) > 0;
      const { code, data } = await called('POST', '/holds', { ...place(customer, slot), seconds });
      assert.equal(code, isFree ? 'OK' : 'SLOT_UNAVAILABLE');
      if (!isFree) return;
      const madeAt = clock.now();
      const until = madeAt - (madeAt % 1000) + seconds * 1000;
      const { hold } = customer;
      if (isHeld(hold) && hold!.slot === slot) {
        hold!.expiresAt = Math.max(hold!.expiresAt, Math.min(until, hold!.madeAt + 30 * MINUTE));
        assert.deepEqual([data.holdId, Date.parse(data.expiresAt)], [hold!.id, hold!.expiresAt]);
        return;
      }
      customer.hold = {
        id: data.holdId,
        slot,
        madeAt,
        expiresAt: until,
        isOver: false,
        isDisplaced: false,
        bookingId: null,
      };
    },
    async holdPlace() {
      const cart = pick([...carts.slice(0, 2), { reference: null, hold: null as Hold | null }]);
      const { reference, hold } = cart;
      const [slot, seconds] = [pick(STARTS), pick([60, 300, 900])];
      const isSame = isHeld(hold) && hold!.slot === slot;
      const live = carts.filter((other) => isHeld(other.hold)).length;
      const expected = isSame
        ? 'OK'
        : isHeld(hold)
          ? 'REFERENCE_TAKEN'
          : live >= MAX_PLACES
            ? 'HOLD_LIMIT_REACHED'
            : freeFor(null, slot) > 0
              ? 'OK'
              : 'SLOT_UNAVAILABLE';
      const { code, data } = await called('POST', '/holds', {
        latitude: String(world.latitude),
        longitude: String(world.longitude),
        serviceId,
        date: WORLD_DATE,
        timeslot: slotAt(slot),
        seconds,
        ...(reference !== null && { reference }),
      });
      assert.equal(code, expected);
      if (expected !== 'OK') return;
      const madeAt = clock.now();
      const expiresAt = madeAt - (madeAt % 1000) + seconds * 1000;
      if (isSame) {
        hold!.expiresAt = Math.max(hold!.expiresAt, Math.min(expiresAt, hold!.madeAt + 30 * MINUTE));
        assert.deepEqual([data.holdId, Date.parse(data.expiresAt)], [hold!.id, hold!.expiresAt]);
        return;
      }
      cart.hold = {
        id: data.holdId,
        slot,
        madeAt,
        expiresAt,
        isOver: false,
        isDisplaced: false,
        bookingId: null,
      };
      if (reference === null) carts.push(cart);
    },
    async bookPlace(customer: Customer) {
      const { hold } = pick(carts);
      if (hold === null) return;
      const bookingId = await bookWith(hold, customer);
      if (bookingId !== null) await consumesOwn(customer, hold.slot, bookingId);
    },
    async extend({ hold }: Pick<Customer, 'hold'>) {
      if (hold === null) return;
      const expiresAt = hold.expiresAt + 600_000;
      const expected =
        hold.bookingId !== null
          ? 'HOLD_CONSUMED'
          : !isHeld(hold)
            ? 'HOLD_ENDED'
            : expiresAt > hold.madeAt + 30 * MINUTE
              ? 'HOLD_LIMIT_REACHED'
              : 'OK';
      const by = pick([{ seconds: 600 }, { until: new Date(expiresAt).toISOString() }]);
      assert.equal((await called('POST', `/holds/${hold.id}/extend`, by)).code, expected);
      if (expected !== 'OK') return;
      hold.expiresAt = expiresAt;
      if ('seconds' in by) return;
      const { data } = await called('POST', `/holds/${hold.id}/extend`, by);
      assert.equal(Date.parse(data.expiresAt), expiresAt, 'an instant can be sent again');
    },
    async release({ hold }: Pick<Customer, 'hold'>) {
      if (hold === null) return;
      const { code } = await called('DELETE', `/holds/${hold.id}`);
      assert.equal(code, hold.bookingId === null ? 'OK' : 'HOLD_CONSUMED');
      if (hold.bookingId === null) hold.isOver = true;
    },
    async book(customer: Customer) {
      const slot = pick(STARTS);
      const { contactId } = customer;
      const isFree = freeFor(customer, slot) > 0;
      const refusal = gaveWay(customer, slot) ? 'HOLD_DISPLACED' : 'SLOT_UNAVAILABLE';
      const { code, data } = await called('POST', '/bookings', { ...place(customer, slot), contactId });
      assert.equal(code, isFree ? 'OK' : refusal);
      if (!isFree) return;
      visits.push({ customer, slot, bookingId: data.bookingId, appointmentId: data.appointmentId });
      await consumesOwn(customer, slot, data.bookingId);
    },
    async bookHeld(customer: Customer) {
      if (customer.hold !== null) await bookWith(customer.hold, customer);
    },
    async move(customer: Customer) {
      const own = visits.filter((visit) => visit.customer === customer);
      if (own.length === 0) return;
      const visit = pick(own);
      const slot = pick(STARTS);
      const isFree = visit.slot === slot || freeFor(customer, slot) > 0;
      const { code } = await called('PATCH', `/bookings/${visit.bookingId}`, { timeslot: slotAt(slot) });
      assert.equal(code, isFree ? 'OK' : 'SLOT_UNAVAILABLE');
      if (!isFree || visit.slot === slot) return;
      visit.slot = slot;
      await consumesOwn(customer, slot, visit.bookingId);
    },
    async moveByOperator() {
      if (visits.length === 0) return;
      const visit = pick(visits);
      const slot = pick(STARTS);
      const isSame = visit.slot === slot;
      const isHeldOnly = !isSame && freeFor(visit.customer, slot) === 0;
      const isSold = isHeldOnly && visits.filter((other) => other.slot === slot).length === TEAMS;
      const held = holders().flatMap(({ hold }) => (isHeld(hold) && hold!.slot === slot ? [hold!] : []));
      const displaceHolds = pick([[], held.map(({ id }) => id)]);
      const expected = isSold ? 'SLOT_UNAVAILABLE' : isHeldOnly && displaceHolds.length === 0 ? 'HELD' : 'OK';
      const path = `/appointments/${visit.appointmentId}`;
      const body = { timeslot: slotAt(slot), displaceHolds };
      const moved = (await service.operator('PATCH', path, body)).body;
      log.push(
        `${clock.now() - TEST_NOW} ${path} ${JSON.stringify(body)} ${JSON.stringify(moved.error ?? null)}`,
      );
      assert.equal(moved.error?.details.reason ?? 'OK', expected);
      if (expected !== 'OK' || isSame) return;
      visit.slot = slot;
      const own = visit.customer.hold;
      await consumesOwn(visit.customer, slot, visit.bookingId);
      const ended = [];
      for (const hold of held.filter((one) => one !== own)) {
        if ((await called('GET', `/holds/${hold.id}`)).data.status === 'HELD') continue;
        hold.isOver = true;
        hold.isDisplaced = true;
        ended.push(hold);
        customers.find((customer) => customer.hold === hold)?.displaced.push(hold);
      }
      assert.equal(ended.length, isHeldOnly ? 1 : 0, 'no more give way than have to');
    },
    async cancel() {
      if (visits.length === 0) return;
      const visit = pick(visits);
      assert.equal((await called('PATCH', `/bookings/${visit.bookingId}/cancel`, { reasonId })).code, 'OK');
      visits.splice(visits.indexOf(visit), 1);
    },
    async wait() {
      // Also to the very instant at which a hold ends, and to just before it.
      const ends = holders().flatMap(({ hold }) => (isHeld(hold) ? [hold!.expiresAt] : []));
      const moments = [...ends, ...ends.map((end) => end - 1), clock.now() + pick([1, 30_000, 120_000])];
      clock.set(Math.max(clock.now(), pick(moments)));
    },
    async look(customer: Customer) {
      const query = new URLSearchParams({ addressId: customer.addressId, serviceId, date: WORLD_DATE });
      const { data } = await called('GET', `/timeslots/available?${query}`);
      const offered = data.slots.map(({ startAt }: { startAt: string }) => startAt);
      assert.deepEqual(
        STARTS.filter((slot) => offered.includes(slot)),
        STARTS.filter((slot) => freeFor(customer, slot) > 0),
      );
    },
  };
  const names = Object.keys(operations) as (keyof typeof operations)[];
  // Cancelled as often as booked: else all is taken soon.
  const drawn = [...names, 'hold', 'hold', 'cancel', 'cancel', 'look'] as typeof names;
  for (let turn = 0; turn < count; turn++) {
    const name = pick(drawn);
    try {
      // Also holds of places are extended and released.
      const holder = name === 'extend' || name === 'release' ? pick(holders()) : pick(customers);
      await operations[name](holder as Customer);
    } catch (error) {
      throw new Error(`${name} after\n${log.slice(-25).join('\n')}`, { cause: error });
    }
  }
}
