import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';

/** Delivery ids that are remembered: far more than can still be repeated. */
const MAX_DELIVERIES = 10_000;

/**
 * The application's own list of orders, the ids of processed webhook deliveries, and its cursor in the feed of events.
 * One JSON file, written atomically: a stand-in for the database of a shop.
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
    /** The cursor of the feed; null: it was never read. */
    cursor: () => cursor,
    keepCursor(next) {
      if (next === cursor) return;
      cursor = next;
      save();
    },
    /** False when this delivery was processed before. */
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
