import type { PlanCache } from '../availability/plan.ts';
import {
  addDays,
  type CalendarDate,
  DAY,
  dateOf,
  formatMinutes,
  HOUR,
  type Instant,
  MINUTE,
  secondsOfDay,
  startOfDate,
  toRiyadhIso,
  weekdayOf,
} from '../base/clock.ts';
import { ApiError } from '../base/errors.ts';
import { newId } from '../base/ids.ts';
import { cancelBooking } from '../bookings/cancel.ts';
import { createPlainChanges } from '../bookings/change.ts';
import { confirmPayment } from '../bookings/confirm-payment.ts';
import { createBooking, createBookingInserts } from '../bookings/create.ts';
import type { AppointmentStatus } from '../bookings/rules.ts';
import { listServices } from '../catalogue/service-queries.ts';
import { findOrCreateContact } from '../contacts/contacts.ts';
import { demoPhone } from '../contacts/rules.ts';
import { listCrewLinks } from '../crew/links.ts';
import { type CrewStatus, crewActor, isCrewStatus } from '../crew/rules.ts';
import { takeCrewStep } from '../crew/steps.ts';
import type { Db } from '../db/connection.ts';
import { changeAppointment, readAppointment } from '../dispatch/appointments.ts';
import { readOperatorBooking } from '../dispatch/bookings.ts';
import { listAppointmentRows } from '../dispatch/queries.ts';
import { keepEventPartitions } from '../events/feed.ts';
import { findPartnerByName } from '../partners/account-queries.ts';
import type { PartnerRow } from '../partners/table.ts';
import { failForOperator } from '../payments/fail-booking.ts';
import { listCustomerReasons } from '../reasons/queries.ts';
import { createTimeOff } from '../teams/teams.ts';
import { ACTOR } from './demo.ts';
import { CUSTOMERS, DURATIONS, type Entry, EVERY_DAY, PARTNERS, UNTIL_TODAY } from './demo-data.ts';

/** Days with appointments, relative to today. */
const FIRST_DAY = -1;
const LAST_DAY = 2;
const FRIDAY = 5;
/** A deferred appointment of the demo has at least this long until its start: the worker assigns teams later. */
const UNASSIGNED_AHEAD = 50 * HOUR;

/** The services that the demo partner of the PLATFORM kind needs with a gateway of the sandbox. */
export type DemoPlatform = {
  /** Pays a booking's link as its customer. */
  payByLink(now: Instant, bookingId: string, outcome: 'paid' | 'failed'): Promise<void>;
  /** Creates a subscription of the partner whose deliveries fail. */
  subscribeNowhere(now: Instant, partnerId: string): Promise<void>;
};

type Visit = Entry & { date: CalendarDate; startsAt: Instant; endsAt: Instant; platform: boolean };
type Booked = { bookingId: string; appointmentId: string };
/** A visit, and what was booked for it; null: nothing yet, or no team was free. */
type DemoBooking = { visit: Visit; index: number; createdAt: Instant; made: Booked | null };
type Step = { at: Instant; run: () => Promise<unknown> };
type Parts = { db: Db; plans: PlanCache };
type Demo = Parts & {
  now: Instant;
  partner: PartnerRow;
  platform: PartnerRow;
  /** null: the demo's other partner makes all bookings. */
  gatewayed: DemoPlatform | null;
  serviceIds: ReadonlyMap<string, string>;
  /** Of cancellations; undefined: there are none. */
  reasonId: string | undefined;
};

/**
 * Creates bookings of the demo partners in the days around now, in every state and some with problems, through the use
 * cases and in chronological order. Ends early when `isStopping` returns true. Returns the number of bookings.
 */
