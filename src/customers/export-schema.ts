import Type from 'typebox';
import { BOOKING_STATUSES, PAYMENT_STATUSES } from '../bookings/rules.ts';
import { ContactDetail } from '../contacts/schema.ts';
import { Choice, DateText, MAX_UNPAGED, Nullable, Stamp, Text, Uuid } from '../http/schemas.ts';
import { MESSAGE_KINDS } from '../partners/account-rules.ts';
import { SERIES_STATUSES } from '../series/rules.ts';
import { MESSAGE_STATUSES } from './table.ts';

export const ExportedBooking = Type.Object(
  {
    bookingId: Uuid('Booking'),
    trackingReference: Text('Tracking reference', 'SA-0042', 36),
    externalReference: Nullable(Text("The partner's reference", 'ORDER-2026-000123', 150)),
    status: Choice([...BOOKING_STATUSES], 'Booking status'),
    paymentStatus: Choice([...PAYMENT_STATUSES], 'Payment status', 'PENDING'),
    paymentReference: Nullable(Text("The partner's reference of the payment", 'PAY-99812', 255)),
    service: Text('English name of the service', 'Deep cleaning'),
    addressId: Uuid('Address'),
    startsAt: Stamp('Start of the visit', '2026-12-01T09:00:00+03:00'),
    endsAt: Stamp('End of the visit', '2026-12-01T11:00:00+03:00'),
    price: Type.Number({ minimum: 0, maximum: 1e10, description: 'SAR', examples: [150] }),
    notes: Nullable(Text('Notes', 'Please ring twice', 2_000)),
    cancellationNotes: Nullable(Text('Notes of the cancellation', 'The customer has moved', 2_000)),
    failureReason: Nullable(Text('Why it failed', 'Nobody can be reached', 1_000)),
    remarks: Type.Array(
      Type.Object(
        {
          at: Stamp('When it was written', '2026-12-01T09:40:00+03:00'),
          text: Text('As it was written', 'Rang three times', 2_000),
        },
        { title: 'ExportedRemark' },
      ),
      { maxItems: MAX_UNPAGED, description: 'What operators and crews wrote about it, oldest first' },
    ),
    createdAt: Stamp('When it was made', '2026-11-22T08:00:00+03:00'),
  },
  { title: 'ExportedBooking' },
);

export const ExportedSeries = Type.Object(
  {
    seriesId: Uuid('Series'),
    externalReference: Nullable(Text("The partner's reference", 'WEEKLY-2026-000123', 150)),
    addressId: Uuid('Address'),
    firstDate: DateText('Riyadh date of the first visit'),
    everyWeeks: Type.Integer({
      minimum: 1,
      maximum: 4,
      description: 'Weeks from one visit to the next',
      examples: [1],
    }),
    status: Choice([...SERIES_STATUSES], 'Status', 'ACTIVE'),
    notes: Nullable(Text('Notes', 'Please ring twice', 2_000)),
    createdAt: Stamp('When it was made', '2026-11-22T08:00:00+03:00'),
  },
  { title: 'ExportedSeries' },
);

export const ExportedMessage = Type.Object(
  {
    bookingId: Uuid('Booking'),
    kind: Choice([...MESSAGE_KINDS], 'Kind of the message', 'DAY_BEFORE'),
    status: Choice([...MESSAGE_STATUSES], 'Whether it was sent; its text and number are not stored', 'SENT'),
    at: Stamp('When it was sent, or is due', '2026-11-30T09:00:00+03:00'),
  },
  { title: 'ExportedMessage' },
);

export const CustomerExport = Type.Object(
  {
    exportedAt: Stamp('When it was read', '2026-12-02T08:00:00+03:00'),
    contact: ContactDetail,
    bookings: Type.Array(ExportedBooking, { maxItems: MAX_UNPAGED, description: 'Oldest first' }),
    series: Type.Array(ExportedSeries, { maxItems: MAX_UNPAGED, description: 'Oldest first' }),
    messages: Type.Array(ExportedMessage, { maxItems: MAX_UNPAGED, description: 'Oldest first' }),
  },
  { title: 'CustomerExport' },
);

/** For descriptions of both interfaces. */
export const EXPORT_DESCRIPTION =
  'Contact, addresses, bookings with their texts, series, and messages: the copy that a customer may ask for. ' +
  'Instructions and access codes are not in it: only crews read them.';
