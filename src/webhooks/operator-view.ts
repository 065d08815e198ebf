import type { Instant } from '../base/clock.ts';
import { NO_LINKS } from '../bookings/links.ts';
import type { OperatorSubscriptionRow } from './subscription-queries.ts';
import type { DeliveryDetail, DeliveryRow } from './table.ts';
import { deliveryDetailView, deliveryView, subscriptionView } from './view.ts';

/** A subscription in the operator's interface, without its secret. */
export function operatorSubscriptionView(row: OperatorSubscriptionRow, now: Instant) {
  return {
    ...subscriptionView(row, now),
    partnerId: row.partner_id,
    partnerName: row.partner_name,
    failures: row.failures_in_a_row,
  };
}

const beside = (row: DeliveryRow) => ({
  eventId: row.event_id,
  bookingId: row.booking_id,
  partnerId: row.partner_id,
  partnerName: row.partner_name,
});

/** A delivery in the operator's interface and the audit log. */
export function operatorDeliveryView(row: DeliveryRow, now: Instant) {
  return { ...deliveryView(row, now), ...beside(row) };
}

/** A delivery with its attempts in the operator's interface, which has payment links beside payments only. */
export function operatorDeliveryDetailView(row: DeliveryDetail, now: Instant) {
  return { ...deliveryDetailView(NO_LINKS, row, now), ...beside(row) };
}
