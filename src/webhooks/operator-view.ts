import type { Instant } from '../base/clock.ts';
import { NO_LINKS } from '../bookings/links.ts';
import { viewBy } from '../http/fields.ts';
import { OperatorDelivery, OperatorDeliveryDetail } from './delivery-schema.ts';
import type { OperatorSubscriptionRow } from './subscription-queries.ts';
import { OperatorSubscription } from './subscription-schema.ts';
import type { DeliveryDetail, DeliveryRow } from './table.ts';
import { deliveryDetailView, deliveryView, subscriptionView } from './view.ts';

/** A subscription in the operator's interface, without its secret. */
export const operatorSubscriptionView = (row: OperatorSubscriptionRow, now: Instant) =>
  viewBy(OperatorSubscription, row, { ...subscriptionView(row, now), failures: row.failures_in_a_row });

/** A delivery in the operator's interface and the audit log. */
export const operatorDeliveryView = (row: DeliveryRow, now: Instant) =>
  viewBy(OperatorDelivery, row, deliveryView(row, now));

/** A delivery with its attempts in the operator's interface, which has payment links beside payments only. */
export const operatorDeliveryDetailView = (row: DeliveryDetail, now: Instant) =>
  viewBy(OperatorDeliveryDetail, row, deliveryDetailView(NO_LINKS, row, now));
