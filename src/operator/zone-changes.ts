import { randomUUID } from 'node:crypto';
import { findZone, knownServices, lockCatalogue } from '../catalogue/operator-queries.ts';
import type { CreateZone } from '../catalogue/operator-schema.ts';
import { operatorZoneView } from '../catalogue/operator-view.ts';
import { createZone, readZone, updateZone } from '../catalogue/operator-zones.ts';
import type { ZoneRow } from '../catalogue/table.ts';
import { type Instant, toRiyadhIso } from '../clock.ts';
import type { Actor } from '../db/audit.ts';
import type { Db, Tx } from '../db/connection.ts';
import { throwIfInvalid } from '../errors.ts';
import { unknownIdFaults } from '../http/id-lists.ts';
import type { ChangeZones } from './zone-changes-schema.ts';
import { listAddressMoves, listBookingMoves } from './zone-effects-queries.ts';

/**
 * Changes several zones, all or none, in one audit group, makes those that are new, and returns what comes of it: addresses that lie in another
 * zone, and appointments still to begin at them, which keep their team and time. A preview does the same and keeps
 * nothing. Throws VALIDATION_ERROR (areas, unknown zones and services) and CONFLICT (a name is taken, a zone has
 * another version than the one given).
 */
export async function changeZones(
  db: Db,
  now: Instant,
  actor: Actor,
  { zones: changes }: ChangeZones,
  isPreview: boolean,
) {
  let effects: Awaited<ReturnType<typeof change>> | null = null;
  const undone = new Error('a preview keeps nothing');
  try {
    await db.transaction(async (tx) => {
      effects = await change(tx, now, actor, changes);
      if (isPreview) throw undone;
    });
  } catch (error) {
    if (error !== undone) throw error;
  }
  return { isApplied: !isPreview, ...effects! };
}

const NOWHERE: CreateZone['area'] = { type: 'Polygon', coordinates: [] };

async function change(tx: Tx, now: Instant, actor: Actor, changes: ChangeZones['zones']) {
  await lockCatalogue(tx);
  const before: ZoneRow[] = [];
  const faults: string[] = [];
  for (const [index, { id, serviceIds }] of changes.entries()) {
    const zone = id === undefined ? null : await findZone(tx, id);
    if (zone !== null) before.push(zone);
    else if (id !== undefined) faults.push(`zones.${index}.id must be the id of a zone`);
    const name = `zones.${index}.serviceIds`;
    faults.push(...(await unknownIdFaults(name, serviceIds, 'a service', (ids) => knownServices(tx, ids))));
  }
  throwIfInvalid(faults);

  const groupId = randomUUID();
  const changed: string[] = [];
  for (const { id, version, ...fields } of changes) {
    if (id !== undefined) {
      const wanted = version === undefined ? null : [version];
      changed.push((await updateZone(tx, now, actor, id, fields, wanted, groupId)).id);
      continue;
    }
    // The schema's rules demand both.
    const { name = '', area = NOWHERE, ...rest } = fields;
    const made = await createZone(tx, now, actor, { ...rest, name, area }, groupId);
    changed.push(made.id);
    // As if it had been there and covered nothing.
    before.push({ ...made, is_active: false });
  }
  const after: ZoneRow[] = [];
  for (const id of changed) after.push(await readZone(tx, id));

  const addresses = await listAddressMoves(tx, before);
  const bookings = await listBookingMoves(tx, now, before);
  return {
    zones: after.map(operatorZoneView),
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
        team: { id: row.team_id, name: row.team_name },
        teamServesZone: row.team_serves,
      })),
    },
  };
}
