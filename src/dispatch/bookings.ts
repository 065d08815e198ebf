import type { Instant } from '../base/clock.ts';
import { orNotFound } from '../base/errors.ts';
import { guessPhone, normalizePhone } from '../contacts/rules.ts';
import type { Queryable } from '../db/connection.ts';
import type { Page } from '../db/pages.ts';
import { paging } from '../http/envelope.ts';
import { limitsOf } from './attention-rules.ts';
import {
  findOperatorBooking,
  type HistoryEvent,
  listHistoryEvents,
  listOperatorBookings,
  listRecordedChanges,
  type OperatorBookingRow,
  type RecordedChange,
} from './queries.ts';
import type { OperatorBookingsQuery } from './schema.ts';
import { searchTermsOf } from './search-rules.ts';

/** A page of all partners' bookings, newest first. `hidesPhones`: for one who sees phones masked (searchTermsOf). */
export function searchOperatorBookings(
  db: Queryable,
  now: Instant,
  { phone, search, attention, ...query }: OperatorBookingsQuery,
  hidesPhones: boolean,
): Promise<Page<OperatorBookingRow>> {
  const wanted = search?.trim();
  const filter = {
    ...query,
    ...(phone !== undefined && { phone: normalizePhone(phone) ?? guessPhone(phone)! }),
    ...(wanted && { search: searchTermsOf(wanted, { hidesPhones }) }),
    ...(attention !== undefined && { attention: { concern: attention, now, limits: limitsOf(query) } }),
  };
  return listOperatorBookings(db, filter, paging(query));
}

/** A booking of any partner with its history. Throws RESOURCE_NOT_FOUND. */
export async function readOperatorBooking(
  db: Queryable,
  bookingId: string,
): Promise<{ row: OperatorBookingRow; events: HistoryEvent[]; changes: RecordedChange[] }> {
  const row = await orNotFound(findOperatorBooking(db, bookingId), 'Booking');
  return {
    row,
    events: await listHistoryEvents(db, row.id),
    changes: await listRecordedChanges(db, row.id, row.appointment_id),
  };
}
