import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { addDays, dateOf, weekdayOf } from '../src/base/clock.ts';
import { ApiError } from '../src/base/errors.ts';
import { listZones } from '../src/catalogue/zone-queries.ts';
import { ALL_ROWS } from '../src/cli/session.ts';
import type { Db, Queryable, Tx } from '../src/db/connection.ts';
import { rolledBack } from '../src/db/preview.ts';
import { findPartnerByName, partnerRows } from '../src/partners/account-queries.ts';
import { openImport, readCustomers } from '../src/series/import.ts';
import { createWorld, type WorldOptions } from './fixtures.ts';
import {
  afterwards,
  createPostgresDatabase,
  OPERATOR_TOKEN,
  onServer,
  openTestDatabase,
  SECRETS_KEY,
  startTestService,
  type TestService,
} from './harness.ts';
import { startMoyasar } from './moyasar-server.ts';
import { providerEnv } from './payment-flows.ts';
import { lines, openSeries, roll, SUNDAY } from './series-fixtures.ts';
import { apply, example } from './setup-fixtures.ts';
import { type Encoding, encoded } from './spreadsheets.ts';
import { runToEnd } from './terminal.ts';
import { startUnifonic } from './unifonic-server.ts';
import { until } from './until.ts';

/** Weekly customers from spreadsheets: each once, however often and from however many places they are imported. */

const ACTOR = 'cli:test';
const SERVICE = { name: 'Weekly cleaning', nameAr: 'تنظيف أسبوعي', bookingHorizonDays: 20 };
const COLUMNS = 'name,phone,latitude,longitude,unit,service,first visit,start,every,visits,team,reference';

type World = Awaited<ReturnType<typeof createWorld>>;
type Cells = Partial<
  Record<'name' | 'unit' | 'service' | 'first' | 'start' | 'every' | 'visits' | 'team' | 'reference', string>
>;

/** A customer by her number, on Sundays at nine in the middle of the zone. */
const rowOf = ({ latitude, longitude }: World, number: number, cells: Cells = {}): string =>
  [
    cells.name ?? `Customer ${number}`,
    `05${String(number).padStart(8, '0')}`,
    ...[latitude, longitude, cells.unit ?? ''],
    ...[
      cells.service ?? 'weekly  cleaning',
      cells.first ?? SUNDAY,
      cells.start ?? '09:00',
      cells.every ?? '1',
    ],
    ...[cells.visits ?? '', cells.team ?? '', cells.reference ?? ''],
  ].join(',');

async function open(t: TestContext, options: WorldOptions = {}, env: Record<string, string> = {}) {
  const it = await openSeries(t, { ...options, service: { ...SERVICE, ...options.service } }, env);
  return { ...it, ...importsOf(it.service, it.world) };
}

function importsOf(service: TestService, world: World) {
  const { db, plans, sealer } = service.deps;
  /** The outcome of each row: the text of a refusal, or what came of it. */
  async function bring(rows: string[], { isCheck = false, tells = false, through = db } = {}) {
    const { customers, faults } = readCustomers('c.csv', Buffer.from([COLUMNS, ...rows].join('\n')));
    assert.deepEqual(faults, []);
    const partner = (await partnerRows.find(db, world.partnerId))!;
    const account = { ...partner, paymentResponsibility: partner.payment_responsibility };
    const one = await openImport(
      { db: through, plans, sealer },
      { partner: account, actor: ACTOR, isCheck, tells },
    );
    const found: Record<string, unknown>[] = [];
    for (const customer of customers)
      found.push(
        await one(service.clock.now(), customer).catch((error) => {
          if (!(error instanceof ApiError)) throw error;
          const { message } = error.details;
          return { refused: message === undefined ? error.message : message };
        }),
      );
    return found;
  }
  /** Rows of each table that an import writes to. */
  const counts = async (): Promise<Record<string, number>> =>
    (await db.first<Record<string, number>>({
      text: `
        select (select count(*)::int from contacts) as contacts, (select count(*)::int from addresses) as addresses,
          (select count(*)::int from series) as series, (select count(*)::int from bookings) as bookings,
          (select count(*)::int from events) as events, (select count(*)::int from audit_log) as entries`,
    }))!;
  return { bring, counts };
}

