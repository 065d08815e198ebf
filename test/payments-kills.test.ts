import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
import { DAY } from '../src/base/clock.ts';
import { openLink } from '../src/bookings/payment-links.ts';
import { onPostgres } from './harness.ts';
import { enoughKills, startCrew } from './killed-workers.ts';
import { startMoyasar } from './moyasar-server.ts';
import {
  book,
  cancel,
  givenBack,
  keptOf,
  type Platform,
  providerEnv,
  reasonToCancel,
  startPlatform,
  use,
} from './payment-flows.ts';
import { times } from './storm.ts';
import { startUnifonic } from './unifonic-server.ts';
import { until } from './until.ts';

/** Worker processes are killed at random while customers pay, fail and cancel through another process. */

const skip = !onPostgres && 'several processes need PostgreSQL';

const FATES = [
  'pays',
  'pays at the second try',
  'fails',
  'cancels',
  'pays, cancels',
  'both at once',
  'pays twice',
] as const;
type Fate = (typeof FATES)[number];

/** The possible ends of a booking by its customer's action. */
const ENDS: Record<Fate, string> = {
  pays: 'in progress,PAID',
  'pays at the second try': 'in progress,PAID',
  fails: 'failed,FAILED',
  cancels: 'canceled,CANCELLED',
  'pays, cancels': 'canceled,CANCELLED',
  'both at once': 'canceled,CANCELLED',
  'pays twice': 'in progress,PAID',
};

type Gateway = {
  pay(link: string): Promise<unknown>;
  decline(link: string): Promise<unknown>;
  fail(link: string): Promise<unknown>;
  /** Pays in any state of the link. */
  payAgain?(link: string): Promise<unknown>;
};

/** Books for that many customers, each at another time, and lets each act by its fate. */
async function live(it: Platform, count: number, gateway: Gateway, fates: readonly Fate[]) {
  const reason = await reasonToCancel(it);
  const links = new Map<string, string>();
  let looking = true;
  const look = (async () => {
    while (looking) {
      const rows = await it.service.deps.db.rows<{ id: string; booking_id: string; link_url: string }>({
        text: 'select id, booking_id, link_url from payments where sent_at is not null',
      });
      for (const row of rows)
        links.set(row.booking_id, openLink(it.service.deps.sealer, row.id, row.link_url));
      await wait(100);
    }
  })();
  const now = it.service.deps.clock.now();
  const slot = (index: number) => {
    const hour = 8 + (index % 12);
    const two = (value: number): string => String(value).padStart(2, '0');
    return {
      date: new Date(now + (2 + Math.floor(index / 120)) * DAY).toISOString().slice(0, 10),
      timeslot: { startAt: `${two(hour)}:00`, endAt: `${two(hour + 1)}:00` },
    };
  };
  const bookings = new Map<string, Fate>();
  async function cancelIt(bookingId: string): Promise<void> {
    const answer = await cancel(it, bookingId, reason);
    assert.equal(answer.status, 200, answer.text);
  }
  async function customer(index: number): Promise<void> {
    await wait(Math.random() * 10_000);
    const fate = fates[index % fates.length]!;
    const bookingId = await book(it, slot(index));
    bookings.set(bookingId, fate);
    if (fate === 'cancels' && index % 2 === 0) {
      // At any moment of the making of the link.
      await wait(Math.random() * 100);
      await cancelIt(bookingId);
      return;
    }
    await until(() => links.has(bookingId));
    const link = links.get(bookingId)!;
    if (fate === 'pays at the second try') await gateway.decline(link);
    if (fate === 'fails') await gateway.fail(link);
    if (fate === 'pays twice') {
      await gateway.pay(link);
      await gateway.payAgain!(link);
    }
    if (fate === 'pays' || fate === 'pays at the second try' || fate === 'pays, cancels')
      await gateway.pay(link);
    if (fate === 'both at once') await Promise.all([gateway.pay(link), cancelIt(bookingId)]);
    if (fate === 'cancels' || fate === 'pays, cancels') await cancelIt(bookingId);
  }
  const customers = Promise.all(times(count, customer));
  return {
    bookings,
    customers: customers.finally(async () => {
      looking = false;
      await look;
    }),
  };
}

