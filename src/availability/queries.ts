import { type CalendarDate, DAY, HOUR, type Instant, startOfDate } from '../base/clock.ts';
import { CATALOGUE_VERSION, IS_ENABLED, PRICES, zoneAt } from '../catalogue/queries.ts';
import type { Queryable } from '../db/connection.ts';
import { AS_PEOPLE_SORT } from '../db/pages.ts';
import { first, hotStatement, pg } from '../db/statement.ts';
import type { PriceLists } from '../partners/price-rules.ts';
import { policyFor } from '../policies/queries.ts';
import type { Terms } from '../policies/rules.ts';
import type { Shift } from '../teams/rules.ts';
import { SCHEDULES } from '../teams/schedule-queries.ts';
import type { Schedule } from '../teams/schedule-rules.ts';
import { addRange, type BusyRanges, type Held, type Occupied, toBusyRanges } from './rules.ts';

export type PlanRows = {
  version: number;
  services: {
    id: string;
    name_en: string;
    name_ar: string;
    duration_minutes: number;
    zero_price_means: 'free' | 'deferred';
    assignment: 'instant' | 'deferred';
    minimum_notice_minutes: number;
    booking_horizon_days: number;
  }[];
  zones: { id: string; slot_grid_minutes: number; service_ids: string[] }[];
  teams: {
    id: string;
    lock_number: number;
    name: string;
    name_ar: string | null;
    travel_buffer_minutes: number;
    shifts: Shift[];
    /** Seconds since the epoch: from, until. */
    time_off: [number, number][];
    service_ids: string[];
    zone_ids: string[];
  }[];
  /** The strongest first. */
  schedules: Schedule[];
};

/** Services, active zones and active teams of one version, in one statement. */
export async function loadPlan(db: Queryable): Promise<PlanRows> {
  const row = await db.first<{ plan: PlanRows }>({
    text: `
      select json_build_object(
        'version', (${CATALOGUE_VERSION}),
        'schedules', ${SCHEDULES},
        'services', (select coalesce(json_agg(json_build_object(
            'id', id, 'name_en', name, 'name_ar', coalesce(name_ar, name), 'duration_minutes', duration_minutes,
            'zero_price_means', zero_price_means, 'assignment', assignment, 'minimum_notice_minutes', minimum_notice_minutes,
            'booking_horizon_days', booking_horizon_days)), '[]')
          from services),
        'zones', (select coalesce(json_agg(json_build_object(
            'id', z.id, 'slot_grid_minutes', z.slot_grid_minutes,
            'service_ids', array(select service_id from zone_services where zone_id = z.id))), '[]')
          from zones z where z.is_active),
        'teams', (select coalesce(json_agg(json_build_object(
            'id', t.id, 'lock_number', t.lock_number, 'name', t.name, 'name_ar', t.name_ar, 'travel_buffer_minutes', t.travel_buffer_minutes,
            'shifts', (select coalesce(json_agg(json_build_object(
                'weekday', weekday, 'start', start_minute, 'end', end_minute)), '[]')
              from team_shifts where team_id = t.id),
            'time_off', (select coalesce(json_agg(json_build_array(
                extract(epoch from starts_at), extract(epoch from ends_at))), '[]')
              from team_time_off where team_id = t.id),
            'service_ids', array(select service_id from team_services where team_id = t.id),
            'zone_ids', array(select zone_id from team_zones where team_id = t.id))), '[]')
          from teams t where t.is_active)
      ) as plan`,
  });
  return row!.plan;
}

/** Days with the appointments that start on them or reach into them. */
export type Days = { from: CalendarDate; days: number };

/** The longest appointment with its buffer (a constraint). */
const LONGEST_HELD = 32 * HOUR;
/** The longest travel buffer (a constraint). */
const MAX_BUFFER = 8 * HOUR;

/** SQL: the hold of an appointment in epoch minutes; started minutes are held. */
export const HELD_FROM = "floor(date_part('epoch', starts_at) / 60)::integer";
export const HELD_UNTIL = "ceil(date_part('epoch', busy_until) / 60)::integer";
/** SQL: an instant in milliseconds. Exact: a double holds whole ones. The numeric of `extract` is slower. */
export const milliseconds = (column: string): string => `(date_part('epoch', ${column}) * 1000)::bigint`;

export const HELD_BUFFER = "ceil(date_part('epoch', busy_until - ends_at) / 60)::integer";

/**
 * SQL: whether the appointment's hold can be in the way of a visit that starts on the days. `startsBefore` is an
 * expression: the latest end of such a visit.
 */
