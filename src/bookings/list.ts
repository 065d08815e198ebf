import { validationError } from '../base/errors.ts';
import type { Queryable } from '../db/connection.ts';
import { type PageQueryValues, pageOf, paging } from '../http/envelope.ts';
import type { KnownTotals } from './known-totals.ts';
import { type Links, withLinks } from './links.ts';
import { type BookingFilter, type BookingOrder, listBookings } from './list-queries.ts';
import type { BookingRow } from './queries.ts';
import { SNAPSHOT } from './snapshots.ts';
import { assertSameHistory, parseUpdatedSince } from './updated-since.ts';
import { bookingView } from './view.ts';

export type ListBookingsQuery = PageQueryValues &
  Omit<BookingFilter, 'updatedSince'> & {
    updatedSince?: string;
    sortBy?: BookingOrder['by'];
    sortOrder?: BookingOrder['direction'];
  };

/**
 * Section 4.6: a page of the partner's bookings, newest creation first unless sorted otherwise, and `asOf`, the
 * snapshot. With `updatedSince` the last changed first, and `seen` for the list of later changes. With `asOf`, bookings made meanwhile neither shift rows between pages nor change the total. Throws
 * VALIDATION_ERROR for an `asOf` ahead of the database: no list returned it, or transactions were lost since.
 */
export async function listForPartner(
  { db, links, totals }: { db: Queryable; links: Links; totals: KnownTotals },
  partnerId: string,
  query: ListBookingsQuery,
) {
  const { updatedSince, ...filter } = query;
  const since = updatedSince === undefined ? undefined : parseUpdatedSince(updatedSince);
  const by = query.sortBy ?? (since === undefined ? 'createdAt' : 'updatedAt');
  const order: BookingOrder = { by, direction: query.sortOrder ?? 'DESC' };
  const asked = {
    filter: { ...filter, ...(since !== undefined && { updatedSince: since }) },
    order,
    page: paging(query),
  };
  const { asOf, seen, ...found } = await listBookings(db, totals, partnerId, asked);
  if (asOf === '')
    throw validationError(
      [`asOf ${SNAPSHOT.message}`],
      ['asOf: this one is ahead of the database; read the first page again and send its X-List-As-Of'],
    );
  if (since !== undefined) assertSameHistory(since, seen);
  const view = (row: BookingRow) => withLinks(links, bookingView(row));
  return { page: pageOf(found, view), asOf: query.asOf ?? asOf, seen };
}
