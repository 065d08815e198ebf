import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { addDays, DAY, dateOf, HOUR, manualClock } from '../src/base/clock.ts';
import { decideOverdue } from '../src/closings/fee-decisions.ts';
import { findVersion } from '../src/policies/queries.ts';
import type { Charged } from '../src/policies/rules.ts';
import { type ChangeAction, OUTCOMES, type Outcome } from '../src/policies/words.ts';
import { data, MARKET, quote, read, reasonOf } from './fee-fixtures.ts';
import { modelFee, modelMove, type Told, untouched } from './fee-model.ts';
import {
  type Answer,
  createPostgresDatabase,
  onPostgres,
  startTestService,
  TEST_NOW,
  type TestService,
} from './harness.ts';
import type { MoyasarInvoice } from './moyasar-server.ts';
import { shownBooking } from './operator-payment-fixtures.ts';
import {
  invoiceOf,
  keptOf,
  paymentOf,
  providerEnv,
  settled,
  startWithProviders,
  type WithProviders,
} from './payment-flows.ts';

/**
 * Random histories of partner, operator, crew, clock and gateway under a policy that changes, through two processes where the
 * database allows it. Each fee is that of a model; in the end what the gateway kept of a booking is its fees, to the halala,
 * and all else went back.
 */
const SEEDS = process.env.TEST_FULL === undefined ? [1] : [1, 2, 3, 4, 5, 6];
const STEPS = 60;
/** Bookings at a time. */
const OPEN = 5;
const ENDED = ['canceled', 'failed'];
/** A third of it is no whole number of halalas. */
const PRICE = 133.33;
const PRICE_IN_HALALAS = 13_333;

