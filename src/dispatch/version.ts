import { orNotFound } from '../base/errors.ts';
import type { LockedBooking } from '../bookings/change-queries.ts';
import type { Tx } from '../db/connection.ts';
import { assertWanted, type WantedVersions } from '../http/if-match.ts';
import { findOperatorBooking } from './queries.ts';
import { operatorBookingView } from './view.ts';

/** Throws CONFLICT with the current booking when the locked one has none of the wanted versions. */
export function assertBookingWanted(
  tx: Tx,
  wanted: WantedVersions,
  { id, version }: LockedBooking,
): Promise<void> {
  return assertWanted(wanted, version, async () =>
    operatorBookingView(await orNotFound(findOperatorBooking(tx, id), 'Booking')),
  );
}
