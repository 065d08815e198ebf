/**
 * Types that must compile and errors that the compiler must report: `npm run typecheck` fails when an expected error is
 * missing. Nothing here runs.
 */
import { type Booking, createClient, type FeedEvent, isCode, verifyWebhook } from '../src/sdk.ts';

export async function typesOf(caught: unknown): Promise<void> {
  const client = createClient({ apiKey: 'key', baseUrl: 'https://booking.example/v1' });
  const body = { contactId: 'c', addressId: 'a', serviceId: 's', date: '2026-12-01' };
  const timeslot = { startAt: '10:00', endAt: '12:00' };

  const booking: Booking = await client.bookings.create({ ...body, timeslot, externalReference: undefined });
  const name: string | undefined = booking.appointment?.name;
  // @ts-expect-error: the appointment may be null
  booking.appointment.name;
  // @ts-expect-error: no such status
  booking.status === 'cancelled';
  // @ts-expect-error: the timeslot is required
  await client.bookings.create(body);
  // @ts-expect-error: a price is never sent
  await client.bookings.create({ ...body, timeslot, price: 100 });
  // @ts-expect-error: times are texts
  await client.bookings.create({ ...body, timeslot: { startAt: 10, endAt: 12 } });
  // @ts-expect-error: cancelling needs a reason
  await client.bookings.cancel(booking.bookingId, {});
  // @ts-expect-error: the booking comes first
  await client.bookings.confirmPayment({ paymentReference: 'x' });
  await client.bookings.confirmPayment(booking.bookingId);
  // @ts-expect-error: no such order
  await client.bookings.list({ sortBy: 'price' });
  // @ts-expect-error: the address is required
  await client.services.list({});
  // @ts-expect-error: no such operation
  await client.bookings.delete(booking.bookingId);
  // @ts-expect-error: a list of tiers has no pages
  (await client.pricing.listTiers()).meta;
  const total: number = (await client.bookings.list({ status: 'in progress' })).meta.total;
  for await (const { bookingId } of client.bookings.list()) bookingId satisfies string;
  const place = { addressId: 'a', serviceId: 's' };
  (await client.timeslots.next(place)).slots.length satisfies number;
  // @ts-expect-error: null while nothing has changed
  (await client.timeslots.next(place, { ifNoneMatch: '"x"' })).slots;
  (await client.bookings.export({ month: '2026-11' })) satisfies string;
  (await client.bookings.exportBytes({ month: '2026-11' })) satisfies Uint8Array;
  // @ts-expect-error: bookings have no ETag
  await client.bookings.list({}, { ifNoneMatch: '"x"' });
  // @ts-expect-error: only the feed is followed
  client.bookings.follow();
  client.events.follow({}, { pollMs: 1 });
  const { data: page, response } = await client.bookings.list().withResponse();
  page.meta.total satisfies number;
  response.rateLimit?.remaining satisfies number | undefined;
  (await client.bookings.list().toArray()) satisfies Booking[];

  if (isCode(caught, 'BOOKING_CREATION_FAILED')) {
    const [first] = caught.details.alternatives;
    first?.startAt satisfies string | undefined;
    // @ts-expect-error: messages are those of VALIDATION_ERROR
    caught.details.message.length;
  }
  if (isCode(caught, 'FEE_CHANGED')) caught.details.quote.fee satisfies number | null;
  if (isCode(caught, 'HOLD_CONSUMED')) caught.details.bookingId satisfies string;
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
    case 'booking.failed':
      return event.payload.reason;
    case 'booking.appointment_status_changed':
      return event.payload.appointmentStatusChange.to;
    case 'webhook.test':
      return event.payload.message;
    case 'booking.created':
    case 'booking.updated':
    case 'booking.cancelled':
    case 'booking.payment_confirmed':
    case 'booking.payment_succeeded':
    case 'booking.refunded':
    case 'booking.fees_changed':
      return event.payload.trackingReference;
    default:
      return event satisfies never;
  }
}
