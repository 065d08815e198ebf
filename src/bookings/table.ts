import Type from 'typebox';
import type { CalendarDate } from '../base/clock.ts';
import { col, kept, made, type TableOf } from '../db/columns.ts';
import { pg } from '../db/statement.ts';
import { withField } from '../http/fields.ts';
import { Nullable, Text, Uuid } from '../http/schemas.ts';
import type { PaymentResponsibility } from '../partners/rules.ts';
import type { FeeEntry } from '../policies/ledger.ts';
import type { Outcome } from '../policies/words.ts';
import {
  type AppointmentStatus,
  type BookingStatus,
  type EventName,
  FAILURE_REASONS,
  type PaymentStatus,
} from './rules.ts';

/** The kept responses of `Idempotency-Key`. */
export const IDEMPOTENCY_KEYS = {
  partner_id: pg.uuid,
  key: pg.text,
  /** SHA-256 of the canonical body. */
  request_hash: col(pg.bytea, { personal: { holds: 'COPY', ends: 'by the slice' } }),
  /** The request that holds the key. */
  owner: pg.uuid,
  /** null: its request runs, or was cut off. */
  response_status: pg.nullable(pg.int),
  response_body: col(pg.nullable(pg.text), { personal: { holds: 'COPY', ends: 'by the slice' } }),
  claimed_at: pg.timestamptz,
  expires_at: pg.timestamptz,
};
export type IdempotencyKeyTable = TableOf<typeof IDEMPOTENCY_KEYS>;

/** Why a booking failed, when that was told in words. */
const ERASED_REASON = 'ERASED';
const CODES = [...FAILURE_REASONS, ERASED_REASON].map((code) => `'${code}'`).join();
/** SQL: whether a reason is told in words: in capitals too it may be a name. */
const inWords = (value: string): string => `${value} not in (${CODES})`;

const SeriesIndex = Type.Integer({
  minimum: 1,
  maximum: 2_147_483_647,
  description: 'Its index in the series; null: none',
  examples: [3],
});

/**
 * A booking. `create`: a creation writes the column; `change`: a change does; `read`: the Booking of section 2 is made from
 * it; `lock`: a change needs it too. Fields are shown to the partner, the operator (beside the partner's) and the crew.
 */
