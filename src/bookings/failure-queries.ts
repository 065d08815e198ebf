import type { Tx } from '../db/connection.ts';
import { hotStatement, pg, rows } from '../db/statement.ts';

export const SAVE_FAILURE_REASON = hotStatement({
  name: 'save-failure-reason',
  takes: { bookingId: pg.uuid, reason: pg.text },
  returns: {},
  text: 'update bookings set failure_reason = :reason where id = :bookingId',
});

/** Saves why the booking, which the transaction has locked, has failed. */
export async function saveFailureReason(tx: Tx, bookingId: string, reason: string): Promise<void> {
  await rows(tx, SAVE_FAILURE_REASON, { bookingId, reason });
}