test('a company goes from nothing to its first hundred visits by its files', async (t) => {
  const { clock, deps } = await startTestService(t);
  const { db, plans, sealer } = deps;
  const files = ['company.json', 'zones.json'].map((name) => [name, example(`forty-crews/${name}`)]);
  await apply(db, Object.fromEntries(files), { hasGateway: true });
  const { rows: zones } = await listZones(db, ALL_ROWS);
  const rows = Array.from({ length: 15 }, (_, number) => {
    const [ring] = zones[number % zones.length]!.area_geojson.coordinates as [[number, number][]];
    const middle = (axis: 0 | 1) =>
      ring.slice(1).reduce((sum, place) => sum + place[axis], 0) / (ring.length - 1);
    const start = `${9 + 3 * (number % 3)}:00`;
    return `Customer ${number},05${10_000_000 + number},${middle(1)},${middle(0)},"Home cleaning, 2 hours",${SUNDAY},${start}`;
  });
  const table = ['name,phone,latitude,longitude,service,first visit,start', ...rows].join('\n');
  const { customers, faults } = readCustomers('weekly.csv', Buffer.from(table));
  assert.deepEqual(faults, []);
  const partner = (await findPartnerByName(db, 'Riyadh Homes'))!;
  const account = { ...partner, paymentResponsibility: partner.payment_responsibility };
  const wanted = { partner: account, actor: ACTOR, isCheck: false, tells: false };
  const bring = await openImport({ db, plans, sealer }, wanted);
  let booked = 0;
  for (const customer of customers) {
    const came = await bring(clock.now(), customer);
    assert.deepEqual(came.unplaced, []);
    booked += came.booked;
  }
  assert.ok(booked >= 100, `${booked} visits`);
});

test('a customer comes with her address and her series, inside of the notice, and once', async (t) => {
  const { service, world, bring, counts, read } = await open(t, {
    service: { minimumNoticeMinutes: 10 * 24 * 60 },
    team: { name: 'Crew 1', nameAr: 'الطاقم 1' },
  });
  const rows = [
    rowOf(world, 1, { reference: 'W-1', team: 'الطاقم ١' }),
    rowOf(world, 2, { every: '2', start: '1:00 PM', visits: '2', name: 'منيرة القحطاني', unit: '١٢' }),
    rowOf(world, 3, { first: '27/12/2026', service: 'تنظيف اسبوعي' }),
  ];
  const before = await counts();
  const made = await bring(rows);
  assert.deepEqual(
    made.map(({ outcome, booked, unplaced }) => ({ outcome, booked, unplaced })),
    [3, 2, 0].map((booked) => ({ outcome: 'made', booked, unplaced: [] })),
  );
  const after = await counts();
  assert.deepEqual(
    { series: after.series, contacts: after.contacts, bookings: after.bookings },
    { series: before.series! + 3, contacts: before.contacts! + 3, bookings: before.bookings! + 5 },
  );
  const first = await read(made[0]!.seriesId as string);
  assert.equal(first.externalReference, 'W-1');
  assert.deepEqual(lines(first, 'PLACED'), [
    '1 2026-11-29 09:00 PLACED',
    '2 2026-12-06 09:00 PLACED',
    '3 2026-12-13 09:00 PLACED',
  ]);
  const stored = await service.deps.db.first<{ team_id: string; name: string; unit: string }>({
    text: `
      select s.team_id, c.name, a.unit from series s join addresses a on a.id = s.address_id join contacts c on c.id = s.contact_id
      where s.id = $1`,
    values: [made[1]!.seriesId],
  });
  assert.deepEqual([stored!.name, stored!.unit], ['منيرة القحطاني', '١٢']);
  const audited = await service.deps.db.rows<{ action: string; target: string }>({
    text: 'select action, target from audit_log where actor = $1 order by position',
    values: [ACTOR],
  });
  assert.deepEqual(
    audited.map(({ action }) => action),
    ['contact.create', 'series.create', 'contact.create', 'series.create', 'contact.create', 'series.create'],
  );
  assert.equal(audited[1]!.target, `series:${made[0]!.seriesId}`);

  const again = await bring(rows);
  assert.deepEqual(
    again,
    made.map((one) => ({ ...one, outcome: 'matched' })),
  );
  assert.deepEqual(await counts(), after, 'nothing new');
});

