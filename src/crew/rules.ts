import { hoursOn, type WithHours } from '../availability/hours.ts';
import { DAY, dateOf, HOUR, type Instant, MINUTE, startOfDate } from '../base/clock.ts';
import { CREDENTIALS, sha256 } from '../base/tokens.ts';
import {
  type AppointmentStatus,
  type BookingStatus,
  CLOSED_BOOKINGS,
  mayMoveAppointment,
  statusesIn,
  UNPAID_APPOINTMENT,
} from '../bookings/rules.ts';
import type { Actor } from '../db/audit.ts';
import type { StatusReason } from '../dispatch/rules.ts';

// ---------------------------------------------------------------------------
// Links

/** Beginnings of the tokens. */
export const TOKENS = { link: CREDENTIALS.crewLink, session: CREDENTIALS.crewSession } as const;

/** The cookie of a session, sent to the crew's pages and their interface only. */
export const SESSION_COOKIE = 'pbs_crew';

/** When a link for a day ends, in business time: after 24 hours, and not before the shift that is running then. */
export function endOfDayLink({ shifts, schedules }: WithHours, now: Instant): Instant {
  const end = now + DAY;
  const date = dateOf(end);
  const midnight = startOfDate(date);
  // Nobody stops working at a break.
  const team = { shifts, schedules: schedules.map((schedule) => ({ ...schedule, breaks: [] })) };
  const minute = (end - midnight) / MINUTE;
  const running = hoursOn(team, date).find(({ from, until }) => from < minute && minute < until);
  return running === undefined ? end : midnight + running.until * MINUTE;
}

/** Seconds for which browsers keep the cookie; the session ends with its link. */
export const COOKIE_SECONDS = (400 * DAY) / 1_000;

/** Wrong PINs of a link; then it opens nothing more. */
export const MAX_PIN_FAILURES = 10;

export const LINK_STATUSES = ['ACTIVE', 'LOCKED', 'EXPIRED', 'REVOKED'] as const;
export type LinkStatus = (typeof LINK_STATUSES)[number];

type LinkTimes = { expires_at: Instant | null; revoked_at: Instant | null; pin_failures: number };

/** The status of a link at a real time; the telephones of a locked one stay signed in. */
export function linkStatus(
  { expires_at, revoked_at, pin_failures }: LinkTimes,
  realNow: Instant,
): LinkStatus {
  if (revoked_at !== null) return 'REVOKED';
  if (expires_at !== null && expires_at <= realNow) return 'EXPIRED';
  return pin_failures >= MAX_PIN_FAILURES ? 'LOCKED' : 'ACTIVE';
}

/**
 * When the link ended, in real time, and until when what was done counts: of an expired one until its end, of a revoked one
 * nothing. null: it has not.
 */
export function endOfLink(
  { expires_at, revoked_at }: Pick<LinkTimes, 'expires_at' | 'revoked_at'>,
  realNow: Instant,
): { at: Instant; counts: Instant } | null {
  if (revoked_at !== null) return { at: revoked_at, counts: -Infinity };
  return expires_at !== null && expires_at <= realNow ? { at: expires_at, counts: expires_at } : null;
}

/** The stored hash of a PIN: with the token, which is stored nowhere, so that the hash gives no PIN away. */
export const pinHash = (token: string, pin: string): Buffer => sha256(`${token} ${pin}`);

// ---------------------------------------------------------------------------
// Steps

/** The way of a visit, in order. */
export const VISIT_STEPS = ['In The Way', 'In The location', 'In Progress', 'Finished'] as const;
export const CREW_STATUSES = [...VISIT_STEPS, 'Cannot Complete'] as const;
export type CrewStatus = (typeof CREW_STATUSES)[number];

/** What crews report: a status of the visit, or that they run late, which is none. */
export const CREW_STEPS = [...CREW_STATUSES, 'Late'] as const;
export type CrewStep = (typeof CREW_STEPS)[number];

/** The longest delay that is reported (minutes). */
export const MAX_DELAY = 240;

/** The actor of a team's crew, in events, histories and the audit log. */
export const crewActor = (teamId: string): Actor => `crew:${teamId}`;

/** Whether crews report this status. */
export const isCrewStatus = (status: AppointmentStatus): status is CrewStatus =>
  (CREW_STATUSES as readonly AppointmentStatus[]).includes(status);

