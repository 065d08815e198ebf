import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import pg from 'pg';
import { createKnownTotals } from '../src/bookings/known-totals.ts';
import { type BookingFilter, listBookings, listStatement, SORTABLE } from '../src/bookings/list-queries.ts';
import { BOOKING_STATUSES } from '../src/bookings/rules.ts';
import { connectPostgres, type Queryable, type Statement } from '../src/db/connection.ts';
import { listAppointmentRows, listOperatorBookings } from '../src/dispatch/queries.ts';
import { searchTermsOf } from '../src/dispatch/search-rules.ts';
import { findBookings, findContacts } from '../src/operator/search-queries.ts';
import { listDeliveryRows } from '../src/webhooks/delivery-queries.ts';
import { afterwards, createPostgresDatabase, onPostgres } from './harness.ts';
import { until } from './until.ts';

/** Each with an appointment; enough that PostgreSQL chooses the plans of a million. */
const BOOKINGS = 200_000;
const PER_DAY = 360;
const PARTNER = '00000000-0000-4000-8000-000000000001';
const CUSTOMER_PHONE = '+966511111111';
const FIRST_PAGE = { limit: 20, offset: 0 };
const DIRECTIONS = ['ASC', 'DESC'] as const;

type Plan = {
  'Node Type': string;
  'Relation Name'?: string;
  'Index Name'?: string;
  'Scan Direction'?: string;
  'Actual Rows'?: number;
  'Actual Loops'?: number;
  'Rows Removed by Filter'?: number;
  Plans?: Plan[];
};

const ORDERS = SORTABLE.flatMap((by) => DIRECTIONS.map((direction) => ({ by, direction })));

/** Every combination of conditions, with values that find much and values that find little. */
function filters(asOf: string): BookingFilter[] {
  const periods: BookingFilter[] = [
    {},
    { fromDate: '2024-01-01' },
    { fromDate: '2026-11-01' },
    { fromDate: '2025-06-01', toDate: '2025-06-30' },
    { fromDate: '2024-01-01', toDate: '2026-12-31' },
  ];
  const statuses: BookingFilter[] = [{}, ...BOOKING_STATUSES.map((status) => ({ status }))];
  const references: BookingFilter[] = [{}, { externalReference: 'order-0500001' }];
  const moments: BookingFilter[] = [{}, { asOf }];
  return periods.flatMap((period) =>
    statuses.flatMap((status) =>
      references.flatMap((reference) =>
        moments.map((moment) => ({ ...period, ...status, ...reference, ...moment })),
      ),
    ),
  );
}

const DETAILS: BookingFilter[] = [
  { contactId: '00000000-0000-4000-8000-000000000002' },
  { serviceId: PARTNER },
  { serviceId: '00000000-0000-4000-8000-000000000002' },
  { paymentStatus: 'PENDING' },
  { paymentStatus: 'PAID' },
  { trackingReference: 'SA-12345' },
  { updatedSince: Date.UTC(2025, 5, 1) },
  { updatedSince: Date.UTC(2026, 10, 1) },
  { updatedSince: { history: '5f0c6a6e', snapshot: '800000000:800000000:' } },
];

