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
import { cancelBooking } from '../bookings/cancel.ts';
import { confirmPayment } from '../bookings/confirm-payment.ts';
import { createBooking } from '../bookings/create.ts';
import type { AppointmentStatus } from '../bookings/rules.ts';
import { listServiceRows } from '../catalogue/operator-queries.ts';
import { findOrCreateContact } from '../contacts/contacts.ts';
import { demoPhone } from '../contacts/rules.ts';
import type { Db } from '../db/connection.ts';
import { changeAppointment } from '../dispatch/appointments.ts';
import { readOperatorBooking } from '../dispatch/bookings.ts';
import { listAppointmentRows } from '../dispatch/queries.ts';
import { keepEventPartitions } from '../events/feed.ts';
import { findPartnerByName } from '../partners/account-queries.ts';
import type { PaymentResponsibility } from '../partners/rules.ts';
import type { PartnerRow } from '../partners/table.ts';
import { failForOperator } from '../payments/fail-booking.ts';
import { listCustomerReasons } from '../reasons/queries.ts';
import { createTimeOff } from '../teams/teams.ts';
import { ACTOR } from './demo.ts';
import { PARTNERS, SERVICES } from './demo-data.ts';
import { CUSTOMERS, type Entry, EVERY_DAY, UNTIL_TODAY } from './demo-day-data.ts';

/** Days with appointments, from today. */
const FIRST_DAY = -1;
const LAST_DAY = 2;
const FRIDAY = 5;
/** A deferred appointment of the demo waits for its team at least this long: the worker assigns the last 24 hours. */
const UNASSIGNED_AHEAD = 50 * HOUR;

/** What the demo partner of the PLATFORM kind needs of a service with a gateway of the sandbox. */
export type DemoPlatform = {
  /** Uses a booking's link as its customer. */
  payByLink(now: Instant, bookingId: string, outcome: 'paid' | 'failed'): Promise<void>;
  /** Gives the partner a subscription whose deliveries fail. */
  subscribeNowhere(now: Instant, partnerId: string): Promise<void>;
};

type Visit = Entry & { date: CalendarDate; startsAt: Instant; endsAt: Instant; platform: boolean };
type Booked = { bookingId: string; appointmentId: string };
type Step = { at: Instant; run: () => Promise<unknown> };

/**
 * Fills the days around now with about 60 bookings of the demo partners, in every state and some of them in need of
 * attention, through the use cases and in the order in which things happen. Ends early when `isStopping` says so.
 * Returns how many were booked.
 */
export async function seedDay(
  { db, plans }: { db: Db; plans: PlanCache },
  now: Instant,
  /** null: the demo's other partner makes all bookings. */
  gatewayed: DemoPlatform | null = null,
  isStopping: () => boolean = () => false,
): Promise<number> {
  const partner = await findPartnerByName(db, PARTNERS.partner.name);
  const platform = await findPartnerByName(db, PARTNERS.platform.name);
  if (partner === null || platform === null) return 0;
  // Before the events, as no worker may ever have run: later those that are there would have to be read.
  await keepEventPartitions(db, now);
  const { rows } = await listServiceRows(db, {}, { limit: 100, offset: 0 });
  const serviceIds = new Map(rows.map(({ id, name }) => [name, id]));
  const [reason] = await listCustomerReasons(db);

  let booked = 0;
  const steps: Step[] = [];
  const then = (at: Instant, run: Step['run']): void => {
    if (at <= now) steps.push({ at, run });
  };
  const moves = (booking: () => Booked | null, all: readonly [AppointmentStatus, Instant][]): void => {
    for (const [status, at] of all)
      then(at, async () => {
        const appointmentId = booking()?.appointmentId;
        if (appointmentId !== undefined)
          await changeAppointment({ db, plans }, at, ACTOR, { appointmentId, changes: { status } });
      });
  };

  if (gatewayed !== null) await gatewayed.subscribeNowhere(now, platform.id);
  const visits = visitsAround(now, gatewayed !== null);
  const past = visits.filter(({ endsAt }) => endsAt <= now);
  const running = visits.filter(({ startsAt, endsAt }) => startsAt <= now && endsAt > now);
  const coming = visits.filter(({ startsAt }) => startsAt > now);
  const platforms = visits.filter(({ platform }) => platform);
  for (const [index, visit] of visits.entries()) {
    let made: Booked | null = null;
    const booking = (): Booked | null => made;
    const { startsAt, endsAt } = visit;
    // A link is open for 24 hours at most, and the worker closes those of the past.
    const createdAt = Math.min(now - (1 + (index % 5)) * HOUR, startsAt - (8 + (index % 14)) * HOUR);
    then(createdAt, async () => {
      made = await book({ db, plans }, createdAt, visit.platform ? platform : partner, visit, {
        serviceId: serviceIds.get(SERVICES[visit.service].nameEn!)!,
        customer: index,
        reference: `DEMO-${1_001 + index}`,
      });
      if (made !== null) booked += 1;
    });
    const cancel = (cancelledAt: Instant): void =>
      then(cancelledAt, async () => {
        if (made === null || reason === undefined) return;
        const partnerId = visit.platform ? platform.id : partner.id;
        await cancelBooking(
          db,
          cancelledAt,
          { partnerId, bookingId: made.bookingId },
          { reasonId: reason.id },
        );
      });
    const pay = (paidAt: Instant): void =>
      then(paidAt, async () => {
        if (made === null) return;
        const { id } = partner;
        const paying = { id, paymentResponsibility: 'PARTNER' as const };
        await confirmPayment(db, paidAt, paying, {
          bookingId: made.bookingId,
          paymentReference: `PAY-${7_001 + index}`,
        });
      });

    const place = past.indexOf(visit);
    const rest = past.length - 1 - place;
    const here = running.indexOf(visit);
    const ahead = coming.indexOf(visit);
    const begun: [AppointmentStatus, Instant][] = [
      ['In The Way', startsAt - 30 * MINUTE],
      ['In The location', startsAt - 5 * MINUTE],
      ['In Progress', startsAt],
    ];
    if (place >= 0) {
      if (place % 7 === 1) {
        cancel(startsAt - 3 * HOUR);
      } else if (place === 2) {
        then(startsAt - HOUR, async () => {
          if (made !== null)
            await failForOperator(db, startsAt - HOUR, ACTOR, {
              bookingId: made.bookingId,
              reason: 'The customer cannot be reached',
            });
        });
      } else if (place === 3) {
        moves(booking, [...begun.slice(0, 2), ['Cannot Complete', startsAt + 20 * MINUTE]]);
      } else {
        if (place % 4 !== 0) pay(endsAt - 10 * MINUTE);
        const ended: [AppointmentStatus, Instant][] = [
          ['Finished', endsAt],
          ['Completed', endsAt + 10 * MINUTE],
        ];
        // The last one should have ended, and nobody has said so.
        moves(booking, [...begun, ...(rest === 0 ? [] : rest === 1 ? ended.slice(0, 1) : ended)]);
      }
    } else if (here >= 0) {
      pay(createdAt + HOUR);
      moves(booking, [['Confirmed', createdAt + 30 * MINUTE]]);
      // The first one should have begun; another stands at the door.
      moves(booking, here === 0 ? [] : here === 1 ? begun.slice(0, 2) : begun);
    } else if (visit.platform) {
      const outcome = (['paid', null, 'paid', 'failed'] as const)[platforms.indexOf(visit) % 4]!;
      if (gatewayed !== null && outcome !== null)
        then(now, async () => {
          if (made !== null) await gatewayed.payByLink(now, made.bookingId, outcome);
          if (
            made !== null &&
            outcome === 'paid' &&
            platforms.indexOf(visit) % 8 === 0 &&
            reason !== undefined
          )
            await cancelBooking(
              db,
              now,
              { partnerId: platform.id, bookingId: made.bookingId },
              { reasonId: reason.id },
            );
        });
    } else {
      if (ahead % 4 !== 1) pay(createdAt + 20 * MINUTE);
      if (ahead % 9 === 7) cancel(now - 5 * MINUTE);
      // Those that are near are confirmed, but for one.
      else if (ahead !== 1 && (startsAt < now + 6 * HOUR || ahead % 3 === 0)) {
        moves(booking, [['Confirmed', createdAt + 30 * MINUTE]]);
        moves(booking, begun.slice(0, 1));
      }
    }
  }

  steps.sort((a, b) => a.at - b.at);
  for (const { run } of steps) {
    if (isStopping()) return booked;
    await unlessRefused(run);
  }
  await unlessRefused(() => sendTeamAway(db, now));
  return booked;
}

