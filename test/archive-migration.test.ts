import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import type { Db } from '../src/db/connection.ts';
import { migrate } from '../src/db/migrate.ts';
import { ownSources } from '../src/db/sources.ts';
import { createWorld, type World } from './fixtures.ts';
import { type Answer, onPostgres, startTestService, type TestService } from './harness.ts';
import { awaited, write } from './operator-payment-fixtures.ts';
import { until } from './until.ts';

/** Bookings that an earlier build has moved to its archive come back when the archive is dropped. */

const TABLES = ['bookings', 'appointments', 'payments', 'gateway_payments'] as const;
const ENDS = ['0056_drop_archive', '0057_drop_holds_booking_idx'];
const textOf = (name: string): string => readFileSync(join(ownSources().migrations, `${name}.sql`), 'utf8');

/** Of the earlier build: functions that inserting calls, and a trigger. */
const FUNCTIONS = `
create or replace function refuse_archived_reference() returns trigger
language plpgsql as $$
begin
  if exists (
    select from archived_bookings where external_reference = new.external_reference and partner_id = new.partner_id
      and not reference_released
  ) then
    raise exception 'a booking in the archive holds the external reference'
      using errcode = 'unique_violation', constraint = 'bookings_external_reference_key';
  end if;
  return null;
end
$$;
create or replace function refuse_lost_references() returns trigger
language plpgsql as $$
declare
  v_last histories;
begin
  select * into v_last from histories order by number desc limit 1;
  if v_last.number is null then
    perform begin_history();
  elsif v_last.origin <> history_origin()
    or v_last.last_reference > 0 and exists (
      select from made where status not in ('Completed', 'Cancelled', 'Cannot Complete')
        and substr(name, 4)::bigint <= v_last.last_reference
    ) then
    raise exception 'the data went back: a new history begins first' using errcode = 'serialization_failure';
  end if;
  return null;
end
$$`;
const TRIGGER = `trigger bookings_refuse_archived_reference after insert or update of external_reference on bookings for each row
  when (new.external_reference is not null and not new.reference_released) execute function refuse_archived_reference()`;

const ok = (answer: Answer): Answer => {
  assert.ok(answer.status < 300, answer.text);
  return answer;
};

const rows = (db: Db, text: string, values: unknown[] = []) =>
  db.rows<Record<string, unknown>>({ text, values });

/** Gives the database the tables of the earlier build. */
async function age(db: Db): Promise<void> {
  await rows(db, 'delete from schema_migrations where name = any ($1)', [ENDS]);
  await db.withClient((client) => client.query(textOf('0053_archive')));
  await db.withClient((client) => client.query(textOf('0054_holds_booking_idx')));
}

/** Gives it the functions, too. */
async function addFunctions(db: Db): Promise<void> {
  await db.withClient((client) => client.query(FUNCTIONS));
  await rows(db, `update schema_functions set hash = '' where name = 'db'`);
  await rows(db, `create ${TRIGGER}`);
  await rows(
    db,
    `insert into schema_functions (name, hash, headers, release) values ('archive', '', $1, '0.1.0')`,
    [['function refuse_archived_reference() returns trigger', TRIGGER.replaceAll(/\s+/g, ' ')]],
  );
}

/** Moves the bookings as the earlier build did: nothing else refers to them any more. */
async function moveAway(db: Db, ids: readonly string[]): Promise<void> {
  const others = ['webhook_pending', 'webhook_deliveries', 'event_places', 'unplaced_events', 'events'];
  for (const table of [...others, 'customer_messages']) await rows(db, `delete from ${table}`);
  const OF: Record<(typeof TABLES)[number], string> = {
    bookings: 'id = any ($1)',
    appointments: 'booking_id = any ($1)',
    payments: 'booking_id = any ($1)',
    gateway_payments: 'payment_id in (select id from payments where booking_id = any ($1))',
  };
  for (const table of TABLES.toReversed())
    await rows(
      db,
      `with gone as (delete from ${table} where ${OF[table]} returning *) insert into archived_${table} select * from gone`,
      [ids],
    );
}

/** All columns of all rows, in the tables of before and those of the archive. */
async function everything(db: Db, withArchive: boolean): Promise<Record<string, unknown>[]> {
  const texts = TABLES.flatMap((table) => (withArchive ? [table, `archived_${table}`] : [table])).map(
    (table) => `select '${table.replace('archived_', '')}' as place, to_jsonb(x) as row from ${table} x`,
  );
  return rows(db, `${texts.join(' union all ')} order by 1, 2`);
}

