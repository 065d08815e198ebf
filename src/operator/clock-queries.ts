import type { Tx } from '../platform/db.ts';

/** Adds to the stored offset; answers the new one, or null when it would go beyond `most` (all in seconds). */
export async function addOffset(tx: Tx, seconds: number, most: number): Promise<number | null> {
  const row = await tx.first<{ offset_seconds: number }>({
    text: `
      update sandbox_clock set offset_seconds = offset_seconds + $1
      where offset_seconds + $1 <= $2 returning offset_seconds`,
    values: [seconds, most],
  });
  return row?.offset_seconds ?? null;
}

/** Sets the stored offset to zero; answers what it was, in seconds. */
export async function clearOffset(tx: Tx): Promise<number> {
  const row = await tx.first<{ offset_seconds: number }>({
    text: `
      with before as (select offset_seconds from sandbox_clock for update)
      update sandbox_clock set offset_seconds = 0 from before returning before.offset_seconds`,
  });
  return row?.offset_seconds ?? 0;
}
