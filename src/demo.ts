import type { Instant } from './clock.ts';
import type { Db } from './platform/db.ts';

/** Plain-text keys of the two demo partners; they can be shown only when they are made. */
export type DemoKeys = { partner: string; platform: string };

/** Fills an empty database with the demo data of Riyadh; null: there was data already. */
export async function seedDemo(
  _db: Db,
  _now: Instant,
  _deployment: 'sandbox' | 'production',
): Promise<DemoKeys | null> {
  return null;
}
