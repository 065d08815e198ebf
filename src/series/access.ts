import { type AccessInput, accessAfter, hasAccess, openSealed, sealedAccess } from '../bookings/access.ts';
import type { SealedColumn } from '../db/sealed-columns.ts';
import type { Sealer } from '../db/sealing.ts';

/** The access of the crews of a series, of which each booking gets a copy. */
export const SERIES_ACCESS: SealedColumn = {
  table: 'series',
  column: 'access',
  context: (id) => `series-access:${id}`,
};

type Stored = { id: string; access: string | null };

/** The texts for a booking of the series; none: it has none, or its key was lost. */
export const accessOf = (sealer: Sealer, { id, access }: Stored): AccessInput =>
  access === null ? {} : openSealed(sealer, SERIES_ACCESS.context(id), access);

/** The column after the input; undefined: it stays. */
export function sealedAfter(
  sealer: Sealer,
  { id, access }: Stored,
  input: AccessInput,
): string | null | undefined {
  if (!hasAccess(input)) return undefined;
  const context = SERIES_ACCESS.context(id);
  return sealedAccess(sealer, context, accessAfter(openSealed(sealer, context, access), input));
}
