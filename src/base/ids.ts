import { randomUUID } from 'node:crypto';

/**
 * A new ID: a UUID of version 4, as the contract's general rules require, with `now` in its first 48 bits, in
 * milliseconds since 1970. IDs created one after the other are so adjacent in an index (docs/decisions/schema-baseline.md).
 * The 74 other bits are random, or those of `base`; still, an ID is never a secret. `id_at` does the same in SQL
 * (src/db/functions.sql).
 */
export function newId(now: number, base: string = randomUUID()): string {
  const time = Math.max(0, Math.floor(now)).toString(16).padStart(12, '0');
  return `${time.slice(0, 8)}-${time.slice(8)}${base.slice(13)}`;
}
