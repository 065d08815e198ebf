import { type Insertable, sql, type Updateable } from 'kysely';
import { type Instant, toUtcIso } from '../base/clock.ts';
import type { Queryable, Tx } from '../db/connection.ts';
import type { Uses } from '../db/constraint-errors.ts';
import type { Page } from '../db/pages.ts';
import {
  contains,
  countOfRows,
  firstOf,
  firstOrThrow,
  isOneOf,
  nameOrder,
  pageOf,
  rowsOf,
  sortedBy,
  tablesOf,
} from '../db/tables.ts';
import { paging } from '../http/envelope.ts';
import type { ZoneRow, ZoneServiceTable, ZoneTable } from './table.ts';
import type { Polygon } from './zone-rules.ts';
import type { ZonesQuery } from './zone-schema.ts';

/** Zones, and the tables that refer to them. */
const tables = tablesOf<{
  zones: ZoneTable;
  zone_services: ZoneServiceTable;
  team_zones: { zone_id: string };
  appointments: { zone_id: string };
}>();

type Stamped = 'created_at' | 'updated_at';

const created = (now: Instant) => ({ created_at: toUtcIso(now), updated_at: toUtcIso(now) });

const zones = tables
  .selectFrom('zones')
  .selectAll()
  .select([
    sql<
      string[]
    >`array(select service_id from zone_services where zone_id = zones.id order by service_id)`.as(
      'service_ids',
    ),
    sql<string[]>`array(select case zone_id when zones.id then other_id else zone_id end as id
      from zone_overlaps where zones.id in (zone_id, other_id) order by id)`.as('overlap_ids'),
  ]);

/** The columns to write: the polygon is computed from the GeoJSON. */
type ZoneColumns<Written> = Omit<Written, Stamped | 'area' | 'area_geojson'> & { service_ids?: string[] };

async function insertZone(
  tx: Tx,
  now: Instant,
  {
    area_geojson,
    service_ids = [],
    ...columns
  }: ZoneColumns<Insertable<ZoneTable>> & { area_geojson: Polygon },
): Promise<ZoneRow> {
  const query = tables
    .insertInto('zones')
    .values({ ...columns, ...areaColumns(area_geojson), ...created(now) });
  const { id } = await firstOrThrow(tx, query.returning('id'));
  await replaceZoneServices(tx, id, service_ids);
  return (await findZone(tx, id))!;
}

/** Changes the zone; its services only when they are given. */
async function updateZone(
  tx: Tx,
  now: Instant,
  id: string,
  { area_geojson, service_ids, ...columns }: ZoneColumns<Updateable<ZoneTable>> & { area_geojson?: Polygon },
): Promise<ZoneRow> {
  const area = area_geojson === undefined ? {} : areaColumns(area_geojson);
  const query = tables.updateTable('zones').set({ ...columns, ...area, updated_at: toUtcIso(now) });
  await rowsOf(tx, query.where('id', '=', id));
  if (service_ids !== undefined) await replaceZoneServices(tx, id, service_ids);
  return (await findZone(tx, id))!;
}

/**
 * Renames those of the zones that have a wanted name, so that others can take it: the id is their name until they get
 * another in the same transaction.
 */
export async function releaseZoneNames(tx: Tx, ids: string[], wanted: string[]): Promise<void> {
  await rowsOf(
    tx,
    tables
      .updateTable('zones')
      .set({ name: sql`id::text` })
      .where(isOneOf('id', ids))
      .where(sql<boolean>`lower(name) in (select lower(wanted) from unnest(${wanted}::text[]) wanted)`),
  );
}

function areaColumns(area: Polygon): Pick<Insertable<ZoneTable>, 'area' | 'area_geojson'> {
  return { area: polygonText(area), area_geojson: JSON.stringify(area) };
}

/** PostgreSQL's form of a polygon, x = longitude; it closes the ring itself. */
function polygonText(area: Polygon): string {
  const ring = area.coordinates[0]!.slice(0, -1);
  return `(${ring.map(([longitude, latitude]) => `(${longitude},${latitude})`).join(',')})`;
}

async function replaceZoneServices(tx: Tx, zoneId: string, serviceIds: readonly string[]): Promise<void> {
  const others = tables.deleteFrom('zone_services').where('zone_id', '=', zoneId);
  await rowsOf(
    tx,
    others.where(({ not }) => not(isOneOf('service_id', serviceIds))),
  );
  if (serviceIds.length === 0) return;
  const rows = serviceIds.map((service_id) => ({ zone_id: zoneId, service_id }));
  const query = tables.insertInto('zone_services').values(rows);
  await rowsOf(
    tx,
    query.onConflict((conflict) => conflict.doNothing()),
  );
}

/** Throws the violation of a foreign key while there are references. */
async function removeZone(tx: Tx, id: string): Promise<void> {
  await rowsOf(tx, tables.deleteFrom('zones').where('id', '=', id));
}

/** The zone with the ids of its services; null: there is none. */
export function findZone(db: Queryable, id: string): Promise<ZoneRow | null> {
  return firstOf(db, zones.where('id', '=', id));
}

export const zoneRows = { find: findZone, insert: insertZone, update: updateZone, remove: removeZone };

const SORTED_ZONES = {
  priority: ['priority', nameOrder('name')],
  name: [nameOrder('name')],
  nameAr: [nameOrder('name_ar'), nameOrder('name')],
  isActive: ['is_active', 'priority', nameOrder('name')],
  createdAt: ['created_at'],
};

/** A page of the zones, in order of precedence unless sorted otherwise; `search` is a part of a name. */
export function listZones(
  db: Queryable,
  { search, isActive, serviceId, ...sorting }: ZonesQuery,
): Promise<Page<ZoneRow>> {
  const withService = tables
    .selectFrom('zone_services')
    .select('zone_id')
    .where('service_id', '=', serviceId!);
  const query = zones
    .$if(search !== undefined, (found) => found.where(contains(['name', 'name_ar'], search!)))
    .$if(isActive !== undefined, (found) => found.where('is_active', '=', isActive === 'true'))
    .$if(serviceId !== undefined, (found) => found.where('id', 'in', withService));
  const sorted = sortedBy(query, SORTED_ZONES, sorting, { by: 'priority', order: 'ASC' });
  return pageOf(db, sorted, paging(sorting));
}

/** The number of teams and appointments that refer to it. */
export function zoneUses(db: Queryable, id: string): Promise<Uses> {
  const uses = (table: 'team_zones' | 'appointments') =>
    tables.selectFrom(table).select(countOfRows.as('uses')).where('zone_id', '=', id);
  const query = tables.selectNoFrom([
    uses('team_zones').as('teams'),
    uses('appointments').as('appointments'),
  ]);
  return firstOrThrow(db, query) as Promise<Uses>;
}

/** Those of the ids that are zones. */
export async function knownZones(db: Queryable, ids: readonly string[]): Promise<Set<string>> {
  const rows = await rowsOf(db, tables.selectFrom('zones').select('id').where(isOneOf('id', ids)));
  return new Set(rows.map((row) => row.id));
}
