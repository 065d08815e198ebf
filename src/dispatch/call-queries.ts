import { milliseconds } from '../availability/queries.ts';
import type { Instant } from '../base/clock.ts';
import type { Tx } from '../db/connection.ts';
import { hotStatement, pg, rows } from '../db/statement.ts';
import type { CallAnswer } from './call-rules.ts';

/** The last call about a visit. */
type Call = { answer: CallAnswer; starts_at: Instant; at: Instant; by: string };
export type LastCall = Call & { by_name: string | null };

/** SQL: the LastCall about appointment `a` as JSON; null: none. */
export const LAST_CALL = `(select json_build_object('answer', answer, 'by', called_by,
  'by_name', (select name from operator_tokens where id = substring(called_by from '[0-9a-f-]{36}$')::uuid),
  'starts_at', ${milliseconds('v.starts_at')}, 'at', ${milliseconds('called_at')})
  from visit_calls v where v.appointment_id = a.id order by v.id desc limit 1)`;

export const INSERT_CALL = hotStatement({
  name: 'insert-call',
  takes: { id: pg.uuid, answer: pg.text, starts_at: pg.timestamptz, at: pg.timestamptz, by: pg.text },
  returns: {},
  text: `
    insert into visit_calls (appointment_id, answer, starts_at, called_at, called_by)
    values (:id, :answer, :starts_at, :at, :by)`,
});

/** Adds a call about the appointment; of two at once both are kept. */
export async function insertCall(tx: Tx, id: string, call: Call): Promise<void> {
  await rows(tx, INSERT_CALL, { id, ...call });
}
