import type { Instant } from '../base/clock.ts';
import { throwIfInvalid } from '../base/errors.ts';
import type { Actor } from '../db/audit.ts';
import { type Author, auditedRows, type New } from '../db/audited-rows.ts';
import type { Db, Tx } from '../db/connection.ts';
import { conflictOnDuplicate } from '../db/constraint-errors.ts';
import { columnsOf } from '../db/tables.ts';
import { sortedIds, unknownIdFaults } from '../http/id-lists.ts';
import { assertWanted, type WantedVersions } from '../http/if-match.ts';
import { lockCatalogue } from './queries.ts';
import { knownServices } from './service-queries.ts';
import type { ZoneRow } from './table.ts';
import { assertConfirmed, confirmOverlaps, newOverlaps } from './zone-overlaps.ts';
import { zoneRows, zoneUses } from './zone-queries.ts';
import { zoneFaults } from './zone-rules.ts';
import type { CreateZone, UpdateZone } from './zone-schema.ts';
import { operatorZoneView } from './zone-view.ts';

const zones = auditedRows(zoneRows, {
  kind: 'zone',
  name: 'Zone',
  view: operatorZoneView,
  written: (write) =>
    conflictOnDuplicate('zones_name_key', { message: 'name is already used by another zone' }, write),
});

/** Throws RESOURCE_NOT_FOUND. */
export const readZone = zones.read;

/**
 * Creates a zone. Throws VALIDATION_ERROR (area, unknown services) and CONFLICT (its name is taken, or an unconfirmed
 * overlap with a zone of equal priority).
 */
export async function createZone(
  tx: Tx,
  now: Instant,
  actor: Actor,
  { confirmOverlap, ...input }: New<CreateZone>,
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

/** Writes a valid new zone, under the lock of the catalogue. Throws CONFLICT when its name is taken. */
export function writeNewZone(tx: Tx, now: Instant, author: Author, input: New<NewZone>): Promise<ZoneRow> {
  const { area, ...fields } = normalized(input);
  return zones.create(tx, now, author, { ...columnsOf(fields), area_geojson: area });
}

/** The same for changes of a zone, given as it was before the request. */
export function writeZone(
  tx: Tx,
  now: Instant,
  author: Author,
  { before, changes }: { before: ZoneRow; changes: ZoneFields },
): Promise<ZoneRow> {
  const { area, ...fields } = normalized(changes);
  const columns = { ...columnsOf(fields), ...(area && { area_geojson: area }) };
  return zones.change(tx, now, author, { before, columns });
}

/** Removes a zone. Throws RESOURCE_NOT_FOUND, CONFLICT while teams serve it or appointments are in it. */
export function removeZone(db: Db, now: Instant, actor: Actor, id: string): Promise<{ id: string }> {
  return zones.remove(db, now, actor, { id, lock: lockCatalogue, uses: () => zoneUses(db, id) });
}

function serviceFaults(tx: Tx, { serviceIds }: ZoneFields): Promise<string[]> {
  return unknownIdFaults('serviceIds', serviceIds, 'a service', (ids) => knownServices(tx, ids));
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