test('a partner with many bookings lists them by indexes', {
  skip: !onPostgres && 'PGlite is not for as many bookings',
}, async (t) => {
  const url = await createPostgresDatabase(t);
  const client = await connect(t, url);
  await fill(client);
  const snapshot = await client.query('select pg_current_snapshot()::text as as_of');
  const asOf: string = snapshot.rows[0].as_of;
  const snapshotNow = async (): Promise<string> =>
    (await client.query('select pg_current_snapshot()::text as as_of')).rows[0].as_of;

  await t.test('no filter and no order scans the table', async () => {
    for (const filter of filters(asOf))
      for (const order of ORDERS.filter(({ by }) => by !== 'status' || filter.status !== undefined)) {
        const plan = await explain(client, listStatement(PARTNER, { filter, order, page: FIRST_PAGE }));
        assert.deepEqual(faultsOf(plan), [], `${JSON.stringify(filter)} ${order.by} ${order.direction}`);
      }
  });

  await t.test('nor does a filter of details, alone and with others', async () => {
    // The table is all this partner's: what is not cheap to jump to is cheaper to read wholly.
    await client.query('set random_page_cost = 1.1');
    for (const details of DETAILS)
      for (const more of [{}, { status: 'success' }, { fromDate: '2025-06-01' }] as const)
        for (const order of ORDERS.filter(({ by }) => by !== 'status' && by !== 'externalReference')) {
          const filter = { ...details, ...more };
          const plan = await explain(client, listStatement(PARTNER, { filter, order, page: FIRST_PAGE }));
          assert.deepEqual(faultsOf(plan), [], `${JSON.stringify(filter)} ${order.by} ${order.direction}`);
        }
    await client.query('reset random_page_cost');
  });

  await t.test(
    'services and payment statuses by creation are index-only scans; changes are read from their ends',
    async () => {
      const asked = async (filter: BookingFilter, by: 'createdAt' | 'updatedAt') => {
        const order = { by, direction: 'DESC' } as const;
        return nodesOf(
          await explain(client, listStatement(PARTNER, { filter, order, page: FIRST_PAGE }), 'analyze, '),
        );
      };
      const rowsOf = (nodes: Plan[], types: string[]) =>
        nodes
          .filter((node) => node['Relation Name'] === 'bookings' && types.includes(node['Node Type']))
          .reduce((sum, node) => sum + node['Actual Rows']! * node['Actual Loops']!, 0);
      for (const filter of [
        { serviceId: PARTNER },
        { paymentStatus: 'PENDING' },
        { paymentStatus: 'PAID' },
      ] as const) {
        const read = rowsOf(await asked(filter, 'createdAt'), ['Index Scan', 'Bitmap Heap Scan']);
        assert.ok(read <= FIRST_PAGE.limit, `${JSON.stringify(filter)}: ${read} rows of the table read`);
      }
      // A few changes among many bookings: by an instant, and by what an earlier list has seen.
      const recent = Date.UTC(2023, 10, 30) + (BOOKINGS - 30) * (86_400_000 / PER_DAY);
      const later = { history: '5f0c6a6e', snapshot: await snapshotNow() };
      await client.query(
        `update bookings set changed_in = pg_current_xact_id() where external_reference = 'order-0000011'`,
      );
      for (const [updatedSince, most] of [
        [recent, 100],
        [later, 10],
      ] as const) {
        const read = rowsOf(await asked({ updatedSince }, 'updatedAt'), [
          'Index Scan',
          'Index Only Scan',
          'Bitmap Heap Scan',
        ]);
        assert.ok(read > 0 && read <= most, `${JSON.stringify(updatedSince)}: ${read} rows read`);
      }
    },
  );

  await t.test('counts, and pages of dates and statuses by creation, are index-only scans', async () => {
    for (const filter of [
      {},
      { status: 'success' },
      { fromDate: '2025-06-01', toDate: '2025-06-30' },
      { fromDate: '2024-01-01', toDate: '2024-12-31', status: 'success' },
    ] as const)
      for (const direction of DIRECTIONS) {
        const asked = { filter, order: { by: 'createdAt', direction }, page: FIRST_PAGE } as const;
        const nodes = nodesOf(await explain(client, listStatement(PARTNER, asked), 'analyze, '));
        const scans = nodes.filter((node) => node['Relation Name'] === 'bookings');
        const read = scans.filter((node) => node['Node Type'] !== 'Index Only Scan');
        const rows = read.reduce((sum, node) => sum + node['Actual Rows']! * node['Actual Loops']!, 0);
        assert.ok(scans.length > read.length, JSON.stringify(asked));
        assert.ok(rows <= FIRST_PAGE.limit, `${JSON.stringify(asked)}: ${rows} rows of the table read`);
      }
  });

  await t.test('in the order of dates the page is read from its start', async () => {
    for (const filter of [{}, { status: 'success' }, { fromDate: '2024-01-01' }] as const)
      for (const direction of DIRECTIONS) {
        const asked = { filter, order: { by: 'date', direction }, page: FIRST_PAGE } as const;
        const nodes = nodesOf(await explain(client, listStatement(PARTNER, asked), 'analyze, '));
        const rows = nodes
          .filter((node) => node['Relation Name'] === 'bookings' && node['Node Type'] === 'Index Scan')
          .reduce((sum, node) => sum + node['Actual Rows']! * node['Actual Loops']!, 0);
        // Those of one day have no order in the index: the first days are sorted.
        assert.ok(rows > 0 && rows < 5_000, `${JSON.stringify(asked)}: ${rows} rows of the table read`);
      }
  });

  await t.test('each order is read from its own index', async () => {
    const day = { fromDate: '2025-06-01', toDate: '2025-06-01' };
    const indexes = async (filter: BookingFilter, by: (typeof SORTABLE)[number]) => {
      const asked = { filter, order: { by, direction: 'ASC' }, page: FIRST_PAGE } as const;
      const nodes = nodesOf(await explain(client, listStatement(PARTNER, asked)));
      return nodes.map((node) => node['Index Name']);
    };
    for (const [index, filter, by] of [
      ['bookings_partner_created_idx', {}, 'createdAt'],
      ['bookings_partner_date_idx', day, 'date'],
      ['bookings_partner_reference_idx', {}, 'externalReference'],
    ] as const)
      assert.ok((await indexes(filter, by)).includes(index), index);
  });

  await t.test('every order returns its first page, and its total', async () => {
    const db = connectPostgres(url, 1, (error) => {
      throw error;
    });
    afterwards(t, () => db.close());
    const totals = createKnownTotals();
    for (const order of ORDERS)
      for (let time = 1; time <= 2; time++) {
        const page = await listBookings(db, totals, PARTNER, { filter: {}, order, page: FIRST_PAGE });
        assert.deepEqual([page.rows.length, page.total], [FIRST_PAGE.limit, BOOKINGS]);
      }
  });

  await t.test('with a known total only the end of an index is read', async () => {
    const totals = createKnownTotals();
    const db = connectPostgres(url, 1, (error) => {
      throw error;
    });
    afterwards(t, () => db.close());
    const asked = { filter: {}, order: { by: 'createdAt', direction: 'DESC' }, page: FIRST_PAGE } as const;
    await listBookings(db, totals, PARTNER, asked);
    const [known] = await askedOf((recorder) =>
      listBookings(recorder, totals, PARTNER, asked).catch(() => {}),
    );
    const nodes = nodesOf(await explain(client, known!, 'analyze, '));
    const scans = nodes.filter((node) => node['Relation Name'] === 'bookings');
    const rows = scans.reduce((sum, node) => sum + node['Actual Rows']! * node['Actual Loops']!, 0);
    assert.ok(rows <= 2 * FIRST_PAGE.limit + 1, `${rows} rows read`);
  });

  await t.test('deliveries of a subscription are read from an index, without sorting', async () => {
    await fillDeliveries(client);
    for (const filter of [
      { subscriptionId: PARTNER },
      { subscriptionId: PARTNER, partnerId: PARTNER },
      { subscriptionId: PARTNER, partnerId: PARTNER, status: 'DELIVERED' },
      { partnerId: PARTNER },
      { subscriptionId: PARTNER, event: 'booking.created' },
    ] as const) {
      const [asked] = await askedOf((db) => listDeliveryRows(db, filter, FIRST_PAGE));
      const nodes = nodesOf(await explain(client, asked!));
      const scans = nodes.filter((node) => node['Relation Name']?.startsWith('webhook_deliveries'));
      // The page by the index of its order, the count by the one that is smallest.
      assert.ok(
        scans.some((node) => node['Node Type'] === 'Index Scan'),
        JSON.stringify(filter),
      );
      const isCounted = scans.some((node) => node['Index Name'] === 'webhook_deliveries_count_idx');
      assert.equal(isCounted, !('event' in filter), JSON.stringify(filter));
      assert.ok(!nodes.some((node) => node['Node Type'].endsWith('Sort')), JSON.stringify(filter));
      const { rows } = await client.query(asked!.text, [...asked!.values]);
      assert.equal(Number(rows[0].total), BOOKINGS / 5);
    }
  });

  await t.test('no search scans the tables of bookings or customers', async () => {
    await fillContacts(client);
    await fillAddresses(client);
    const wholly = (plan: Plan, tables: readonly string[]) =>
      nodesOf(plan).filter(
        (node) => node['Node Type'] === 'Seq Scan' && tables.includes(node['Relation Name']!),
      );
    for (const q of [
      'order-0123456',
      '0123456',
      'SA-12345',
      '0501234567',
      '4567',
      'Noura Al',
      'Al Yasmin',
      PARTNER,
    ]) {
      const wanted = searchTermsOf(q);
      const asked = await askedOf(async (db) => {
        await findContacts(db, wanted, 5);
        await findBookings(db, wanted, 5, { contactIds: [PARTNER] });
        await listOperatorBookings(db, { search: searchTermsOf(q) }, FIRST_PAGE);
        await listOperatorBookings(db, { phone: q }, FIRST_PAGE);
        await listAppointmentRows(db, { status: 'Finished' }, FIRST_PAGE);
      });
      const large = ['bookings', 'appointments', 'contacts', 'addresses'];
      for (const statement of asked) {
        assert.deepEqual(wholly(await explain(client, statement), large), [], `${q}: ${statement.text}`);
        if (statement.name === undefined) continue;
        // A named one may get a plan that is the same for all values.
        assert.deepEqual(wholly(await explainKept(client, statement), large), [], `${q}: ${statement.name}`);
      }
    }
  });

  await t.test('a rare district is found by its index, a common one among the newest bookings', async () => {
    const nodesFor = async (place: string, filter: { fromDate?: string; toDate?: string } = {}) => {
      const asked = await askedOf(async (db) => {
        await findBookings(db, searchTermsOf(place), 5, { contactIds: [] });
        await listOperatorBookings(db, { search: searchTermsOf(place), ...filter }, FIRST_PAGE);
      });
      const places = asked.filter(({ text }) => text.includes('join addresses d'));
      // The list looks places up, and reads the addresses of its page.
      assert.ok(places.length >= 2, asked.map(({ text }) => text).join('\n'));
      const plans = await Promise.all(places.slice(0, 2).map((one) => explain(client, one)));
      return plans.map((plan) => {
        const nodes = nodesOf(plan);
        const scanned = nodes.filter((node) => node['Node Type'].endsWith('Seq Scan'));
        assert.deepEqual(scanned, [], `${place}: ${JSON.stringify(plan)}`);
        return new Set(nodes.map((node) => node['Index Name']));
      });
    };
    for (const names of await nodesFor('Al Yasmin')) assert.ok(names.has('addresses_folded_places_idx'));
    const [common] = await nodesFor('Street');
    assert.ok(common!.has('bookings_created_idx') && !common!.has('addresses_folded_places_idx'));
  });

  await t.test('no search needs a new plan', async () => {
    const db = connectPostgres(url, 1, (error) => {
      throw error;
    });
    afterwards(t, () => db.close());
    for (const q of ['order-0123456', 'SA-12345', '0501234567', 'Noura Al', PARTNER])
      for (let time = 1; time <= 8; time++) {
        const contacts = await findContacts(db, searchTermsOf(q), 5);
        await findBookings(db, searchTermsOf(q), 5, { contactIds: contacts.map(({ id }) => id) });
      }
    const kept = await db.rows<{ name: string; custom_plans: number }>({
      text: `select name, custom_plans from pg_prepared_statements where name like 'search-%' order by name`,
    });
    assert.deepEqual(
      kept.map(({ name }) => name),
      ['search-bookings', 'search-contacts', 'search-whole-reference'],
    );
    // PostgreSQL tries five, then keeps the one for all values.
    for (const { name, custom_plans } of kept) assert.ok(custom_plans <= 5, `${name}: ${custom_plans}`);
  });

  await t.test('the index of names ranks prefix matches', async () => {
    const executed = async (q: string) => {
      const [asked] = await askedOf((db) => findContacts(db, searchTermsOf(q), 5));
      const nodes = nodesOf(await explain(client, asked!, 'analyze, '));
      return nodes.filter((node) => node['Actual Loops']! > 0);
    };
    const names = (nodes: Plan[]) =>
      nodes.filter((node) => node['Index Name'] === 'contacts_folded_name_idx');
    const words = (nodes: Plan[]) =>
      nodes.filter((node) => node['Index Name'] === 'contacts_folded_words_idx');
    const many = await executed('Noura');
    assert.deepEqual(
      names(many).map((node) => node['Node Type']),
      ['Index Only Scan'],
    );
    assert.deepEqual(words(many), [], 'all of that word are looked for');
    const read = many.filter((node) => node['Relation Name'] === 'contacts' && names([node]).length === 0);
    assert.ok(read.every((node) => node['Actual Rows']! * node['Actual Loops']! <= 5));
    const newest = (nodes: Plan[]) =>
      nodes.filter((node) => node['Relation Name'] === 'contacts' && node['Scan Direction'] === 'Backward');
    const number = await executed('4321');
    assert.deepEqual(
      [words(number).length, newest(number)],
      [1, []],
      'names are looked through for a number',
    );
    // All have the words, and none as a prefix: the first five rows suffice.
    const common = await executed('sal nour');
    assert.deepEqual([words(common), newest(common).length], [[], 1], 'all of these words are looked for');
    const looked = common.filter((node) => node['Relation Name'] === 'contacts');
    assert.ok(looked.every((node) => node['Actual Rows']! * node['Actual Loops']! <= 5));
  });

  await t.test('a page that is not full needs no count', async () => {
    await fillDetails(client);
    for (const [filter, shown, isCounted] of [
      [{ search: searchTermsOf('order-0123456') }, 1, false],
      [{ phone: CUSTOMER_PHONE, fromDate: '2025-05-01' }, 20, true],
      [{ search: searchTermsOf('order-01234') }, 20, true],
    ] as const) {
      const asked = await askedOf((db) => listOperatorBookings(db, filter, FIRST_PAGE));
      const plan = await explain(client, asked.at(-1)!, 'analyze, ');
      assert.equal(plan['Actual Rows'], shown, JSON.stringify(filter));
      const counts = nodesOf(plan).filter((node) => node['Node Type'] === 'Aggregate');
      assert.ok(counts.length > 0);
      const executed = counts.some((node) => node['Actual Loops']! > 0);
      assert.equal(executed, isCounted, JSON.stringify(filter));
    }
  });
});

