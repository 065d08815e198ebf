import { type RawBuilder, sql } from 'kysely';
import {
  addDays,
  type CalendarDate,
  DAY,
  dateOf,
  HOUR,
  type Instant,
  MINUTE,
  startOfDate,
} from '../base/clock.ts';
import { REPORTED_DELAY } from '../bookings/late-queries.ts';
import { type AppointmentStatus, CLOSED_BOOKINGS } from '../bookings/rules.ts';
import { instant } from '../db/tables.ts';
import { canDo } from '../teams/visit-queries.ts';
import {
  type AppointmentConcern,
  type AttentionLimits,
  BEFORE_WORK,
  type BookingConcern,
  CANCELLED_ALONE_DAYS,
  NOT_UNDER_WAY,
  UNFINISHED,
  WORK_CANCELLED_DAYS,
} from './attention-rules.ts';
import { gaveBackSince, IS_UNDECIDED } from './fee-queries.ts';

/** Concerns as conditions of the lists, so that counts and rows agree. */

const isOneOf = (statuses: readonly AppointmentStatus[]) =>
  sql`appointments.status = any (${statuses}::text[])`;

/** The predicate of an index, word for word: appointments that have ended are not read. */
const IS_OPEN = sql`appointments.status not in ('Completed', 'Cancelled')`;

const SERVICE = '(select b.service_id from bookings b where b.id = appointments.booking_id)';
const CAN_DO = sql.raw(canDo('appointments', SERVICE));

/** Of a booking that is neither canceled nor failed. */
const OF_LIVE_BOOKING = sql`exists (select from bookings b
  where b.id = appointments.booking_id and b.status <> all (${CLOSED_BOOKINGS}::text[]))`;

const IS_SAID_LATE = sql`exists (select from bookings b, lateral (select appointments.starts_at) a
  where b.id = appointments.booking_id and ${sql.raw(REPORTED_DELAY)} is not null)`;

/** SQL over a row of `appointments`. */
export function concerns(
  concern: AppointmentConcern,
  now: Instant,
  limits: AttentionLimits,
): RawBuilder<boolean> {
  const at = (milliseconds: number) => instant(now + milliseconds);
  const late = at(-limits.lateAfterMinutes * MINUTE);
  switch (concern) {
    case 'unassigned':
      // Until it is late: an appointment is always in one of the two lists.
      return sql<boolean>`(appointments.status = 'New' and appointments.starts_at >= ${late}
        and appointments.starts_at < ${at(limits.assignWithinHours * HOUR)})`;
    case 'unconfirmed':
      return sql<boolean>`(appointments.status = 'Scheduled' and appointments.starts_at >= ${at(0)}
        and appointments.starts_at < ${at(limits.confirmWithinMinutes * MINUTE)})`;
    case 'late':
    case 'unreported':
      // A check of the table bounds the length of appointments.
      return sql<boolean>`(appointments.starts_at >= ${at(-limits.lateAfterMinutes * MINUTE - 32 * HOUR)}
        and appointments.starts_at < ${late} and appointments.ends_at >= ${late}
        and ${isOneOf(concern === 'late' ? BEFORE_WORK : NOT_UNDER_WAY)}
        ${concern === 'late' ? sql`` : sql`and not ${IS_SAID_LATE}`})`;
    case 'overdue':
      return sql<boolean>`(${IS_OPEN} and appointments.starts_at < ${late} and appointments.ends_at < ${late}
        and ${isOneOf(UNFINISHED)})`;
    case 'team-away':
      return sql<boolean>`(appointments.starts_at >= ${late}
        and appointments.starts_at < ${at(limits.awayWithinDays * DAY)} and ${isOneOf(NOT_UNDER_WAY)}
        and not exists (select from teams t where t.id = appointments.team_id and ${CAN_DO}))`;
    case 'cannot-complete':
      return sql<boolean>`(${IS_OPEN} and appointments.status = 'Cannot Complete' and ${OF_LIVE_BOOKING})`;
    case 'cancelled-alone':
      return sql<boolean>`(appointments.starts_at >= ${at(-CANCELLED_ALONE_DAYS * DAY)}
        and appointments.status = 'Cancelled' and ${OF_LIVE_BOOKING})`;
    case 'not-completed':
      return sql<boolean>`(${IS_OPEN} and appointments.status = 'Finished'
        and appointments.updated_at < ${at(-limits.finishedForMinutes * MINUTE)} and ${OF_LIVE_BOOKING})`;
    case 'work-cancelled':
      return sql<boolean>`(appointments.work_reached is not null and appointments.status = 'Cancelled'
        and appointments.updated_at >= ${at(-WORK_CANCELLED_DAYS * DAY)})`;
  }
}

/** SQL over a row `b` of bookings. */
export function bookingConcerns(
  concern: BookingConcern,
  now: Instant,
  limits: AttentionLimits,
): RawBuilder<boolean> {
  switch (concern) {
    case 'payment-due':
      return paymentIsDue(now, limits);
    case 'dropped-unpaid':
      return isDroppedUnpaid(dateOf(now));
    case 'paid-cancelled':
      return sql<boolean>`(b.payment_status = 'PAID' and b.status <> all (${CLOSED_BOOKINGS}::text[])
        and b.id = any (array(select booking_id from appointments where ${concerns('cancelled-alone', now, limits)})))`;
    case 'fees-to-decide':
      return IS_UNDECIDED;
    case 'fees-given-back':
      return gaveBackSince(startOfDate(dateOf(now)));
  }
}

/** SQL over a row `b` of bookings: it waits for payment, and its appointment begins soon or has begun. */
function paymentIsDue(now: Instant, limits: AttentionLimits): RawBuilder<boolean> {
  const soon = instant(now + limits.payWithinHours * HOUR);
  return sql<boolean>`(
    b.status = 'waiting payment'
    and exists (select 1 from appointments due where due.booking_id = b.id and due.starts_at < ${soon}))`;
}

/** SQL over a row `b` of bookings: it failed unpaid, its visit was to be on the date, and the customer has no other. */
const isDroppedUnpaid = (date: CalendarDate): RawBuilder<boolean> => sql<boolean>`(
  b.status = 'failed' and b.failure_reason is not null
  and b.id = any (array(select booking_id from appointments where starts_at >= ${instant(startOfDate(date))}
    and starts_at < ${instant(startOfDate(addDays(date, 1)))}))
  and not exists (select from bookings o where o.contact_id = b.contact_id and o.service_date = b.service_date
    and o.status <> all (${CLOSED_BOOKINGS}::text[])))`;
