import { type Instant, toRiyadhIso } from '../base/clock.ts';
import { contactOf, type Owned } from '../contacts/corrections.ts';
import { listAddresses } from '../contacts/queries.ts';
import { contactDetailView } from '../contacts/view.ts';
import type { Db } from '../db/connection.ts';
import { viewBy } from '../http/fields.ts';
import { listBookingsOf, listMessagesTo, listRemarks, listSeriesOf } from './export-queries.ts';
import { ExportedBooking, ExportedMessage, ExportedSeries } from './export-schema.ts';

/**
 * A copy of what is stored about a customer: contact, addresses, bookings with their texts, series, and messages. Without
 * instructions and access codes, which only crews read. Throws RESOURCE_NOT_FOUND.
 */
export async function exportCustomer(db: Db, now: Instant, owned: Owned) {
  const contact = await contactOf(db, owned);
  const [addresses, bookings, series, messages] = [
    await listAddresses(db, contact.id),
    await listBookingsOf(db, contact.id),
    await listSeriesOf(db, contact.id),
    await listMessagesTo(db, contact.id),
  ];
  const ids = bookings.map(({ id }) => id);
  const remarks = Map.groupBy(await listRemarks(db, ids), (remark) => remark.booking_id);
  return {
    exportedAt: toRiyadhIso(now),
    contact: contactDetailView({ contact, addresses }),
    bookings: bookings.map((row) =>
      viewBy(ExportedBooking, row, {
        bookingId: row.id,
        trackingReference: row.name,
        service: row.service_name,
        price: Number(row.amount),
        remarks: (remarks.get(row.id) ?? []).map(({ at, text }) => ({ at: toRiyadhIso(at), text })),
      }),
    ),
    series: series.map((row) => viewBy(ExportedSeries, row, { seriesId: row.id })),
    messages: messages.map((row) =>
      viewBy(ExportedMessage, row, { at: toRiyadhIso(row.finished_at ?? row.due_at) }),
    ),
  };
}