export const heldOn = (startsBefore: string): string => `
  status <> 'Cancelled' and starts_at > :startsAfter and starts_at < ${startsBefore} + interval '8 hours'
    and busy_until > :endsAfter`;

/** The parameters of `heldOn`. */
export const HELD_ON_PARAMETERS = { startsAfter: pg.timestamptz, endsAfter: pg.timestamptz };

/** Its values. Before midnight an appointment counts by no more than the buffer of a visit that starts then. */
export function heldOnValues(date: CalendarDate) {
  const endsAfter = startOfDate(date) - MAX_BUFFER;
  return { startsAfter: endsAfter - LONGEST_HELD, endsAfter };
}

/** The same with the midnight after the days; null: no holds are read. */
const heldUntil = (days: Days | null) =>
  days === null
    ? { startsAfter: 0, endsAfter: 0, until: null }
    : { ...heldOnValues(days.from), until: startOfDate(days.from) + days.days * DAY };

/** SQL: the teams of the zones, a list of ids. */
const servedBy = (zones: string): string => `
      select id as team_id, lock_number from teams where id in (select team_id from team_zones where zone_id in (${zones}))`;

/**
 * SQL: the visits of the teams of `served`; null: none. Each is three instants and the number of its team in binary, which takes
 * PostgreSQL less time than numbers, or groups of visits that are equally long. `latestEnd` is that of a visit.
 */
const heldText = (latestEnd: string, condition = ''): string => `
      (select encode(string_agg(timestamptz_send(starts_at) || timestamptz_send(ends_at) || timestamptz_send(busy_until)
          || int4send(lock_number), ''), 'base64')
        from appointments join served using (team_id)
        where ${heldOn(latestEnd)} and status <> 'Held'${condition})`;

/** A slot that a customer holds, also when its time is over. */
export type HeldSlot = Occupied & { expiresAt: Instant; contactId: string | null; serviceId: string };

/** SQL: the slots that are held of these teams; null: none. As heldText, through an index of these alone. */
const heldSlots = (latestEnd: string): string => `
      (select json_agg(json_build_object('team', lock_number, 'startsAt', date_part('epoch', a.starts_at) * 1000,
          'endsAt', date_part('epoch', a.ends_at) * 1000, 'busyUntil', date_part('epoch', a.busy_until) * 1000,
          'expiresAt', date_part('epoch', h.expires_at) * 1000, 'contactId', h.contact_id, 'serviceId', h.service_id))
        from appointments a join served using (team_id) join holds h on h.id = a.id
        where a.status = 'Held' and a.starts_at > :startsAfter and a.starts_at < ${latestEnd} + interval '8 hours'
          and a.busy_until > :endsAfter)`;

/** The ranges that keep teams from visits at a moment. `own`: whose own hold for the service does not count. */
export function busyAt(
  { busy, slots }: Pick<Availability, 'busy' | 'slots'>,
  now: Instant,
  own?: { contactId: string; serviceId: string },
): BusyRanges {
  const counted = slots.filter(
    ({ expiresAt, contactId, serviceId }) =>
      expiresAt > now && !(contactId === own?.contactId && serviceId === own.serviceId),
  );
  return counted.length === 0 ? busy : toBusyRanges(counted, busy);
}

const EPOCH_OF_POSTGRES = Date.UTC(2000, 0, 1);

function toHeld(text: string | null): BusyRanges {
  if (text === null) return NO_HOLDS;
  const bytes = Buffer.from(text, 'base64').swap32();
  const words = new Int32Array(bytes.buffer, bytes.byteOffset, bytes.length / 4);
  // Microseconds, two words each.
  const instantAt = (word: number): Instant =>
    EPOCH_OF_POSTGRES + (words[word]! * 2 ** 32 + (words[word + 1]! >>> 0)) / 1000;
  // Thousands of a month: a list of them first would cost as much again.
  const busy = new Map<number, Held[]>();
  for (let at = 0; at < words.length; at += 7)
    addRange(busy, {
      startsAt: instantAt(at),
      endsAt: instantAt(at + 2),
      busyUntil: instantAt(at + 4),
      team: words[at + 6]!,
    });
  return busy;
}

const NO_HOLDS: BusyRanges = new Map();

/** A service at an address of a partner. */
export type AvailabilityRequest = { partnerId: string; addressId: string; serviceId: string };