export async function seedDay(
  { db, plans }: Parts,
  now: Instant,
  gatewayed: DemoPlatform | null = null,
  isStopping: () => boolean = () => false,
): Promise<number> {
  const partner = await findPartnerByName(db, PARTNERS.partner);
  const platform = await findPartnerByName(db, PARTNERS.platform);
  if (partner === null || platform === null) return 0;
  // Before the events, as no worker may have run yet: rows in the default partition would have to be moved later.
  await keepEventPartitions(db, now);
  const { rows } = await listServices(db, { limit: 100 });
  const serviceIds = new Map(rows.map(({ id, name }) => [name, id]));
  const [reason] = await listCustomerReasons(db);
  const demo: Demo = { db, plans, now, partner, platform, gatewayed, serviceIds, reasonId: reason?.id };

  if (gatewayed !== null) await gatewayed.subscribeNowhere(now, platform.id);
  const bookings = visitsAround(now, gatewayed !== null).map(
    (visit, index): DemoBooking => ({
      visit,
      index,
      createdAt: createdBefore(visit, index, now),
      made: null,
    }),
  );
  const countBooked = (): number => bookings.filter(({ made }) => made !== null).length;
  const steps = stepsOf(demo, bookings).filter(({ at }) => at <= now);
  steps.sort((a, b) => a.at - b.at);
  for (const { run } of steps) {
    if (isStopping()) return countBooked();
    await unlessRefused(run);
  }
  await unlessRefused(() => sendTeamAway(db, now));
  return countBooked();
}

/** A link is open for 24 hours at most, and the worker closes those of the past. */
function createdBefore({ startsAt }: Visit, index: number, now: Instant): Instant {
  return Math.min(now - (1 + (index % 5)) * HOUR, startsAt - (8 + (index % 14)) * HOUR);
}

/** All that happens to the bookings: each is created, and goes on by whether it is past, running or ahead. */
function stepsOf(demo: Demo, bookings: readonly DemoBooking[]): Step[] {
  const { now } = demo;
  const past = bookings.filter(({ visit }) => visit.endsAt <= now);
  const running = bookings.filter(({ visit }) => visit.startsAt <= now && visit.endsAt > now);
  const ahead = bookings.filter(({ visit }) => visit.startsAt > now);
  const ofPlatform = bookings.filter(({ visit }) => visit.platform);
  return bookings.flatMap((booking) => [
    creation(demo, booking),
    ...(past.includes(booking)
      ? pastSteps(demo, booking, past.indexOf(booking), past.length)
      : running.includes(booking)
        ? runningSteps(demo, booking, running.indexOf(booking))
        : booking.visit.platform
          ? platformSteps(demo, booking, ofPlatform.indexOf(booking))
          : aheadSteps(demo, booking, ahead.indexOf(booking))),
  ]);
}

function pastSteps(demo: Demo, booking: DemoBooking, place: number, count: number): Step[] {
  const { startsAt, endsAt } = booking.visit;
  if (place % 7 === 1) return [cancellation(demo, booking, startsAt - 3 * HOUR)];
  if (place === 2) return [failure(demo, booking, startsAt - HOUR)];
  if (place === 3)
    return moves(demo, booking, [
      ...arrival(booking).slice(0, 2),
      ['Cannot Complete', startsAt + 20 * MINUTE],
    ]);
  const ended: readonly Move[] = [
    ['Finished', endsAt],
    ['Completed', endsAt + 10 * MINUTE],
  ];
  const rest = count - 1 - place;
  // A second telephone of the crew reports late, and is refused: the office sees it for a day.
  const lateTap: readonly Move[] =
    rest === 2 || rest === 3 ? [['In The location', startsAt + 20 * MINUTE]] : [];
  return [
    ...(place % 4 === 0 ? [] : [payment(demo, booking, endsAt - 10 * MINUTE)]),
    // The last one should have ended, and is late.
    ...moves(demo, booking, [
      ...arrival(booking),
      ...lateTap,
      ...(rest === 0 ? [] : rest === 1 ? ended.slice(0, 1) : ended),
    ]),
  ];
}

function runningSteps(demo: Demo, booking: DemoBooking, place: number): Step[] {
  const { createdAt } = booking;
  const begun = arrival(booking);
  return [
    payment(demo, booking, createdAt + HOUR),
    ...moves(demo, booking, [['Confirmed', createdAt + 30 * MINUTE]]),
    // The first one should have started; another has its team at the door.
    ...moves(demo, booking, place === 0 ? [] : place === 1 ? begun.slice(0, 2) : begun),
  ];
}

