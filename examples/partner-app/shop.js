import { randomUUID } from 'node:crypto';
import { isCode, PartnerBookingError } from 'partner-booking-sdk';

/** The actions of the shop. `client` calls the booking service, `orders` is the shop's own list. */
export function openShop(client, orders) {
  async function order({ contactId, addressId, serviceId, date, timeslot, holdId, title }) {
    // Stored before it is sent: after a lost response the reference still leads to the booking.
    const reference = `ORDER-${randomUUID()}`;
    const wanted = { contactId, addressId, serviceId, date, timeslot, holdId };
    orders.put({ reference, title, wanted, booking: null, problem: null, events: [] });
    return complete(reference);
  }

  /** Orders with a creation in progress, which must not be sent twice. */
  const asked = new Set();

  /** Books an order, unless an earlier try has booked it. */
  async function complete(reference) {
    const { wanted } = orders.get(reference);
    asked.add(reference);
    try {
      return keep(reference, await client.bookings.create({ ...wanted, externalReference: reference }));
    } catch (error) {
      if (!(error instanceof PartnerBookingError)) throw error; // no response: it is completed later
      if (isCode(error, 'DUPLICATE_EXTERNAL_REFERENCE')) {
        const { data } = await client.bookings.list({ externalReference: reference });
        return keep(reference, data[0]);
      }
      // Of a lost response, too: the hold was taken by this very order.
      if (isCode(error, 'HOLD_CONSUMED')) {
        const booking = await client.bookings.get(error.details.bookingId);
        if (booking.externalReference === reference) return keep(reference, booking);
      }
      // Nothing was booked. A temporary error leaves the order open; others end it.
      if (error.status < 500 && error.status !== 429)
        orders.put({ ...orders.get(reference), problem: error.message });
      throw error;
    } finally {
      asked.delete(reference);
    }
  }

  function keep(reference, booking) {
    const known = { ...orders.get(reference), booking, problem: null };
    orders.put(known);
    return known;
  }

  const refresh = async (reference, bookingId) => keep(reference, await client.bookings.get(bookingId));

  /** A step that was taken before counts as success. */
  async function step(reference, take, doneAlready) {
    const { booking } = orders.get(reference);
    try {
      return keep(reference, await take(booking.bookingId));
    } catch (error) {
      if (!isCode(error, doneAlready)) throw error;
      return refresh(reference, booking.bookingId);
    }
  }

  let catchingUp = null;

  function poll(onError) {
    catchingUp ??= catchUp(client, orders, refresh)
      .catch(onError)
      .finally(() => (catchingUp = null));
    for (const { reference, booking } of orders.all().filter(isOpen)) {
      if (asked.has(reference)) continue;
      const reading = booking === null ? complete(reference) : refresh(reference, booking.bookingId);
      reading.catch(onError);
    }
  }

  return {
    register: (customer) => client.contacts.findOrCreate(customer),
    services: (addressId) => client.services.list({ addressId }).toArray(),
    timeslots: (wanted) => client.timeslots.list(wanted),
    /** Keeps the slot and its price while the customer decides and pays. */
    hold: ({ contactId, addressId, serviceId, date, timeslot }) =>
      client.holds.create({ contactId, addressId, serviceId, date, timeslot }),
    /** The customer went back: the slot is free for others at once. */
    async release(holdId) {
      try {
        return await client.holds.release(holdId);
      } catch (error) {
        if (!isCode(error, 'HOLD_CONSUMED')) throw error;
        return { id: holdId, removed: false }; // booked meanwhile: it is among the orders
      }
    },
    reasons: () => client.bookings.listCancellationReasons(),
    orders: () => orders.all(),
    order,
    complete,
    /** Accounts that collect payment themselves confirm it. */
    markPaid: (reference) =>
      step(
        reference,
        (bookingId) => client.bookings.confirmPayment(bookingId, { paymentReference: `PAID-${reference}` }),
        'PAYMENT_ALREADY_CONFIRMED',
      ),
    cancel: (reference, reasonId) =>
      step(
        reference,
        (bookingId) => client.bookings.cancel(bookingId, { reasonId }),
        'BOOKING_ALREADY_CANCELLED',
      ),
    /** Takes a webhook as a hint and reads the current state: deliveries may be repeated and arrive in any order. */
    async heard({ deliveryId, event, payload }) {
      if (!orders.isNewDelivery(deliveryId)) return;
      // It may overtake the response of the creation: then only the reference is known here.
      const known = orders.byBooking(payload.bookingId) ?? orders.get(payload.externalReference);
      if (known === undefined) return; // of another application of this account
      orders.put({ ...known, events: [...known.events, event] });
      await refresh(known.reference, payload.bookingId);
    },
    /** Reads new events, and the state of open orders, every so many seconds; a webhook makes it sooner. */
    startPolling(seconds, onError) {
      poll(onError);
      const timer = setInterval(poll, seconds * 1000, onError);
      return () => clearInterval(timer);
    },
  };
}

/** Whether an order waits: for a payment by link, a team, or a lost response. */
function isOpen({ booking, problem }) {
  if (booking === null) return problem === null;
  if (booking.status === 'canceled' || booking.status === 'failed') return false;
  return booking.status === 'waiting payment' || booking.appointment === null;
}

/** Reads the events since the last time. An event whose webhook was lost is found here. */
async function catchUp(client, orders, refresh) {
  const after = orders.cursor();
  if (after === null) {
    orders.keepCursor((await client.events.list({ after: 'latest' })).meta.nextCursor);
    return;
  }
  try {
    for await (const { data, meta } of client.events.list({ after }).pages()) {
      const bookingIds = new Set(data.map(({ bookingId }) => bookingId));
      for (const bookingId of bookingIds) {
        const known = orders.byBooking(bookingId);
        if (known !== undefined) await refresh(known.reference, bookingId);
      }
      orders.keepCursor(meta.nextCursor);
    }
  } catch (error) {
    if (!isCode(error, 'VALIDATION_ERROR')) throw error;
    await reconcile(client, orders, refresh);
  }
}

/**
 * The cursor was refused: the service was restored to an earlier moment. Its state of every order is the valid one.
 */
async function reconcile(client, orders, refresh) {
  const { meta } = await client.events.list({ after: 'latest' });
  for (const { reference, booking } of orders.all()) {
    if (booking === null || ['canceled', 'failed', 'success'].includes(booking.status)) continue;
    try {
      await refresh(reference, booking.bookingId);
    } catch (error) {
      if (!isCode(error, 'RESOURCE_NOT_FOUND')) throw error;
      // The booking was lost: it is created again, with the same reference. Its hold may be lost as well.
      const { wanted, ...order } = orders.get(reference);
      orders.put({ ...order, wanted: { ...wanted, holdId: undefined }, booking: null });
    }
  }
  orders.keepCursor(meta.nextCursor);
}
