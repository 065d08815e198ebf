import { validationError } from '../errors.ts';
import type { Db } from '../platform/db.ts';
import { type PageQueryValues, paging, successPage } from '../platform/envelope.ts';
import { type BookingFilter, type BookingOrder, listBookings } from './list-queries.ts';
import { bookingView } from './view.ts';

export type ListBookingsQuery = PageQueryValues &
  BookingFilter & { sortBy?: BookingOrder['by']; sortOrder?: BookingOrder['direction'] };

/**
 * Section 4.6: a page of the partner's bookings, newest creation first unless asked otherwise, and `asOf`: given
 * back with the next pages, bookings made meanwhile neither shift rows from one page to the next nor change the
 * total. Throws VALIDATION_ERROR for an `asOf` that no answer carried.
 */
export async function listForPartner(db: Db, partnerId: string, query: ListBookingsQuery) {
  if (query.asOf !== undefined && !isSnapshot(query.asOf)) {
    throw validationError(['asOf must be a value that a list answered']);
  }
  const order: BookingOrder = { by: query.sortBy ?? 'createdAt', direction: query.sortOrder ?? 'DESC' };
  const { asOf, ...found } = await listBookings(db, partnerId, query, order, paging(query));
  return { body: successPage(query, found, bookingView), asOf: query.asOf ?? asOf };
}

/** PostgreSQL's own text of a snapshot, `xmin:xmax:xip,…`, ascending as PostgreSQL writes it. */
function isSnapshot(text: string): boolean {
  if (text.length > 10_000 || !/^\d{1,19}:\d{1,19}:(\d{1,19}(,\d{1,19})*)?$/.test(text)) return false;
  const [xmin = '', xmax = '', list = ''] = text.split(':');
  const running = list === '' ? [] : list.split(',').map(BigInt);
  const [from, until] = [BigInt(xmin), BigInt(xmax)];
  return (
    from > 0n &&
    from <= until &&
    until < 2n ** 63n &&
    running.every((xid, index) => xid >= from && xid < until && (index === 0 || xid > running[index - 1]!))
  );
}