export const BOOKINGS = {
  id: col(pg.uuid, { in: ['create', 'change', 'read'] }),
  partner_id: col(pg.uuid, { in: ['create', 'lock'] }),
  contact_id: col(pg.uuid, { in: ['create', 'read'] }),
  address_id: col(pg.uuid, { in: ['create', 'change', 'read'] }),
  service_id: col(pg.uuid, { in: ['create', 'read'] }),
  /** What was sold, as it was called then; null: a booking of before (catalogue/sold-names.ts). */
  sold_name: made(pg.nullable(pg.text)),
  sold_name_ar: made(pg.nullable(pg.text)),
  external_reference: withField(
    col(pg.nullable(pg.text), {
      in: ['create', 'change', 'read'],
      personal: { holds: 'REFERENCE', kept: "the partner's reference of what was sold" },
    }),
    {
      given: Type.String({
        format: 'text',
        minLength: 1,
        maxLength: 150,
        visible: true,
        description: "The partner's own reference, unique in its account; makes retries safe",
        examples: ['ORDER-2026-000123'],
      }),
    },
  ),
  /** True for failed bookings. */
  reference_released: made(pg.boolean),
  status: col(pg.typed<BookingStatus>(pg.text), { in: ['create', 'change', 'read'] }),
  payment_status: col(pg.typed<PaymentStatus>(pg.text), { in: ['create', 'change', 'read'] }),
  payment_responsibility: col(pg.typed<PaymentResponsibility>(pg.text), { in: ['create', 'lock'] }),
  /** SAR, an exact decimal. */
  amount: col(pg.numeric, { in: ['create', 'read'] }),
  service_date: col(pg.typed<CalendarDate>(pg.date), { in: ['create', 'change', 'read'] }),
  notes: withField(
    col(pg.nullable(pg.text), {
      in: ['create', 'change', 'lock'],
      personal: { holds: 'TEXT', erased: 'null' },
    }),
    {
      given: Text('For the operator; stored, never returned', 'Please ring twice', 2_000),
      shown: Nullable(
        Text(
          "The partner's notes; null: none, and for crews also once the visit is over",
          'Please ring twice',
          2_000,
        ),
      ),
      to: ['operator', 'crew'],
    },
  ),
  payment_reference: col(pg.nullable(pg.text), {
    in: ['change', 'lock'],
    personal: { holds: 'REFERENCE', kept: "the partner's reference of what was paid" },
  }),
  payment_confirmed_at: col(pg.nullable(pg.timestamptz), { in: ['change', 'lock'] }),
  /** The X-Request-Id with which the partner confirmed its payment or cancelled it last. */
  decided_by_request: col(pg.nullable(pg.text), {
    in: ['change', 'lock'],
    personal: { holds: 'REFERENCE', kept: "the partner's reference of a request" },
  }),
  cancellation_reason_id: col(pg.nullable(pg.uuid), { in: ['change', 'read'] }),
  cancellation_notes: col(pg.nullable(pg.text), {
    in: ['change', 'read'],
    personal: { holds: 'TEXT', erased: 'null' },
  }),
  cancellation_action: col(pg.nullable(pg.text), { in: ['change', 'lock'] }),
  cancelled_by: col(pg.nullable(pg.text), { in: ['change', 'read'] }),
  cancelled_at: col(pg.nullable(pg.timestamptz), { in: ['change', 'read'] }),
  /** Why it failed, also after it was cancelled. */
  failure_reason: withField(
    col(pg.nullable(pg.text), {
      made: 'default',
      in: ['read'],
      personal: {
        holds: 'TEXT',
        erased: `case when ${inWords('failure_reason')} then '${ERASED_REASON}' else failure_reason end`,
      },
    }),
    {
      shown: Nullable(
        Text('Why it has failed, as in `booking.payment_failed`; null: it has not', 'LINK_EXPIRED', 1_000),
      ),
      to: ['partner'],
    },
  ),
  /** The version of its policy; null: none. */
  policy_id: withField(col(pg.nullable(pg.uuid), { made: 'default', in: ['read'] }), {
    shown: Type.Optional(
      Nullable(Uuid('The version of the policy that it is under; null: changes are free')),
    ),
    to: ['partner'],
  }),
  hold_id: withField(col(pg.nullable(pg.uuid), { in: ['create', 'read'] }), {
    shown: Type.Optional(Nullable(Uuid('The hold that it took; null: none'))),
    to: ['partner'],
  }),
  /** A visit of a series. */
  series_id: withField(col(pg.nullable(pg.uuid), { in: ['create', 'read'] }), {
    shown: Type.Optional(Nullable(Uuid('The series that it is a visit of; null: none'))),
    to: ['partner', 'operator'],
  }),
  series_index: withField(col(pg.nullable(pg.int), { in: ['create', 'read'] }), {
    shown: Type.Optional(Nullable(SeriesIndex)),
    to: ['partner', 'operator'],
  }),
  /** SHA-256 of the body of its creation; null: by the operator, or of before. */
  creation_hash: col(pg.nullable(pg.bytea), {
    in: ['create'],
    personal: { holds: 'COPY', erased: 'null' },
  }),
  /** The ledger of its fees, oldest entry first; null: empty. */
  fees: col(pg.nullable(pg.jsonb<FeeEntry[]>()), { made: 'default', in: ['change', 'read'] }),
  /** For whom the operator cancelled it; null: for nobody else. */
  cancelled_for: col(pg.typed<'CUSTOMER' | null>(pg.text), { made: 'default', in: ['change', 'read'] }),
  /** The delay that was reported; it is none once the visit starts at another time than `late_starts_at`. */
  late_minutes: made(pg.nullable(pg.int)),
  late_reported_at: pg.nullable(pg.timestamptz),
  late_starts_at: made(pg.nullable(pg.timestamptz)),
  /** Whether the customer's messages are to be planned because of it. */
  late_untold: made(pg.boolean),
  /** The sequence of its last event. */
  event_count: made(pg.int),
  /** The transaction of the creation, for lists of one snapshot. */
  created_in: col(pg.xid8, { made: 'always' }),
  /** The transaction of the last change, for lists of changes. A trigger maintains it. */
  changed_in: col(pg.nullable(pg.xid8), { made: 'always' }),
  /** Counts its changes. */
  version: col(pg.int, { made: 'default', in: ['lock'] }),
  created_at: col(pg.timestamptz, { in: ['create', 'read'] }),
  updated_at: col(pg.timestamptz, { in: ['create', 'read'] }),
};
export type BookingTable = TableOf<typeof BOOKINGS>;