function platformSteps(demo: Demo, booking: DemoBooking, place: number): Step[] {
  const { now, gatewayed } = demo;
  const outcome = (['paid', null, 'paid', 'failed'] as const)[place % 4]!;
  if (gatewayed === null || outcome === null) return [];
  const cancels = outcome === 'paid' && place % 8 === 0;
  const pay = step(booking, now, async ({ bookingId }) => {
    await gatewayed.payByLink(now, bookingId, outcome);
    if (cancels) await cancellation(demo, booking, now).run();
  });
  return [pay];
}

function aheadSteps(demo: Demo, booking: DemoBooking, place: number): Step[] {
  const { now } = demo;
  const { visit, createdAt } = booking;
  const steps = place % 4 === 1 ? [] : [payment(demo, booking, createdAt + 20 * MINUTE)];
  if (place % 9 === 7) return [...steps, cancellation(demo, booking, now - 5 * MINUTE)];
  // Near ones are confirmed, except one.
  if (place === 1 || (visit.startsAt >= now + 6 * HOUR && place % 3 !== 0)) return steps;
  return [
    ...steps,
    ...moves(demo, booking, [['Confirmed', createdAt + 30 * MINUTE], ...arrival(booking).slice(0, 1)]),
  ];
}

// ---------------------------------------------------------------------------
// Steps of one booking; none of what follows happens to a visit that was not booked.

type Move = [status: AppointmentStatus, at: Instant];

const step = (booking: DemoBooking, at: Instant, run: (made: Booked) => Promise<unknown>): Step => ({
  at,
  run: async () => booking.made !== null && (await run(booking.made)),
});

function arrival({ visit: { startsAt } }: DemoBooking): readonly Move[] {
  return [
    ['In The Way', startsAt - 30 * MINUTE],
    ['In The location', startsAt - 5 * MINUTE],
    ['In Progress', startsAt],
  ];
}

function moves({ db, plans }: Demo, booking: DemoBooking, all: readonly Move[]): Step[] {
  return all.map(([status, at]) =>
    step(booking, at, async ({ appointmentId }) => {
      if (isCrewStatus(status)) await reportStep({ db, plans }, at, appointmentId, status);
      else await changeAppointment({ db, plans }, at, ACTOR, { appointmentId, changes: { status } });
    }),
  );
}

/** A step as the crew's telephone sends it. */
async function reportStep(
  { db, plans }: Parts,
  at: Instant,
  appointmentId: string,
  to: CrewStatus,
): Promise<void> {
  const { team_id: teamId, starts_at } = await readAppointment(db, appointmentId);
  const [link] = (await listCrewLinks(db, teamId, { limit: 1 })).rows;
  if (link === undefined) return;
  const crew = { teamId, linkId: link.id, actor: crewActor(teamId), countsUntil: null };
  const stamp = toRiyadhIso(at);
  const times = { startsAt: toRiyadhIso(starts_at), happenedAt: stamp, sentAt: stamp };
  const reason = to === 'Cannot Complete' && { reason: 'CUSTOMER_ABSENT' as const };
  await takeCrewStep({ db, plans }, at, crew, { appointmentId, key: newId(at), to, ...times, ...reason });
}

function creation(demo: Demo, booking: DemoBooking): Step {
  const at = booking.createdAt;
  return { at, run: async () => Object.assign(booking, { made: await book(demo, at, booking) }) };
}

function payment({ db, partner }: Demo, booking: DemoBooking, at: Instant): Step {
  const paying = { id: partner.id, paymentResponsibility: 'PARTNER' as const };
  const paymentReference = `PAY-${7_001 + booking.index}`;
  return step(booking, at, ({ bookingId }) =>
    confirmPayment(createPlainChanges(db), at, paying, { bookingId, paymentReference }),
  );
}

function cancellation({ db, partner, platform, reasonId }: Demo, booking: DemoBooking, at: Instant): Step {
  const partnerId = booking.visit.platform ? platform.id : partner.id;
  return step(booking, at, async ({ bookingId }) => {
    if (reasonId === undefined) return;
    await cancelBooking(createPlainChanges(db), at, { partnerId, bookingId }, { reasonId });
  });
}

function failure({ db }: Demo, booking: DemoBooking, at: Instant): Step {
  const reason = 'The customer cannot be reached';
  return step(booking, at, ({ bookingId }) => failForOperator(db, at, ACTOR, { bookingId, reason }));
}

