import { validationError } from '../base/errors.ts';
import type { Queryable } from '../db/connection.ts';
import type { Sealer } from '../db/sealing.ts';
import { type PageQueryValues, paging, successPage } from '../http/envelope.ts';
import type { KnownTotals } from './known-totals.ts';
import { type BookingFilter, type BookingOrder, listBookings } from './list-queries.ts';
import { withOpenLink } from './payment-links.ts';
import type { BookingRow } from './queries.ts';
import { SNAPSHOT } from './snapshots.ts';
import { bookingView } from './view.ts';

export type ListBookingsQuery = PageQueryValues &
  BookingFilter & { sortBy?: BookingOrder['by']; sortOrder?: BookingOrder['direction'] };

/**
 * Section 4.6: a page of the partner's bookings, newest creation first unless sorted otherwise, and `asOf`, the
 * snapshot. With it, bookings made meanwhile neither shift rows between pages nor change the total. Throws
 * VALIDATION_ERROR for an `asOf` ahead of the database: no list returned it, or transactions were lost since.
 */
export async function listForPartner(
  { db, sealer, totals }: { db: Queryable; sealer: Sealer | null; totals: KnownTotals },
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
  const view = (row: BookingRow) => withOpenLink(sealer, bookingView(row));
  return { body: successPage(query, found, view), asOf: query.asOf ?? asOf };
}
