import { addDays, type CalendarDate, DAY, HOUR, startOfDate } from '../base/clock.ts';
import { CATALOGUE_VERSION, IS_ENABLED, zoneAt } from '../catalogue/queries.ts';
import type { Queryable } from '../db/connection.ts';
import { SERVER_STARTED } from '../db/server.ts';
import {
  bigint,
  boolean,
  bytea,
  date,
  dates,
  first,
  float,
  hotStatement,
  nullable,
  numeric,
  type Row,
  rows,
  text,
  timestamptz,
  uuid,
  xid8,
  xid8s,
} from '../db/statement.ts';
import type { Shift } from '../teams/rules.ts';

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
        'version', (${CATALOGUE_VERSION}),
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

/** Days whose appointments count: those that start on them, or reach into them. */
export type BusyWindow = { from: CalendarDate; days: number };

/** No appointment lasts longer, with its buffer, than 32 hours (a constraint): that far before and after. */
const REACH_DAYS = 2;
/** No team has a longer travel buffer. */
const MAX_BUFFER = 8 * HOUR;

const firstChangedDay = (date: CalendarDate): CalendarDate => addDays(date, -REACH_DAYS);

function changedDays({ from, days }: BusyWindow): [CalendarDate, CalendarDate] {
  return [firstChangedDay(from), addDays(from, days + REACH_DAYS - 1)];
}

/**
 * SQL: how many changes of a day and those beside it there were from the horizon on, given the first of the five. A look
 * into the index for each day: all days as one range would read every change of them, whose transactions come second in
 * the index. The number of days stands in the text, so that PostgreSQL keeps one plan for all requests: of a number that
 * it does not know it thinks the worst, and makes a plan for each.
 */
const changesSince = (firstDay: string, horizon: string): string => `
  (select count(*)
    from generate_series(0, ${2 * REACH_DAYS}) step
    cross join lateral (
      select from busy_changes where day = ${firstDay}::date + step and changed_in >= ${horizon} offset 0
    ) change)`;

const SERVER = `${SERVER_STARTED} as server`;

export const FIND_SLOT_ROW = hotStatement({
  name: 'find-slot-row',
  takes: {
    partnerId: uuid,
    addressId: uuid,
    serviceId: uuid,
    firstDay: date,
    horizon: nullable(xid8),
  },
  returns: {
    catalogue_version: bigint,
    contact_id: uuid,
    located: boolean,
    /** null: no active zone covers the address. */
    zone_id: nullable(uuid),
    /** null: there is no such service. */
    service_id: nullable(uuid),
    /** Active, of an active category, and enabled for the partner. */
    enabled: boolean,
    /** SAR; the partner's price, else the default. */
    price: nullable(numeric),
    /** Rows of busy_changes for the days from the horizon on; null: no horizon was given. */
    changes: nullable(bigint),
    server: float,
  },
  text: `
    select (${CATALOGUE_VERSION}) as catalogue_version,
      a.contact_id, a.latitude is not null as located, z.id as zone_id, s.id as service_id,
      coalesce(s.is_active and k.is_active and ${IS_ENABLED}, false) as enabled,
      coalesce(ps.price, s.default_price) as price,
      case when :horizon::xid8 is not null then ${changesSince(':firstDay', ':horizon')} end as changes, ${SERVER}
    from addresses a
    join partners p on p.id = a.partner_id
    left join services s on s.id = :serviceId
    left join categories k on k.id = s.category_id
    left join partner_services ps on ps.partner_id = :partnerId and ps.service_id = :serviceId
    left join lateral (${zoneAt('a.latitude', 'a.longitude')}) z on true
    where a.id = :addressId and a.partner_id = :partnerId`,
});

export type SlotRow = Row<typeof FIND_SLOT_ROW>;

/**
 * What slots of a service at an address depend on, but for the appointments; null: the address is not there or
 * another partner's. Where zones overlap, the one with the lower priority, then the name, covers the point. The changes
 * that are counted are those of the date and of the days whose appointments reach it.
 */
export function findSlotRow(
  db: Queryable,
  { partnerId, addressId, serviceId }: { partnerId: string; addressId: string; serviceId: string },
  date: CalendarDate,
  horizon: string | null,
): Promise<SlotRow | null> {
  const firstDay = firstChangedDay(date);
  return first(db, FIND_SLOT_ROW, { partnerId, addressId, serviceId, firstDay, horizon });
}

const CONFIRMED = { catalogue_version: bigint, changes: bigint, server: float };

