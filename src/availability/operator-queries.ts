import { type CalendarDate, DAY, type Instant, startOfDate } from '../base/clock.ts';
import { IS_ENABLED, zoneAt } from '../catalogue/queries.ts';
import type { Queryable } from '../db/connection.ts';
import { AS_PEOPLE_SORT } from '../db/pages.ts';
import { first, hotStatement, pg, type Row, rows } from '../db/statement.ts';
import type { Shift } from '../teams/rules.ts';
import { SCHEDULES } from '../teams/schedule-queries.ts';
import type { Schedule } from '../teams/schedule-rules.ts';
import { HOLD_IN_THE_WAY, type HoldInTheWay } from './hold-in-the-way.ts';
import { HELD_BUFFER, HELD_FROM, HELD_ON_PARAMETERS, HELD_UNTIL, heldOn, heldOnValues } from './queries.ts';
import type { Held } from './rules.ts';

export const FIND_LOCATION = hotStatement({
  name: 'find-location',
  takes: { addressId: pg.uuid },
  returns: {
    latitude: pg.nullable(pg.numeric),
    longitude: pg.nullable(pg.numeric),
    partner_id: pg.nullable(pg.uuid),
  },
  text: `
    select a.latitude, a.longitude, c.partner_id from addresses a join contacts c on c.id = a.contact_id
    where a.id = :addressId`,
});

/** The coordinates (null: none) and the partner of an address. */
export type Location = Row<typeof FIND_LOCATION>;

/** null: there is no such address. */
export function findLocation(db: Queryable, addressId: string): Promise<Location | null> {
  return first(db, FIND_LOCATION, { addressId });
}

/** An appointment that holds a team, in epoch minutes. */
export type HeldRow = Held & { id: string } & (
    | { name: string; booking_id: string; hold: null }
    | { name: null; booking_id: null; hold: HoldInTheWay }
  );

/** A team of the zone, as json_build_object writes it. */
type ZoneTeam = {
  id: string;
  lock_number: number;
  name: string;
  name_ar: string | null;
  is_active: boolean;
  is_skilled: boolean;
  zone_ids: string[];
  travel_buffer_minutes: number;
  shifts: Shift[];
  /** Seconds since the epoch: from, until. */
  time_off: [number, number][];
  /** By start. */
  held: HeldRow[];
};

