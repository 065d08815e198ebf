import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { createWorld } from './fixtures.ts';
import { afterwards, createPostgresDatabase, onPostgres, startTestService } from './harness.ts';

/** The table that lists by status read (migrations/0053); that it is exact is in test/list-totals.test.ts. */

/** What partners' and operators' changes of a booking write, but for its reference and its date. */
const CHANGING = [
  'status',
  'payment_status',
  'payment_reference',
  'payment_confirmed_at',
  'event_count',
  'version',
  'updated_at',
  'notes',
  'cancellation_reason_id',
  'cancellation_notes',
  'cancellation_action',
  'cancelled_by',
  'cancelled_at',
];

test('no index of bookings has what a change of a booking writes', async (t) => {
  const { deps } = await startTestService(t);
  const indexes = await deps.db.rows<{ definition: string; column: string }>({
    text: `
      select pg_get_indexdef(i.indexrelid) as definition, a.attname as column
      from pg_index i
      join pg_depend d on d.classid = 'pg_class'::regclass and d.objid = i.indexrelid
        and d.refclassid = 'pg_class'::regclass and d.refobjid = i.indrelid
      join pg_attribute a on a.attrelid = d.refobjid and a.attnum = d.refobjsubid
      where i.indrelid = 'bookings'::regclass`,
  });
  const columns = indexes.map(({ column }) => column);
  for (const known of ['service_date', 'reference_released'])
    assert.ok(columns.includes(known), 'keys and conditions are found');
  assert.deepEqual(
    indexes.filter(({ column }) => CHANGING.includes(column)),
    [],
  );
});

test('what a change leads to is found by keys, though there was one of each when the plans were made', async (t) => {
  const service = await startTestService(t);
  const { bookingId } = (await (await createWorld(service)).book()).body.data;
  const { db } = service.deps;
  // PostgreSQL then knows that there is one.
  await db.rows({ text: 'vacuum analyze booking_statuses, bookings, payments' });
  await db.transaction(async (tx) => {
    const scans = async () =>
      (await tx.first<{ whole: number; byIndex: number }>({
        text: `
          select sum(seq_scan)::integer as whole, sum(idx_scan)::integer as "byIndex" from pg_stat_xact_user_tables
          where relname in ('booking_statuses', 'bookings', 'payments')`,
      }))!;
    for (const [change, whole, byIndex] of [
      // The status; the update itself may read all one of the bookings.
      [`update bookings set status = 'success' where id = $1`, 1, 1],
      // The booking of the appointment, which waits for no payment.
      [`update appointments set status = 'Cancelled' where booking_id = $1`, 0, 1],
    ] as const) {
      const before = await scans();
      await tx.rows({ text: change, values: [bookingId] });
      const after = await scans();
      assert.deepEqual(
        [after.whole - before.whole, after.byIndex - before.byIndex],
        [whole, byIndex],
        change,
      );
    }
  });
});

test('what a change leads to is joined in one way, whatever has been switched off before it', async (t) => {
  const { deps } = await startTestService(t);
  const functions = await deps.db.rows<{ name: string; settings: string[] }>({
    text: `
      select proname as name, array(
        select setting from unnest(proconfig) setting
        where setting ~ '^enable_(hashjoin|mergejoin|nestloop)=' order by setting) as settings
      from pg_proc where proname in ('note_bookings_moved', 'note_booking_moves', 'note_appointments_moved') order by 1`,
  });
  // A function inherits what its caller has switched off. Without a kind that is on, each run is compiled.
  const byKey = ['enable_hashjoin=off', 'enable_mergejoin=off', 'enable_nestloop=on'];
  assert.deepEqual(functions, [
    { name: 'note_appointments_moved', settings: byKey },
    { name: 'note_booking_moves', settings: byKey },
    // Rows before and after have no key: loops would take minutes for 100,000.
    {
      name: 'note_bookings_moved',
      settings: ['enable_hashjoin=on', 'enable_mergejoin=off', 'enable_nestloop=off'],
    },
  ]);
});