test('a series that was moved or has ended since is not made again', async (t) => {
  const { world, bring, counts, call, ok, reasonId } = await open(t);
  const rows = [rowOf(world, 1), rowOf(world, 2, { start: '14:00' })];
  const [moved, ended] = (await bring(rows)).map(({ seriesId }) => seriesId);
  ok(await call('PATCH', `/${moved}`, { fromIndex: 1, weekday: 1, startAt: '11:30' }));
  ok(await call('POST', `/${ended}/end`, { fromIndex: 1, reasonId }));
  const before = await counts();
  assert.deepEqual(
    (await bring(rows)).map(({ outcome, seriesId }) => [outcome, seriesId]),
    [
      ['matched', moved],
      ['matched', ended],
    ],
  );
  assert.deepEqual(await counts(), before);
  // Another first date on the same weekday, but no other time.
  const later = rowOf(world, 3, { start: '16:30' });
  const [made] = await bring([later]);
  const first = addDays(SUNDAY, 7);
  const found = await bring(['16:30', '09:00'].map((start) => rowOf(world, 3, { start, first })));
  assert.deepEqual(
    found.map(({ outcome, seriesId }) => [outcome, seriesId === made!.seriesId]),
    [
      ['matched', true],
      ['made', false],
    ],
  );
  // She comes back.
  const [, back] = await bring([rows[0]!, rowOf(world, 2, { start: '14:00', first: addDays(SUNDAY, 7) })]);
  assert.equal(back!.outcome, 'made');
});

test('rows that are refused stand among those that are made, and are corrected', async (t) => {
  const { world, bring } = await open(t);
  const wrong = [
    rowOf(world, 1, { service: 'Window cleaning' }),
    rowOf(world, 2).replace('0500000002', '12'),
    rowOf(world, 3, { team: 'Nobody' }),
    rowOf(world, 4, { every: '3' }),
    rowOf(world, 5, { first: '2026-11-15' }),
    rowOf(world, 6, { name: 'x'.repeat(201) }),
    rowOf(world, 7).replace(String(world.latitude), '95'),
    rowOf(world, 8, { start: '09:10' }),
    rowOf(world, 9, { reference: 'W' }),
    rowOf(world, 10, { reference: 'W', start: '14:00' }),
  ];
  const refusals = (await bring(wrong)).map(({ refused, outcome }) => refused ?? outcome);
  assert.deepEqual(refusals, [
    ['there is no active service Window cleaning'],
    ['row 3, column phone: must be a Saudi number, such as 0501234567, in a cell of the format Text'],
    ['there is no active team Nobody'],
    ['every must be one of the following values: 1, 2, 4'],
    'The timeslot is in the past',
    ['name must be shorter than or equal to 200 characters'],
    ['latitude must be a latitude string'],
    'The timeslot is not one of those offered for this service, address and date',
    'made',
    'externalReference is already used by another series',
  ]);
  const corrected = await bring([
    rowOf(world, 1, { start: '11:30' }),
    rowOf(world, 2, { start: '16:30' }),
    ...wrong.slice(8),
  ]);
  assert.deepEqual(
    corrected.map(({ outcome }) => outcome),
    ['made', 'made', 'matched', undefined],
  );
});

test('a visit whose time is taken is not booked, and the report says why', async (t) => {
  const { world, bring, ok } = await open(t);
  ok(await world.book({ date: '2026-12-06', timeslot: { startAt: '10:00', endAt: '12:00' } }));
  const [made] = await bring([rowOf(world, 1)]);
  assert.deepEqual(
    [made!.outcome, made!.booked, made!.unplaced],
    ['made', 2, ['2026-12-06: SLOT_UNAVAILABLE']],
  );
});

test('a check says what would come of each row, and keeps nothing', async (t) => {
  const { world, bring, counts } = await open(t);
  const rows = [rowOf(world, 1), rowOf(world, 2, { start: '14:00' }), rowOf(world, 3, { service: 'None' })];
  const before = await counts();
  const checked = await bring(rows, { isCheck: true });
  assert.deepEqual(
    checked.map(({ outcome, booked }) => [outcome, booked]),
    [
      ['made', 3],
      ['made', 3],
      [undefined, undefined],
    ],
  );
  assert.deepEqual(await counts(), before);
  const made = await bring(rows.slice(0, 1));
  const after = await counts();
  assert.deepEqual((await bring(rows.slice(0, 1), { isCheck: true }))[0], { ...made[0], outcome: 'matched' });
  assert.deepEqual(await counts(), after);
});