export const LOAD_ZONE_TEAMS = hotStatement({
  name: 'load-zone-teams',
  takes: {
    latitude: pg.typed<string>(pg.float),
    longitude: pg.typed<string>(pg.float),
    serviceId: pg.uuid,
    partnerId: pg.nullable(pg.uuid),
    alsoZoneId: pg.nullable(pg.uuid),
    contactId: pg.nullable(pg.uuid),
    ...HELD_ON_PARAMETERS,
    until: pg.timestamptz,
    now: pg.timestamptz,
  },
  returns: {
    /** The active zone that covers the place, else `alsoZoneId`; null: neither. */
    zone_id: pg.nullable(pg.uuid),
    is_covered: pg.boolean,
    zone_name: pg.text,
    zone_name_ar: pg.nullable(pg.text),
    slot_grid_minutes: pg.int,
    duration_minutes: pg.int,
    minimum_notice_minutes: pg.int,
    booking_horizon_days: pg.int,
    /** With `is_in_zone`: the settings that can be missing when nothing is offered. */
    is_active: pg.boolean,
    is_in_zone: pg.boolean,
    /** Whether the service can be booked there: active, of an active category, in the zone, enabled for a partner. */
    offered: pg.boolean,
    /** All teams of these zones, by name. */
    teams: pg.json<ZoneTeam[]>(),
    /** The strongest first. */
    schedules: pg.json<Schedule[]>(),
  },
  text: `
    select coalesce(z.id, also.id) as zone_id, z.id is not null as is_covered, coalesce(z.name, also.name) as zone_name,
      case when z.id is null then also.name_ar else z.name_ar end as zone_name_ar,
      coalesce(z.slot_grid_minutes, also.slot_grid_minutes) as slot_grid_minutes,
      s.duration_minutes, s.minimum_notice_minutes, s.booking_horizon_days,
      s.is_active and k.is_active as is_active,
      exists (select 1 from zone_services where zone_id = z.id and service_id = s.id) as is_in_zone,
      s.is_active and k.is_active
        and exists (select 1 from zone_services where zone_id = z.id and service_id = s.id)
        and coalesce(${IS_ENABLED}, true) as offered,
      (select coalesce(json_agg(json_build_object(
          'id', t.id, 'lock_number', t.lock_number, 'name', t.name, 'name_ar', t.name_ar, 'is_active', t.is_active,
          'is_skilled', exists (select 1 from team_services where team_id = t.id and service_id = s.id),
          'zone_ids', array(select zone_id from team_zones where team_id = t.id),
          'travel_buffer_minutes', t.travel_buffer_minutes,
          'shifts', (select coalesce(json_agg(json_build_object(
              'weekday', weekday, 'start', start_minute, 'end', end_minute)), '[]')
            from team_shifts where team_id = t.id),
          'time_off', (select coalesce(json_agg(json_build_array(
              extract(epoch from starts_at), extract(epoch from ends_at))), '[]')
            from team_time_off where team_id = t.id),
          'held', (select coalesce(json_agg(json_build_object(
              'id', id, 'name', name, 'booking_id', booking_id, 'hold', hold,
              'from', ${HELD_FROM}, 'until', ${HELD_UNTIL}, 'bufferMinutes', ${HELD_BUFFER}) order by starts_at), '[]')
            from appointments left join lateral (
              select ${HOLD_IN_THE_WAY} as hold
              from holds h join partners p on p.id = h.partner_id
              where h.id = appointments.id and h.expires_at > :now
                and (h.contact_id = :contactId::uuid and h.service_id = s.id) is not true) held on true
            where team_id = t.id and ${heldOn(':until::timestamptz')} and (status <> 'Held' or hold is not null))
          ) order by t.name ${AS_PEOPLE_SORT}, t.id), '[]')
        from teams t
        where t.id in (select team_id from team_zones where zone_id in (z.id, also.id))) as teams,
      ${SCHEDULES} as schedules
    from services s
    join categories k on k.id = s.category_id
    left join partners p on p.id = :partnerId::uuid
    left join partner_services ps on ps.partner_id = p.id and ps.service_id = s.id
    left join lateral (${zoneAt(':latitude', ':longitude', 'id, name, name_ar, slot_grid_minutes')}) z on true
    left join zones also on also.id = :alsoZoneId::uuid
    where s.id = :serviceId`,
});

export type ZoneTeams = Row<typeof LOAD_ZONE_TEAMS>;

/** A service at a place on a date; `alsoZoneId`: with the teams of that zone. */
export type PlaceOnDate = {
  location: { latitude: string; longitude: string; partner_id: string | null };
  serviceId: string;
  date: CalendarDate;
  alsoZoneId?: string;
  /** The customer whose own hold for the service does not count. */
  contactId?: string;
};

/**
 * Reads the rules of a service at a place and the holds of each team of its zone on the date, in one statement; null:
 * there is no such service. The same conditions as readAvailability.
 */
export function loadZoneTeams(
  db: Queryable,
  now: Instant,
  { location, serviceId, date, alsoZoneId, contactId }: PlaceOnDate,
): Promise<ZoneTeams | null> {
  const { latitude, longitude, partner_id: partnerId } = location;
  return first(db, LOAD_ZONE_TEAMS, {
    latitude,
    longitude,
    serviceId,
    partnerId,
    alsoZoneId: alsoZoneId ?? null,
    contactId: contactId ?? null,
    ...heldOnValues(date),
    // A visit that starts on the date lies in a shift, which ends within a day.
    until: startOfDate(date) + 2 * DAY,
    now,
  });
}

export const LIST_PLACES = hotStatement({
  name: 'list-places',
  takes: { appointmentIds: pg.uuids },
  returns: { id: pg.uuid, latitude: pg.float, longitude: pg.float },
  text: `
    select a.id, d.latitude::float8 as latitude, d.longitude::float8 as longitude
    from appointments a
    join bookings b on b.id = a.booking_id
    join addresses d on d.id = b.address_id
    where a.id = any (:appointmentIds) and d.latitude is not null`,
});

/** The coordinates of the appointments' addresses that have any. */
export function listPlaces(db: Queryable, appointmentIds: string[]): Promise<Row<typeof LIST_PLACES>[]> {
  return rows(db, LIST_PLACES, { appointmentIds });
}
