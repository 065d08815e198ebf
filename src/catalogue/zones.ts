import type { Instant } from '../base/clock.ts';
import { orNotFound, throwIfInvalid } from '../base/errors.ts';
import { type Actor, audit } from '../db/audit.ts';
import type { Db, Queryable, Tx } from '../db/connection.ts';
import { conflictOnDuplicate, conflictOnUse } from '../db/constraint-errors.ts';
import type { Page } from '../db/pages.ts';
import { changesTo, columnsOf } from '../db/tables.ts';
import { paging } from '../http/envelope.ts';
import { sortedIds, unknownIdFaults } from '../http/id-lists.ts';
import { assertWanted, type WantedVersions } from '../http/if-match.ts';
import { lockCatalogue } from './queries.ts';
import { knownServices } from './service-queries.ts';
import type { ZoneRow } from './table.ts';
import { assertConfirmed, confirmOverlaps, newOverlaps } from './zone-overlaps.ts';
import {
  deleteZoneRow,
  findZone,
  insertZone,
  listZoneRows,
  updateZoneRow,
  zoneUses,
} from './zone-queries.ts';
import { zoneFaults } from './zone-rules.ts';
import type { CreateZone, UpdateZone, ZonesQuery } from './zone-schema.ts';
import { operatorZoneView } from './zone-view.ts';

/** A page of the zones. */
export function listZones(db: Queryable, query: ZonesQuery): Promise<Page<ZoneRow>> {
  return listZoneRows(db, query, paging(query));
}

/** Throws RESOURCE_NOT_FOUND. */
export function readZone(db: Queryable, id: string): Promise<ZoneRow> {
  return orNotFound(findZone(db, id), 'Zone');
}

/**
 * Creates a zone. Throws VALIDATION_ERROR (area, unknown services) and CONFLICT (its name is taken, or an unconfirmed
 * overlap with a zone of equal priority).
 */
export async function createZone(
  tx: Tx,
  now: Instant,
  actor: Actor,
  { confirmOverlap, ...input }: CreateZone,
): Promise<ZoneRow> {
  throwIfInvalid(zoneFaults(input));
  await lockCatalogue(tx);
  throwIfInvalid(await serviceFaults(tx, input));
  const row = await writeNewZone(tx, now, { actor }, input);
  assertConfirmed(await newOverlaps(tx, now, [], [row]), confirmOverlap);
  return confirmOverlap ? withConfirmed(tx, now, actor, row) : row;
}

export type ZoneChange = { id: string; changes: UpdateZone; wanted?: WantedVersions };

/**
 * Changes the given fields; without a difference nothing is written. Throws RESOURCE_NOT_FOUND, VALIDATION_ERROR, and
 * CONFLICT (its name is taken, another version, or an unconfirmed new overlap with a zone of equal priority).
 */
export async function updateZone(
  tx: Tx,
  now: Instant,
  actor: Actor,
  { id, changes: { confirmOverlap, ...changes }, wanted = null }: ZoneChange,
): Promise<ZoneRow> {
  throwIfInvalid(zoneFaults(changes));
  await lockCatalogue(tx);
  const before = await readZone(tx, id);
  await assertWanted(wanted, before.version, () => operatorZoneView(before));
  throwIfInvalid(await serviceFaults(tx, changes));
  const after = await writeZone(tx, now, { actor }, { before, changes });
  assertConfirmed(await newOverlaps(tx, now, [before], [after]), confirmOverlap);
  return confirmOverlap ? withConfirmed(tx, now, actor, after) : after;
}

async function withConfirmed(tx: Tx, now: Instant, actor: Actor, zone: ZoneRow): Promise<ZoneRow> {
  await confirmOverlaps(tx, now, { actor }, [zone]);
  return readZone(tx, zone.id);
}

export type ZoneFields = Omit<UpdateZone, 'confirmOverlap'>;
type NewZone = Omit<CreateZone, 'confirmOverlap'>;
/** The author of a change; `groupId` joins the entries of the audit log of one request. */
type Author = { actor: Actor; groupId?: string };

/** Writes a valid new zone, under the lock of the catalogue. Throws CONFLICT when its name is taken. */
export async function writeNewZone(
  tx: Tx,
  now: Instant,
  { actor, groupId }: Author,
  input: NewZone,
): Promise<ZoneRow> {
  const { area, ...fields } = normalized(input);
  const id = await unlessNameTaken(insertZone(tx, now, { ...columnsOf(fields), area_geojson: area }));
  const row = await readZone(tx, id);
  const after = operatorZoneView(row);
  await audit(tx, now, { actor, action: 'zone.create', target: `zone:${id}`, groupId, after });
  return row;
}

/** The same for changes of a zone, given as it was before the request. */
export async function writeZone(
  tx: Tx,
  now: Instant,
  { actor, groupId }: Author,
  { before, changes }: { before: ZoneRow; changes: ZoneFields },
): Promise<ZoneRow> {
  const { area, ...fields } = normalized(changes);
  const columns = changesTo(before, { ...columnsOf(fields), ...(area && { area_geojson: area }) });
  if (columns === null) return before;
  await unlessNameTaken(updateZoneRow(tx, now, before.id, columns));
  const after = await readZone(tx, before.id);
  await audit(tx, now, {
    actor,
    action: 'zone.update',
    target: `zone:${before.id}`,
    groupId,
    before: operatorZoneView(before),
    after: operatorZoneView(after),
  });
  return after;
}

/** Removes a zone. Throws RESOURCE_NOT_FOUND, CONFLICT while teams serve it or appointments are in it. */
export function removeZone(db: Db, now: Instant, actor: Actor, id: string): Promise<{ id: string }> {
  const removal = () =>
    db.transaction(async (tx) => {
      await lockCatalogue(tx);
      const before = await readZone(tx, id);
      await deleteZoneRow(tx, before.id);
      const target = `zone:${before.id}`;
      await audit(tx, now, { actor, action: 'zone.delete', target, before: operatorZoneView(before) });
      return { id: before.id };
    });
  return conflictOnUse('The zone', removal, () => zoneUses(db, id));
}

function serviceFaults(tx: Tx, { serviceIds }: ZoneFields): Promise<string[]> {
  return unknownIdFaults('serviceIds', serviceIds, 'a service', (ids) => knownServices(tx, ids));
}

function unlessNameTaken<T>(write: Promise<T>): Promise<T> {
  return conflictOnDuplicate('zones_name_key', { message: 'name is already used by another zone' }, write);
}

/** The normalized fields, as they are stored and compared. */
function normalized<Fields extends ZoneFields>(fields: Fields): Fields {
  const { name, nameAr, serviceIds } = fields;
  return {
    ...fields,
    ...(name !== undefined && { name: name.trim() }),
    ...(nameAr !== undefined && { nameAr: nameAr?.trim() ?? null }),
    ...(serviceIds !== undefined && { serviceIds: sortedIds(serviceIds) }),
  };
}
