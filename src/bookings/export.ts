import { Readable } from 'node:stream';
import type { FastifyReply } from 'fastify';
import { addDays, type CalendarDate } from '../base/clock.ts';
import { toHalalas, toSar } from '../base/money.ts';
import type { Queryable } from '../db/connection.ts';
import { BYTE_ORDER_MARK, csvLine } from '../http/csv.ts';
import { chargesOf, isUndecided } from '../policies/ledger.ts';
import type { ChangeAction } from '../policies/words.ts';

import { listBookingIdsOn } from './export-queries.ts';
import { type BookingRow, findBookings } from './queries.ts';
import { refundOf } from './refund.ts';

/** Description of the file, for the documents of both interfaces. */
export const EXPORT =
  'A list, computed anew each time: what is owed is on the statement of the month. All bookings with a service date in the ' +
  `month, canceled and failed ones too, by date and creation. Amounts are SAR with two decimals: \`price\` is what was booked, \`paidByLink\` what came by the ` +
  'payment link, `refundAmount` what goes back of that by `refundStatus`; `cancellationFee` and `rescheduleFees` are the fees of its changes, ' +
  'empty without any. `feeToDecide`: the operator still decides on the fee; `workReached`: how far the work of a canceled booking had come. What changes while the file is read may be left ' +
  'out or come twice.';

/** Bookings of one statement of the database. */
const BATCH = 500;

/** The columns of the list. Amounts are SAR with two decimals. */
const COLUMNS: readonly [string, (row: BookingRow) => string | null][] = [
  ['bookingId', ({ id }) => id],
  ['trackingReference', ({ appointment_name }) => appointment_name],
  ['externalReference', ({ external_reference }) => external_reference],
  ['serviceId', ({ service_id }) => service_id],
  ['serviceNameEn', ({ service_name }) => service_name],
  ['serviceNameAr', ({ service_name_ar }) => service_name_ar],
  ['date', ({ service_date }) => service_date],
  ['status', ({ status }) => status],
  ['paymentStatus', ({ payment_status }) => payment_status],
  ['price', ({ amount }) => amount],
  ['currency', () => 'SAR'],
  ['paidByLink', ({ payment }) => payment?.paid_amount ?? null],
  ['refundStatus', (row) => refundIn(row)?.status ?? null],
  ['refundAmount', (row) => refundIn(row)?.amount.toFixed(2) ?? null],
  ['cancellationFee', ({ fees }) => feesIn(fees, 'cancel')],
  ['rescheduleFees', ({ fees }) => feesIn(fees, 'reschedule')],
  ['feeToDecide', ({ fees }) => (isUndecided(fees) ? 'yes' : null)],
  ['workReached', ({ work_reached }) => work_reached],
];

const refundIn = ({ payment, amount }: BookingRow) => (payment === null ? null : refundOf(payment, amount));

function feesIn(fees: BookingRow['fees'], action: ChangeAction): string | null {
  if (action === 'cancel' && isUndecided(fees)) return null;
  const found = chargesOf(fees ?? []).filter((fee) => fee.action === action);
  return found.length === 0 ? null : toSar(found.reduce((sum, { amount }) => sum + toHalalas(amount), 0));
}

/**
 * The partner's bookings with service dates in the month (`YYYY-MM`), by date and creation, as CSV. It is read in
 * batches, so its size does not matter; a booking that moves to another date meanwhile may be left out or come twice.
 * Resolves when the first rows are read, so that an error before has its status.
 */
export async function exportMonth(db: Queryable, partnerId: string, month: string): Promise<Readable> {
  const lines = linesOf(db, partnerId, month);
  const first = await lines.next();
  return Readable.from(
    (async function* () {
      yield BYTE_ORDER_MARK + csvLine(COLUMNS.map(([name]) => name)) + (first.value ?? '');
      yield* lines;
    })(),
  );
}

/** Sends exportMonth as a file. */
export async function sendMonth(
  reply: Pick<FastifyReply, 'header' | 'send'>,
  db: Queryable,
  partnerId: string,
  month: string,
): Promise<never> {
  const file = await exportMonth(db, partnerId, month);
  reply.header('content-type', 'text/csv; charset=utf-8; header=present');
  reply.header('content-disposition', `attachment; filename="bookings-${month}.csv"`);
  return reply.send(file) as never;
}

async function* linesOf(db: Queryable, partnerId: string, month: string): AsyncGenerator<string, undefined> {
  for (let date = `${month}-01` as CalendarDate; date.startsWith(month); date = addDays(date, 1)) {
    const ids = await listBookingIdsOn(db, partnerId, date);
    for (let from = 0; from < ids.length; from += BATCH) {
      const keys = ids.slice(from, from + BATCH).map((bookingId) => ({ partnerId, bookingId }));
      const rows = (await findBookings(db, keys)).filter((row) => row !== null);
      yield rows.map((row) => csvLine(COLUMNS.map(([, cellOf]) => cellOf(row)))).join('');
    }
  }
}
