import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { addDays, type CalendarDate, dateOf, systemClock } from '../src/base/clock.ts';
import { connectPostgres, type Db, type Tx } from '../src/db/connection.ts';
import { migrate } from '../src/db/migrate.ts';
import { ownSources } from '../src/db/sources.ts';
import { keepEventPartitions, RETENTION } from '../src/events/feed.ts';
import { placeEvents } from '../src/events/queries.ts';
import { createKey, PERMISSIONS } from '../src/partners/key-rules.ts';
import { keepRequestPartitions } from '../src/requests/retention.ts';
import { keepDeliveryPartitions } from '../src/webhooks/retention-queries.ts';
import { BUFFER, DURATION, FIRST_START, freeSlots, PLACES, type Slot, shuffle, town } from './town.ts';

/** A database of one busy partner; a team's day is that of `town`. */
const TEAMS = 100;

/** The day with 335 appointments, in days from today; the others have 200, so that its neighbours are busy too. */
const BUSY_DAY = 7;
const BUSY_APPOINTMENTS = 335;
const FIRST_DAY = -100;
const LAST_DAY = 401;
const PER_TEAM = 2;

/** Less than the retention of events: nothing is deleted during a measurement. */
const MADE_WITHIN_DAYS = 80;

/** The number of bookings that are read by id; enough that neither server serves them from a few hot pages. */
const SAMPLE = 10_000;

/** Beside the customer of all bookings. */
const OTHER_CUSTOMERS = 1_000;

/**
 * Bookings for each kind of change: none can be changed twice the same way. Enough for a run of all comparisons at the
 * rates of bench/README.md.
 */
const TO_CANCEL = 24_000;
const TO_UPDATE = 27_000;
const TO_CONFIRM = 39_000;

export type Fixtures = {
  key: string;
  partnerId: string;
  contactId: string;
  addressId: string;
  serviceId: string;
  /** The date with 335 appointments. */
  busyDate: CalendarDate;
  reasonId: string;
  /** A random sample, for reads. */
  bookingIds: string[];
  /** For one kind of change each. */
  toCancel: string[];
  toUpdate: string[];
  toConfirm: string[];
  /**
   * 2,000 dates and starts with 60 free teams each, in random order: cycling through them books 120,000 times, and
   * concurrent requests never want the same slot.
   */
  freeSlots: Slot[];
};

/** A separate database on the server of the URL. */
export type BenchDatabase = { url: string; drop(): Promise<void> };

export type FilledDatabase = BenchDatabase & { fixtures: Fixtures };

/** Creates, migrates and fills a database. */
export async function createBenchDatabase(adminUrl: string): Promise<FilledDatabase> {
  return createDatabase(adminUrl, async (db) => ({ fixtures: await fill(db) }));
}

/** Creates and migrates a database, by all migrations or those of a folder, and runs the work in it. */
export async function createDatabase<Made>(
  adminUrl: string,
  work: (db: Db) => Promise<Made>,
  migrations = ownSources().migrations,
): Promise<BenchDatabase & Made> {
  const name = `pbs_bench_${randomBytes(6).toString('hex')}`;
  const url = new URL(adminUrl);
  url.pathname = `/${name}`;
  const drop = async () => {
    await asAdmin(adminUrl, `drop database if exists ${name} with (force)`);
  };
  await asAdmin(adminUrl, `create database ${name}`);
  try {
    const db = connectPostgres(url.href, 2, (error) => {
      throw error;
    });
    try {
      await migrate(db, { ...ownSources(), migrations });
      return { url: url.href, drop, ...(await work(db)) };
    } finally {
      await db.close();
    }
  } catch (error) {
    await drop();
    throw error;
  }
}

export async function asAdmin(adminUrl: string, statement: string): Promise<pg.QueryResult> {
  const client = new pg.Client({ connectionString: adminUrl });
  await client.connect();
  try {
    return await client.query(statement);
  } finally {
    await client.end();
  }
}

async function fill(db: Db): Promise<Fixtures> {
  const today = dateOf(systemClock.now());
  const { key, ids } = await db.transaction(async (tx) => {
    const inserted = await insertPartner(tx);
    await insertBookings(tx, today);
    await createFloorTables(tx);
    return inserted;
  });
  // Statistics of one customer would cause plans for one, until the table is analysed again.
  await db.rows({
    text: `insert into contacts (partner_id, phone, name, utm_source, created_at)
      select $1, '+9664' || lpad(n::text, 8, '0'), 'Customer ' || n, 'bench', now() from generate_series(1, $2::integer) n`,
    values: [ids.partnerId, OTHER_CUSTOMERS],
  });
  // Otherwise the worker and autovacuum would do it during a round.
  const now = systemClock.now();
  await keepEventPartitions(db, now);
  await keepDeliveryPartitions(db, now, now - RETENTION);
  await keepRequestPartitions(db, now, 14);
  await db.rows({ text: 'vacuum analyze' });
  const sample = await db.rows<{ id: string }>({
    text: 'select id from bookings order by random() limit $1',
    values: [SAMPLE + TO_CANCEL + TO_UPDATE + TO_CONFIRM],
  });
  const drawn = sample.map((row) => row.id);
  const [bookingIds, toCancel, toUpdate, toConfirm] = [
    drawn.splice(0, SAMPLE),
    drawn.splice(0, TO_CANCEL),
    drawn.splice(0, TO_UPDATE),
    drawn,
  ];
  return {
    key,
    ...ids,
    busyDate: addDays(today, BUSY_DAY),
    bookingIds,
    toCancel,
    toUpdate,
    toConfirm,
    freeSlots: shuffle(freeSlots(today, LAST_DAY, BUSY_DAY)),
  };
}

