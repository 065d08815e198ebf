import type { ColumnType, Generated, GeneratedAlways, Selectable } from 'kysely';
import type { Instant } from '../base/clock.ts';
import type { EventName } from '../bookings/rules.ts';
import type { NullableTimestamp, Timestamp } from '../db/tables.ts';
import type { DeliveryStatus, SubscriptionStatus } from './rules.ts';

export type SubscriptionTable = {
  id: Generated<string>;
  partner_id: string;
  url: string;
  events: EventName[];
  status: Generated<SubscriptionStatus>;
  /** Sealed, as the one before it. */
  secret: string;
  /** Signs as well, until then; both are null together. */
  previous_secret: string | null;
  previous_secret_until: NullableTimestamp;
  failures_in_a_row: Generated<number>;
  created_at: Timestamp;
  updated_at: Timestamp;
  removed_at: NullableTimestamp;
};

export type DeliveryTable = {
  id: Generated<string>;
  subscription_id: string;
  event_id: string;
  partner_id: string;
  booking_id: string;
  event: EventName;
  status: Generated<DeliveryStatus>;
  attempt_count: Generated<number>;
  /** How many attempts of the schedule have failed. */
  retries: Generated<number>;
  status_code: number | null;
  error: string | null;
  /** Oldest first. */
  attempts: ColumnType<Attempt[], string | undefined, string>;
  due_at: NullableTimestamp;
  finished_at: NullableTimestamp;
  /** finished_at of what is FAILED; null otherwise. */
  failed_at: GeneratedAlways<Instant | null>;
  created_at: Timestamp;
  /** 0: made by its event; from 1 on: sent once more by hand, after it had arrived. */
  replay: Generated<number>;
};

/** The queue: what is pending, which a trigger of the deliveries sees to, and who has it. */
export type PendingTable = {
  delivery_id: string;
  subscription_id: string;
  /** The delivery's. */
  created_at: Timestamp;
  due_at: Timestamp;
  /** A worker's, until then by the database's clock. */
  lease: string | null;
  leased_until: NullableTimestamp;
};

/** The headers of an attempt that are new on every one; the others follow from the delivery. */
export type SentHeaders = {
  timestamp: string;
  signature: string;
  /** By the new secret, while a rotation overlaps. */
  signatureNext?: string;
  /** `webhook-signature` of the Standard Webhooks specification. */
  standard: string;
};

/** An attempt as it is kept with its delivery. */
export type Attempt = {
  attemptedAt: Instant;
  durationMs: number;
  statusCode: number | null;
  error: string | null;
  responseBody: string;
  /** Where a redirect led; undefined: it was none. */
  location?: string;
  /** Headers of the request; undefined: nothing was sent, or they were not kept yet. */
  sent?: SentHeaders;
};

/** What is read of a subscription: never its secrets. */
export const SUBSCRIPTION_COLUMNS = [
  'id',
  'partner_id',
  'url',
  'events',
  'status',
  'failures_in_a_row',
  'created_at',
  'updated_at',
] as const satisfies (keyof SubscriptionTable)[];
export type SubscriptionRow = Pick<Selectable<SubscriptionTable>, (typeof SUBSCRIPTION_COLUMNS)[number]>;

/** What is read of a delivery when its attempts are not wanted, which may be long. */
export const DELIVERY_COLUMNS = [
  'id',
  'subscription_id',
  'event_id',
  'partner_id',
  'booking_id',
  'event',
  'status',
  'attempt_count',
  'status_code',
  'error',
  'due_at',
  'finished_at',
  'created_at',
  'replay',
] as const satisfies (keyof DeliveryTable)[];
export type DeliveryRow = Pick<Selectable<DeliveryTable>, (typeof DELIVERY_COLUMNS)[number]> & {
  partner_name: string;
  subscription_status: SubscriptionStatus;
};
/** With the attempts, oldest first. */
export type DeliveryDetail = DeliveryRow & { payload: unknown; attempts: Attempt[] };
