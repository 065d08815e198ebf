import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { addDays } from '../src/base/clock.ts';
import type { Db } from '../src/db/connection.ts';
import { data } from './fee-fixtures.ts';
import { createWorld, type World } from './fixtures.ts';
import { startTestService, type TestService } from './harness.ts';
import { openAccount, SETTINGS } from './statement-fixtures.ts';

/**
 * Fourteen months of random histories against a model that keeps its own books: after each month the sum of all statements is
 * what the model owes, to the halala, kind by kind, with its VAT. Facts are written as the use cases leave them.
 */
const BOOKINGS = process.env.TEST_FULL === undefined ? 420 : 10_000;
const MONTHS = 14;
const FIRST = '2026-12';
/** From this month on another rate holds. */
const NEW_RATE = { from: '2027-06-01', percent: 5 };

function randomFrom(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

/** Halalas. `fee`: what its end costs, waivers not taken off; null: nobody has decided. */
type Book = {
  id: string;
  mode: 'PARTNER' | 'PLATFORM';
  price: number;
  date: string;
  state: 'OPEN' | 'DONE' | 'NOT_DONE' | 'CANCELLED' | 'FAILED';
  wasDone: boolean;
  fee: number | null;
  waived: number;
  paid: number;
  refunded: number;
};

const sar = (halalas: number): string => (halalas / 100).toFixed(2);

function owedBy(book: Book): Record<string, number> {
  const { mode, state, price, wasDone, fee, waived, paid, refunded } = book;
  if (mode === 'PLATFORM') return { COLLECTED: paid, GIVEN_BACK: -refunded };
  if (state === 'DONE') return { VISIT: price };
  if (state !== 'CANCELLED' || fee === null) return {};
  return { [wasDone ? 'VISIT' : 'FEE']: fee, WAIVER: -waived };
}

const monthOf = (index: number): string => new Date(Date.UTC(2026, 11 + index, 1)).toISOString().slice(0, 7);

// ---------------------------------------------------------------------------
// Facts

type Entry = { action: string; amount: string; lowers?: string; undecided?: true; by?: string };
type Update = { id: string; entries: Entry[] };

async function makeBookings(
  db: Db,
  { partnerId, contactId, addressId, serviceId, teamIds }: World,
  books: Book[],
) {
  const values = [
    books.map(({ id }) => id),
    books.map(({ mode }) => mode),
    books.map(({ price }) => sar(price)),
    books.map(({ date }) => date),
    books.map((_, index) => addDays('2030-01-01', Math.floor(index / teamIds.length))),
    books.map((_, index) => teamIds[index % teamIds.length]),
  ];
  await db.transaction(async (tx) => {
    await tx.rows({
      text: `
        insert into bookings (id, partner_id, contact_id, address_id, service_id, status, payment_status,
          payment_responsibility, amount, service_date, created_at, updated_at)
        select w.id, $5, $6, $7, $8, case when mode = 'PLATFORM' then 'waiting payment' else 'in progress' end, 'PENDING', mode,
          amount, service_date, now(), now()
        from unnest($1::uuid[], $2::text[], $3::numeric[], $4::date[]) as w (id, mode, amount, service_date)`,
      values: [...values.slice(0, 4), partnerId, contactId, addressId, serviceId],
    });
    await tx.rows({
      text: `
        insert into appointments (id, booking_id, team_id, zone_id, name, status, starts_at, ends_at, busy_until, created_at,
          updated_at)
        select gen_random_uuid(), w.id, team, (select id from zones limit 1), 'SA-' || nextval('appointment_number'), 'Scheduled',
          day + time '09:00', day + time '10:00', day + time '10:30', now(), now()
        from unnest($1::uuid[], $2::date[], $3::uuid[]) as w (id, day, team)`,
      values: [values[0], values[4], values[5]],
    });
  });
}

const visit = (db: Db, ids: string[], status: string) =>
  db.rows({
    text: `
      with visited as (update appointments set status = $2, updated_at = now() where booking_id = any ($1::uuid[]))
      update bookings set updated_at = now() where id = any ($1::uuid[])`,
    values: [ids, status],
  });

/** Cancelled with these entries in its ledger. */
const cancel = (db: Db, all: Update[]) =>
  db.rows({
    text: `
      with w as materialized (select * from unnest($1::uuid[], $2::jsonb[]) as w (id, fees)), visited as (
        update appointments a set status = 'Cancelled', updated_at = now() from w where a.booking_id = w.id
      )
      update bookings b set status = 'canceled', payment_status = 'CANCELLED', cancelled_at = now(), cancelled_by = 'partner',
        cancellation_action = 'CANCEL_ONLY', fees = w.fees, updated_at = now()
      from w where b.id = w.id`,
    values: [
      all.map(({ id }) => id),
      all.map(({ entries }) => (entries.length === 0 ? null : JSON.stringify(entries))),
    ],
  });

const addEntries = (db: Db, all: Update[]) =>
  db.rows({
    text: `
      update bookings b set fees = coalesce(b.fees, '[]') || w.entries, updated_at = now()
      from unnest($1::uuid[], $2::jsonb[]) as w (id, entries) where b.id = w.id`,
    values: [all.map(({ id }) => id), all.map(({ entries }) => JSON.stringify(entries))],
  });

const fail = (db: Db, ids: string[]) =>
  db.rows({
    text: `update bookings set status = 'failed', payment_status = 'FAILED', updated_at = now() where id = any ($1::uuid[])`,
    values: [ids],
  });

async function settle(db: Db, books: Book[]): Promise<void> {
  const values = [
    books.map(({ id }) => id),
    books.map(({ paid }) => sar(paid)),
    books.map(({ refunded }) => sar(refunded)),
  ];
  await db.rows({
    text: `
      with w as materialized (
        select * from unnest($1::uuid[], $2::numeric[], $3::numeric[]) as w (id, paid, refunded)
      ), payment as (
        update payments p set status = 'PAID', paid_at = now(), gateway = 'sandbox', gateway_reference = w.id::text, link_url = 'x',
          due_at = null, paid_amount = w.paid, refunded_amount = w.refunded,
          refund_status = case when w.refunded > 0 then 'DONE' else 'NONE' end,
          refunded_at = case when w.refunded > 0 then now() end, updated_at = now()
        from w where p.booking_id = w.id
      )
      update bookings b set updated_at = now() from w where b.id = w.id`,
    values,
  });
}

// ---------------------------------------------------------------------------
// A month

type Scene = { service: TestService; world: World; books: Book[]; below: (below: number) => number };

/** What happens in a month to visits of it, and late to those of before. */
async function live({ service, books, below }: Scene, month: string): Promise<void> {
  const { db } = service.deps;
  const done: string[] = [];
  const notDone: string[] = [];
  const failed: string[] = [];
  const cancelled: Update[] = [];
  const changed: Update[] = [];
  const settled: Book[] = [];
  const end = (book: Book, entries: Entry[], fee: number | null) => {
    Object.assign(book, { state: 'CANCELLED', wasDone: book.state === 'DONE', fee });
    cancelled.push({ id: book.id, entries });
  };
  for (const book of books) {
    const isDue = book.date.startsWith(month);
    const isLate = book.date < month;
    if (!isDue && !(isLate && below(12) === 0)) continue;
    if (book.mode === 'PLATFORM') {
      if (isDue && below(5) > 0) book.paid = book.price + (below(20) === 0 ? 700 : 0);
      else if (book.paid > book.refunded) book.refunded += 1 + below(book.paid - book.refunded);
      else continue;
      settled.push(book);
    } else if (book.state === 'OPEN') {
      const what = below(10);
      if (what < 6) {
        book.state = 'DONE';
        done.push(book.id);
      } else if (what === 6) {
        const [move, fee] = [below(book.price / 4), below(book.price / 2)];
        // A move's fee counts with the cancellation's.
        const entries = [
          { action: 'reschedule', amount: sar(move) },
          { action: 'cancel', amount: sar(fee) },
        ];
        end(book, entries, move + fee);
      } else if (what === 7) end(book, [], 0);
      else if (what === 8) {
        book.state = 'NOT_DONE';
        notDone.push(book.id);
      } else {
        book.state = 'FAILED';
        failed.push(book.id);
      }
    } else if (book.state === 'NOT_DONE') {
      if (below(2) === 0) {
        book.state = 'DONE';
        done.push(book.id);
      } else end(book, [{ action: 'cancel', amount: '0.00', undecided: true }], null);
    } else if (book.state === 'DONE') {
      const what = below(3);
      if (what === 0) {
        book.state = 'NOT_DONE';
        notDone.push(book.id);
      } else if (what === 1) end(book, [{ action: 'cancel', amount: sar(book.price) }], book.price);
      else end(book, [{ action: 'end', amount: '0.00', by: 'operator' }], 0);
    } else if (book.state === 'CANCELLED' && book.fee === null) {
      book.fee = below(3) === 0 ? 0 : 1 + below(book.price);
      changed.push({ id: book.id, entries: [{ action: 'decide', amount: sar(book.fee) }] });
    } else if (book.state === 'CANCELLED' && book.fee! > book.waived) {
      const given = 1 + below(book.fee! - book.waived);
      book.waived += given;
      changed.push({ id: book.id, entries: [{ action: 'waive', amount: '0.00', lowers: sar(given) }] });
    }
  }
  await visit(db, done, 'Finished');
  await visit(db, notDone, 'Cannot Complete');
  await fail(db, failed);
  await cancel(db, cancelled);
  await addEntries(db, changed);
  await settle(db, settled);
}

/** The sums of all lines of issued statements, by kind. */
async function told(db: Db): Promise<Record<string, { gross: number; vat: number }>> {
  const found = await db.rows<{ kind: string; gross: string; vat: string }>({
    text: `select kind, sum(gross) as gross, sum(vat) as vat from statement_lines l join statements s on s.id = l.statement_id
      where s.status = 'ISSUED' group by kind`,
  });
  return Object.fromEntries(
    found.map(({ kind, gross, vat }) => [
      kind,
      { gross: Math.round(Number(gross) * 100), vat: Math.round(Number(vat) * 100) },
    ]),
  );
}

/** The VAT of what is owed: half a halala never comes, as both rates leave an odd divisor. */
const vatOf = (gross: number, date: string): number => {
  const percent = date >= NEW_RATE.from ? NEW_RATE.percent : 15;
  return Math.sign(gross) * Math.round((Math.abs(gross) * percent) / (100 + percent));
};

function modelled(books: readonly Book[], month: string): Record<string, { gross: number; vat: number }> {
  const sums: Record<string, { gross: number; vat: number }> = {};
  for (const book of books.filter(({ date }) => date.slice(0, 7) <= month)) {
    for (const [kind, gross] of Object.entries(owedBy(book)).filter(([, sum]) => sum !== 0)) {
      const taxed = kind === 'VISIT' || (kind === 'WAIVER' && book.wasDone);
      const sum = sums[kind] ?? { gross: 0, vat: 0 };
      sums[kind] = { gross: sum.gross + gross, vat: sum.vat + (taxed ? vatOf(gross, book.date) : 0) };
    }
  }
  return sums;
}

/** Kinds whose lines have gone are 0. */
const without0 = (sums: Record<string, { gross: number; vat: number }>) =>
  Object.fromEntries(
    Object.entries(sums)
      .filter(([, { gross }]) => gross !== 0)
      .sort(),
  );

test(`the statements of ${MONTHS} months are what a model of ${BOOKINGS} bookings owes`, async (t: TestContext) => {
  const service = await startTestService(t, { env: { ROLES: 'api' } });
  const world = await createWorld(service, { teams: 6 });
  const { db } = service.deps;
  const below = randomFrom(20_261_129);
  data(await service.operator('PUT', '/statement-settings', SETTINGS));
  await openAccount(service, world, `${FIRST}-01`);
  const days = Math.round((Date.UTC(2028, 0, 31) - Date.UTC(2026, 11, 1)) / 86_400_000);
  const books = Array.from(
    { length: BOOKINGS },
    (_, index): Book => ({
      id: crypto.randomUUID(),
      mode: below(4) === 0 ? 'PLATFORM' : 'PARTNER',
      price: 101 + below(40_000),
      date: addDays(`${FIRST}-01`, Math.floor((index * days) / BOOKINGS)),
      state: 'OPEN',
      wasDone: false,
      fee: 0,
      waived: 0,
      paid: 0,
      refunded: 0,
    }),
  );
  await makeBookings(db, world, books);
  for (let index = 0; index < MONTHS; index++) {
    const month = monthOf(index);
    // Visits of the month before may become known late, and rates change meanwhile.
    if (month === '2027-05')
      data(
        await service.operator('PUT', '/statement-settings', {
          ...SETTINGS,
          vatRates: [...SETTINGS.vatRates, NEW_RATE],
        }),
      );
    await live({ service, world, books, below }, month);
    service.clock.set(Date.parse(`${monthOf(index + 1)}-02T12:00:00+03:00`));
    const draft = data(await service.operator('POST', '/statements', { partnerId: world.partnerId, month }));
    const issued = data(await service.operator('POST', `/statements/${draft.id}/issue`));
    assert.deepEqual(issued.totals, draft.totals, 'nothing has changed between');
    assert.deepEqual(without0(await told(db)), without0(modelled(books, month)), month);
    const check = data(await service.operator('GET', '/statements/check'));
    assert.deepEqual([check.isSound, check.partners[0].differing, check.gaps], [true, 0, []], month);
  }
  const { rows: numbers } = {
    rows: await db.rows<{ number: number }>({ text: 'select number from statements order by 1' }),
  };
  assert.deepEqual(
    numbers.map(({ number }) => number),
    Array.from({ length: MONTHS }, (_, index) => index + 1),
  );
});
