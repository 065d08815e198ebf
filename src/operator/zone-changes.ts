import { randomUUID } from 'node:crypto';
import { type Instant, toRiyadhIso } from '../base/clock.ts';
import { throwIfInvalid } from '../base/errors.ts';
import { listCatalogueConflicts } from '../catalogue/conflict-queries.ts';
import type { PreviewQuery } from '../catalogue/conflict-schema.ts';
import { changeOrPreview } from '../catalogue/conflicts.ts';
import { knownServices } from '../catalogue/service-queries.ts';
import type { ZoneRow } from '../catalogue/table.ts';
import { assertConfirmed, confirmOverlaps, newOverlaps } from '../catalogue/zone-overlaps.ts';
import { findZone, releaseZoneNames } from '../catalogue/zone-queries.ts';
import type { CreateZone } from '../catalogue/zone-schema.ts';
import { operatorZoneView } from '../catalogue/zone-view.ts';
import { readZone, writeNewZone, writeZone } from '../catalogue/zones.ts';
import type { Actor } from '../db/audit.ts';
import type { Db, Tx } from '../db/connection.ts';
import { unknownIdFaults } from '../http/id-lists.ts';
import { assertWanted } from '../http/if-match.ts';
import type { ChangeZones } from './zone-changes-schema.ts';
import { listAddressMoves, listBookingMoves } from './zone-effects-queries.ts';

/**
 * Changes and creates several zones, all or none, in one audit group, and returns the effects: addresses that lie in
 * another zone, and future appointments at them, which keep their team and time. Only the result counts, not the order:
 * two zones may swap their names. A preview does the same, rolls back, and returns overlaps instead of refusing them.
 * Throws VALIDATION_ERROR (areas, unknown zones and services) and CONFLICT (a duplicate name, another version of a
 * zone, unconfirmed new overlaps with zones of equal priority, or other visits than those of `expect`).
 */
export async function changeZones(
  db: Db,
  now: Instant,
  actor: Actor,
  { zones: changes, confirmOverlap, ...asked }: ChangeZones & PreviewQuery,
) {
  const { isApplied, result, conflicts } = await changeOrPreview(
    db,
    asked,
    (tx) => listCatalogueConflicts(tx, now),
    async (tx) => {
      const effects = await change(tx, now, actor, { changes, confirmOverlap });
      if (asked.preview !== 'true') assertConfirmed(effects.overlaps, confirmOverlap);
      return effects;
    },
  );
  return { isApplied, ...result, conflicts };
}

const NOWHERE: CreateZone['area'] = { type: 'Polygon', coordinates: [] };

async function change(
  tx: Tx,
  now: Instant,
  actor: Actor,
  { changes, confirmOverlap }: { changes: ChangeZones['zones']; confirmOverlap: boolean | undefined },
) {
  const known = new Map<string, ZoneRow>();
  const faults: string[] = [];
  for (const [index, { id, serviceIds }] of changes.entries()) {
    const zone = id === undefined ? null : await findZone(tx, id);
    if (zone !== null) known.set(id!, zone);
    else if (id !== undefined) faults.push(`zones.${index}.id must be the id of a zone`);
    const name = `zones.${index}.serviceIds`;
    faults.push(...(await unknownIdFaults(name, serviceIds, 'a service', (ids) => knownServices(tx, ids))));
  }
  throwIfInvalid(faults);
  for (const { id, version } of changes) {
    const zone = known.get(id ?? '');
    if (zone === undefined || version === undefined) continue;
    await assertWanted([version], zone.version, () => operatorZoneView(zone));
  }
  await releaseNames(tx, known, changes);

  const author = { actor, groupId: randomUUID() };
  const after: ZoneRow[] = [];
  const made: ZoneRow[] = [];
  for (const { id, version: _seen, ...fields } of changes) {
    const zone = known.get(id ?? '');
    if (zone !== undefined) {
      after.push(await writeZone(tx, now, author, { before: zone, changes: fields }));
      continue;
    }
    // The schema's rules require both.
    const { name = '', area = NOWHERE, ...rest } = fields;
    const row = await writeNewZone(tx, now, author, { ...rest, name, area });
    after.push(row);
    // As if it had existed before and covered nothing.
    made.push({ ...row, is_active: false });
  }
  const overlaps = await newOverlaps(tx, now, [...known.values()], after);
  if (confirmOverlap) {
    await confirmOverlaps(tx, now, author, after);
    for (const [index, { id }] of after.entries()) after[index] = await readZone(tx, id);
  }
  const before = [...known.values(), ...made];
  const addresses = await listAddressMoves(tx, before);
  const bookings = await listBookingMoves(tx, now, before);
  return {
    zones: after.map(operatorZoneView),
    overlaps,
    addresses: {
      moved: addresses.reduce((sum, move) => sum + move.addresses, 0),
      moves: addresses.map(({ from_zone, to_zone, addresses: count }) => ({
        fromZoneId: from_zone,
        toZoneId: to_zone,
        addresses: count,
      })),
    },
    bookings: {
      moved: bookings[0]?.total ?? 0,
      rows: bookings.map((row) => ({
        bookingId: row.booking_id,
        appointmentId: row.appointment_id,
        trackingReference: row.name,
        startsAt: toRiyadhIso(row.starts_at),
        fromZoneId: row.from_zone,
        toZoneId: row.to_zone,
        team: { id: row.team_id, name: row.team_name, nameAr: row.team_name_ar },
        teamServesZone: row.team_serves,
      })),
    },
  };
}

/** So that names can be swapped and taken over, in any order of the changes. */
async function releaseNames(
  tx: Tx,
  known: ReadonlyMap<string, ZoneRow>,
  changes: ChangeZones['zones'],
): Promise<void> {
  const wanted = changes.flatMap(({ name }) => name?.trim() ?? []);
  const renamed = changes.flatMap(({ id, name }) => {
    const zone = known.get(id ?? '');
    return zone !== undefined && name !== undefined && name.trim() !== zone.name ? zone.id : [];
  });
  if (renamed.length > 0 && wanted.length > 1) await releaseZoneNames(tx, renamed, wanted);
}
