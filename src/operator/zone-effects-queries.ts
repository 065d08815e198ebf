import type { Instant } from '../base/clock.ts';
import { zoneAt } from '../catalogue/queries.ts';
import type { ZoneRow } from '../catalogue/table.ts';
import type { Tx } from '../db/connection.ts';
import { AS_PEOPLE_SORT } from '../db/pages.ts';
import { hotStatement, pg, type Row, rows } from '../db/statement.ts';

/** Rows of future bookings in a response. */
export const MAX_EFFECTS = 100;

/** The zones `:ids` before the change, and the others as they are. */
const OLD = `
  old as (
    select * from unnest(:ids::uuid[], :areas::polygon[], :priorities::integer[], :names::text[], :areActive::boolean[])
      as o (id, area, priority, name, is_active)
  ), before as (
    select id, area, priority, name from zones where is_active and id <> all (:ids)
    union all select id, area, priority, name from old where is_active
  )`;

/** Only addresses in a changed zone, before or after, can have moved: the others are not read. */
const MOVED = `
  (exists (select 1 from old where area @> d.place)
    or exists (select 1 from zones where id = any (:ids) and area @> d.place))`;

const ZONES_OF = `
  left join lateral (
    select id from before where area @> d.place order by priority, name ${AS_PEOPLE_SORT} limit 1
  ) was on true
  left join lateral (${zoneAt('d.latitude', 'd.longitude')}) is_now on true`;

const PLACED = `
  select id, latitude, longitude, point(longitude::float8, latitude::float8) as place from addresses
  where latitude is not null`;

const OLD_ZONES = {
  ids: pg.uuids,
  areas: pg.column<string[]>('_polygon'),
  priorities: pg.ints,
  names: pg.texts,
  areActive: pg.column<boolean[]>('_bool'),
} as const;

const oldOf = (zones: readonly ZoneRow[]) => ({
  ids: zones.map(({ id }) => id),
  areas: zones.map(({ area }) => area),
  priorities: zones.map(({ priority }) => priority),
  names: zones.map(({ name }) => name),
  areActive: zones.map(({ is_active }) => is_active),
});

export const LIST_ADDRESS_MOVES = hotStatement({
  name: 'list-address-moves',
  takes: OLD_ZONES,
  returns: { from_zone: pg.nullable(pg.uuid), to_zone: pg.nullable(pg.uuid), addresses: pg.bigint },
  text: `
    with ${OLD}
    select was.id as from_zone, is_now.id as to_zone, count(*) as addresses
    from (${PLACED}) d ${ZONES_OF}
    where ${MOVED} and was.id is distinct from is_now.id
    group by was.id, is_now.id order by count(*) desc, was.id, is_now.id`,
});

export type AddressMove = Row<typeof LIST_ADDRESS_MOVES>;

/** The number of addresses that lie in another zone than with the given zones, by both zones; null: in none. */
export function listAddressMoves(tx: Tx, zones: readonly ZoneRow[]): Promise<AddressMove[]> {
  return rows(tx, LIST_ADDRESS_MOVES, oldOf(zones));
}

export const LIST_BOOKING_MOVES = hotStatement({
  name: 'list-booking-moves',
  takes: { ...OLD_ZONES, now: pg.timestamptz },
  returns: {
    booking_id: pg.uuid,
    appointment_id: pg.uuid,
    name: pg.text,
    starts_at: pg.timestamptz,
    from_zone: pg.nullable(pg.uuid),
    to_zone: pg.nullable(pg.uuid),
    team_id: pg.uuid,
    team_name: pg.text,
    team_name_ar: pg.nullable(pg.text),
    total: pg.bigint,
    team_serves: pg.boolean,
  },
  text: `
    with ${OLD}
    select a.booking_id, a.id as appointment_id, a.name, a.starts_at, was.id as from_zone, is_now.id as to_zone,
      a.team_id, t.name as team_name, t.name_ar as team_name_ar, count(*) over () as total,
      exists (select 1 from team_zones z where z.team_id = a.team_id and z.zone_id = is_now.id) as team_serves
    from appointments a
    join bookings b on b.id = a.booking_id
    join teams t on t.id = a.team_id
    join lateral (${PLACED} and addresses.id = b.address_id) d on true ${ZONES_OF}
    where a.starts_at > :now and a.status <> 'Cancelled' and ${MOVED} and was.id is distinct from is_now.id
    order by a.starts_at, a.id limit ${MAX_EFFECTS}`,
});

export type BookingMove = Row<typeof LIST_BOOKING_MOVES>;

/** Future appointments at these addresses, by start; `total` counts all of them. */
export function listBookingMoves(tx: Tx, now: Instant, zones: readonly ZoneRow[]): Promise<BookingMove[]> {
  return rows(tx, LIST_BOOKING_MOVES, { ...oldOf(zones), now });
}
