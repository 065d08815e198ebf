import { type Instant, toRiyadhIso } from '../clock.ts';
import type { DeliveryDetail, DeliveryRow } from './delivery-queries.ts';
import type { OperatorSubscriptionRow } from './queries.ts';
import { deliveryDetailView, deliveryView, subscriptionView } from './view.ts';

/** A subscription as the operator sees it: never its secret. */
export function operatorSubscriptionView(row: OperatorSubscriptionRow, now: Instant) {
  const paused = row.paused_until !== null && row.paused_until > now;
  return {
    ...subscriptionView(row),
    partnerId: row.partner_id,
    partnerName: row.partner_name,
    failures: row.failures_in_a_row,
    pausedUntil: paused ? toRiyadhIso(row.paused_until!) : null,
  };
}

const beside = (row: DeliveryRow) => ({
  eventId: row.event_id,
  bookingId: row.booking_id,
  partnerId: row.partner_id,
  partnerName: row.partner_name,
});

/** A delivery as the operator's interface and the audit log show it. */
export function operatorDeliveryView(row: DeliveryRow) {
  return { ...deliveryView(row), ...beside(row) };
}

export function operatorDeliveryDetailView(row: DeliveryDetail) {
  return { ...deliveryDetailView(row), ...beside(row) };
}
