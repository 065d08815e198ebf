import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';

/** Deliveries that are remembered: far more than can still come a second time. */
const MAX_DELIVERIES = 10_000;

/**
 * The application's own list of orders, the ids of the webhook deliveries it has taken, and how far it has read the
 * feed of events. One JSON file, written whole: a stand-in for the database that a shop has.
 */
export function openOrders(file) {
  const kept = existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : { orders: [], deliveries: [] };
  const orders = new Map(kept.orders.map((order) => [order.reference, order]));
  const deliveries = new Set(kept.deliveries);
  let cursor = kept.cursor ?? null;

  function save() {
    writeFileSync(
      `${file}.new`,
      JSON.stringify({ orders: [...orders.values()], deliveries: [...deliveries], cursor }),
    );
    renameSync(`${file}.new`, file);
  }

  return {
    all: () => [...orders.values()].reverse(),
    get: (reference) => orders.get(reference),
    byBooking: (bookingId) => [...orders.values()].find(({ booking }) => booking?.bookingId === bookingId),
    put(order) {
      orders.set(order.reference, order);
      save();
    },
    /** Where the feed goes on; null: it was never read. */
    cursor: () => cursor,
    keepCursor(next) {
      if (next === cursor) return;
      cursor = next;
      save();
    },
    /** False when this delivery has been here before. */
    isNewDelivery(deliveryId) {
      if (deliveries.has(deliveryId)) return false;
      deliveries.add(deliveryId);
      for (const oldest of deliveries) {
        if (deliveries.size <= MAX_DELIVERIES) break;
        deliveries.delete(oldest);
      }
      save();
      return true;
    },
  };
}