/** The statements that the work runs, which finds nothing. */
async function askedOf(work: (db: Queryable) => Promise<unknown>): Promise<Asked[]> {
  const asked: Asked[] = [];
  const note = ({ name, text, values = [] }: Statement) => {
    asked.push({ name, text, values });
    return [];
  };
  await work({
    rows: async (statement) => note(statement),
    first: async (statement) => note(statement)[0] ?? null,
  });
  return asked;
}
type Asked = { name: string | undefined; text: string; values: readonly unknown[] };

/** Nodes that must not be in a plan. */
function faultsOf(plan: Plan): string[] {
  const read = nodesOf(plan)
    .filter((node) => node['Node Type'] === 'Seq Scan')
    .map((node) => `reads all ${node['Relation Name']}`);
  return read;
}

async function connect(t: TestContext, url: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  afterwards(t, () => client.end());
  return client;
}

/**
 * A partner of a year and a half: nearly all done, a tenth canceled, the newest in progress, nine
 * in ten with a reference. Triggers rest meanwhile, foreign keys with them, and the appointments are all cancelled:
 * no constraint then has to compare a million of them, and the list does not look at their status.
 */
async function fill(client: pg.Client): Promise<void> {
  // Commits reach the disk: until then vacuum marks no page as visible to all.
  await client.query('set session_replication_role = replica');
  await client.query(`
    insert into bookings (id, partner_id, contact_id, address_id, service_id, external_reference, status,
      payment_status, payment_responsibility, amount, service_date, created_at, updated_at, created_in,
      cancelled_at, cancelled_by, cancellation_action)
    select lpad(to_hex(n), 32, '0')::uuid, '${PARTNER}', '${PARTNER}', '${PARTNER}', '${PARTNER}',
      case when n % 10 > 0 then 'order-' || lpad(n::text, 7, '0') end, status,
      case when status = 'canceled' then 'CANCELLED' else 'PENDING' end, 'PARTNER', 150,
      date '2023-12-01' + n / ${PER_DAY} + n % 14, at, at,
      -- As old as the server's transactions allow, and none of the future.
      (3 + n * (pg_current_xact_id()::text::bigint - 4) / ${BOOKINGS})::text::xid8,
      case when status = 'canceled' then at end, case when status = 'canceled' then 'partner' end,
      case when status = 'canceled' then 'CANCEL_ONLY' end
    from generate_series(1, ${BOOKINGS}) n, lateral (
      select timestamptz '2023-11-30' + n * interval '${86_400 / PER_DAY} seconds' as at,
        case when n % 100 < 10 then 'canceled' when n % 100 < 12 then 'failed'
          when n % 1000 = 999 then 'waiting payment' when n > ${BOOKINGS * 0.98} then 'in progress'
          else 'success' end as status
    ) made`);
  await client.query(`
    insert into appointments (id, booking_id, team_id, zone_id, name, status, starts_at, ends_at, busy_until,
      created_at, updated_at)
    select id, id, partner_id, partner_id, 'SA-' || row_number() over (), 'Cancelled', created_at,
      created_at + interval '2 hours', created_at + interval '2 hours', created_at, created_at
    from bookings`);
  // The work of autovacuum: statistics, and the visibility map for index-only counts.
  await client.query('vacuum (analyze) bookings, appointments');
}