export const CONFIRM_DAY = hotStatement({
  name: 'confirm-day',
  takes: { firstDay: date, horizon: xid8 },
  returns: CONFIRMED,
  text: `
    select (${CATALOGUE_VERSION}) as catalogue_version,
      ${changesSince(':firstDay', ':horizon')} as changes, ${SERVER}`,
});

// Selected, so that PostgreSQL does not see how many there are, and keeps its plan.
export const CONFIRM_DAYS = hotStatement({
  name: 'confirm-days',
  takes: { firstDays: dates, horizons: xid8s },
  returns: CONFIRMED,
  text: `
    select (${CATALOGUE_VERSION}) as catalogue_version,
      ${changesSince('asked.first_day', 'asked.horizon')} as changes, ${SERVER}
    from unnest((select :firstDays::date[]), (select :horizons::xid8[])) with ordinality
      as asked (first_day, horizon, place)
    order by asked.place`,
});

/** A date whose held ranges were remembered, and from which transaction on its changes are counted. */
export type DayQuestion = { date: CalendarDate; horizon: string };

/** The version of the catalogue and how many changes of the date there are from the horizon on, on which server: of one moment. */
export type Confirmation = Row<typeof CONFIRM_DAY>;

/** Whether what is remembered of some dates still holds, in their order: one statement, so of one moment. */
export async function confirmDays(
  db: Queryable,
  asked: readonly DayQuestion[],
): Promise<readonly Confirmation[]> {
  const firstDays = asked.map(({ date }) => firstChangedDay(date));
  if (asked.length === 1)
    return rows(db, CONFIRM_DAY, { firstDay: firstDays[0]!, horizon: asked[0]!.horizon });
  return rows(db, CONFIRM_DAYS, { firstDays, horizons: asked.map(({ horizon }) => horizon) });
}

/** Rows as columns of bytes: see unpackBusy. */
export type PackedBusy = Row<typeof LOAD_BUSY>;

const BUSY_WINDOW = {
  after: timestamptz,
  before: timestamptz,
  reaching: timestamptz,
  firstDay: date,
  lastDay: date,
};
const PACKED_BUSY = {
  team_ids: nullable(bytea),
  starts: nullable(bytea),
  ends: nullable(bytea),
  /** Minutes, of 4 bytes. */
  buffers: nullable(bytea),
  horizon: text,
  changes: bigint,
  server: float,
};

const busyText = (condition: string) => `
    with taken as (
      select team_id, starts_at, busy_until, busy_until - ends_at as buffer from appointments
      where status <> 'Cancelled' and starts_at > :after and starts_at < :before and busy_until > :reaching
        ${condition}
    ), seen as (
      select pg_snapshot_xmin(pg_current_snapshot()) as horizon
    )
    select string_agg(uuid_send(team_id), ''::bytea) as team_ids,
      string_agg(timestamptz_send(starts_at), ''::bytea) as starts,
      string_agg(timestamptz_send(busy_until), ''::bytea) as ends,
      string_agg(int4send(ceil(date_part('epoch', buffer) / 60)::integer), ''::bytea) as buffers,
      (select horizon::text from seen) as horizon,
      (select count(*) from busy_changes, seen
        where day between :firstDay and :lastDay and changed_in >= horizon) as changes,
      ${SERVER}
    from taken`;

export const LOAD_BUSY = hotStatement({
  name: 'load-busy',
  takes: BUSY_WINDOW,
  returns: PACKED_BUSY,
  text: busyText(''),
});

export const LOAD_BUSY_MOVING = hotStatement({
  name: 'load-busy-moving',
  takes: { ...BUSY_WINDOW, movingBookingId: uuid },
  returns: PACKED_BUSY,
  text: busyText('and booking_id <> :movingBookingId'),
});

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
  const [firstDay, lastDay] = changedDays(window);
  const parameters = {
    after: midnight - reach,
    before: midnight + window.days * DAY + reach,
    // Before midnight by no more than the buffer of a visit that starts then.
    reaching: midnight - MAX_BUFFER,
    firstDay,
    lastDay,
  };
  const row =
    movingBookingId === null
      ? await first(db, LOAD_BUSY, parameters)
      : await first(db, LOAD_BUSY_MOVING, { ...parameters, movingBookingId });
  return row!;
}

/** Forgets the changes of days that are over: nothing is offered on them any more. */
export async function deleteBusyChangesBefore(db: Queryable, day: CalendarDate): Promise<void> {
  await db.rows({ text: 'delete from busy_changes where day < $1', values: [day] });
}