async function sceneOf(t: TestContext): Promise<{ service: TestService; db: Db; worlds: World[] }> {
  const service = await startTestService(t);
  const world = (paymentResponsibility: 'PARTNER' | 'PLATFORM') =>
    createWorld(service, { teams: 4, partner: { paymentResponsibility } });
  return { service, db: service.deps.db, worlds: [await world('PARTNER'), await world('PLATFORM')] };
}

async function completed(service: TestService, world: World, overrides: object = {}): Promise<string> {
  const { bookingId, appointmentId } = ok(await world.book({ ...overrides })).body.data;
  for (const status of ['In The Way', 'In The location', 'In Progress', 'Finished', 'Completed'])
    ok(await service.operator('PATCH', `/appointments/${appointmentId}`, { status, force: true }));
  return bookingId;
}

test('every row and column comes back, and nothing of the archive stays', async (t) => {
  const { service, db, worlds } = await sceneOf(t);
  const [own, platform] = worlds as [World, World];
  const reason = { nameEn: 'Moved away', nameAr: 'انتقل' };
  const { id: reasonId } = ok(await service.operator('POST', '/cancellation-reasons', reason)).body.data;
  const ids = [await completed(service, own, { externalReference: 'ORDER-1' })];
  const failing = ok(await own.book({ externalReference: 'ORDER-2' })).body.data.bookingId;
  ok(await service.operator('POST', `/bookings/${failing}/fail`, { reason: 'No crew' }));
  const paid = ok(await platform.book()).body.data.bookingId;
  const { linkUrl } = await awaited(service, paid, ({ status }) => status === 'OPEN');
  await fetch(linkUrl, { method: 'POST', body: new URLSearchParams({ outcome: 'paid' }) });
  await awaited(service, paid, ({ status }) => status === 'PAID');
  ok(await service.operator('POST', `/bookings/${paid}/cancel`, { reasonId, notes: 'She moved' }));
  await awaited(service, paid, ({ refund }) => refund?.status === 'DONE');
  await write(service, paid, 'due_at = null');
  // She had the link, so she is to be told of the cancellation.
  await until(async () => (await rows(db, 'select from customer_messages')).length === 1);
  ids.push(failing, paid);
  const stays = ok(await own.book({ externalReference: 'ORDER-3' })).body.data.bookingId;
  await age(db);
  await moveAway(db, ids);
  await addFunctions(db);
  const before = await everything(db, true);
  assert.deepEqual(
    TABLES.map((table) => before.filter(({ place }) => place === table).length),
    [4, 4, 1, 1],
  );
  const here = await rows(db, 'select id from bookings');
  assert.deepEqual(here, [{ id: stays }]);
  // Its reference is taken before, and until the functions are applied another one is not refused.
  assert.equal((await own.book({ externalReference: 'ORDER-1' })).status, 409);
  await db.withClient((client) => client.query(textOf(ENDS[0]!)));
  assert.deepEqual(await everything(db, false), before);
  ok(await own.book({ externalReference: 'ORDER-4', date: '2026-11-24' }));
  // It ended before it was noted.
  assert.deepEqual((await migrate(db)).toSorted(), [...ENDS, 'archive/functions.sql', 'db/functions.sql']);
  const left = await rows(
    db,
    `select proname as name from pg_proc where proname ~ 'archived' union all select tgname from pg_trigger where tgname ~ 'archived'
    union all select relname from pg_class where relname ~ 'archived|holds_booking_idx'
    union all select name from change_counters where name = 'archive'
    union all select name from schema_functions where name = 'archive'`,
  );
  assert.deepEqual(left, []);
  assert.equal((await own.book({ externalReference: 'ORDER-1', date: '2026-11-25' })).status, 409);
  for (const id of [...ids, stays]) ok(await service.operator('GET', `/bookings/${id}`));
});