async function insertPartner(tx: Tx) {
  const made = createKey('sandbox');
  const ids = await tx.first<
    Pick<Fixtures, 'partnerId' | 'contactId' | 'addressId' | 'serviceId' | 'reasonId'>
  >({
    text: `
      with partner as (
        insert into partners (name, created_at, updated_at) values ('Bench', now(), now()) returning id
      ), key as (
        insert into api_keys (partner_id, name, hash, prefix, last4, permissions, created_at, updated_at)
        select id, 'bench', $1, $2, $3, $4, now(), now() from partner
      ), reason as (
        insert into cancellation_reasons (name_en, name_ar, created_at, updated_at)
        values ('The customer has moved', 'انتقل العميل', now(), now()) returning id
      ), ${town('$5', { phone: '+966500000001', name: 'Bench', source: 'bench' })}
      select contact.partner_id as "partnerId", contact.id as "contactId", address.id as "addressId",
        service.id as "serviceId", reason.id as "reasonId"
      from contact, address, service, reason`,
    values: [made.hash, made.prefix, made.last4, PERMISSIONS, TEAMS],
  });
  return { key: made.key, ids: ids! };
}

/** 335 bookings on the busy day and 100,000 on the others, each with its appointment and first event. */
async function insertBookings(tx: Tx, today: CalendarDate): Promise<void> {
  await tx.rows({
    text: `
      create temporary table visits on commit drop as
      select gen_random_uuid() as booking_id, gen_random_uuid() as appointment_id, team.id as team_id, day,
        mod(team.place + 2 * nth + day + 1000, ${PLACES}) * ${DURATION + BUFFER} + ${FIRST_START} as start_minute
      from (select id, row_number() over (order by lock_number)::integer - 1 as place from teams) team,
        generate_series(${FIRST_DAY}, ${LAST_DAY}) day, generate_series(0, ${PLACES - 1}) nth
      where case when day = ${BUSY_DAY} then nth * ${TEAMS} + team.place < ${BUSY_APPOINTMENTS}
        else day <> 0 and nth < ${PER_TEAM} end`,
  });
  await tx.rows({
    text: `
      insert into bookings (id, partner_id, contact_id, address_id, service_id, external_reference, status,
        payment_status, payment_responsibility, amount, service_date, event_count, created_at, updated_at)
      select v.booking_id, c.partner_id, c.id, a.id, s.id, 'order-' || v.booking_id, 'in progress', 'PENDING',
        'PARTNER', 150, $1::date + v.day, 1, now() - random() * interval '${MADE_WITHIN_DAYS} days', now()
      from visits v, contacts c, addresses a, services s`,
    values: [today],
  });
  await tx.rows({
    text: `
      insert into appointments (id, booking_id, team_id, zone_id, name, status, starts_at, ends_at, busy_until,
        created_at, updated_at)
      select v.appointment_id, v.booking_id, v.team_id, z.id, 'SA-0' || nextval('appointment_number'), 'Scheduled',
        starts_at, starts_at + interval '${DURATION} minutes', starts_at + interval '${DURATION + BUFFER} minutes',
        now(), now()
      from visits v, zones z, lateral (
        select ($1::date + v.day + v.start_minute * interval '1 minute') at time zone 'Asia/Riyadh' as starts_at
      ) period`,
    values: [today],
  });
  await tx.rows({
    text: `
      insert into events (id, partner_id, booking_id, sequence, event, payload, created_at)
      select gen_random_uuid(), partner_id, id, 1, 'booking.created',
        jsonb_build_object('bookingId', id, 'externalReference', external_reference, 'status', status), created_at
      from bookings`,
  });
  await placeEvents(tx);
}

/** Tables for the floor's create: the same columns, but only the primary key and one index. */
async function createFloorTables(tx: Tx): Promise<void> {
  for (const [table, columns] of [
    ['bookings', 'partner_id, created_at'],
    ['appointments', 'team_id, starts_at'],
    ['events', 'booking_id, sequence'],
    ['contacts', 'partner_id, phone'],
    ['addresses', 'contact_id, created_at'],
  ]) {
    await tx.rows({
      text: `create table floor_${table} (like ${table} including defaults including identity)`,
    });
    await tx.rows({ text: `alter table floor_${table} add primary key (id)` });
    await tx.rows({ text: `create index on floor_${table} (${columns})` });
  }
  // The table for its changes: all bookings, with only the primary key.
  await tx.rows({ text: 'create table floor_changes (like bookings including defaults)' });
  await tx.rows({ text: 'insert into floor_changes select * from bookings' });
  await tx.rows({ text: 'alter table floor_changes add primary key (id)' });
}
