/**
 * What the compiler must see and what it must refuse: `npm run typecheck` fails when an expected error is missing.
 * Nothing here runs.
 */
import { type Booking, createClient, type FeedEvent, isCode, verifyWebhook } from '../src/sdk.ts';

export async function typesOf(caught: unknown): Promise<void> {
  const client = createClient({ apiKey: 'key', baseUrl: 'https://booking.example/v1' });
  const body = { contactId: 'c', addressId: 'a', serviceId: 's', date: '2026-12-01' };
  const timeslot = { startAt: '10:00', endAt: '12:00' };

  const booking: Booking = await client.createBooking({ ...body, timeslot, externalReference: undefined });
  const name: string | undefined = booking.appointment?.name;
  // @ts-expect-error: the appointment may be null
  booking.appointment.name;
  // @ts-expect-error: no such status
  booking.status === 'cancelled';
  // @ts-expect-error: the timeslot is required
  await client.createBooking(body);
  // @ts-expect-error: a price is never sent
  await client.createBooking({ ...body, timeslot, price: 100 });
  // @ts-expect-error: times are texts
  await client.createBooking({ ...body, timeslot: { startAt: 10, endAt: 12 } });
  // @ts-expect-error: cancelling needs a reason
  await client.cancelBooking(booking.bookingId, {});
  // @ts-expect-error: the booking comes first
  await client.confirmPayment({ paymentReference: 'x' });
  await client.confirmPayment(booking.bookingId);
  // @ts-expect-error: no such order
  await client.listBookings({ sortBy: 'price' });
  // @ts-expect-error: the address is required
  await client.listServices({});
  // @ts-expect-error: no such operation
  await client.deleteBooking(booking.bookingId);
  // @ts-expect-error: a list of tiers has no pages
  (await client.listPricingTiers()).meta;
  const total: number = (await client.listBookings({ status: 'in progress' })).meta.total;
  for await (const { bookingId } of client.iterateBookings()) bookingId satisfies string;
  // @ts-expect-error: only the feed is followed
  client.iterateBookings({}, { follow: true });
  client.iterateEvents({}, { follow: true });

  if (isCode(caught, 'BOOKING_CREATION_FAILED')) {
    const [first] = caught.details.alternatives;
    first?.startAt satisfies string | undefined;
    // @ts-expect-error: messages are those of VALIDATION_ERROR
    caught.details.message.length;
  }
  // @ts-expect-error: no such code
  isCode(caught, 'NOT_FOUND');

  const event = await verifyWebhook({ secret: 's', headers: new Headers(), body: '{}' });
  await told(event);
  // @ts-expect-error: not every payload has it
  event.payload.reason;
  // @ts-expect-error: a parsed body cannot be verified
  await verifyWebhook({ secret: 's', headers: {}, body: {} });
  void [name, total];
}

async function told(event: FeedEvent | Awaited<ReturnType<typeof verifyWebhook>>): Promise<string> {
  switch (event.event) {
    case 'booking.payment_failed':
      return event.payload.reason;
    case 'booking.appointment_status_changed':
      return event.payload.appointmentStatusChange.to;
    case 'webhook.test':
      return event.payload.message;
    case 'booking.created':
    case 'booking.updated':
    case 'booking.cancelled':
    case 'booking.payment_confirmed':
      return event.payload.trackingReference;
    default:
      return event satisfies never;
  }
}
