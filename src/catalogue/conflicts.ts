import { createHash } from 'node:crypto';
import type { Static } from 'typebox';
import { dateOf, type Instant, toRiyadhIso } from '../base/clock.ts';
import { conflict } from '../base/errors.ts';
import type { Db, Tx } from '../db/connection.ts';
import { unlessPreview } from '../db/preview.ts';
import type { ConflictRow } from './conflict-queries.ts';
import { type Conflicts, MAX_CONFLICTS, PreviewQuery } from './conflict-schema.ts';
import { lockCatalogue } from './queries.ts';

const MESSAGE = 'It hits other appointments by now: look at them and decide again';

/** For `errors` of a route: appointments that are not those of `expect`. */
const OTHER_CONFLICTS = {
  code: 'CONFLICT' as const,
  message: MESSAGE,
  details: { reason: 'STALE', conflicts: conflictsView([]) },
};

/** Query and refusals of a route that previews its changes. */
export const PREVIEWED = { query: PreviewQuery, errors: [OTHER_CONFLICTS] };

/**
 * Makes a change in a transaction of its own. Returns its result, `hit`: the unfinished visits that have a reason of
 * `list` by it which they did not have before, and `conflicts`: those of them that nobody is on the way to. They keep
 * team and time. A preview does the same and rolls back. Throws CONFLICT (STALE) when the conflicts are not those of `expect`.
 * `lockFirst`: locks that others take before that of the catalogue.
 */
export async function changeOrPreview<Result>(
  db: Db,
  { preview, expect, lockFirst }: PreviewQuery & { lockFirst?: (tx: Tx) => Promise<void> },
  list: (tx: Tx) => Promise<ConflictRow[]>,
  change: (tx: Tx) => Promise<Result>,
) {
  const isPreview = preview === 'true';
  const made = await unlessPreview(db, isPreview, async (tx) => {
    await lockFirst?.(tx);
    // Bookings that are being written are committed by now, or refused as stale.
    await lockCatalogue(tx);
    const before = await list(tx);
    const result = await change(tx);
    const hit = newlyInConflict(before, await list(tx));
    const conflicts = conflictsView(hit.filter((row) => row.is_planned));
    if (!isPreview && expect !== undefined && expect !== conflicts.digest)
      throw conflict('STALE', MESSAGE, { conflicts });
    return { result, hit, conflicts };
  });
  return { isApplied: !isPreview, ...made };
}

/** `previewed` of `resourceRoutes`; `list` has the visits that a change of the resource may hit. */
export function previewedBy(list: (tx: Tx, now: Instant, id: string) => Promise<ConflictRow[]>) {
  return {
    ...PREVIEWED,
    async change<Row>(
      db: Db,
      now: Instant,
      { id, ...asked }: PreviewQuery & { id: string },
      work: (tx: Tx) => Promise<Row>,
    ) {
      const { result, hit, ...told } = await changeOrPreview(db, asked, (tx) => list(tx, now, id), work);
      return { row: result, hit, told };
    },
  };
}

/** The visits with a reason that they did not have before. */
function newlyInConflict(before: readonly ConflictRow[], after: readonly ConflictRow[]): ConflictRow[] {
  const known = new Map(before.map(({ id, reasons }) => [id, reasons]));
  return after.filter(({ id, reasons }) => reasons.some((reason) => !known.get(id)?.includes(reason)));
}

function digestOf(rows: readonly ConflictRow[]): string {
  const told = rows.map(({ id, starts_at, team_id, reasons }) => [id, starts_at, team_id, reasons]);
  return createHash('sha256').update(JSON.stringify(told)).digest('hex').slice(0, 16);
}

function conflictsView(rows: readonly ConflictRow[]): Static<typeof Conflicts> {
  const days = Map.groupBy(rows, (row) => `${dateOf(row.starts_at)} ${row.zone_id}`);
  return {
    total: rows.length,
    ofSeries: rows.filter(({ series_id }) => series_id !== null).length,
    digest: digestOf(rows),
    days: [...days.values()].map((group) => {
      const { starts_at, zone_id: zoneId, zone_name: zoneName, zone_name_ar: zoneNameAr } = group[0]!;
      return { date: dateOf(starts_at), zoneId, zoneName, zoneNameAr, appointments: group.length };
    }),
    rows: rows.slice(0, MAX_CONFLICTS).map((row) => ({
      appointmentId: row.id,
      bookingId: row.booking_id,
      trackingReference: row.name,
      startsAt: toRiyadhIso(row.starts_at),
      endsAt: toRiyadhIso(row.ends_at),
      zone: { id: row.zone_id, name: row.zone_name, nameAr: row.zone_name_ar },
      team: { id: row.team_id, name: row.team_name, nameAr: row.team_name_ar },
      contact: { name: row.contact_name, phone: row.phone },
      reasons: row.reasons,
    })),
  };
}
