import type { Instant } from '../base/clock.ts';
import type { OperatorSubscriptionRow } from './subscription-queries.ts';
import type { DeliveryDetail, DeliveryRow } from './table.ts';
import { deliveryDetailView, deliveryView, subscriptionView } from './view.ts';

/** A subscription as the operator sees it: never its secret. */
export function operatorSubscriptionView(row: OperatorSubscriptionRow) {
  return {
    ...subscriptionView(row),
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

/** A delivery as the operator's interface and the audit log show it. */
export function operatorDeliveryView(row: DeliveryRow, now: Instant) {
  return { ...deliveryView(row, now), ...beside(row) };
}

/** A delivery of any partner with its attempts, as the operator sees it. */
export function operatorDeliveryDetailView(row: DeliveryDetail, now: Instant) {
  return { ...deliveryDetailView(row, now), ...beside(row) };
}