/** Why a visit could not be done. */
export const CREW_REASONS = [
  'CUSTOMER_ABSENT',
  'NO_ACCESS',
  'REFUSED',
  'UNSAFE',
  'CREW',
] as const satisfies StatusReason[];
export type CrewReason = (typeof CREW_REASONS)[number];

/** Why a step was not taken; the first one wins. */
export const REFUSALS = [
  'LINK_ENDED',
  'OTHER_TEAM',
  'CANCELLED',
  'RESCHEDULED',
  'TOO_OLD',
  'TOO_EARLY',
  'MOVED_ON',
  'WAITS_FOR_PAYMENT',
  'NOT_ALLOWED',
] as const;
export type Refusal = (typeof REFUSALS)[number];

/** Milliseconds: how long ago a step may have happened, and how long before its visit's start. */
export const MAX_BACK = 12 * HOUR;
const MAX_AHEAD = 12 * HOUR;

/** Milliseconds: how long ago a delay may have been reported. Later the customer knows, or was told by the office. */
const MAX_DELAY_BACK = HOUR;

/** Milliseconds after midnight at which a night ends: a visit that starts before it belongs to the day before. */
export const NIGHT = 5 * HOUR;

export type Visit = {
  team_id: string;
  status: AppointmentStatus;
  booking_status: BookingStatus;
  starts_at: Instant;
  /** When the office reported it as done, by telephone; null: it did not. */
  reported_at: Instant | null;
};

export type Step = {
  teamId: string;
  /** Until when steps of its link count, in business time. */
  countsUntil: Instant;
  to: CrewStep;
  /** The start that the telephone showed. */
  startsAt: Instant;
  happenedAt: Instant;
};

/** `DONE`: the visit becomes `to`; `SAME`: it is so already, by another telephone or the office. */
export type Verdict = 'DONE' | 'SAME' | Refusal;

/** The verdict on a step, by the visit as it is now. */
export function validateStep(visit: Visit, step: Step, now: Instant): Verdict {
  const { status } = visit;
  const { to } = step;
  if (step.happenedAt > step.countsUntil) return 'LINK_ENDED';
  if (visit.team_id !== step.teamId) return 'OTHER_TEAM';
  if (status === to) return 'SAME';
  if (status === 'Cancelled' || CLOSED_BOOKINGS.includes(visit.booking_status)) return 'CANCELLED';
  // A step that the office has entered already is a repeat.
  if (visit.reported_at !== null && to !== 'Cannot Complete') return 'SAME';
  if (to === 'Late') return validateDelay(visit, step, now);
  // Moved within its working day it is the same work.
  if (dateOf(visit.starts_at - NIGHT) !== dateOf(step.startsAt - NIGHT)) return 'RESCHEDULED';
  if (step.happenedAt < now - MAX_BACK) return 'TOO_OLD';
  if (step.happenedAt < visit.starts_at - MAX_AHEAD) return 'TOO_EARLY';
  if (placeOf(status) > placeOf(to)) return 'MOVED_ON';
  if (visit.booking_status === 'waiting payment' && !UNPAID_APPOINTMENT.includes(to))
    return 'WAITS_FOR_PAYMENT';
  return mayMoveAppointment(status, to) ? 'DONE' : 'NOT_ALLOWED';
}

/** The statuses in which the team can still come late. */
const MAY_BE_LATE: readonly AppointmentStatus[] = ['Scheduled', 'Confirmed', 'In The Way'];

/** A delay is of one start. */
function validateDelay(visit: Visit, step: Step, now: Instant): 'DONE' | Refusal {
  if (visit.starts_at !== step.startsAt) return 'RESCHEDULED';
  if (step.happenedAt < now - MAX_DELAY_BACK) return 'TOO_OLD';
  if (step.happenedAt < visit.starts_at - MAX_AHEAD) return 'TOO_EARLY';
  if (visit.booking_status === 'waiting payment') return 'WAITS_FOR_PAYMENT';
  return MAY_BE_LATE.includes(visit.status) ? 'DONE' : 'MOVED_ON';
}

/** The place on the way: before it -1, after its end the end of all. */
function placeOf(status: AppointmentStatus): number {
  if (status === 'Completed' || status === 'Cannot Complete') return VISIT_STEPS.length;
  return (VISIT_STEPS as readonly AppointmentStatus[]).indexOf(status);
}