/** The visits of all days, by start; those of the platform are in the future, with open links. */
function visitsAround(now: Instant, hasPlatform: boolean): Visit[] {
  const visits: Visit[] = [];
  for (let day = FIRST_DAY; day <= LAST_DAY; day++) {
    const date = addDays(dateOf(now), day);
    for (const entry of [...EVERY_DAY, ...(day <= 0 ? UNTIL_TODAY : [])]) {
      // The only team of a Friday in the centre is left to the guides.
      if (day > 0 && entry.zone === 'centre' && weekdayOf(date) === FRIDAY) continue;
      visits.push(visitOn(date, entry));
    }
  }
  const building = 'Cleaning after building work';
  visits.push(visitOn(unassignedDate(now), { zone: 'north', service: building, startAt: '07:00' }));
  visits.sort((a, b) => a.startsAt - b.startsAt);
  const soon = now + HOUR;
  return visits.map((visit, index) => ({
    ...visit,
    platform: hasPlatform && index % 3 === 0 && visit.startsAt > soon,
  }));
}

function visitOn(date: CalendarDate, entry: Entry): Visit {
  const startsAt = startOfDate(date) + secondsOfDay(entry.startAt) * 1000;
  const endsAt = startsAt + DURATIONS.get(entry.service)! * MINUTE;
  return { ...entry, date, startsAt, endsAt, platform: false };
}

function unassignedDate(now: Instant): CalendarDate {
  const date = dateOf(now + UNASSIGNED_AHEAD);
  return weekdayOf(date) === FRIDAY ? addDays(date, 1) : date;
}

/** Books the visit for a customer of its zone. Throws ApiError when no team is free, as on a Friday. */
async function book(
  { db, plans, partner, platform, serviceIds }: Demo,
  now: Instant,
  { visit, index }: DemoBooking,
): Promise<Booked> {
  const { zone, service, date, startsAt, endsAt } = visit;
  const { id, name, payment_responsibility: paymentResponsibility } = visit.platform ? platform : partner;
  const customers = CUSTOMERS[zone];
  const { district, street, ...who } = customers[index % customers.length]!;
  const place = index % customers.length;
  const contact = await findOrCreateContact(
    db,
    now,
    { id, name },
    {
      ...who,
      phone: demoPhone(ZONE_NUMBERS[zone], place),
      cityName: /^[\p{Script=Latin}\p{P}\s]+$/u.test(who.name) ? 'Riyadh' : 'الرياض',
      districtName: district,
      streetName: street,
    },
  );
  const time = (instant: Instant): string => formatMinutes(((instant - startOfDate(date)) / MINUTE) % 1440);
  const { bookingId } = await createBooking({ db, plans, insert: createBookingInserts(db) }, now, {
    partner: { id, paymentResponsibility, hasGateway: true },
    input: {
      contactId: contact.id,
      addressId: contact.address_id!,
      serviceId: serviceIds.get(service)!,
      date,
      timeslot: { startAt: time(startsAt), endAt: time(endsAt) },
      externalReference: `DEMO-${1_001 + index}`,
    },
  });
  const { row } = await readOperatorBooking(db, bookingId);
  return { bookingId, appointmentId: row.appointment_id };
}

const ZONE_NUMBERS = { centre: 1, north: 2, east: 3, south: 4, west: 5 } as const;

/** Creates time off for a team with appointments on one of the next days. */
async function sendTeamAway(db: Db, now: Instant): Promise<void> {
  const { rows } = await listAppointmentRows(
    db,
    { fromDate: addDays(dateOf(now), 1), status: 'Scheduled' },
    { limit: 1, offset: 0 },
  );
  const [first] = rows;
  if (first === undefined) return;
  const from = startOfDate(dateOf(first.starts_at));
  await createTimeOff(db, now, ACTOR, {
    teamId: first.team_id,
    startsAt: toRiyadhIso(from),
    endsAt: toRiyadhIso(from + DAY),
    reason: 'Ill',
  });
}

/** Ignores refusals: of a visit without a working team on that day, and of later steps of such a visit. */
async function unlessRefused(work: () => Promise<unknown>): Promise<void> {
  try {
    await work();
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
  }
}