test('what is rolled back goes on after a transaction that failed in it, and nothing ends it before', async (t) => {
  const db = await openTestDatabase(t);
  const add = (on: Queryable, name: string) =>
    on.rows({
      text: 'insert into partners (name, created_at, updated_at) values ($1, now(), now())',
      values: [name],
      commits: true,
    });
  const names = async (on: Queryable): Promise<string[]> =>
    (await on.rows<{ name: string }>({ text: 'select name from partners order by name' })).map(
      ({ name }) => name,
    );
  const seen = await rolledBack(db, async (inner) => {
    await add(inner, 'One');
    await inner.transaction((tx) => add(tx, 'Two'));
    const failed = inner.transaction(async (tx) => {
      await add(tx, 'Three');
      await add(tx, 'One');
    });
    await assert.rejects(failed, /partners_name_key/);
    return names(inner);
  });
  assert.deepEqual(seen, ['One', 'Two']);
  assert.deepEqual(await names(db), []);
});

test('an import that was cut off goes on where it was', async (t) => {
  const { service, world, bring, counts } = await open(t, { teams: 2 });
  const rows = [rowOf(world, 1), rowOf(world, 2), rowOf(world, 3, { start: '14:00' })];
  const before = await counts();
  // A row is the transaction of its contact, that of its series, and one for each of three visits.
  for (const last of [1, 2, 3, 5, 6]) {
    let transactions = 0;
    const through: Db = {
      ...service.deps.db,
      transaction(work, key) {
        if (++transactions > last) throw new Error('the process was killed');
        return service.deps.db.transaction(work, key);
      },
    };
    await assert.rejects(bring(rows, { through }), /was killed/);
  }
  const found = await bring(rows);
  assert.deepEqual(
    found.map(({ booked, unplaced }) => [booked, unplaced]),
    rows.map(() => [3, []]),
  );
  const { contacts, addresses, series, bookings } = await counts();
  assert.deepEqual(
    [contacts, addresses, series, bookings],
    [before.contacts! + 3, before.addresses! + 3, before.series! + 3, before.bookings! + 9],
  );
});

test('PLATFORM partners and suspended ones are refused', async (t) => {
  const { service, world, bring, ok } = await open(t);
  ok(await service.operator('PATCH', `/partners/${world.partnerId}`, { status: 'SUSPENDED' }));
  await assert.rejects(bring([rowOf(world, 1)]), { code: 'CONFLICT' });
  const platform = await open(t, { partner: { paymentResponsibility: 'PLATFORM' } });
  await assert.rejects(platform.bring([rowOf(platform.world, 1)]), {
    code: 'PAYMENT_RESPONSIBILITY_MISMATCH',
  });
});

test('customers who come along know of their visits, and are told of what changes', async (t) => {
  const sms = await startUnifonic(t);
  const moyasar = await startMoyasar(t, () => Date.parse('2026-11-22T08:00:00+03:00'));
  const partner = { customerMessages: ['BOOKED' as const, 'DAY_BEFORE' as const] };
  const { service, world, bring, call, ok } = await open(t, { partner }, providerEnv(moyasar, sms));
  const { db } = service.deps;
  service.clock.set(Date.parse('2026-11-22T22:00:00+03:00'));
  const waits = () =>
    until(async () => {
      const { left } = (await db.first<{ left: number }>({
        text: `
          select (select count(*) from unplaced_events)
            + (select count(*) from event_places where place > (select place from customer_messages_cursor)) as left`,
      }))!;
      return left === 0;
    });
  const planned = async (): Promise<string[]> => {
    await waits();
    const rows = await db.rows<{ kind: string; name: string; due_at: number }>({
      text: `
        select m.kind, c.name, m.due_at from customer_messages m join bookings b on b.id = m.booking_id
          join contacts c on c.id = b.contact_id
        where m.status <> 'DROPPED' order by m.due_at, c.name`,
    });
    return rows.map(({ kind, name, due_at }) => `${kind} ${name} ${dateOf(due_at)}`);
  };
  ok(await world.book({ date: '2026-12-06', timeslot: { startAt: '10:00', endAt: '12:00' } }));
  const [silent] = await bring([rowOf(world, 1)]);
  const reminders = ['2026-11-28', '2026-12-12'].map((date) => `DAY_BEFORE Customer 1 ${date}`);
  assert.deepEqual(
    (await planned()).filter((line) => line.includes('Customer')),
    reminders,
    'reminded as everybody',
  );
  await bring([rowOf(world, 3, { first: '2026-11-24', visits: '1' })]);
  assert.equal((await planned())[0], 'DAY_BEFORE Customer 3 2026-11-23', 'although made eleven hours before');
  await bring([rowOf(world, 2, { start: '14:00', first: '2026-12-12' })], { tells: true });
  assert.deepEqual(
    (await planned()).filter((line) => line.includes('Customer 2')),
    ['BOOKED Customer 2 2026-11-23', 'DAY_BEFORE Customer 2 2026-12-11'],
  );
  const ofOne = async () => (await planned()).filter((line) => /^(?!DAY).*Customer 1/.test(line));
  assert.deepEqual(await ofOne(), []);
  ok(await call('POST', `/${silent!.seriesId}/visits/2/place`, { date: '2026-12-07', startAt: '10:00' }));
  const moved = 'MOVED Customer 1 2026-11-23';
  assert.deepEqual(await ofOne(), [moved], 'at another time than she knows');
  service.clock.set(Date.parse('2026-11-30T10:00:00+03:00'));
  await roll(service);
  assert.deepEqual(await ofOne(), [moved], 'nothing with a later visit');
  ok(await call('PATCH', `/${silent!.seriesId}`, { fromIndex: 5, startAt: '11:30' }));
  assert.deepEqual(await ofOne(), [moved], 'nothing of it is booked yet');
  service.clock.set(Date.parse('2026-12-07T10:00:00+03:00'));
  await roll(service);
  assert.deepEqual(await ofOne(), [moved, 'BOOKED Customer 1 2026-12-07']);
});