/** The visits of all days, by start; those of the platform are in the future, where their links are still open. */
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
  visits.push(visitOn(unassignedDate(now), { zone: 'north', service: 'building', startAt: '07:00' }));
  visits.sort((a, b) => a.startsAt - b.startsAt);
  const soon = now + HOUR;
  return visits.map((visit, index) => ({
    ...visit,
    platform: hasPlatform && index % 3 === 0 && visit.startsAt > soon,
  }));
}

function visitOn(date: CalendarDate, entry: Entry): Visit {
  const startsAt = startOfDate(date) + secondsOfDay(entry.startAt) * 1000;
  const endsAt = startsAt + SERVICES[entry.service].durationMinutes * MINUTE;
  return { ...entry, date, startsAt, endsAt, platform: false };
}

function unassignedDate(now: Instant): CalendarDate {
  const date = dateOf(now + UNASSIGNED_AHEAD);
  return weekdayOf(date) === FRIDAY ? addDays(date, 1) : date;
}

/** Books the visit for a customer of its zone; null: no team is free, as on a Friday. */
async function book(
  { db, plans }: { db: Db; plans: PlanCache },
  now: Instant,
  { id, name, payment_responsibility }: PartnerRow,
  { zone, date, startsAt, endsAt }: Visit,
  { serviceId, customer, reference }: { serviceId: string; customer: number; reference: string },
): Promise<Booked | null> {
  const customers = CUSTOMERS[zone];
  const { district, street, ...who } = customers[customer % customers.length]!;
  const place = customer % customers.length;
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
  const paymentResponsibility: PaymentResponsibility = payment_responsibility;
  const { bookingId } = await createBooking({ db, plans }, now, {
    partner: { id, paymentResponsibility, hasGateway: true },
    input: {
      contactId: contact.id,
      addressId: contact.address_id!,
      serviceId,
      date,
      timeslot: { startAt: time(startsAt), endAt: time(endsAt) },
      externalReference: reference,
    },
  });
  const { row } = await readOperatorBooking(db, bookingId);
  return { bookingId, appointmentId: row.appointment_id };
}

const ZONE_NUMBERS = { centre: 1, north: 2, east: 3, south: 4, west: 5 } as const satisfies Record<
  Entry['zone'],
  number
>;

/** A team with appointments on one of the next days falls ill on it. */
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

/** What the rules refuse does not happen: a visit for which no team works that day, and what would follow from it. */
async function unlessRefused(work: () => Promise<unknown>): Promise<void> {
  try {
    await work();
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
  }
}
