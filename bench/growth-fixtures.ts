import { randomBytes } from 'node:crypto';
import type pg from 'pg';
import { addDays, type CalendarDate, dateOf, systemClock } from '../src/base/clock.ts';
import type { Db } from '../src/db/connection.ts';
import { createKey, PERMISSIONS } from '../src/partners/key-rules.ts';
import { BUFFER, DURATION, FIRST_START, freeSlots, PLACES, type Slot, shuffle, town } from './town.ts';

/**
 * A database of one partner with a given number of bookings, each with its appointment, event and delivery; three for
 * each customer. A team's day is that of `town`.
 */
export type Size = { bookings: number; teams: number };

export type GrowthFixtures = {
  key: string;
  addressId: string;
  contactId: string;
  serviceId: string;
  subscriptionId: string;
  reasonId: string;
  /** The day of requests for timeslots: 3.35 appointments for each team, at any size. */
  busyDate: CalendarDate;
  /** A random sample. */
  bookingIds: string[];
  phones: string[];
  references: string[];
  freeSlots: Slot[];
};

const BUSY_DAY = 7;
const BUSY_PER_TEAM = 3.35;
/** Days ahead on which two of five places are taken. */
const AHEAD = 400;
const SAMPLE = 5_000;

export async function fillGrowth(db: Db, size: Size): Promise<GrowthFixtures> {
  const today = dateOf(systemClock.now());
  const { key, hash, prefix, last4 } = createKey('sandbox');
  const ids = await db.transaction(async (tx) => {
    // No triggers, no foreign keys: the data is consistent.
    await tx.rows({ text: 'set local session_replication_role = replica' });
    const setUp = await tx.first<
      Pick<GrowthFixtures, 'addressId' | 'contactId' | 'serviceId' | 'subscriptionId' | 'reasonId'>
    >({
      text: SET_UP,
      values: [hash, prefix, last4, PERMISSIONS, size.teams, randomBytes(16).toString('hex')],
    });
    await tx.rows({ text: VISITS, values: [size.bookings, size.teams] });
    // Building an index at the end takes a tenth of the time.
    await tx.rows({ text: `set local maintenance_work_mem = '256MB'` });
    const indexes = await tx.rows<{ name: string; definition: string }>({ text: INDEXES });
    for (const { name } of indexes) await tx.rows({ text: `drop index ${name}` });
    for (const text of [CONTACTS, ADDRESSES, EVENTS, EVENT_PLACES]) await tx.rows({ text });
    await tx.rows({ text: BOOKINGS, values: [today] });
    await tx.rows({ text: APPOINTMENTS, values: [today] });
    await tx.rows({ text: DELIVERIES });
    for (const { definition } of indexes) await tx.rows({ text: definition });
    return setUp!;
  });
  // Otherwise autovacuum would do it during a round.
  await db.rows({ text: 'vacuum analyze' });
  const sample = await db.rows<{ id: string; reference: string; phone: string }>({
    text: `
      select b.id, b.external_reference as reference, c.phone
      from bookings b join contacts c on c.id = b.contact_id order by random() limit $1`,
    values: [SAMPLE],
  });
  return {
    key,
    ...ids,
    busyDate: addDays(today, BUSY_DAY),
    bookingIds: sample.map(({ id }) => id),
    phones: sample.map(({ phone }) => phone),
    references: sample.map(({ reference }) => reference),
    // Their neighbours are taken by two fifths.
    freeSlots: shuffle(freeSlots(today, AHEAD, BUSY_DAY)),
  };
}

/** Bookings that a load can change once each, created as the service would: far ahead, where no team has work. */
export async function addChangeable(client: pg.Client, count: number): Promise<string[]> {
  await client.query(CHANGEABLE, [dateOf(systemClock.now()), count]);
  await client.query(CHANGEABLE_BOOKINGS);
  await client.query(CHANGEABLE_APPOINTMENTS);
  const { rows } = await client.query<{ id: string }>('select booking_id as id from changeable order by n');
  await client.query('drop table changeable');
  return rows.map(({ id }) => id);
}