/** A fifth as many deliveries, all of one subscription. */
async function fillDeliveries(client: pg.Client): Promise<void> {
  await client.query(`
    insert into webhook_subscriptions (id, partner_id, url, events, secret, created_at, updated_at)
    values ('${PARTNER}', '${PARTNER}', 'https://receiver.example', '{booking.created}', 'x', now(), now())`);
  await client.query(`
    insert into webhook_deliveries (subscription_id, event_id, partner_id, booking_id, event, status, attempt_count,
      finished_at, created_at)
    select '${PARTNER}', id, '${PARTNER}', id, 'booking.created', 'DELIVERED', 1, created_at, created_at
    from bookings limit ${BOOKINGS / 5}`);
  await client.query('vacuum (analyze) webhook_deliveries');
}

/** The one customer of all bookings, and the other details of a booking. */
async function fillDetails(client: pg.Client): Promise<void> {
  await client.query(`
    insert into partners (id, name, created_at, updated_at) values ('${PARTNER}', 'P', now(), now());
    insert into contacts (id, partner_id, phone, name, utm_source, created_at)
    values ('${PARTNER}', '${PARTNER}', '${CUSTOMER_PHONE}', 'Hessa', 'test', now());
    insert into addresses (id, contact_id, partner_id, latitude, longitude, created_at)
    values ('${PARTNER}', '${PARTNER}', '${PARTNER}', 24.7, 46.7, now());
    insert into services (id, category_id, name, duration_minutes, default_price, created_at, updated_at)
    values ('${PARTNER}', '${PARTNER}', 'Cleaning', 120, 150, now(), now());
    insert into teams (id, name, travel_buffer_minutes, created_at, updated_at)
    values ('${PARTNER}', 'T', 0, now(), now())`);
}

