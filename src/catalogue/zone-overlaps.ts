import type { Instant } from '../base/clock.ts';
import { conflict } from '../base/errors.ts';
import { type Actor, audit } from '../db/audit.ts';
import type { Tx } from '../db/connection.ts';
import type { ZoneRow } from './table.ts';
import { countInCommon, insertConfirmed, listZonePairs, type ZonePairRow } from './zone-overlap-queries.ts';
import { doOverlap, isPairAltered } from './zone-rules.ts';

/** Overlaps in a response. */
export const MAX_OVERLAPS = 20;

/** Two active zones of equal priority that overlap in more than a border. */
export type ZoneOverlap = {
  zone: { id: string; name: string; nameAr: string | null };
  other: { id: string; name: string; nameAr: string | null };
  /** The zone that takes precedence: the first by name. */
  coveredBy: string;
  addresses: number;
  /** Future appointments at these addresses. */
  appointments: number;
};

/**
 * The overlaps of equal priority that the changes created or altered, with their addresses and appointments. `after`
 * are the changed zones, `before` the same ones as they were.
 */
export async function newOverlaps(
  tx: Tx,
  now: Instant,
  before: readonly ZoneRow[],
  after: readonly ZoneRow[],
): Promise<ZoneOverlap[]> {
  const changed = after.map(({ id }) => id);
  const pairs = (await listZonePairs(tx, changed, before))
    .filter((pair) => isPairAltered(pair, before, after) && doOverlap(pair.area, pair.other_area))
    .slice(0, MAX_OVERLAPS);
  if (pairs.length === 0) return [];
  const counts = await countInCommon(tx, now, pairs);
  return pairs.map((pair, index) => ({
    zone: { id: pair.id, name: pair.name, nameAr: pair.name_ar },
    other: { id: pair.other_id, name: pair.other_name, nameAr: pair.other_name_ar },
    coveredBy: pair.is_first ? pair.id : pair.other_id,
    ...counts[index]!,
  }));
}

const MESSAGE = 'The zone overlaps another zone of equal priority';
const HINTS = ['give one of them another priority, or send confirmOverlap: true'];

/** Throws CONFLICT when there are unconfirmed overlaps. */
export function assertConfirmed(overlaps: readonly ZoneOverlap[], isConfirmed: boolean | undefined): void {
  if (overlaps.length === 0 || isConfirmed) return;
  throw conflict('ZONES_OVERLAP', MESSAGE, { overlaps, hints: HINTS });
}

/** Stores that all overlaps of the zones with others of equal priority are wanted. */
export async function confirmOverlaps(
  tx: Tx,
  now: Instant,
  { actor, groupId }: { actor: Actor; groupId?: string },
  zones: readonly ZoneRow[],
): Promise<void> {
  const ids = zones.map(({ id }) => id);
  const pairs = (await listZonePairs(tx, ids, [])).filter((pair) => doOverlap(pair.area, pair.other_area));
  for (const stored of await insertConfirmed(tx, now, pairs)) {
    const isStored = ({ id, other_id }: ZonePairRow): boolean =>
      [stored.zone_id, stored.other_id].every((one) => one === id || one === other_id);
    const pair = pairs.find(isStored)!;
    await audit(tx, now, {
      actor,
      action: 'zone-overlap.confirm',
      target: `zone:${pair.id}`,
      groupId,
      after: {
        name: pair.name,
        nameAr: pair.name_ar,
        other: { id: pair.other_id, name: pair.other_name, nameAr: pair.other_name_ar },
      },
    });
  }
}

/** The error of `assertConfirmed`, for `errors` of a route. */
export const OVERLAP = {
  code: 'CONFLICT' as const,
  message: MESSAGE,
  details: {
    reason: 'ZONES_OVERLAP',
    overlaps: [
      {
        zone: { id: '0198c2a4-5d0e-4c5b-8f5e-6a1d2b3c4d5f', name: 'Riyadh East', nameAr: 'شرق الرياض' },
        other: { id: '0198c2a4-5d0e-4c5b-8f5e-6a1d2b3c4d5e', name: 'Riyadh North', nameAr: 'شمال الرياض' },
        coveredBy: '0198c2a4-5d0e-4c5b-8f5e-6a1d2b3c4d5f',
        addresses: 12,
        appointments: 3,
      },
    ],
    hints: HINTS,
  },
};