/** The steps that a crew may take now. */
export function nextSteps({
  status,
  booking_status,
}: Pick<Visit, 'status' | 'booking_status'>): CrewStatus[] {
  if (CLOSED_BOOKINGS.includes(booking_status) || booking_status === 'waiting payment') return [];
  return CREW_STATUSES.filter((to) => mayMoveAppointment(status, to));
}

type StepContent = {
  appointment_id: string;
  status: CrewStep;
  reason: CrewReason | null;
  notes: string | null;
  late_minutes: number | null;
  /** null: not known, of a step of before it was kept. */
  starts_at: Instant | null;
};

/** Whether two steps of one key say the same; times of telephones aside. Of an erased customer neither has a text. */
export const isSameStep = (known: StepContent, sent: StepContent): boolean =>
  known.appointment_id === sent.appointment_id &&
  known.status === sent.status &&
  known.reason === sent.reason &&
  known.notes === sent.notes &&
  known.late_minutes === sent.late_minutes &&
  (known.starts_at === null || known.starts_at === sent.starts_at);

/** Milliseconds by which a telephone's clock may drift between a step and its sending. */
const MAX_DRIFT = 2 * MINUTE;

/**
 * When a step happened, in business time: by the telephone's clock and how far the service was ahead of it before
 * (milliseconds); as long ago as the telephone says where that is not known. Uncertain: its clock was set meanwhile.
 */
export function happenedAt(
  now: Instant,
  { happened, sent, ahead }: { happened: Instant; sent: Instant; ahead: number | undefined },
): { at: Instant; isUncertain: boolean } {
  if (ahead === undefined) return { at: now - Math.max(0, sent - happened), isUncertain: false };
  const isUncertain = Math.abs(now - sent - ahead) > MAX_DRIFT;
  const at = Math.min(now, happened + ahead);
  return { at: isUncertain ? Math.max(at, now - MAX_BACK) : at, isUncertain };
}

/** What a step may have beside its status, by the statuses that it is for. */
const OF_STEPS = {
  reason: ['Cannot Complete'],
  text: ['Finished', 'Cannot Complete'],
  minutes: ['Late'],
} as const;

/** Faults of a step, beyond its form. */
export function stepFaults(step: {
  to?: CrewStep;
  reason?: string;
  text?: string;
  minutes?: number;
}): string[] {
  const { to } = step;
  if (to === undefined) return [];
  const faults = Object.entries(OF_STEPS).flatMap(([name, steps]) =>
    step[name as keyof typeof OF_STEPS] === undefined || (steps as readonly string[]).includes(to)
      ? []
      : [`${name} is for ${steps.join(' and ')}`],
  );
  if (to === 'Cannot Complete' && step.reason === undefined) faults.push('reason must be given');
  if (to === 'Late' && step.minutes === undefined) faults.push('minutes must be given');
  return faults;
}

// ---------------------------------------------------------------------------
// The phone of the customer

/** Milliseconds before the start from which on the crew may call. */
const CALL_BEFORE = HOUR;

/** The statuses in which nobody has to call any more. */
const OVER = statusesIn('done', 'not done', 'cancelled');

/** Whether the visit is over, for the crew. */
export const isVisitOver = (visit: Pick<Visit, 'status' | 'booking_status'>): boolean =>
  OVER.includes(visit.status) || CLOSED_BOOKINGS.includes(visit.booking_status);

/** The statuses in which the crew is there, or nearly. */
const UNDER_WAY = statusesIn('arriving', 'working');

/** Whether the crew may read how to get in: on the working day of the visit, and until it is over. */
export function maySeeAccess(visit: Visit & { ends_at: Instant }, now: Instant): boolean {
  if (isVisitOver(visit)) return false;
  const isDue = visit.starts_at <= now && (now < visit.ends_at || UNDER_WAY.includes(visit.status));
  const today = dateOf(now);
  return isDue || dateOf(visit.starts_at) === today || dateOf(visit.starts_at - NIGHT) === today;
}

/** Whether the crew may call the customer: from an hour before the start until the end. */
export function mayCall(visit: Visit & { ends_at: Instant }, now: Instant): boolean {
  return !isVisitOver(visit) && now >= visit.starts_at - CALL_BEFORE && now < visit.ends_at;
}
