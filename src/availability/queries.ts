import { addDays, type CalendarDate, DAY, startOfDate, toUtcIso } from '../clock.ts';
import type { Queryable } from '../platform/db.ts';
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
export async function loadPlan(db: Queryable): Promise<PlanRows> {
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
  /** Rows of busy_changes for the days from the horizon on; null: no horizon was given. */
  changes: number | null;
};

/** Days whose appointments count: those that start on them, or reach into them. */
export type BusyWindow = { from: CalendarDate; days: number };

/** No appointment lasts longer, with its buffer, than 32 hours (a constraint): that far before and after. */
const REACH_DAYS = 2;

function changedDays({ from, days }: BusyWindow): [CalendarDate, CalendarDate] {
  return [addDays(from, -REACH_DAYS), addDays(from, days + REACH_DAYS - 1)];
}

/**
 * What slots of a service at an address depend on, but for the appointments; null: the address is not there or
 * another partner's. Where zones overlap, the one with the lower priority, then the name, covers the point.
 */
export function loadSituation(
  db: Queryable,
  ids: { partnerId: string; addressId: string; serviceId: string },
  window: BusyWindow,
  horizon: string | null,
): Promise<Situation | null> {
  return db.first<Situation>({
    name: 'load-situation',
    text: `
      select (select version from change_counters where name = 'catalogue') as catalogue_version,
        a.contact_id, a.latitude is not null as located, z.id as zone_id, s.id as service_id,
        coalesce(s.is_active and k.is_active and (not p.service_restricted or ps.service_id is not null), false) as enabled,
        coalesce(ps.price, s.default_price) as price,
        case when $6::xid8 is not null then (
          select count(*) from busy_changes where day between $4 and $5 and changed_in >= $6
        ) end as changes
      from addresses a
      join partners p on p.id = a.partner_id
      left join services s on s.id = $3
      left join categories k on k.id = s.category_id
      left join partner_services ps on ps.partner_id = $1 and ps.service_id = $3
      left join lateral (
        select id from zones
        where is_active and area @> point(a.longitude::float8, a.latitude::float8)
        order by priority, name limit 1
      ) z on true
      where a.id = $2 and a.partner_id = $1`,
    values: [ids.partnerId, ids.addressId, ids.serviceId, ...changedDays(window), horizon],
  });
}

/** Rows as three columns of bytes: see unpackBusy. */
export type PackedBusy = {
  team_ids: Buffer | null;
  starts: Buffer | null;
  ends: Buffer | null;
  horizon: string;
  changes: number;
};

/**
 * What holds any team in the window, and by what to see later whether that has changed: the count of changes by
 * transactions that were not all finished at this moment. Whatever commits later is one of them.
 *
 * Packed, because 335 rows of the driver's cost this process three times as much (bench/README.md), and read by time
 * alone: all teams' appointments of a day lie together in one index.
 */
export async function loadBusy(
  db: Queryable,
  window: BusyWindow,
  movingBookingId: string | null,
): Promise<PackedBusy> {
  const midnight = startOfDate(window.from);
  const reach = REACH_DAYS * DAY;
  const row = await db.first<PackedBusy>({
    name: movingBookingId === null ? 'load-busy' : 'load-busy-moving',
    text: `
      with taken as (
        select team_id, starts_at, busy_until from appointments
        where status <> 'Cancelled' and starts_at > $1 and starts_at < $2 and busy_until > $3
          ${movingBookingId === null ? '' : 'and booking_id <> $6'}
      ), seen as (
        select pg_snapshot_xmin(pg_current_snapshot()) as horizon
      )
      select string_agg(uuid_send(team_id), ''::bytea) as team_ids,
        string_agg(timestamptz_send(starts_at), ''::bytea) as starts,
        string_agg(timestamptz_send(busy_until), ''::bytea) as ends,
        (select horizon::text from seen) as horizon,
        (select count(*) from busy_changes, seen
          where day between $4 and $5 and changed_in >= horizon) as changes
      from taken`,
    values: [
      toUtcIso(midnight - reach),
      toUtcIso(midnight + window.days * DAY + reach),
      toUtcIso(midnight),
      ...changedDays(window),
      ...(movingBookingId === null ? [] : [movingBookingId]),
    ],
  });
  return row!;
}

/** Forgets the changes of days that are over: nothing is offered on them any more. */
export async function deleteBusyChangesBefore(db: Queryable, day: CalendarDate): Promise<void> {
  await db.rows({ text: 'delete from busy_changes where day < $1', values: [day] });
}