/** A requested service at an address, as json_agg writes it. */
export type ServiceAtAddress = {
  /** Its number among the requested ones, from 1. */
  place: number;
  /** null: of a place. */
  contact_id: string | null;
  located: boolean;
  /** null: no active zone covers the address. Where zones overlap, the lower priority wins, then the name. */
  zone_id: string | null;
  /** null: there is no such service. */
  service_id: string | null;
  /** Active, of an active category, and enabled for the partner. */
  enabled: boolean;
  /** null: there is no such service. */
  prices: PriceLists | null;
  /** The customer's hold for the service, also when its time is over; null: none. */
  hold_id: string | null;
};

// Parameters are selected: otherwise PostgreSQL would plan again for each request.
export const READ_AVAILABILITY = hotStatement({
  name: 'read-availability',
  takes: {
    partnerIds: pg.uuids,
    addressIds: pg.uuids,
    serviceIds: pg.uuids,
    movingBookingId: pg.nullable(pg.uuid),
    ...HELD_ON_PARAMETERS,
    /** Midnight after the days; null: no holds are read. */
    until: pg.nullable(pg.timestamptz),
  },
  returns: {
    catalogue_version: pg.bigint,
    found: pg.nullable(pg.json<ServiceAtAddress[]>()),
    held: pg.nullable(pg.text),
    slots: pg.nullable(pg.json<HeldSlot[]>()),
  },
  text: `
    with wanted as materialized (
      select w.place, a.contact_id, a.latitude is not null as located, z.id as zone_id, s.id as service_id,
        coalesce(s.is_active and k.is_active and ${IS_ENABLED}, false) as enabled,
        ${PRICES} as prices, h.id as hold_id, s.duration_minutes * interval '1 minute' as length
      from unnest((select :partnerIds::uuid[]), (select :addressIds::uuid[]), (select :serviceIds::uuid[]))
        with ordinality as w (partner_id, address_id, service_id, place)
      join addresses a on a.id = w.address_id and a.partner_id = w.partner_id
      join contacts c on c.id = a.contact_id and c.erasure_id is null
      join partners p on p.id = a.partner_id
      left join services s on s.id = w.service_id
      left join categories k on k.id = s.category_id
      left join partner_services ps on ps.partner_id = p.id and ps.service_id = s.id
      left join holds h on h.contact_id = a.contact_id and h.service_id = w.service_id and h.ended_at is null
      left join lateral (${zoneAt('a.latitude', 'a.longitude')}) z on true
    ), moving as materialized (
      select id, zone_id, ends_at - starts_at as length from appointments where booking_id = :movingBookingId
    ), visits as materialized (
      select zone_id, length from wanted union all select zone_id, length from moving
    ), served as materialized (${servedBy('select zone_id from visits')}
    )
    select (${CATALOGUE_VERSION}) as catalogue_version,
      (select json_agg(json_build_object('place', place, 'contact_id', contact_id, 'located', located, 'zone_id', zone_id,
        'service_id', service_id, 'enabled', enabled, 'prices', prices, 'hold_id', hold_id)) from wanted) as found,${heldText(
          '(select :until::timestamptz + max(length) from visits)',
          ' and id is distinct from (select id from moving)',
        )} as held,${heldSlots('(select :until::timestamptz + max(length) from visits)')} as slots`,
});

/** A service at an address and the holds of its teams, in one snapshot. */
export type Availability = {
  /** The version of the plan whose teams were read. */
  catalogueVersion: number;
  /** null: the partner has no such address, or its customer was erased. */
  found: ServiceAtAddress | null;
  /** The holds of the teams that serve the zone, without slots. */
  busy: BusyRanges;
  /** The slots that customers hold there (`busyAt`). */
  slots: readonly HeldSlot[];
};

/**
 * Reads services at addresses and the holds of the teams of their zones on the days (null: no holds), in one statement.
 * `movingBookingId`: that booking's hold counts as free, and its zone is included.
 */
export async function readAvailability(
  db: Queryable,
  days: Days | null,
  wanted: readonly AvailabilityRequest[],
  movingBookingId: string | null = null,
): Promise<Availability[]> {
  const row = await first(db, READ_AVAILABILITY, {
    partnerIds: wanted.map(({ partnerId }) => partnerId),
    addressIds: wanted.map(({ addressId }) => addressId),
    serviceIds: wanted.map(({ serviceId }) => serviceId),
    movingBookingId,
    ...heldUntil(days),
  });
  const { catalogue_version: catalogueVersion, found, held } = row!;
  const busy = toHeld(held);
  const slots = row!.slots ?? [];
  const byPlace = new Map(found?.map((one) => [one.place, one]));
  return wanted.map((_, index) => ({ catalogueVersion, found: byPlace.get(index + 1) ?? null, busy, slots }));
}