/** The database, in which a series that was inserted waits until `count` others were. */
function meeting(db: Db, { count }: { count: number }): Db {
  const { promise, resolve } = Promise.withResolvers<void>();
  let inserted = 0;
  const afterInsert = async <Result>(
    statement: { text: string },
    result: Promise<Result>,
  ): Promise<Result> => {
    const done = await result;
    if (!statement.text.startsWith('insert into "series" ')) return done;
    if (++inserted === count) resolve();
    await promise;
    return done;
  };
  const within = (tx: Tx): Tx => ({
    ...tx,
    rows: (statement) => afterInsert(statement, tx.rows(statement)),
    first: (statement) => afterInsert(statement, tx.first(statement)),
  });
  return { ...db, transaction: (work, key) => db.transaction((tx) => work(within(tx)), key) };
}

test('two imports that have inserted one series both leave one', onServer('two connections'), async (t) => {
  const { service, world, bring, counts } = await open(t);
  const before = await counts();
  const through = meeting(service.deps.db, { count: 2 });
  const rows = [rowOf(world, 1)];
  const found = (await Promise.all([bring(rows, { through }), bring(rows, { through })])).flat();
  assert.deepEqual(found.map(({ outcome }) => outcome).sort(), ['made', 'matched']);
  assert.equal(found[0]!.seriesId, found[1]!.seriesId);
  assert.equal((await counts()).series, before.series! + 1);
});

test('two imports at once make each customer once', onServer('two connections'), async (t) => {
  const one = await startTestService(t);
  const other = await startTestService(t, { databaseUrl: one.deps.config.databaseUrl!, clock: one.clock });
  const partner = { paymentResponsibility: 'PARTNER' as const };
  const world = await createWorld(one, { teams: 3, partner, service: SERVICE });
  const rows = ['09:00', '11:30', '14:00', '16:30'].flatMap((start, hour) =>
    [0, 1, 2].map((team) =>
      rowOf(world, hour * 3 + team + 1, { start, ...(team > 0 && { reference: `W-${hour}-${team}` }) }),
    ),
  );
  const { counts } = importsOf(one, world);
  const before = await counts();
  const [first, second, third] = await Promise.all([
    importsOf(one, world).bring(rows),
    importsOf(other, world).bring(rows),
    importsOf(other, world).bring(rows.toReversed()),
  ]);
  const all = [...first!, ...second!, ...third!];
  assert.deepEqual(
    ['made', 'matched'].map((outcome) => all.filter((found) => found.outcome === outcome).length),
    [rows.length, 2 * rows.length],
    JSON.stringify(all.filter(({ refused }) => refused !== undefined)),
  );
  const { contacts, addresses, series, bookings } = await counts();
  const twelve = rows.length;
  assert.deepEqual(
    [contacts, addresses, series, bookings],
    [
      before.contacts! + twelve,
      before.addresses! + twelve,
      before.series! + twelve,
      before.bookings! + 3 * twelve,
    ],
  );
});

