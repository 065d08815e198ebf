import { validationError } from '../base/errors.ts';
import type { Queryable } from '../db/connection.ts';
import { type PageQueryValues, paging, successPage } from '../http/envelope.ts';
import type { KnownTotals } from './known-totals.ts';
import { type BookingFilter, type BookingOrder, listBookings } from './list-queries.ts';
import { SNAPSHOT } from './snapshots.ts';
import { bookingView } from './view.ts';

export type ListBookingsQuery = PageQueryValues &
  BookingFilter & { sortBy?: BookingOrder['by']; sortOrder?: BookingOrder['direction'] };

/**
 * Section 4.6: a page of the partner's bookings, newest creation first unless asked otherwise, and `asOf`: given
 * back with the next pages, bookings made meanwhile neither shift rows from one page to the next nor change the
 * total (SNAPSHOT). Throws VALIDATION_ERROR for one that the database has not come to: no list returned it, or transactions have been lost since.
 */
export async function listForPartner(
  db: Queryable,
  totals: KnownTotals,
  partnerId: string,
  query: ListBookingsQuery,
) {
  const order: BookingOrder = { by: query.sortBy ?? 'createdAt', direction: query.sortOrder ?? 'DESC' };
  const asked = { filter: query, order, page: paging(query) };
  const { asOf, ...found } = await listBookings(db, totals, partnerId, asked);
  if (asOf === '')
    throw validationError(
      [`asOf ${SNAPSHOT.message}`],
      ['asOf: this one is ahead of the database; read the first page again and send its X-List-As-Of'],
    );
  return { body: successPage(query, found, bookingView), asOf: query.asOf ?? asOf };
}