test('one whose reference or time another one has now comes back without it, and loses nothing else', async (t) => {
  const { service, db, worlds } = await sceneOf(t);
  const world = worlds[0]!;
  const team = { teamId: world.teamIds[0] };
  const place = async (overrides: object): Promise<string> => {
    const bookingId = await completed(service, world, overrides);
    await rows(db, 'update appointments set team_id = $1 where booking_id = $2', [team.teamId, bookingId]);
    return bookingId;
  };
  await age(db);
  const at = (date: string, externalReference: string) => ({ date, externalReference });
  // Two of the archive, and one of it and one that is not.
  const first = await place(at('2026-11-23', 'ORDER-1'));
  await moveAway(db, [first]);
  const second = await place(at('2026-11-23', 'ORDER-1'));
  await moveAway(db, [second]);
  const old = await place(at('2026-11-24', 'ORDER-2'));
  await moveAway(db, [old]);
  const now = await place(at('2026-11-24', 'ORDER-2'));
  const [earlier] = [first, second].sort();
  await addFunctions(db);
  const before = await everything(db, true);
  // And the database was restored: its history has not begun.
  await rows(db, `update histories set origin = 'another server'`);
  await migrate(db);
  const loses = (row: Record<string, unknown>) => {
    const isBooking = 'external_reference' in row;
    const gone = [earlier, old].includes(String(isBooking ? row.id : row.booking_id));
    if (!gone) return row;
    return { ...row, ...(isBooking ? { reference_released: true } : { status: 'Cancelled' }) };
  };
  const expected = before.map(({ place: table, row }) => ({
    place: table,
    row: loses(row as object as Record<string, unknown>),
  }));
  assert.deepEqual(await everything(db, false), expected);
  const holder = await service.v1(world.key, 'GET', '/partners/bookings?externalReference=ORDER-2');
  assert.deepEqual(
    holder.body.data.map(({ bookingId }: { bookingId: string }) => bookingId).sort(),
    [old, now].sort(),
  );
  for (const id of [first, second, old, now]) ok(await service.operator('GET', `/bookings/${id}`));
});

/** Puts `number` more bookings into the archive, of days long ago, like the given one there. */
const MORE = `
  with made as (
    select gen_random_uuid() as id, gen_random_uuid() as appointment_id, n from generate_series(1, $2::integer) n
  ), booked as (
    insert into archived_bookings
    select (jsonb_populate_record(b, jsonb_build_object('id', made.id, 'external_reference', null))).*
    from archived_bookings b, made where b.id = $1
  )
  insert into archived_appointments
  select (jsonb_populate_record(a, jsonb_build_object('id', made.appointment_id, 'booking_id', made.id,
    'name', 'SA-9' || n, 'starts_at', a.starts_at - n * interval '1 day', 'ends_at', a.ends_at - n * interval '1 day',
    'busy_until', a.busy_until - n * interval '1 day'))).*
  from archived_appointments a, made where a.booking_id = $1`;

test('batches come back while others work, a try that is cut off goes on, and what moves meanwhile is not lost', {
  skip: !onPostgres && 'an embedded database has one connection',
}, async (t) => {
  const { service, db, worlds } = await sceneOf(t);
  const world = worlds[0]!;
  const id = await completed(service, world);
  await age(db);
  await moveAway(db, [id]);
  await addFunctions(db);
  await rows(db, MORE, [id, 450]);
  const count = async (): Promise<unknown> =>
    (await rows(db, 'select count(*)::integer as n from bookings'))[0]!.n;
  const isWaiting = async (): Promise<boolean> =>
    (
      await rows(
        db,
        `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
      )
    ).length > 0;
  let migrating: Promise<string[]> | undefined;
  await db.transaction(async (tx) => {
    // A process of the earlier build asks for the last one, and moves one that sorts before all.
    await tx.rows({ text: 'select from archived_bookings order by id desc limit 1 for update' });
    migrating = migrate(db);
    await until(isWaiting);
    // It gives up its locks, and has kept the batches before.
    await until(async () => !(await isWaiting()));
    assert.equal(await count(), 400);
    ok(await world.book({ date: '2026-11-24' }));
    await tx.rows({
      text: `insert into archived_bookings
        select (jsonb_populate_record(b, '{"id": "00000000-0000-4000-8000-000000000001"}')).*
        from archived_bookings b order by id desc limit 1`,
    });
    assert.equal(await count(), 401);
  });
  assert.deepEqual((await migrating)!.slice(0, 2), ENDS);
  assert.equal(await count(), 453);
});

test('the archive is dropped only when nothing moves there any more', {
  skip: !onPostgres && 'an embedded database has one connection',
}, async (t) => {
  const { service, db, worlds } = await sceneOf(t);
  const id = await completed(service, worlds[0]!);
  const bookingId = randomUUID();
  await age(db);
  await moveAway(db, [id]);
  let migrating: Promise<string[]> | undefined;
  await db.transaction(async (tx) => {
    await tx.rows({
      text: `insert into archived_bookings
        select (jsonb_populate_record(b, jsonb_build_object('id', $1::text))).* from archived_bookings b`,
      values: [bookingId],
    });
    migrating = migrate(db);
    await until(() =>
      db.first({
        text: `select from pg_locks where not granted and relation = 'archived_bookings'::regclass`,
      }),
    );
  });
  await migrating;
  assert.deepEqual(await rows(db, 'select id from bookings where id = $1', [bookingId]), [{ id: bookingId }]);
});
