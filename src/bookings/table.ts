import type { Generated, GeneratedAlways } from 'kysely';
import type { CalendarDate } from '../base/clock.ts';
import type { NullableTimestamp, Timestamp } from '../db/tables.ts';
import type { PaymentResponsibility } from '../partners/rules.ts';
import type { FeeEntry } from '../policies/ledger.ts';
import type { Outcome } from '../policies/words.ts';
import type { AppointmentStatus, BookingStatus, EventName, PaymentStatus } from './rules.ts';

export type IdempotencyKeyTable = {
  partner_id: string;
  key: string;
  /** SHA-256 of the canonical body. */
  request_hash: Buffer;
  /** The request that holds the key. */
  owner: string;
  /** null: its request runs, or was cut off. */
  response_status: number | null;
  response_body: string | null;
  claimed_at: Timestamp;
  expires_at: Timestamp;
};

export type BookingTable = {
  id: string;
  partner_id: string;
  contact_id: string;
  address_id: string;
  service_id: string;
  /** What was sold, as it was called then; null: a booking of before (catalogue/sold-names.ts). */
  sold_name: Generated<string | null>;
  sold_name_ar: Generated<string | null>;
  external_reference: string | null;
  /** True for failed bookings. */
  reference_released: Generated<boolean>;
  status: BookingStatus;
  payment_status: PaymentStatus;
  payment_responsibility: PaymentResponsibility;
  /** SAR, an exact decimal. */
  amount: string;
  service_date: CalendarDate;
  notes: string | null;
  payment_reference: string | null;
  payment_confirmed_at: NullableTimestamp;
  cancellation_reason_id: string | null;
  cancellation_notes: string | null;
  cancellation_action: string | null;
  cancelled_by: string | null;
  cancelled_at: NullableTimestamp;
  /** Why it failed, also after it was cancelled. */
  failure_reason: Generated<string | null>;
  /** The version of its policy. */
  policy_id: Generated<string | null>;
  fees: Generated<FeeEntry[] | null>;
  cancelled_for: Generated<'CUSTOMER' | null>;
  /** The sequence of its last event. */
  event_count: Generated<number>;
  /** The transaction of the creation, for lists of one snapshot. */
  created_in: GeneratedAlways<string>;
  /** The transaction of the last change, for lists of changes. A trigger maintains it. */
  changed_in: GeneratedAlways<string | null>;
  /** Counts its changes. */
  version: Generated<number>;
  created_at: Timestamp;
  updated_at: Timestamp;
};

export type AppointmentTable = {
  id: string;
  booking_id: string;
  team_id: string;
  zone_id: string;
  /** A short name, unique. */
  name: string;
  status: AppointmentStatus;
  starts_at: Timestamp;
  ends_at: Timestamp;
  /** With the team's travel buffer. */
  busy_until: Timestamp;
  /** Start of the work; null: not begun. Set by a trigger. */
  began_at: NullableTimestamp;
  /** Why the visit could not be done. */
  outcome: Generated<Outcome | null>;
  /** How far the work had come when it was cancelled. Set by a trigger. */
  work_reached: Generated<AppointmentStatus | null>;
  /** Counts its changes. */
  version: Generated<number>;
  created_at: Timestamp;
  updated_at: Timestamp;
};

/** The access of the crew, sealed. */
export type BookingAccessTable = {
  /** Of the booking. */
  id: string;
  value: string;
};

/** A slot that is held with its price. What it holds is the appointment with its id. */
export type HoldTable = {
  id: string;
  partner_id: string;
  contact_id: string;
  address_id: string;
  service_id: string;
  starts_at: Timestamp;
  ends_at: Timestamp;
  /** SAR, an exact decimal. */
  price: string;
  expires_at: Timestamp;
  /** null: it has an appointment, and counts until it expires. */
  ended_at: NullableTimestamp;
  /** The booking that took it. */
  booking_id: string | null;
  /** The version of its policy. */
  policy_id: string | null;
  created_at: Timestamp;
};

export type EventTable = {
  id: string;
  /** In the order of writing. */
  position: Generated<number>;
  partner_id: string;
  booking_id: string;
  /** Within its booking, from 1. */
  sequence: number;
  event: EventName;
  payload: unknown;
  actor: Generated<string>;
  trace_parent: Generated<string | null>;
  created_at: Timestamp;
};
