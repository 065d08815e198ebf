import { addDays, type CalendarDate, dateOf, type Instant } from '../base/clock.ts';
import type { Db } from '../db/connection.ts';
import { batchesOf } from './billed.ts';
import { linesOf } from './lines.ts';
import { formulaOf, owedOf } from './owed.ts';
import {
  type BilledRow,
  findLastIssued,
  findSettings,
  listAccounts,
  listGaps,
  readBilled,
  readSeen,
  type StatementRow,
} from './queries.ts';
import { firstOfNext, termsOf } from './statements.ts';
import { numberText } from './view.ts';

/** Whether issued statements and bookings add up. Sums in the answer are SAR. */

const MOST_LISTED = 100;

type Difference = {
  bookingId: string;
  trackingReference: string;
  told: number;
  owed: number;
  isNext: boolean;
};

/** Reads all bookings in scope. `now` bounds those of months to come. */
export async function checkStatements(db: Db, now: Instant) {
  const partners = [];
  for (const account of await listAccounts(db)) {
    const last = await findLastIssued(db, account.partner_id);
    partners.push({
      partnerId: account.partner_id,
      partnerName: account.name,
      ...(await checkPartner(db, now, account, last)),
    });
  }
  const gaps = (await listGaps(db)).map(({ before, after, month, restored }) => ({
    from: numberText(before + 1, month)!,
    to: numberText(after - 1, month)!,
    restored,
  }));
  const isSound = gaps.every(({ restored }) => restored) && partners.every(({ wrong }) => wrong === 0);
  return { partners: partners.map(({ wrong: _, ...partner }) => partner), gaps, isSound };
}

async function checkPartner(
  db: Db,
  now: Instant,
  { partner_id: partnerId, opened_on: openedOn }: { partner_id: string; opened_on: CalendarDate },
  last: StatementRow | null,
) {
  const terms = termsOf(await findSettings(db));
  const until = firstOfNext(dateOf(now));
  const issuedUntil = last === null ? addDays(openedOn, -1) : addDays(firstOfNext(last.month), -1);
  const differences: Difference[] = [];
  const { history } = await readSeen(db);
  let [statements, owed, later, wrong] = [0, 0, 0, 0];
  const scope = { partnerId, openedOn, after: addDays(openedOn, -1), until, since: null };
  for await (const ids of batchesOf(db, scope)) {
    for (const booking of await readBilled(db, ids)) {
      const sums = sumsOf(booking);
      statements += sums.told;
      owed += sums.owed;
      if (linesOf(booking, terms).length === 0) continue;
      if (booking.last_told === null && booking.service_date > issuedUntil) {
        later += sums.owed;
        continue;
      }
      const isNext = last !== null && hasChangedSince(booking, last, history);
      if (!isNext) wrong += 1;
      differences.push({
        bookingId: booking.id,
        trackingReference: booking.tracking_reference,
        told: sums.told / 100,
        owed: sums.owed / 100,
        isNext,
      });
    }
  }
  return {
    statements: statements / 100,
    owed: owed / 100,
    later: later / 100,
    differences: differences.toSorted((a, b) => Number(a.isNext) - Number(b.isNext)).slice(0, MOST_LISTED),
    differing: differences.length,
    wrong,
  };
}

/** After a restore nobody can tell: then it may have. */
const hasChangedSince = (booking: BilledRow, { seen_from, history: then }: StatementRow, history: number) =>
  then !== history || BigInt(booking.changed_in) >= BigInt(seen_from!);

function sumsOf(booking: BilledRow): { told: number; owed: number } {
  const owed = owedOf(booking, formulaOf(booking.told_formula, booking.service_date));
  return {
    told: booking.told.reduce((sum, { gross }) => sum + gross, 0),
    owed: Object.values(owed).reduce((sum, gross) => sum + gross, 0),
  };
}
