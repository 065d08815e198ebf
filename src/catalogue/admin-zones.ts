import { isDeepStrictEqual } from 'node:util';
import type { Instant } from '../clock.ts';
import { type Actor, audit } from '../platform/audit.ts';
import type { Db, Queryable, Tx } from '../platform/db.ts';
import { type Page, paging } from '../platform/envelope.ts';
import {
  existing,
  refuse,
  repeatFaults,
  sortedIds,
  unknownIdFaults,
  unlessInUse,
  unlessTaken,
} from './admin.ts';
import {
  deleteZoneRow,
  findZone,
  insertZone,
  knownServices,
  listZoneRows,
  lockCatalogue,
  replaceZoneServices,
  updateZoneRow,
  type ZoneFields,
  type ZoneRow,
  zoneUses,
} from './admin-queries.ts';
import { areaFaults } from './admin-rules.ts';
import type { CreateZone, UpdateZone, ZonesQuery } from './admin-schema.ts';
import { adminZoneView } from './admin-view.ts';

const DEFAULTS = { serviceIds: [], slotGridMinutes: 30, priority: 100, isActive: true };

/** A page of the zones. */
export function listZones(db: Queryable, query: ZonesQuery): Promise<Page<ZoneRow>> {
  return listZoneRows(db, query, paging(query));
}

/** Throws RESOURCE_NOT_FOUND. */
export function readZone(db: Queryable, id: string): Promise<ZoneRow> {
  return existing(findZone(db, id), 'Zone');
}

/** Creates a zone. Throws VALIDATION_ERROR (area, unknown services) and CONFLICT when its name is taken. */
export function createZone(db: Db, now: Instant, actor: Actor, input: CreateZone): Promise<ZoneRow> {
  return db.transaction((tx) => addZone(tx, now, actor, input));
}

/** createZone inside a transaction. */
export async function addZone(tx: Tx, now: Instant, actor: Actor, input: CreateZone): Promise<ZoneRow> {
  refuse(inputFaults(input));
  await lockCatalogue(tx);
  refuse(await serviceFaults(tx, input));
  const fields = normalized({ ...DEFAULTS, ...input });
  const id = await unlessNameTaken(insertZone(tx, now, fields));
  await replaceZoneServices(tx, id, fields.serviceIds);
  const row = await existing(findZone(tx, id), 'Zone');
  await audit(tx, now, { actor, action: 'zone.create', target: `zone:${id}`, after: adminZoneView(row) });
  return row;
}

/** Changes the given fields; nothing new, nothing done. Throws RESOURCE_NOT_FOUND, VALIDATION_ERROR, CONFLICT. */
export function updateZone(
  db: Db,
  now: Instant,
  actor: Actor,
  id: string,
  input: UpdateZone,
): Promise<ZoneRow> {
  refuse(inputFaults(input));
  return db.transaction(async (tx) => {
    await lockCatalogue(tx);
    const before = await existing(findZone(tx, id), 'Zone');
    refuse(await serviceFaults(tx, input));
    const fields = normalized({ ...fieldsOf(before), ...input });
    if (isDeepStrictEqual(fields, fieldsOf(before))) return before;
    await unlessNameTaken(updateZoneRow(tx, now, before.id, fields));
    await replaceZoneServices(tx, before.id, fields.serviceIds);
    const after = await existing(findZone(tx, before.id), 'Zone');
    await audit(tx, now, {
      actor,
      action: 'zone.update',
      target: `zone:${before.id}`,
      before: adminZoneView(before),
      after: adminZoneView(after),
    });
    return after;
  });
}

/** Removes a zone. Throws RESOURCE_NOT_FOUND, CONFLICT while teams serve it or appointments lie in it. */
export function removeZone(db: Db, now: Instant, actor: Actor, id: string): Promise<{ id: string }> {
  const removal = () =>
    db.transaction(async (tx) => {
      await lockCatalogue(tx);
      const before = await existing(findZone(tx, id), 'Zone');
      await deleteZoneRow(tx, before.id);
      const target = `zone:${before.id}`;
      await audit(tx, now, { actor, action: 'zone.delete', target, before: adminZoneView(before) });
      return { id: before.id };
    });
  return unlessInUse('The zone', removal, () => zoneUses(db, id));
}

function inputFaults({ area, serviceIds }: UpdateZone): string[] {
  return [...(area === undefined ? [] : areaFaults(area)), ...repeatFaults('serviceIds', serviceIds)];
}

function serviceFaults(tx: Tx, { serviceIds }: UpdateZone): Promise<string[]> {
  return unknownIdFaults('serviceIds', serviceIds, 'a service', (ids) => knownServices(tx, ids));
}

function unlessNameTaken<T>(write: Promise<T>): Promise<T> {
  return unlessTaken('zones_name_key', 'name is already used by another zone', write);
}

function normalized(fields: ZoneFields): ZoneFields {
  return { ...fields, name: fields.name.trim(), serviceIds: sortedIds(fields.serviceIds) };
}

function fieldsOf(row: ZoneRow): ZoneFields {
  return {
    name: row.name,
    area: row.area_geojson,
    serviceIds: row.service_ids,
    slotGridMinutes: row.slot_grid_minutes,
    priority: row.priority,
    isActive: row.is_active,
  };
}
