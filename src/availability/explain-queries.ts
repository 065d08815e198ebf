import { type Instant, toUtcIso } from '../clock.ts';
import type { Queryable } from '../platform/db.ts';
import type { Shift } from './rules.ts';

/** Where an address is and whose it is; coordinates null: it has none. */
export type Spot = { latitude: string | null; longitude: string | null; partner_id: string | null };

export function findSpot(db: Queryable, addressId: string): Promise<Spot | null> {
  return db.first<Spot>({
    text: `
      select a.latitude, a.longitude, c.partner_id from addresses a join contacts c on c.id = a.contact_id
      where a.id = $1`,
    values: [addressId],
  });
}

/** An appointment that holds a team; epoch minutes, to the end of its travel buffer. */
export type HeldRow = { id: string; name: string; booking_id: string; from: number; until: number };

export type Ground = {
  /** null: no active zone covers the place. */
  zone_id: string | null;
  zone_name: string;
  slot_grid_minutes: number;
  /** Can the service be booked there: active, of an active category, in the zone, enabled for the partner if any? */
  offered: boolean;
  duration_minutes: number;
  minimum_notice_minutes: number;
  booking_horizon_days: number;
  /** All teams of the zone, by name. */
  teams: {
    id: string;
    lock_number: number;
    name: string;
    is_active: boolean;
    is_skilled: boolean;
    travel_buffer_minutes: number;
    shifts: Shift[];
    /** Seconds since the epoch: from, until. */
    time_off: [number, number][];
    /** By start. */
    held: HeldRow[];
  }[];
};

/**
 * What decides about slots of a service at a place, and what holds each team of its zone between two instants, in
 * one statement and so of one moment; null: there is no such service. Finds them as loadSituation and loadBusy do.
 */
export function loadGround(
  db: Queryable,
  spot: { latitude: string; longitude: string; partner_id: string | null },
  serviceId: string,
  from: Instant,
  until: Instant,
): Promise<Ground | null> {
  return db.first<Ground>({
    text: `
      select z.id as zone_id, z.name as zone_name, z.slot_grid_minutes,
        s.duration_minutes, s.minimum_notice_minutes, s.booking_horizon_days,
        s.is_active and k.is_active
          and exists (select 1 from zone_services where zone_id = z.id and service_id = s.id)
          and not coalesce((select service_restricted from partners where id = $4::uuid) and not exists (
            select 1 from partner_services where partner_id = $4::uuid and service_id = s.id), false) as offered,
        (select coalesce(json_agg(json_build_object(
            'id', t.id, 'lock_number', t.lock_number, 'name', t.name, 'is_active', t.is_active,
            'is_skilled', exists (select 1 from team_services where team_id = t.id and service_id = s.id),
            'travel_buffer_minutes', t.travel_buffer_minutes,
            'shifts', (select coalesce(json_agg(json_build_object(
                'weekday', weekday, 'start', start_minute, 'end', end_minute)), '[]')
              from team_shifts where team_id = t.id),
            'time_off', (select coalesce(json_agg(json_build_array(
                extract(epoch from starts_at), extract(epoch from ends_at))), '[]')
              from team_time_off where team_id = t.id),
            'held', (select coalesce(json_agg(json_build_object(
                'id', id, 'name', name, 'booking_id', booking_id,
                'from', floor(date_part('epoch', starts_at) / 60)::integer,
                'until', ceil(date_part('epoch', busy_until) / 60)::integer) order by starts_at), '[]')
              from appointments
              where team_id = t.id and status <> 'Cancelled'
                and starts_at < $6 and starts_at > $5::timestamptz - interval '32 hours' and busy_until > $5)
            ) order by t.name, t.id), '[]')
          from team_zones tz join teams t on t.id = tz.team_id
          where tz.zone_id = z.id) as teams
      from services s
      join categories k on k.id = s.category_id
      left join lateral (
        select id, name, slot_grid_minutes from zones
        where is_active and area @> point($2::float8, $1::float8)
        order by priority, name limit 1
      ) z on true
      where s.id = $3`,
    values: [spot.latitude, spot.longitude, serviceId, spot.partner_id, toUtcIso(from), toUtcIso(until)],
  });
}