/** Enough customers that PostgreSQL does not prefer to read all of them. */
async function fillContacts(client: pg.Client): Promise<void> {
  await client.query(`
    insert into contacts (partner_id, phone, name, utm_source, created_at)
    select '${PARTNER}', '+9665' || lpad(n::text, 8, '0'), 'Noura Salem ' || n, 'test', now()
    from generate_series(1, ${BOOKINGS / 10}) n`);
  await vacuum(client, 'contacts');
}

/** An address and a customer for each booking of the first half: few in one district, all in a street. */
async function fillAddresses(client: pg.Client): Promise<void> {
  await client.query(`
    insert into addresses (id, contact_id, partner_id, latitude, longitude, district_name, street_name, created_at)
    select id, id, partner_id, 24.7, 46.7, case when n % 20000 = 0 then 'Al Yasmin' else 'Al Olaya' end, 'Street ' || n,
      created_at
    from (select *, row_number() over (order by created_at) as n from bookings) b where n <= ${BOOKINGS / 2}`);
  await client.query(`
    update bookings set contact_id = d.contact_id, address_id = d.id from addresses d where d.id = bookings.id`);
  await vacuum(client, 'addresses');
  await vacuum(client, 'bookings');
}

/** Repeats while another transaction, such as autovacuum, has an older snapshot. */
async function vacuum(client: pg.Client, table: string): Promise<void> {
  await until(async () => {
    await client.query(`vacuum (analyze) ${table}`);
    const { rows } = await client.query(
      `select relallvisible = relpages as all_visible from pg_class where relname = '${table}'`,
    );
    return rows[0].all_visible;
  });
}

