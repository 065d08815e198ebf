import { addDays, type CalendarDate } from '../base/clock.ts';
import type { Queryable } from '../db/connection.ts';
import { rows } from '../db/statement.ts';
import { LIST_BILLED_BEFORE, LIST_BILLED_ON } from './queries.ts';

/** The bookings that a statement may have lines for: new ones by date, then those of before that have changed. */

/** Bookings of one statement of the database. */
const BATCH = 2_000;

export type Scope = {
  partnerId: string;
  /** Service dates before it are out of scope. */
  openedOn: CalendarDate;
  /** The last date of the last statement; until the last one of this. */
  after: CalendarDate;
  until: CalendarDate;
  /** The first transaction that the last statement may not have seen; null: read all that it and those before told. */
  since: string | null;
};

/** Ids in batches, each once. */
export async function* batchesOf(db: Queryable, scope: Scope): AsyncGenerator<string[]> {
  const { partnerId, openedOn, after, until, since } = scope;
  for (let date = since === null ? openedOn : addDays(after, 1); date <= until; date = addDays(date, 1)) {
    for (let afterId: string | null = null; ; ) {
      const ids: string[] = (await rows(db, LIST_BILLED_ON, { partnerId, date, afterId, atOnce: BATCH })).map(
        ({ id }) => id,
      );
      if (ids.length > 0) yield ids;
      if (ids.length < BATCH) break;
      afterId = ids.at(-1)!;
    }
  }
  const start = since === null ? addDays(openedOn, -1) : after;
  const changed = await rows(db, LIST_BILLED_BEFORE, { partnerId, openedOn, after: start, until, since });
  for (let from = 0; from < changed.length; from += BATCH)
    yield changed.slice(from, from + BATCH).map(({ id }) => id);
}
