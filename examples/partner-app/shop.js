import { randomUUID } from 'node:crypto';
import { Refusal } from './booking-service.js';

/** What the shop does, whoever asks for it. `call` reaches the booking service, `orders` is the shop's own list. */
export function openShop(call, orders) {
  const query = (parameters) => new URLSearchParams(parameters).toString();

  async function order({ contactId, addressId, serviceId, date, timeslot, title }) {
    // Written down before it is sent: if the answer is lost, the reference still leads to the booking.
    const reference = `ORDER-${randomUUID()}`;
    const wanted = { contactId, addressId, serviceId, date, timeslot };
    orders.put({ reference, title, wanted, booking: null, problem: null, events: [] });
    return complete(reference);
  }

  /** Books what an order wants, unless an earlier try has booked it already. */
  async function complete(reference) {
    const { wanted } = orders.get(reference);
    try {
      return keep(reference, await call('POST', '/bookings', { ...wanted, externalReference: reference }));
    } catch (error) {
      if (!(error instanceof Refusal)) throw error; // no answer: the order stays open and is completed later
      if (error.code === 'DUPLICATE_EXTERNAL_REFERENCE') {
        const [booking] = await call('GET', `/bookings?${query({ externalReference: reference })}`);
        return keep(reference, booking);
      }
      // Nothing was booked. What a repetition may still mend stays open; the rest is over.
      if (error.status < 500 && error.status !== 429)
        orders.put({ ...orders.get(reference), problem: error.message });
      throw error;
    }
  }

  function keep(reference, booking) {
    const known = { ...orders.get(reference), booking, problem: null };
    orders.put(known);
    return known;
  }

  const refresh = async (reference, bookingId) =>
    keep(reference, await call('GET', `/bookings/${bookingId}/status`));

  /** A step that somebody else has taken already is as good as taken. */
  async function step(reference, method, action, body, doneAlready) {
    const { booking } = orders.get(reference);
    try {
      return keep(reference, await call(method, `/bookings/${booking.bookingId}/${action}`, body));
    } catch (error) {
      if (error.code !== doneAlready) throw error;
      return refresh(reference, booking.bookingId);
    }
  }

  /** Does an order wait for something: payment by link, a team, or an answer that was lost? */
  function isOpen({ booking, problem }) {
    if (booking === null) return problem === null;
    if (booking.status === 'canceled' || booking.status === 'failed') return false;
    return booking.status === 'waiting payment' || booking.appointment === null;
  }

  function poll(onError) {
    for (const { reference, booking } of orders.all().filter(isOpen)) {
      const reading = booking === null ? complete(reference) : refresh(reference, booking.bookingId);
      reading.catch(onError);
    }
  }

  return {
    register: (customer) => call('POST', '/contacts', customer),
    services: (addressId) => call('GET', `/services?${query({ addressId, limit: 100 })}`),
    timeslots: (wanted) => call('GET', `/timeslots/available?${query(wanted)}`),
    reasons: () => call('GET', '/bookings/cancellation-reasons'),
    orders: () => orders.all(),
    order,
    /** Accounts that collect payment themselves say so when the customer has paid. */
    markPaid: (reference) =>
      step(
        reference,
        'POST',
        'confirm-payment',
        { paymentReference: `PAID-${reference}` },
        'PAYMENT_ALREADY_CONFIRMED',
      ),
    cancel: (reference, reasonId) =>
      step(reference, 'PATCH', 'cancel', { reasonId }, 'BOOKING_ALREADY_CANCELLED'),
    /**
     * Takes a webhook as the hint that something happened and reads how things stand now: deliveries come more than
     * once and in any order.
     */
    async heard({ deliveryId, event, payload }) {
      if (!orders.isNewDelivery(deliveryId)) return;
      // It may overtake the answer to the booking itself: then only the reference is known here.
      const known = orders.byBooking(payload.bookingId) ?? orders.get(payload.externalReference);
      if (known === undefined) return; // booked by another application of this account
      orders.put({ ...known, events: [...known.events, event] });
      await refresh(known.reference, payload.bookingId);
    },
    /** Reads again every so many seconds what still waits for something; a webhook makes it sooner. */
    startPolling(seconds, onError) {
      const timer = setInterval(poll, seconds * 1000, onError);
      return () => clearInterval(timer);
    },
  };
}