/** Waits until nothing is left to do on any payment. Claims of the dead may remain where nothing is. */
async function allSettled({ service }: Platform): Promise<void> {
  let left: unknown[] = [];
  await until(
    async () => {
      left = await service.deps.db.rows({
        text: `
          select * from payments
          where due_at <= $1 or status in ('CREATED', 'OPEN') or refund_status = 'PENDING' limit 3`,
        values: [new Date(service.deps.clock.now()).toISOString()],
      });
      return left.length === 0;
    },
    () => JSON.stringify(left),
  );
}

/** Every booking as the partner reads it: id → `status,paymentStatus`. */
async function listed({ service, world }: Platform): Promise<Map<string, string>> {
  const found = new Map<string, string>();
  for (let page = 1, pages = 1; page <= pages; page++) {
    const answer = await service.v1(world.key, 'GET', `/partners/bookings?limit=100&page=${page}`);
    for (const { bookingId, status, paymentStatus } of answer.body.data)
      found.set(bookingId, `${status},${paymentStatus}`);
    pages = answer.body.meta.totalPages;
  }
  return found;
}

/** Every booking ended correctly, with the right event, and with one payment. */
async function assertEnds(it: Platform, bookings: Map<string, Fate>): Promise<void> {
  const ends = await listed(it);
  assert.equal(ends.size, bookings.size);
  for (const [bookingId, fate] of bookings) assert.equal(ends.get(bookingId), ENDS[fate], fate);
  const { db } = it.service.deps;
  const events = await db.rows<{ booking_id: string; names: string[] }>({
    text: 'select booking_id, array_agg(event order by sequence) as names from events group by booking_id',
  });
  const payments = await db.rows<{
    booking_id: string;
    status: string;
    refund_status: string;
    paid: boolean;
  }>({
    text: 'select booking_id, status, refund_status, paid_at is not null as paid from payments',
  });
  assert.equal(payments.length, bookings.size);
  const refunded = new Set(
    payments.filter((payment) => payment.refund_status === 'DONE').map(({ booking_id }) => booking_id),
  );
  const MORE: Record<string, string[]> = {
    'in progress,PAID': ['booking.payment_succeeded'],
    'failed,FAILED': ['booking.payment_failed', 'booking.failed', 'booking.appointment_status_changed'],
    'canceled,CANCELLED': ['booking.cancelled', 'booking.appointment_status_changed'],
  };
  for (const { booking_id, names } of events) {
    const end = ends.get(booking_id)!;
    // It may have been paid before it was canceled.
    const paid = end === 'canceled,CANCELLED' && names[1] === 'booking.payment_succeeded' ? [names[1]] : [];
    const after = refunded.has(booking_id) ? ['booking.refunded'] : [];
    assert.deepEqual(names, ['booking.created', ...paid, ...MORE[end]!, ...after]);
  }
  for (const { booking_id, status, refund_status, paid } of payments) {
    const end = ends.get(booking_id)!;
    const goesBack = paid && (end.startsWith('canceled') || bookings.get(booking_id) === 'pays twice');
    assert.equal(refund_status, goesBack ? 'DONE' : 'NONE');
    if (end === 'in progress,PAID') assert.equal(status, 'PAID');
    if (end === 'failed,FAILED') assert.equal(status, 'FAILED');
  }
}

/** All messages of a payment have the same link. Returns the number of repeated messages. */
function assertOneLinkEach(messages: { id: string; text: string }[]): number {
  const links = new Map<string, string>();
  for (const { id, text } of messages) {
    const link = text.split('\n').at(-1)!;
    assert.equal(links.get(id) ?? link, link);
    links.set(id, link);
  }
  assert.equal(new Set(links.values()).size, links.size, 'no link of two payments');
  return messages.length - links.size;
}

/** The number of payments whose worker died during the creation of the link. */
async function interrupted({ service }: Platform): Promise<number> {
  const row = await service.deps.db.first<{ count: number }>({
    text: 'select count(*) as count from payments where link_asks > 1',
  });
  return row!.count;
}

/** All customers book with one key, which has two connections: on a busy machine one waits for longer than by default. */
const PATIENT = { DATABASE_POOL_TIMEOUT: '60' };

const WORLD = {
  teams: 10,
  service: { durationMinutes: 60 },
  team: { travelBufferMinutes: 0 },
};