/** After the last day on which a team has an appointment. */
const CHANGEABLE = `
  create temporary table changeable as
  select row_number() over () as n, id_at(now()) as booking_id, id_at(now()) as appointment_id, *
  from (
    select team.id as team_id, day, ${FIRST_START} + nth * ${DURATION + BUFFER} as start_minute
    from (select greatest($1::date + ${AHEAD}, max((starts_at at time zone 'Asia/Riyadh')::date)) as last_day from appointments) last,
      lateral (select last_day + step as day from generate_series(1, 2000) step) days, teams team,
      generate_series(0, ${PLACES - 1}) nth
    order by day, nth limit $2
  ) free`;
const CHANGEABLE_BOOKINGS = `
  insert into bookings (id, partner_id, contact_id, address_id, service_id, external_reference, status, payment_status,
    payment_responsibility, amount, service_date, created_at, updated_at)
  select f.booking_id, a.partner_id, a.contact_id, a.id, s.id, 'CHANGE-' || f.booking_id, 'in progress', 'PENDING', 'PARTNER',
    150, f.day, now(), now()
  from changeable f, (select * from addresses limit 1) a, services s`;
const CHANGEABLE_APPOINTMENTS = `
  insert into appointments (id, booking_id, team_id, zone_id, name, status, starts_at, ends_at, busy_until, created_at,
    updated_at)
  select f.appointment_id, f.booking_id, f.team_id, z.id, 'SA-0' || nextval('appointment_number'), 'Scheduled', starts_at,
    starts_at + interval '${DURATION} minutes', starts_at + interval '${DURATION + BUFFER} minutes', now(), now()
  from changeable f, zones z, lateral (
    select (f.day + f.start_minute * interval '1 minute') at time zone 'Asia/Riyadh' as starts_at
  ) period`;

const SET_UP = `
  with partner as (
    insert into partners (name, created_at, updated_at) values ('Growth', now(), now()) returning id
  ), key as (
    insert into api_keys (partner_id, name, hash, prefix, last4, permissions, created_at, updated_at)
    select id, 'growth', $1, $2, $3, $4, now(), now() from partner
  ), ${town('$5', { phone: '+966400000000', name: 'Who books', source: 'growth' })}, subscription as (
    insert into webhook_subscriptions (partner_id, url, events, secret, created_at, updated_at)
    select id, 'https://receiver.example/hooks', '{booking.created}', $6, now(), now() from partner returning id
  ), reason as (
    insert into cancellation_reasons (name_en, name_ar, created_at, updated_at)
    values ('The customer has moved', 'انتقل العميل', now(), now()) returning id
  )
  select contact.id as "contactId", address.id as "addressId", service.id as "serviceId",
    subscription.id as "subscriptionId", reason.id as "reasonId"
  from contact, address, service, subscription, reason`;

/** Indexes of the filled tables that are no constraints. */
const INDEXES = `
  select indexrelid::regclass::text as name, pg_get_indexdef(indexrelid) as definition
  from pg_index
  where not indisunique and not indisexclusion and indrelid = any (array(select to_regclass(name) from unnest(array[
    'bookings', 'appointments', 'contacts', 'addresses', 'events', 'events_first', 'event_places_first',
    'webhook_deliveries', 'webhook_deliveries_first']) name))
    and not exists (select from pg_inherits where inhrelid = indexrelid or inhparent = indexrelid)`;

/**
 * The busy day, then alternately a day ahead and one back, two and four places of five each, then further back. So
 * lists of every size have bookings of every status.
 */
const VISITS = `
  create temporary table visits on commit drop as
  select row_number() over () as n, gen_random_uuid() as booking_id, gen_random_uuid() as appointment_id,
    gen_random_uuid() as contact_id, gen_random_uuid() as address_id, gen_random_uuid() as event_id, *
  from (
    select team.id as team_id, day,
      mod(team.place + nth + abs(day), ${PLACES}) * ${DURATION + BUFFER} + ${FIRST_START} as start_minute
    from generate_series(0, ${AHEAD} + ($1::integer / $2::integer) / 4 + 1) as step
    cross join lateral (
      select case when step = 0 then ${BUSY_DAY} when step > 2 * ${AHEAD} then ${AHEAD} - step
        when step % 2 = 1 then (step + 1) / 2 else -step / 2 end as day
    ) days
    cross join (select id, row_number() over (order by lock_number)::integer - 1 as place from teams) team
    cross join generate_series(0, ${PLACES - 1}) nth
    where case when step = 0 then nth * $2::integer + team.place < ${BUSY_PER_TEAM} * $2::integer
      when day = ${BUSY_DAY} then false
      when day > 0 then nth < 2 else nth < 4 end
    order by step, nth, team.place limit $1::integer
  ) placed`;

