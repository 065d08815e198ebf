import type { Instant } from '../base/clock.ts';
import { conflict } from '../base/errors.ts';
import type { Tx } from '../db/connection.ts';
import type { ZoneRow } from './table.ts';
import { countInCommon, listZonePairs } from './zone-overlap-queries.ts';
import { doOverlap, isPairAltered } from './zone-rules.ts';

/** Overlaps in a response. */
export const MAX_OVERLAPS = 20;

/** Two active zones of equal priority that overlap in more than a border. */
export type ZoneOverlap = {
  zone: { id: string; name: string };
  other: { id: string; name: string };
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
    zone: { id: pair.id, name: pair.name },
    other: { id: pair.other_id, name: pair.other_name },
    coveredBy: pair.is_first ? pair.id : pair.other_id,
    ...counts[index]!,
  }));
}

const MESSAGE = 'The zone overlaps another zone of equal priority';
const HINTS = ['give one of them another priority, or send confirmOverlap: true'];

/** Throws CONFLICT when there are unconfirmed overlaps. */
export function assertConfirmed(overlaps: readonly ZoneOverlap[], isConfirmed: boolean | undefined): void {
  if (overlaps.length === 0 || isConfirmed) return;
  throw conflict(MESSAGE, {
    reason: 'ZONES_OVERLAP',
    overlaps,
    hints: HINTS,
  });
}

/** The error of `assertConfirmed`, for `errors` of a route. */
export const OVERLAP = {
  code: 'CONFLICT' as const,
  message: MESSAGE,
  details: {
    reason: 'ZONES_OVERLAP',
    overlaps: [
      {
        zone: { id: '0198c2a4-5d0e-4c5b-8f5e-6a1d2b3c4d5f', name: 'Riyadh East' },
        other: { id: '0198c2a4-5d0e-4c5b-8f5e-6a1d2b3c4d5e', name: 'Riyadh North' },
        coveredBy: '0198c2a4-5d0e-4c5b-8f5e-6a1d2b3c4d5f',
        addresses: 12,
        appointments: 3,
      },
    ],
    hints: HINTS,
  },
};