test('500 payments while workers are killed: each ends once, with one link and the right balance', {
  skip,
}, async (t) => {
  const it = await startPlatform(t, { env: { ROLES: 'api', ...PATIENT }, sandboxClock: true }, WORLD);
  const crew = await startCrew(t, it);
  const post = (outcome: string) => async (link: string) => {
    const { status } = await use(it, new URL(link).pathname, outcome);
    assert.ok(status < 500, `${status} for ${outcome}`);
  };
  const gateway = { pay: post('paid'), decline: post('declined'), fail: post('failed') };
  // Its page takes one payment.
  const fates = FATES.filter((fate) => fate !== 'pays twice');
  const { bookings, customers } = await live(it, 500, gateway, fates);
  await enoughKills(crew);
  await customers;
  await allSettled(it);
  await assertEnds(it, bookings);
  const again = assertOneLinkEach(crew.messages.map(({ messageId: id, text }) => ({ id, text })));

  const [gateways] = await it.service.deps.db.rows<Record<string, string | number>>({
    text: `
      select count(*) as checkouts, count(distinct k.payment_id) as payments,
        count(*) filter (where k.state = 'open') as open,
        sum(k.amount) filter (where k.state = 'paid' and b.status = 'canceled') as to_refund, sum(k.refunded) as refunded,
        count(*) filter (where (k.state = 'paid') <> (p.paid_at is not null)) as disagree,
        count(*) filter (where k.refunded > 0 and b.status <> 'canceled') as wrong
      from sandbox_checkouts k join payments p on p.id = k.payment_id join bookings b on b.id = p.booking_id`,
  });
  assert.equal(gateways!.checkouts, gateways!.payments);
  assert.deepEqual([gateways!.open, gateways!.disagree, gateways!.wrong], [0, 0, 0]);
  assert.equal(gateways!.refunded, gateways!.to_refund);
  t.diagnostic(
    `${crew.kills} kills, ${await interrupted(it)} links asked for again, ${again} messages sent again, ` +
      `${gateways!.refunded} SAR given back`,
  );
});

test('100 payments with Moyasar while workers are killed: one invoice, one SMS, one refund each', {
  skip,
}, async (t) => {
  const [moyasar, unifonic] = [await startMoyasar(t), await startUnifonic(t)];
  const env = providerEnv(moyasar, unifonic);
  const it = await startPlatform(t, { env: { ...env, ROLES: 'api', ...PATIENT }, sandboxClock: true }, WORLD);
  moyasar.webhookUrl = `${it.service.url}/payments/moyasar/notifications`;
  // Slow enough that kills interrupt requests.
  moyasar.fault = { kind: 'slow', milliseconds: 150 };
  unifonic.fault = { kind: 'slow', milliseconds: 150 };
  const crew = await startCrew(t, it, env);
  const invoiceId = (link: string): string => new URL(link).pathname.split('/').at(-1)!;
  const gateway = {
    pay: (link: string) => moyasar.pay(invoiceId(link)),
    decline: (link: string) => moyasar.fail(invoiceId(link)),
    fail: (link: string) => moyasar.fail(invoiceId(link)),
    payAgain: (link: string) => moyasar.attempt(invoiceId(link)),
  };
  const fates = FATES.filter((fate) => fate !== 'fails');
  const { bookings, customers } = await live(it, 100, gateway, fates);
  await enoughKills(crew);
  await customers;
  await allSettled(it);
  await assertEnds(it, bookings);

  const invoices = [...moyasar.invoices.values()];
  const byPayment = new Set(invoices.map(({ metadata }) => metadata!.payment_id));
  assert.equal(byPayment.size, invoices.length, 'no second invoice for any payment');
  const again = assertOneLinkEach(
    unifonic.messages.map(({ correlationId, text }) => ({ id: correlationId!, text })),
  );
  assert.equal(again, 0, 'no second SMS for any payment');
  const ends = await listed(it);
  let refunded = 0;
  for (const invoice of invoices) {
    const end = ends.get(invoice.metadata!.booking_id!)!;
    assert.ok(!['initiated', 'failed'].includes(invoice.status), `${invoice.status} can still be paid`);
    assert.equal(keptOf(invoice), end === 'in progress,PAID' ? invoice.amount : 0);
    refunded += givenBack(invoice);
  }
  t.diagnostic(
    `${crew.kills} kills, ${await interrupted(it)} links asked for again, ${refunded / 100} SAR given back`,
  );
});
