import type { ColumnType, Generated, Selectable } from 'kysely';
import type { Instant } from '../base/clock.ts';
import type { EventName } from '../bookings/rules.ts';
import { col, erased, made, type TableOf } from '../db/columns.ts';
import type { PersonalTable } from '../db/personal.ts';
import { pg } from '../db/statement.ts';
import type { NullableTimestamp, Timestamp } from '../db/tables.ts';
import type { DeliveryStatus, SubscriptionStatus } from './rules.ts';

export type SubscriptionTable = {
  id: Generated<string>;
  partner_id: string;
  url: string;
  events: EventName[];
  status: Generated<SubscriptionStatus>;
  /** Sealed, as previous_secret is. */
  secret: string;
  /** Signs as well until previous_secret_until; both are null together. */
  previous_secret: string | null;
  previous_secret_until: NullableTimestamp;
  failures_in_a_row: Generated<number>;
  created_at: Timestamp;
  updated_at: Timestamp;
  removed_at: NullableTimestamp;
};

/** SQL: attempts, without what the receiver said. */
export const withoutWords = (attempts: string): string =>
  `(select coalesce(jsonb_agg(attempt - 'location' || '{"responseBody": ""}'), '[]') from jsonb_array_elements(${attempts}) attempt)`;

const DELIVERIES = {
  id: made(pg.uuid),
  subscription_id: pg.uuid,
  event_id: pg.uuid,
  partner_id: pg.uuid,
  booking_id: pg.uuid,
  event: pg.typed<EventName>(pg.text),
  status: made(pg.typed<DeliveryStatus>(pg.text)),
  attempt_count: made(pg.int),
  /** Failed attempts of the schedule. */
  retries: made(pg.int),
  status_code: pg.nullable(pg.int),
  error: erased(pg.nullable(pg.text), 'COPY'),
  /** Oldest first. */
  attempts: col(pg.jsonb<ColumnType<Attempt[], string | undefined, string>>(), {
    personal: { holds: 'COPY', erased: withoutWords('attempts') },
  }),
  due_at: pg.nullable(pg.timestamptz),
  finished_at: pg.nullable(pg.timestamptz),
  /** finished_at of FAILED deliveries, else null. */
  failed_at: col(pg.nullable(pg.timestamptz), { made: 'always' }),
  created_at: pg.timestamptz,
  /** 0: the event's own delivery; from 1 on: its replays. */
  replay: made(pg.int),
};
export type DeliveryTable = TableOf<typeof DELIVERIES>;

export const PERSONAL_DELIVERIES: PersonalTable = {
  table: 'webhook_deliveries',
  columns: DELIVERIES,
  what: "the first KiB of what a partner's receiver answered",
  until: '90 days',
  hers: 'event_id in (select e.id from events e where e.booking_id = any (:bookings))',
  // One that is under way then waits for the erasure, and asks for it (is_erased).
  locksAll: true,
};

/** The queue: pending deliveries, kept by a trigger of the deliveries, with their leases. */
export type PendingTable = {
  delivery_id: string;
  subscription_id: string;
  /** created_at of the delivery. */
  created_at: Timestamp;
  due_at: Timestamp;
  /** Until leased_until by the database's clock. */
  lease: string | null;
  leased_until: NullableTimestamp;
};

/** The headers that differ between attempts; the others follow from the delivery. */
export type SentHeaders = {
  timestamp: string;
  signature: string;
  /** By the new secret during an overlap. */
  signatureNext?: string;
  /** `webhook-signature` of the Standard Webhooks specification. */
  standard: string;
};

/** An attempt in the delivery's row. */
export type Attempt = {
  attemptedAt: Instant;
  durationMs: number;
  statusCode: number | null;
  error: string | null;
  responseBody: string;
  /** Target of a redirect; undefined: there was none. */
  location?: string;
  /** Headers of the request; undefined: nothing was sent, or by a version that did not keep them. */
  sent?: SentHeaders;
};

/** All columns but the secrets. */
export const SUBSCRIPTION_COLUMNS = [
  'id',
  'partner_id',
  'url',
  'events',
  'status',
  'previous_secret_until',
  'failures_in_a_row',
  'created_at',
  'updated_at',
] as const satisfies (keyof SubscriptionTable)[];
export type SubscriptionRow = Pick<Selectable<SubscriptionTable>, (typeof SUBSCRIPTION_COLUMNS)[number]>;

/** All columns but the attempts, which may be long, and what the queue alone needs. */
const { attempts: _, retries: __, failed_at: ___, ...shown } = DELIVERIES;
export const SHOWN_OF_DELIVERY = shown;
export const DELIVERY_COLUMNS = Object.keys(SHOWN_OF_DELIVERY) as (keyof typeof SHOWN_OF_DELIVERY)[];
export type DeliveryRow = Pick<Selectable<DeliveryTable>, (typeof DELIVERY_COLUMNS)[number]> & {
  partner_name: string;
  subscription_status: SubscriptionStatus;
};
/** With the attempts, oldest first. */
export type DeliveryDetail = DeliveryRow & { payload: unknown; attempts: Attempt[] };