test(
  'the command reads what spreadsheets save, and reports each row',
  onServer('a second process'),
  async (t) => {
    const databaseUrl = await createPostgresDatabase(t);
    const service = await startTestService(t, { databaseUrl });
    const world = await createWorld(service, {
      partner: { paymentResponsibility: 'PARTNER' },
      service: SERVICE,
    });
    const { name: partner } = (await partnerRows.find(service.deps.db, world.partnerId))!;
    const { counts } = importsOf(service, world);
    const folder = mkdtempSync(join(tmpdir(), 'pbs-customers-'));
    afterwards(t, () => rmSync(folder, { recursive: true }));
    const path = join(folder, 'customers.csv');
    const run = (...args: string[]) =>
      runToEnd(['customers', 'import', path, '--partner', partner, ...args], {
        DATABASE_URL: databaseUrl,
        DEPLOYMENT: 'sandbox',
        OPERATOR_TOKEN,
        SECRETS_KEY,
      });
    // The command line has the clock of the database.
    const now = (await service.deps.db.first<{ now: number }>({ text: 'select now()' }))!.now;
    const monday = addDays(dateOf(now), 8 - weekdayOf(dateOf(now)) + 7);
    const [year, month, day] = monday.split('-');
    const write = (separator: string, encoding: Encoding, ...rows: string[][]): void => {
      const header = [
        'الاسم',
        'الهاتف',
        'خط العرض',
        'خط الطول',
        'الخدمة',
        'أول زيارة',
        'وقت البدء',
        'كل (أسابيع)',
        'حتى',
      ];
      writeFileSync(
        path,
        encoded([header, ...rows].map((cells) => cells.join(separator)).join('\r\n'), encoding),
      );
    };
    const row = (phone: string, who: string, time: string, until = '') => {
      const at = [world.latitude, world.longitude].map((degrees) => String(degrees).replace('.', ','));
      return [who, phone, ...at, 'تنظيف أسبوعي', `${day}/${month}/${year}`, time, '1', until];
    };
    const good = [row('0500000001', 'نورة القحطاني', '9:00'), row('0500000002', 'Sara', '2:00 PM')];
    const report = (name = 'customers.report.csv') =>
      readFileSync(join(folder, name), 'utf8')
        .split('\r\n')
        .map((line) => line.replaceAll(/[0-9a-f]{8}-[0-9a-f-]{27}/g, 'ID'));

    write(';', 'windows-1256', ...good, row('1', 'Huda', '16:30'));
    const before = await counts();
    const checked = await run('--check', '--report', join(folder, 'check.csv'));
    assert.deepEqual(await counts(), before);
    assert.equal(checked.code, 1, checked.stderr);
    assert.match(checked.stdout, /^row 4: refused: row 4, column الهاتف: must be a Saudi number/);
    assert.match(
      checked.stdout,
      /\nwould be 2 made, 0 matched, 1 refused; \d+ visits booked, 0 not; the rows are in .*check\.csv\n$/,
    );
    const done = await run();
    assert.match(
      done.stdout,
      /\n2 made, 0 matched, 1 refused; \d+ visits booked, 0 not; the rows are in .*customers\.report\.csv\n$/,
    );
    assert.deepEqual(report(), report('check.csv'));
    const booked = report()[1]!.split(',')[4];
    assert.deepEqual(report().slice(0, 3), [
      '\uFEFFrow,outcome,contact,series,booked,unplaced,reasons,refusal',
      `2,made,ID,ID,${booked},0,,`,
      `3,made,ID,ID,${booked},0,,`,
    ]);
    const names = await service.deps.db.rows<{ name: string }>({
      text: `select name from contacts where phone like '+9665000000%' order by phone`,
    });
    assert.deepEqual(
      names.map(({ name }) => name),
      ['نورة القحطاني', 'Sara'],
    );

    write('\t', 'utf-16', ...good, row('0500000003', 'Huda', '16:30', addDays(monday, 7)));
    const repeated = await run();
    assert.deepEqual([repeated.code, repeated.stderr], [0, '']);
    assert.match(repeated.stdout, /^1 made, 2 matched, 0 refused; /);

    write(';', 'utf-8', ...good, row('0500000004', 'Reem', '11:30', '12/25/2027'));
    const swapped = await run();
    assert.equal(swapped.code, 1);
    assert.match(
      swapped.stderr,
      /^customers\.csv, row 4, column حتى: there is no date 12\/25\/2027: the day stands before the month\n.*nothing was imported/,
    );
  },
);
