import { type RawBuilder, sql } from 'kysely';
import { DAY, HOUR, type Instant, MINUTE } from '../clock.ts';
import { instant } from '../db/tables.ts';
import {
  type AppointmentConcern,
  AT_WORK,
  type AttentionLimits,
  BEFORE_WORK,
  LATE_FOR_HOURS,
  STILL_TO_DO,
} from './attention-rules.ts';
import type { AppointmentStatus } from './rules.ts';

/** What needs attention, as conditions of the lists: counts and rows can then not disagree. */

const isOneOf = (statuses: readonly AppointmentStatus[]) =>
  sql`appointments.status = any (${statuses}::text[])`;

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
      return sql<boolean>`(appointments.status = 'New' and appointments.starts_at >= ${at(0)}
        and appointments.starts_at < ${at(limits.assignWithinHours * HOUR)})`;
    case 'unconfirmed':
      return sql<boolean>`(appointments.status = 'Scheduled' and appointments.starts_at >= ${at(0)}
        and appointments.starts_at < ${at(limits.confirmWithinMinutes * MINUTE)})`;
    case 'late':
      // No appointment is longer than 32 hours (a check of the table).
      return sql<boolean>`(appointments.starts_at >= ${at(-(LATE_FOR_HOURS + 32) * HOUR)}
        and appointments.starts_at < ${late}
        and (${isOneOf(BEFORE_WORK)} and appointments.starts_at >= ${at(-LATE_FOR_HOURS * HOUR)}
          or ${isOneOf(AT_WORK)} and appointments.ends_at < ${late}
            and appointments.ends_at >= ${at(-LATE_FOR_HOURS * HOUR)}))`;
    case 'team-away':
      return sql<boolean>`(appointments.starts_at >= ${at(0)}
        and appointments.starts_at < ${at(limits.awayWithinDays * DAY)} and ${isOneOf(STILL_TO_DO)}
        and exists (select 1 from team_time_off o where o.team_id = appointments.team_id
          and o.starts_at < appointments.ends_at and o.ends_at > appointments.starts_at))`;
  }
}

/** SQL over a row `b` of bookings: its timeslot is held and unpaid, and the appointment begins soon, or has begun. */
export function paymentIsDue(now: Instant, limits: AttentionLimits): RawBuilder<boolean> {
  const soon = instant(now + limits.payWithinHours * HOUR);
  return sql<boolean>`(
    b.id in (select waiting.booking_id from booking_statuses waiting where waiting.status = 'waiting payment')
    and exists (select 1 from appointments due where due.booking_id = b.id and due.starts_at < ${soon}))`;
}