/** The plan that is kept for all values. */
async function explainKept(client: pg.Client, { text, values }: Asked): Promise<Plan> {
  await client.query(`set plan_cache_mode = force_generic_plan; prepare kept as ${text}`);
  try {
    const given = values.map(literal).join(', ');
    const result = await client.query(`explain (format json) execute kept (${given})`);
    return result.rows[0]['QUERY PLAN'][0].Plan;
  } finally {
    await client.query('deallocate kept; reset plan_cache_mode');
  }
}

/** The plan with the values in place of the parameters, as a server makes it that knows them. */
async function explain(
  client: pg.Client,
  { text, values = [] }: Pick<Statement, 'text' | 'values'>,
  options = '',
): Promise<Plan> {
  const filled = text.replace(/\$(\d+)/g, (_match, number) => literal(values[Number(number) - 1]));
  const result = await client.query(`explain (${options}format json) ${filled}`);
  return result.rows[0]['QUERY PLAN'][0].Plan;
}

function literal(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return pg.escapeLiteral(`{${value.join(',')}}`);
  return typeof value === 'number' ? String(value) : pg.escapeLiteral(String(value));
}

function nodesOf(plan: Plan): Plan[] {
  return [plan, ...(plan.Plans ?? []).flatMap(nodesOf)];
}
