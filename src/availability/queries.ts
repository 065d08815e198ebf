import { type Instant, toUtcIso } from '../clock.ts';
import type { Db, Queryable } from '../platform/db.ts';
import type { Shift } from './rules.ts';

export type PlanRows = {
  version: number;
  services: {
    id: string;
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
    travel_buffer_minutes: number;
    shifts: Shift[];
    /** Seconds since the epoch: from, until. */
    time_off: [number, number][];
    service_ids: string[];
    zone_ids: string[];
  }[];
};

/** Services, active zones and active teams of one version, in one statement and so of one moment. */
export async function loadPlan(db: Db): Promise<PlanRows> {
  const row = await db.first<{ plan: PlanRows }>({
    text: `
      select json_build_object(
        'version', (select version from change_counters where name = 'catalogue'),
        'services', (select coalesce(json_agg(json_build_object(
            'id', id, 'duration_minutes', duration_minutes, 'zero_price_means', zero_price_means,
            'assignment', assignment, 'minimum_notice_minutes', minimum_notice_minutes,
            'booking_horizon_days', booking_horizon_days)), '[]')
          from services),
        'zones', (select coalesce(json_agg(json_build_object(
            'id', z.id, 'slot_grid_minutes', z.slot_grid_minutes,
            'service_ids', array(select service_id from zone_services where zone_id = z.id))), '[]')
          from zones z where z.is_active),
        'teams', (select coalesce(json_agg(json_build_object(
            'id', t.id, 'lock_number', t.lock_number, 'name', t.name, 'travel_buffer_minutes', t.travel_buffer_minutes,
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

export type Situation = {
  catalogue_version: number;
  contact_id: string;
  located: boolean;
  /** null: no active zone covers the address. */
  zone_id: string | null;
  /** null: there is no such service. */
  service_id: string | null;
  /** Active, of an active category, and enabled for the partner. */
  enabled: boolean;
  /** SAR; the partner's price, else the default. */
  price: string | null;
  /** Held ranges of the zone's skilled teams, packed: see unpackBusy. */
  busy: Buffer | null;
};

/**
 * Everything slots of a service at an address depend on, for the appointments between two instants, in one
 * round trip; null: the address is not there or another partner's.
 *
 * The ranges are packed into one bytea because 335 rows cost the driver more than the rest of the request
 * together (bench/README.md). Where zones overlap, the one with the lower priority, then the name, covers the point.
 */
export function loadSituation(
  db: Queryable,
  partnerId: string,
  addressId: string,
  serviceId: string,
  from: Instant,
  until: Instant,
): Promise<Situation | null> {
  return db.first<Situation>({
    name: 'load-situation',
    text: `
      select (select version from change_counters where name = 'catalogue') as catalogue_version,
        c.id as contact_id, a.latitude is not null as located, z.id as zone_id, s.id as service_id,
        coalesce(s.is_active and k.is_active and (not p.service_restricted or ps.service_id is not null), false) as enabled,
        coalesce(ps.price, s.default_price) as price,
        (select string_agg(
            int4send(t.lock_number)
              || int4send(floor(date_part('epoch', held.starts_at) / 60)::integer)
              || int4send(ceil(date_part('epoch', held.busy_until) / 60)::integer), ''::bytea)
          from team_zones tz
          join team_services ts on ts.team_id = tz.team_id and ts.service_id = s.id
          join teams t on t.id = tz.team_id and t.is_active
          join appointments held on held.team_id = t.id and held.status <> 'Cancelled'
            and held.starts_at < $5 and held.starts_at > $4::timestamptz - interval '32 hours' and held.busy_until > $4
          where tz.zone_id = z.id) as busy
      from addresses a
      join contacts c on c.id = a.contact_id and c.partner_id = $1
      join partners p on p.id = $1
      left join services s on s.id = $3
      left join categories k on k.id = s.category_id
      left join partner_services ps on ps.partner_id = $1 and ps.service_id = $3
      left join lateral (
        select id from zones
        where is_active and area @> point(a.longitude::float8, a.latitude::float8)
        order by priority, name limit 1
      ) z on true
      where a.id = $2`,
    values: [partnerId, addressId, serviceId, toUtcIso(from), toUtcIso(until)],
  });
}
