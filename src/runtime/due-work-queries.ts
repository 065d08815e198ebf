import type { Instant } from '../base/clock.ts';
import type { Queryable } from '../db/connection.ts';
import { boolean, first, hotStatement, type Row, timestamptz } from '../db/statement.ts';

export const LOOK_FOR_DUE_WORK = hotStatement({
  name: 'look-for-due-work',
  takes: { now: timestamptz, realNow: timestamptz },
  returns: { deliveries: boolean, payments: boolean, steps: boolean },
  text: `
    select deliveries, payments, steps
    from look_for_due_work(p_now => :now::timestamptz, p_real_now => :realNow::timestamptz)`,
});

export type DueWork = Row<typeof LOOK_FOR_DUE_WORK>;

/**
 * Whether each queue has something to claim now, its shares of room apart. `now` is business time, `realNow` that of this
 * process.
 */
export async function lookForDueWork(db: Queryable, now: Instant, realNow: Instant): Promise<DueWork> {
  return (await first(db, LOOK_FOR_DUE_WORK, { now, realNow }))!;
}
