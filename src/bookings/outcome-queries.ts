import type { Tx } from '../db/connection.ts';
import { hotStatement, pg, rows } from '../db/statement.ts';
import type { Outcome } from '../policies/words.ts';

export const SAVE_OUTCOME = hotStatement({
  name: 'save-outcome',
  takes: {
    appointmentId: pg.uuid,
    outcome: pg.typed<Outcome | null>(pg.nullable(pg.text)),
    isNewVisit: pg.boolean,
  },
  returns: {},
  text: `
    update appointments set outcome = :outcome, began_at = case when :isNewVisit then null else began_at end
    where id = :appointmentId`,
});

/** Why a visit could not be done; null: it is not so. A new visit has not begun. The booking must be locked. */
export async function saveOutcome(
  tx: Tx,
  appointmentId: string,
  { outcome, isNewVisit }: { outcome: Outcome | null; isNewVisit: boolean },
): Promise<void> {
  await rows(tx, SAVE_OUTCOME, { appointmentId, outcome, isNewVisit });
}