/** A small generator with a seed, so that a failing history can be repeated. */
function randomFrom(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

/** `isWaived`: the operator or a failed payment ended it. */
type Sold = { id: string; invoice: MoyasarInvoice; isWaived: boolean; told: Told };
type History = { it: WithProviders; below: (below: number) => number; policyId: string; reasonId: string };

/** Refusals that a random history may meet; everything else is a fault. */
const EXPECTED = [
  'BOOKING_ALREADY_CANCELLED',
  'BOOKING_NOT_EDITABLE',
  'BOOKING_CREATION_FAILED',
  'INVALID_TRANSITION',
  'FEE_CHANGED',
];

function isDone(answer: Answer): boolean {
  if (answer.status < 300) return true;
  assert.ok(EXPECTED.includes(answer.body.error.code), answer.text);
  return false;
}

const slotOf = ({ it, below }: History) => {
  const startAt = 8 + below(9);
  const time = (hour: number): string => `${String(hour).padStart(2, '0')}:00`;
  return {
    date: addDays(dateOf(it.service.clock.now()), 1 + below(3)),
    timeslot: { startAt: time(startAt), endAt: time(startAt + 2) },
  };
};

/** The partner's move, or the operator's; what the model is told of is what was answered. */
async function moveBy(
  history: History,
  sold: Sold,
  body: Record<string, unknown> = {},
  by: 'partner' | 'operator' = 'partner',
): Promise<Answer> {
  const { service, world } = history.it;
  const seen = await seenOf(history, sold);
  const change = { ...slotOf(history), ...body };
  const answer =
    by === 'partner'
      ? await service.v1(world.key, 'PATCH', `/partners/bookings/${sold.id}`, change)
      : await service.operator('PATCH', `/appointments/${seen.appointmentId}`, change);
  if (answer.status < 300) {
    const after = await seenOf(history, sold);
    const move = { startsAt: after.startsAt, isOwn: by === 'partner' || 'onBehalfOf' in body };
    if (after.startsAt !== seen.startsAt)
      sold.told = modelMove(seen, sold.told, history.it.service.clock.now(), move);
  }
  return answer;
}

/** The booking as the model sees it. */
async function seenOf({ it }: History, { id }: Sold) {
  const { policyId, appointment, createdAt, outcome, payment } = data(
    await it.service.operator('GET', `/bookings/${id}`),
  );
  const { terms } = (await findVersion(it.service.deps.db, policyId))!;
  const visits: Record<string, Charged['visit']> = {
    'In The location': 'THERE',
    'In Progress': 'BEGUN',
    'Cannot Complete': 'NOT_DONE',
  };
  return {
    terms,
    price: PRICE.toFixed(2),
    createdAt: Date.parse(createdAt),
    startsAt: Date.parse(appointment.scheduledStartDateTime),
    visit: visits[appointment.status as string] ?? ('AHEAD' as const),
    appointmentId: appointment.id as string,
    outcome: outcome as Outcome | null,
    paid: Math.round((payment?.keptAmount ?? 0) * 100),
  };
}

/** The operator moves it, on behalf of the customer or not. */
async function moved(history: History, sold: Sold): Promise<void> {
  const own = history.below(3) === 0 && { onBehalfOf: 'CUSTOMER' };
  isDone(await moveBy(history, sold, { force: true, reason: 'test', ...own }, 'operator'));
}

const cancelBy = ({ it, reasonId }: History, { id }: Sold, body: Record<string, unknown> = {}) =>
  it.service.v1(it.world.key, 'PATCH', `/partners/bookings/${id}/cancel`, { reasonId, ...body });

/** The partner asks for the fee, the policy may change meanwhile, and the change costs what was said. */
async function quoted(history: History, sold: Sold, action: 'cancel' | 'reschedule'): Promise<void> {
  const { it, below } = history;
  const asked = await quote(it, sold.id, action);
  if (!isDone(asked)) return;
  const { fee, feeAtMost, earlierFees, refund } = data(asked);
  await agrees(history, sold, { action, fee, earlierFees });
  const before = keptOf(sold.invoice);
  if (action === 'cancel' && before > 0 && fee !== null)
    assert.equal(Math.round((fee + earlierFees + refund) * 100), before, 'fees and refund are what was paid');
  if (below(2) === 0) await newVersion(history);
  const answer =
    action === 'cancel'
      ? await cancelBy(history, sold, { maxFee: feeAtMost })
      : await moveBy(history, sold, { maxFee: feeAtMost });
  if (!isDone(answer)) return;
  const { fees, refund: shown, cancellation } = data(answer);
  if (fee === null) assert.ok(cancellation.feeToDecide, answer.text);
  else if (fees.length > 0) assert.equal(fees.at(-1).amount, fee);
  if (action === 'cancel' && fee !== null)
    assert.equal(shown?.amount ?? 0, refund, 'the refund is the one of the quote');
}

/** The fee is that of the model: hers counts from her choices, and nobody pays for another's change. */
async function agrees(
  history: History,
  sold: Sold,
  asked: { action: ChangeAction; fee: number | null; earlierFees: number },
): Promise<void> {
  const { action, fee, earlierFees } = asked;
  const seen = await seenOf(history, sold);
  if (seen.outcome !== null) return;
  const now = history.it.service.clock.now();
  const wanted = modelFee(action, seen, sold.told, now);
  const most =
    action === 'cancel' ? seen.paid - Math.min(sold.told.paid, seen.paid) : Number.POSITIVE_INFINITY;
  const noShow = Math.floor((PRICE_IN_HALALAS * seen.terms.noShowPercent + 50) / 100);
  const isNothing = seen.paid === 0 || noShow + sold.told.paid === 0;
  const expected = wanted === null ? (isNothing ? 0 : null) : Math.min(wanted, most) / 100;
  assert.equal(fee, expected, JSON.stringify({ action, seen, told: sold.told, now }));
  const earlier = action === 'cancel' ? Math.min(sold.told.paid, seen.paid) : sold.told.paid;
  assert.equal(Math.round(earlierFees * 100), earlier);
}

async function newVersion({ it, below, policyId }: History): Promise<void> {
  const steps = () => [
    { hoursBefore: 24 + below(24), percent: below(50) },
    { hoursBefore: 1 + below(20), percent: 33 },
  ];
  const changes = {
    cancel: steps(),
    reschedule: steps(),
    noShowPercent: below(101),
    graceMinutes: below(2) * 60,
  };
  data(await it.service.operator('PATCH', `/policies/${policyId}`, changes));
}

/** The visit cannot be done; then it is closed, visited once more, or cancelled by the partner. */
async function notDone(history: History, sold: Sold): Promise<void> {
  const { it, below, reasonId } = history;
  const { appointmentId } = await shownBooking(it.service, sold.id);
  const outcome = below(2) === 0 && { outcome: OUTCOMES[below(OUTCOMES.length)]! };
  for (const body of [{ status: 'In The Way' }, { status: 'Cannot Complete', ...outcome }])
    if (!isDone(await it.service.operator('PATCH', `/appointments/${appointmentId}`, body))) return;
  const path = `/bookings/${sold.id}`;
  const decision = below(3);
  if (decision === 0) isDone(await it.service.operator('POST', `${path}/close`, { reasonId }));
  else if (decision === 1) {
    const seen = await seenOf(history, sold);
    if (!isDone(await it.service.operator('POST', `${path}/revisit`, slotOf(history)))) return;
    const { startsAt } = await seenOf(history, sold);
    sold.told = modelMove(seen, sold.told, it.service.clock.now(), { startsAt, isOwn: false });
  } else await quoted(history, sold, 'cancel');
}

const ACTS: readonly ((history: History, sold: Sold) => Promise<unknown>)[] = [
  (history, sold) => quoted(history, sold, 'cancel'),
  (history, sold) => quoted(history, sold, 'reschedule'),
  (history, sold) => quoted(history, sold, 'reschedule'),
  async (history, sold) => isDone(await moveBy(history, sold)),
  async ({ it }, sold) => it.moyasar.pay(sold.invoice.id),
  notDone,
  notDone,
  moved,
  moved,
  newVersion,
  async ({ it, below }) => it.service.clock.advance((1 + below(6)) * HOUR),
  async ({ it, below }) => it.service.clock.advance((1 + below(12)) * HOUR + below(3_600_000)),
  async ({ it, below }) => {
    it.moyasar.fault = below(2) === 0 ? null : { kind: 'status', status: 400, on: /\/refund$/ };
  },
  async (history, sold) => {
    const { it, reasonId } = history;
    if (history.below(3) > 0) return;
    if (isDone(await it.service.operator('POST', `/bookings/${sold.id}/cancel`, { reasonId })))
      sold.isWaived = true;
  },
  async (history, sold) => {
    const both = await Promise.all([cancelBy(history, sold), cancelBy(history, sold)]);
    assert.ok(both.map(isDone).filter(Boolean).length <= 1, 'one cancels');
  },
  async (history, sold) => {
    const both = await Promise.all([cancelBy(history, sold), moveBy(history, sold)]);
    both.map(isDone);
  },
];

/** A booking, of a hold or not, and mostly paid for. */
async function sell(history: History): Promise<Sold> {
  const { it, below } = history;
  const { service, world } = it;
  const slot = slotOf(history);
  const { addressId, serviceId } = world;
  const hold =
    below(2) === 0 &&
    data(await service.v1(world.key, 'POST', '/partners/holds', { addressId, serviceId, ...slot }));
  if (below(2) === 0) await newVersion(history);
  const { bookingId: id, policyId } = data(
    await world.book({ ...slot, ...(hold && { holdId: hold.holdId }) }),
  );
  if (hold) assert.equal(policyId, hold.policyId);
  const invoice = await invoiceOf(it, id);
  if (below(4) > 0) await it.moyasar.pay(invoice.id);
  await settled(it, id);
  const { appointment } = await shownBooking(it.service, id);
  const told = untouched(Date.parse(appointment.scheduledStartDateTime));
  return { id, invoice, isWaived: false, told };
}

/** What the operator and the gateway do after the end, at once: what is kept only falls. */
async function afterwards(history: History, sold: Sold): Promise<void> {
  const { it, below } = history;
  const { id, invoice } = sold;
  const keptNow = async () => data(await it.service.operator('GET', `/bookings/${id}`)).cancellation?.kept;
  const before: number | null | undefined = await keptNow();
  if (before === undefined) return;
  const outcome = OUTCOMES[below(OUTCOMES.length)]!;
  const reason = 'test';
  const acts: (() => Promise<unknown>)[] = [
    async () => isDone(await it.service.operator('POST', `/bookings/${id}/outcome`, { outcome, reason })),
    async () => {
      const { feesGivenBack } = data(await it.service.operator('GET', `/bookings/${id}`));
      const amount = (Math.round(feesGivenBack * 100) + below(4_000)) / 100;
      const waived = await it.service.operator('POST', `/bookings/${id}/fees/waive`, { amount, reason });
      if (waived.status !== 400) isDone(waived);
    },
    async () => {
      const payment = invoice.payments.find((one) => one.amount > one.refunded);
      if (payment) await it.moyasar.giveBack(payment, 1 + below(payment.amount - payment.refunded));
    },
  ];
  await Promise.all(Array.from({ length: 2 }, () => acts[below(acts.length)]!()));
  await settled(it, id);
  const after = await keptNow();
  if (before !== null) assert.ok(after !== null && after! <= before, `${before} -> ${after}`);
}

/** Every refund that failed is tried once more, and what an operator has to decide on is given back whole. */
async function finish({ it }: History, { id }: Sold): Promise<void> {
  await settled(it, id);
  await decideOverdue(it.service.deps.db, it.service.clock.now());
  await settled(it, id);
  const { id: paymentId, refund_status: status } = await paymentOf(it, id);
  if (status === 'FAILED') data(await it.service.operator('POST', `/payments/${paymentId}/refund/retry`));
  if (status === 'TO_DECIDE')
    data(await it.service.operator('POST', `/payments/${paymentId}/refund`, { reason: 'All of it' }));
  await settled(it, id);
}

/** Where the database allows it two processes, of which each request takes one. */
async function startTwice(t: TestContext, below: (most: number) => number): Promise<WithProviders> {
  const world = { teams: 12, service: { defaultPrice: PRICE, minimumNoticeMinutes: 0 } };
  if (!onPostgres) return startWithProviders(t, {}, world);
  const options = { databaseUrl: await createPostgresDatabase(t), clock: manualClock(TEST_NOW) };
  const it = await startWithProviders(t, options, world);
  const env = providerEnv(it.moyasar, it.unifonic);
  const both = [it.service, await startTestService(t, { ...options, env })];
  const one = () => both[below(2)]!;
  const service: TestService = {
    ...it.service,
    v1: (...request) => one().v1(...request),
    operator: (...request) => one().operator(...request),
  };
  return { ...it, service };
}

async function play(t: TestContext, seed: number): Promise<Record<string, number>> {
  const it = await startTwice(t, randomFrom(seed + 1_000));
  const policy = { ...MARKET, assignments: [{ partnerId: it.world.partnerId }] };
  const { id: policyId } = data(await it.service.operator('POST', '/policies', policy));
  const history: History = { it, below: randomFrom(seed), policyId, reasonId: await reasonOf(it) };
  const all: Sold[] = [];
  const open: Sold[] = [];
  for (let step = 0; step < STEPS; step++) {
    // Replaces ended bookings.
    while (open.length < OPEN) {
      const sold = await sell(history);
      all.push(sold);
      open.push(sold);
    }
    const index = history.below(open.length);
    const sold = open[index]!;
    await ACTS[history.below(ACTS.length)]!(history, sold);
    await settled(it, sold.id);
    if (ENDED.includes((await read(it, sold.id)).status)) open.splice(index, 1);
    else
      for (const action of ['cancel', 'reschedule'] as const) {
        const asked = await quote(it, sold.id, action);
        if (isDone(asked)) await agrees(history, sold, { action, ...data(asked) });
      }
  }
  it.moyasar.fault = null;
  for (const sold of all) if (history.below(2) === 0) await afterwards(history, sold);
  // The next look at links that have ended, and the end of what nobody has decided.
  for (const days of [1, 3, 7, 14]) {
    it.service.clock.advance(days * DAY);
    for (const { id } of all) await settled(it, id);
  }
  const ends: Record<string, number> = {};
  for (const sold of all) {
    await finish(history, sold);
    const { status, fees, refund, cancellation } = await read(it, sold.id);
    const { payment } = await shownBooking(it.service, sold.id);
    const paid = sold.invoice.payments.reduce((sum, { amount }) => sum + amount, 0);
    const charged = fees.reduce(
      (sum: number, { amount }: { amount: number }) => sum + Math.round(amount * 100),
      0,
    );
    const what = `seed ${seed}: ${JSON.stringify({ status, fees, refund, cancellation, paid })}`;
    assert.ok(charged <= PRICE_IN_HALALAS, what);
    if (status === 'failed' || sold.isWaived) assert.equal(charged, 0, what);
    const isOpen = !ENDED.includes(status);
    const kept = isOpen ? paid : Math.min(paid, charged);
    if (!isOpen && cancellation !== null) assert.equal(Math.round(cancellation.kept * 100), kept, what);
    assert.equal(keptOf(sold.invoice), kept, what);
    assert.equal(Math.round(payment.keptAmount * 100), kept, what);
    assert.equal(refund === null ? 0 : Math.round(refund.amount * 100), paid - kept, what);
    const end = isOpen ? 'open' : `${status}, ${kept > 0 ? 'with' : 'without'} a fee that is kept`;
    ends[end] = (ends[end] ?? 0) + 1;
  }
  return ends;
}

for (const seed of SEEDS) {
  test(`fees and refunds of random histories are what was paid (seed ${seed})`, async (t) => {
    const ends = await play(t, seed);
    t.diagnostic(JSON.stringify(ends));
    assert.ok(ends['canceled, with a fee that is kept'], `no fee was kept: ${JSON.stringify(ends)}`);
  });
}