/** The appointment of a booking. `read`: the Booking of section 2 is made from it. */
export const APPOINTMENTS = {
  id: pg.uuid,
  booking_id: pg.uuid,
  team_id: pg.uuid,
  zone_id: pg.uuid,
  /** A short name, unique. */
  name: pg.text,
  status: pg.typed<AppointmentStatus>(pg.text),
  starts_at: col(pg.timestamptz, { in: ['read'] }),
  ends_at: col(pg.timestamptz, { in: ['read'] }),
  /** With the team's travel buffer. */
  busy_until: pg.timestamptz,
  /** Start of the work; null: not begun. Set by a trigger. */
  began_at: pg.nullable(pg.timestamptz),
  /** When the office reported the work as done, by telephone; null: it did not. */
  reported_at: pg.nullable(pg.timestamptz),
  /** Why the visit could not be done. */
  outcome: col(pg.typed<Outcome | null>(pg.text), { made: 'default', in: ['read'] }),
  /** How far the work had come when it was cancelled. Set by a trigger. */
  work_reached: col(pg.typed<AppointmentStatus | null>(pg.text), { made: 'default', in: ['read'] }),
  /** Counts its changes. */
  version: made(pg.int),
  created_at: pg.timestamptz,
  updated_at: pg.timestamptz,
};
export type AppointmentTable = TableOf<typeof APPOINTMENTS>;

/** The access of the crew, sealed. */
export const BOOKING_ACCESS = {
  /** Of the booking. */
  id: pg.uuid,
  value: col(pg.text, { personal: { holds: 'SEALED', ends: 'with its row' } }),
};
export type BookingAccessTable = TableOf<typeof BOOKING_ACCESS>;

/** Of a place: null once the hold has ended. */
const heldPlace = kept(
  pg.nullable(pg.numeric),
  'PLACE',
  'of a hold without a customer, and null once it is over',
);

/** A slot that is held with its price. What it holds is the appointment with its id. */
export const HOLDS = {
  id: pg.uuid,
  partner_id: pg.uuid,
  /** null, both: the hold is of a place. */
  contact_id: pg.nullable(pg.uuid),
  address_id: pg.nullable(pg.uuid),
  latitude: heldPlace,
  longitude: heldPlace,
  /** Unique among the account's live holds. */
  reference: kept(pg.nullable(pg.text), 'REFERENCE', "the partner's reference of what was held"),
  service_id: pg.uuid,
  starts_at: pg.timestamptz,
  ends_at: pg.timestamptz,
  /** SAR, an exact decimal. */
  price: pg.numeric,
  expires_at: pg.timestamptz,
  /** null: it has an appointment, and counts until it expires. */
  ended_at: pg.nullable(pg.timestamptz),
  /** When it gave way to a sold visit; null: it did not. */
  displaced_at: pg.nullable(pg.timestamptz),
  /** The booking that took it. */
  booking_id: pg.nullable(pg.uuid),
  /** The version of its policy. */
  policy_id: pg.nullable(pg.uuid),
  created_at: pg.timestamptz,
};
export type HoldTable = TableOf<typeof HOLDS>;

/** SQL: the object if the condition holds, else an empty one. */
const objectIf = (condition: string, object: string): string =>
  `case when ${condition} then ${object} else '{}' end::jsonb`;

export const EVENTS = {
  id: pg.uuid,
  /** In the order of writing. */
  position: made(pg.bigint),
  partner_id: pg.uuid,
  booking_id: pg.uuid,
  /** Within its booking, from 1. */
  sequence: pg.int,
  event: pg.typed<EventName>(pg.text),
  payload: col(pg.jsonb<unknown>(), {
    personal: {
      holds: 'COPY',
      erased: [
        'payload',
        objectIf(`payload ? 'trackingReference'`, `'{"isErased": true}'`),
        objectIf(
          `payload #>> '{cancellation,notes}' is not null`,
          `jsonb_build_object('cancellation', payload -> 'cancellation' || '{"notes": null}')`,
        ),
        ...['failureReason', 'reason'].map((field) =>
          objectIf(inWords(`(payload ->> '${field}')`), `'{"${field}": "${ERASED_REASON}"}'`),
        ),
      ].join(' || '),
    },
  }),
  actor: made(pg.text),
  trace_parent: made(pg.nullable(pg.text)),
  created_at: pg.timestamptz,
};
export type EventTable = TableOf<typeof EVENTS>;