test('what a change of one booking leads to is planned once', {
  skip: !onPostgres && 'reads the notices of one connection',
}, async (t) => {
  const client = new pg.Client({ connectionString: await createPostgresDatabase(t) });
  await client.connect();
  afterwards(t, () => client.end());
  let planned = 0;
  client.on('notice', ({ message, where }) => {
    if (message === 'plan:' && where?.includes('note_booking_moves')) planned++;
  });
  await client.query('set debug_print_plan = on');
  await client.query('set client_min_messages = log');
  const plans: number[] = [];
  for (let time = 0; time < 8; time++) {
    planned = 0;
    await client.query({
      name: 'move',
      text: `
        select note_booking_moves(array[$1::uuid], array[now()], array[$1::uuid], array['canceled'], array[current_date],
          array[$1::uuid], array['in progress'], array[current_date])`,
      values: [randomUUID()],
    });
    plans.push(planned);
  }
  assert.deepEqual(plans, [4, 0, 0, 0, 0, 0, 0, 0], 'one for each of its statements and conditions');
});

test('two appointments never have one name', async (t) => {
  const service = await startTestService(t);
  const world = await createWorld(service, { teams: 2 });
  for (let nth = 0; nth < 2; nth++) assert.equal((await world.book()).status, 200);
  await assert.rejects(
    service.deps.db.rows({ text: 'update appointments set name = (select min(name) from appointments)' }),
    (error) => (error as { constraint?: string }).constraint === 'appointments_name_key',
  );
});

const MIGRATIONS = fileURLToPath(new URL('../migrations/', import.meta.url));

test('the migration takes over each booking once, whatever happens to it meanwhile', {
  skip: !onPostgres && 'an embedded database has one connection',
}, async (t) => {
  const url = await createPostgresDatabase(t);
  const connect = async (): Promise<pg.Client> => {
    const client = new pg.Client({ connectionString: url });
    await client.connect();
    afterwards(t, () => client.end());
    return client;
  };
  const [client, other] = [await connect(), await connect()];
  const files = readdirSync(MIGRATIONS).sort();
  const migrate = (file: string) => client.query(readFileSync(MIGRATIONS + file, 'utf8'));
  await client.query('drop schema public cascade; create schema public');
  for (const file of files) if (file < '0053') await migrate(file);
  // Foreign keys rest.
  for (const it of [client, other])
    await it.query(`select set_config('session_replication_role', 'replica', false)`);
  for (const { tgname } of (
    await client.query(
      `select tgname from pg_trigger where tgrelid = 'bookings'::regclass and not tgisinternal`,
    )
  ).rows)
    await client.query(`alter table bookings enable always trigger ${tgname}`);
  const book = async (): Promise<string> =>
    (
      await client.query(`
        insert into bookings (id, partner_id, contact_id, address_id, service_id, status, payment_status,
          payment_responsibility, amount, service_date, created_at, updated_at)
        select gen_random_uuid(), gen_random_uuid(), gen_random_uuid(), gen_random_uuid(), gen_random_uuid(),
          'in progress', 'PENDING', 'PARTNER', 100, '2026-12-01', now(), now()
        returning id`)
    ).rows[0].id;
  const succeed = (it: pg.Client, id: string) =>
    it.query(`update bookings set status = 'success' where id = $1`, [id]);
  const kept = async () => {
    const { rows } = await client.query(`
      select booking_id, string_agg(status || ' ' || to_char(service_date, 'DD'), ', ' order by status) as all
      from booking_statuses group by 1`);
    return Object.fromEntries(rows.map(({ booking_id, all }) => [booking_id, all]));
  };

  const [still, changed, meanwhile, moved] = [await book(), await book(), await book(), await book()];
  await migrate('0053_booking_statuses.sql');
  await client.query('alter table bookings enable always trigger bookings_total_moved');
  await succeed(client, changed);
  const made = await book();
  assert.deepEqual(await kept(), { [changed]: 'success 01', [made]: 'in progress 01' });

  // The changes are made after the filling has looked, and committed before it.
  await client.query('begin');
  await migrate('0053_fill_booking_statuses.sql');
  await succeed(other, meanwhile);
  await other.query(`update bookings set service_date = '2026-12-02' where id = $1`, [moved]);
  await client.query('commit');
  const filled = await kept();
  assert.equal(filled[meanwhile], 'in progress 01, success 01');
  assert.equal(filled[moved], 'in progress 01');
  await migrate('0053_settle_booking_statuses.sql');
  assert.deepEqual(await kept(), {
    [still]: 'in progress 01',
    [changed]: 'success 01',
    [meanwhile]: 'success 01',
    [moved]: 'in progress 02',
    [made]: 'in progress 01',
  });
});