/** A service that the partner may book at a place, as json_agg writes it. */
export type ServiceAtPlace = {
  id: string;
  name_en: string;
  name_ar: string;
  prices: PriceLists;
  /** The version of the policy that a booking is made under; null: none. */
  policy_id: string | null;
  terms: Terms | null;
};

export const READ_COVERAGE = hotStatement({
  name: 'read-coverage',
  takes: {
    partnerId: pg.uuid,
    latitude: pg.typed<string>(pg.float),
    longitude: pg.typed<string>(pg.float),
    ...HELD_ON_PARAMETERS,
    /** Midnight after the days; null: no holds are read. */
    until: pg.nullable(pg.timestamptz),
  },
  returns: {
    catalogue_version: pg.bigint,
    zone_id: pg.nullable(pg.uuid),
    services: pg.json<ServiceAtPlace[]>(),
    held: pg.nullable(pg.text),
    slots: pg.nullable(pg.json<HeldSlot[]>()),
  },
  text: `
    with zone as materialized (${zoneAt(':latitude', ':longitude')}),
    offered as materialized (
      select s.id, s.name as name_en, coalesce(s.name_ar, s.name) as name_ar, ${PRICES} as prices,
        s.duration_minutes * interval '1 minute' as length, k.sort_order, k.name_en as category, k.id as category_id,
        name_in(p.language, s.name, s.name_ar) as name, v.id as policy_id, v.terms
      from zone_services zs
      join services s on s.id = zs.service_id and s.is_active
      join categories k on k.id = s.category_id and k.is_active
      join partners p on p.id = :partnerId
      left join partner_services ps on ps.partner_id = p.id and ps.service_id = s.id
      left join policies v on v.id = ${policyFor('p.id', 's.id')}
      where zs.zone_id = (select id from zone) and ${IS_ENABLED}
    ), served as materialized (${servedBy('select id from zone')}
    )
    select (${CATALOGUE_VERSION}) as catalogue_version, (select id from zone) as zone_id,
      (select coalesce(json_agg(json_build_object('id', id, 'name_en', name_en, 'name_ar', name_ar, 'prices', prices,
          'policy_id', policy_id, 'terms', terms)
        order by sort_order, category ${AS_PEOPLE_SORT}, category_id, name ${AS_PEOPLE_SORT}, id), '[]')
        from offered) as services,${heldText('(select :until::timestamptz + max(length) from offered)')} as held,${heldSlots('(select :until::timestamptz + max(length) from offered)')} as slots`,
});

/** The services that a partner may book at a place, and the holds of the teams there, in one snapshot. */
export type Coverage = {
  catalogueVersion: number;
  /** null: no active zone covers the place. */
  zoneId: string | null;
  /** In the order of the list of services. */
  services: readonly ServiceAtPlace[];
} & Pick<Availability, 'busy' | 'slots'>;

/** Reads what a partner may book at a place and the holds of the days (null: none), in one statement. */
export async function readCoverageOf(
  db: Queryable,
  place: { partnerId: string; latitude: string; longitude: string },
  days: Days | null,
): Promise<Coverage> {
  const { partnerId, latitude, longitude } = place;
  const row = await first(db, READ_COVERAGE, {
    partnerId,
    latitude,
    longitude,
    ...heldUntil(days),
  });
  const { catalogue_version: catalogueVersion, zone_id: zoneId, services, held } = row!;
  return { catalogueVersion, zoneId, services, busy: toHeld(held), slots: row!.slots ?? [] };
}

export const FIND_TEAM_OF_BOOKING = hotStatement({
  name: 'find-team-of-booking',
  takes: { partnerId: pg.uuid, bookingId: pg.uuid },
  returns: { team_id: pg.uuid },
  text: `
    select a.team_id from bookings b join appointments a on a.booking_id = b.id
    where b.id = :bookingId and b.partner_id = :partnerId`,
});

/** The team of a booking of the partner; null: there is no such booking. */
export async function findTeamOfBooking(
  db: Queryable,
  partnerId: string,
  bookingId: string,
): Promise<string | null> {
  return (await first(db, FIND_TEAM_OF_BOOKING, { partnerId, bookingId }))?.team_id ?? null;
}

export const FIND_TEAM_OF_APPOINTMENT = hotStatement({
  name: 'find-team-of-appointment',
  takes: { id: pg.uuid },
  returns: { team_id: pg.uuid },
  text: 'select team_id from appointments where id = :id',
});

/** The team of the visit or hold; undefined: there is none. */
export async function findTeamOfAppointment(db: Queryable, id: string): Promise<string | undefined> {
  return (await first(db, FIND_TEAM_OF_APPOINTMENT, { id }))?.team_id;
}