/**
 * Every third visit has a new customer, who also has the next two. Each word of a name belongs to a sixth or a quarter
 * of the customers.
 */
const CONTACTS = `
  insert into contacts (id, partner_id, phone, name, utm_source, created_at)
  select v.contact_id, p.id, '+9665' || lpad(v.n::text, 8, '0'),
    (array['Noura', 'Hessa', 'Ahmad', 'Khalid', 'Sara', 'Faisal'])[1 + v.n / 3 % 6] || ' ' ||
      (array['Al-Qahtani', 'Al-Mansour', 'Al-Harbi', 'Al-Otaibi'])[1 + v.n / 18 % 4] || ' ' || to_hex(v.n * 7919),
    'growth', now()
  from visits v, partners p where v.n % 3 = 1`;
const ADDRESSES = `
  insert into addresses (id, contact_id, partner_id, latitude, longitude, created_at)
  select v.address_id, v.contact_id, p.id, 24.5 + random() * 0.4, 46.5 + random() * 0.4, now()
  from visits v, partners p where v.n % 3 = 1`;
const BOOKINGS = `
  insert into bookings (id, partner_id, contact_id, address_id, service_id, external_reference, status,
    payment_status, payment_responsibility, amount, service_date, event_count, created_at, updated_at,
    cancelled_at, cancelled_by, cancellation_action)
  select v.booking_id, p.id, c.contact_id, c.address_id, s.id, 'ORDER-2026-' || lpad(v.n::text, greatest(7, length(v.n::text)), '0'), made.status,
    case when made.status = 'canceled' then 'CANCELLED' else 'PENDING' end, 'PARTNER', 150, $1::date + v.day, 1, at, at,
    case when made.status = 'canceled' then at end, case when made.status = 'canceled' then 'partner' end,
    case when made.status = 'canceled' then 'CANCEL_ONLY' end
  from visits v join visits c on c.n = v.n - (v.n - 1) % 3, partners p, services s, lateral (
    select now() - (0.5 + random()) * interval '14 days' + least(v.day, 0) * interval '1 day' as at,
      case when v.n % 12 = 0 then 'canceled' when v.day >= 0 then 'in progress'
        when v.n % 50 = 0 then 'failed' else 'success' end as status
  ) made`;
const APPOINTMENTS = `
  insert into appointments (id, booking_id, team_id, zone_id, name, status, starts_at, ends_at, busy_until,
    created_at, updated_at)
  select v.appointment_id, v.booking_id, v.team_id, z.id, 'SA-0' || nextval('appointment_number'),
    case when v.n % 12 = 0 then 'Cancelled' when v.day >= 0 then 'Scheduled' else 'Completed' end,
    starts_at, starts_at + interval '${DURATION} minutes', starts_at + interval '${DURATION + BUFFER} minutes',
    now(), now()
  from visits v, zones z, lateral (
    select ($1::date + v.day + v.start_minute * interval '1 minute') at time zone 'Asia/Riyadh' as starts_at
  ) period`;
const EVENTS = `
  insert into events (id, partner_id, booking_id, sequence, event, payload, created_at)
  select v.event_id, p.id, v.booking_id, 1, 'booking.created', jsonb_build_object('bookingId', v.booking_id),
    now() - v.n * interval '10 seconds'
  from visits v, partners p`;
const EVENT_PLACES = `
  insert into event_places (place, partner_id, event_id, created_at)
  select nextval('event_feed_position'), partner_id, id, created_at from events order by position`;
const DELIVERIES = `
  insert into webhook_deliveries (subscription_id, event_id, partner_id, booking_id, event, status, attempt_count,
    status_code, attempts, finished_at, created_at)
  select s.id, e.id, e.partner_id, e.booking_id, e.event, case when e.position % 100 = 0 then 'FAILED'
      else 'DELIVERED' end, 1, 204, '[]', e.created_at, e.created_at
  from events e, webhook_subscriptions s`;
