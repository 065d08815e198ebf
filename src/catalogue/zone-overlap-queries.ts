import { type Instant, toUtcIso } from '../base/clock.ts';
import type { Tx } from '../db/connection.ts';
import { AS_PEOPLE_SORT } from '../db/pages.ts';
import { hotStatement, pg, type Row, rows } from '../db/statement.ts';
import { rowsOf, tablesOf } from '../db/tables.ts';
import type { ZoneOverlapTable } from './table.ts';
import type { Polygon } from './zone-rules.ts';

export const LIST_ZONE_PAIRS = hotStatement({
  name: 'list-zone-pairs',
  takes: { ids: pg.uuids, beforeIds: pg.uuids, beforeNames: pg.texts },
  returns: {
    id: pg.uuid,
    name: pg.text,
    name_ar: pg.nullable(pg.text),
    area: pg.jsonb<Polygon>(),
    other_id: pg.uuid,
    other_name: pg.text,
    other_name_ar: pg.nullable(pg.text),
    other_area: pg.jsonb<Polygon>(),
    is_first: pg.boolean,
    was_first: pg.boolean,
  },
  text: `
    with before as (select * from unnest(:beforeIds::uuid[], :beforeNames::text[]) as b (id, name))
    select one.id, one.name, one.name_ar, one.area_geojson as area,
      other.id as other_id, other.name as other_name, other.name_ar as other_name_ar, other.area_geojson as other_area,
      one.name ${AS_PEOPLE_SORT} < other.name as is_first,
      coalesce(one_before.name, one.name) ${AS_PEOPLE_SORT} < coalesce(other_before.name, other.name) as was_first
    from zones one
    join zones other on other.is_active and other.priority = one.priority and box(other.area) && box(one.area)
    left join before one_before on one_before.id = one.id
    left join before other_before on other_before.id = other.id
    where one.is_active and one.id = any (:ids)
      and (one.id < other.id or one.id > other.id and other.id <> all (:ids))
    order by one.name, other.name`,
});

export type ZonePairRow = Row<typeof LIST_ZONE_PAIRS>;

/**
 * Pairs of active zones of equal priority near each other, of which at least one is among the ids; `before` as they
 * were.
 */
export function listZonePairs(
  tx: Tx,
  ids: string[],
  before: readonly { id: string; name: string }[],
): Promise<ZonePairRow[]> {
  return rows(tx, LIST_ZONE_PAIRS, {
    ids,
    beforeIds: before.map(({ id }) => id),
    beforeNames: before.map(({ name }) => name),
  });
}

const tables = tablesOf<{ zone_overlaps: ZoneOverlapTable }>();

/** Stores the pairs as confirmed; returns those that were not yet, by the smaller id. */
export async function insertConfirmed(
  tx: Tx,
  now: Instant,
  pairs: readonly { id: string; other_id: string }[],
): Promise<{ zone_id: string; other_id: string }[]> {
  if (pairs.length === 0) return [];
  const rows = pairs.map(({ id, other_id }) => {
    const [zone, other] = [id, other_id].sort();
    return { zone_id: zone!, other_id: other!, confirmed_at: toUtcIso(now) };
  });
  const query = tables
    .insertInto('zone_overlaps')
    .values(rows)
    .onConflict((known) => known.doNothing());
  return rowsOf(tx, query.returning(['zone_id', 'other_id']));
}

const IN_BOTH = `
  d.latitude is not null and one.area @> point(d.longitude::float8, d.latitude::float8)
    and other.area @> point(d.longitude::float8, d.latitude::float8)`;

export const COUNT_IN_COMMON = hotStatement({
  name: 'count-in-common',
  takes: { ids: pg.uuids, otherIds: pg.uuids, now: pg.timestamptz },
  returns: { addresses: pg.bigint, appointments: pg.bigint },
  text: `
    select
      (select count(*) from addresses d where ${IN_BOTH}) as addresses,
      (select count(*) from appointments a join bookings b on b.id = a.booking_id join addresses d on d.id = b.address_id
        where a.starts_at > :now and a.status <> 'Cancelled' and ${IN_BOTH}) as appointments
    from unnest(:ids::uuid[], :otherIds::uuid[]) with ordinality as pair (id, other_id, place)
    join zones one on one.id = pair.id
    join zones other on other.id = pair.other_id
    order by pair.place`,
});

/** The number of addresses in both zones of each pair, and of future appointments at them. */
export function countInCommon(
  tx: Tx,
  now: Instant,
  pairs: readonly ZonePairRow[],
): Promise<Row<typeof COUNT_IN_COMMON>[]> {
  const ids = pairs.map(({ id }) => id);
  return rows(tx, COUNT_IN_COMMON, { ids, otherIds: pairs.map((pair) => pair.other_id), now });
}
