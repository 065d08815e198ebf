import { type InferResult, type RawBuilder, type SelectQueryBuilder, sql } from 'kysely';
import { addDays, type CalendarDate, type Instant, startOfDate } from '../base/clock.ts';
import { REPORTED_DELAY } from '../bookings/late-queries.ts';
import { PAYMENT } from '../bookings/queries.ts';
import type { BookingPayment } from '../bookings/refund.ts';
import {
  type AppointmentStatus,
  type BookingStatus,
  CLOSED_BOOKINGS,
  type PaymentStatus,
} from '../bookings/rules.ts';
import type { AppointmentTable, BookingTable, EventTable } from '../bookings/table.ts';
import { zoneAt } from '../catalogue/queries.ts';
import { SOLD_IN_ARABIC, SOLD_NAME } from '../catalogue/sold-names.ts';
import type { ServiceTable } from '../catalogue/table.ts';
import { type AddressTable, type ContactTable, PLACE_COLUMNS } from '../contacts/table.ts';
import { AUDIT_TEXTS, withTexts } from '../db/audit-texts.ts';
import type { Queryable } from '../db/connection.ts';
import type { Page, Sorting, Window } from '../db/pages.ts';
import { detailedPageOf, firstOf, instant, isAmong, rowsOf, tablesOf } from '../db/tables.ts';
import type { ReasonTable } from '../reasons/table.ts';
import type { TeamTable } from '../teams/table.ts';
import { bookingConcerns, concerns } from './attention-queries.ts';
import {
  type AppointmentConcern,
  type AttentionLimits,
  BOOKING_CONCERNS,
  type BookingConcern,
} from './attention-rules.ts';
import { LAST_CALL, type LastCall } from './call-queries.ts';
import type { APPOINTMENT_ORDERS, BOOKING_ORDERS } from './rules.ts';
import { searchCondition } from './search-queries.ts';
import type { SearchTerms } from './search-rules.ts';

/** The operator's view of all partners' bookings and appointments. */

const tables = tablesOf<{
  bookings: BookingTable;
  appointments: AppointmentTable;
  cancellation_reasons: ReasonTable;
  events: EventTable;
  contacts: ContactTable;
  addresses: AddressTable;
  services: ServiceTable;
  teams: TeamTable;
  partners: { id: string; name: string };
  audit_log: RecordedChange & { position: number; target: string };
}>();

/**
 * The found bookings with their details. Their own rows are joined first, in a subquery of their own: planning all
 * tables at once takes PostgreSQL several times longer.
 */
function operatorBookings(found: RawBuilder<boolean>) {
  const visits = tables
    .selectFrom('bookings as b')
    .innerJoin('appointments as a', 'a.booking_id', 'b.id')
    .innerJoin('contacts as c', 'c.id', 'b.contact_id')
    .innerJoin('addresses as d', 'd.id', 'b.address_id')
    .where(found)
    .selectAll('b')
    .select([
      'a.id as appointment_id',
      'a.name as appointment_name',
      'a.status as appointment_status',
      'a.outcome',
      'a.work_reached',
      'a.version as appointment_version',
      'a.starts_at',
      'a.ends_at',
      'a.team_id',
      'c.name as contact_name',
      'c.phone',
      ...PLACE_COLUMNS,
    ])
    .offset(sql.lit(0));
  return tables
    .selectFrom(visits.as('b'))
    .innerJoin('partners as p', 'p.id', 'b.partner_id')
    .innerJoin('services as s', 's.id', 'b.service_id')
    .innerJoin('teams as t', 't.id', 'b.team_id')
    .leftJoin('cancellation_reasons as r', 'r.id', 'b.cancellation_reason_id')
    .selectAll('b')
    .select([
      'p.name as partner_name',
      sql<string>`${sql.raw(SOLD_NAME)}`.as('service_name'),
      sql<string>`${sql.raw(SOLD_IN_ARABIC)}`.as('service_name_ar'),
      sql<BookingPayment | null>`${sql.raw(PAYMENT)}`.as('payment'),
      't.name as team_name',
      't.name_ar as team_name_ar',
      't.phone as team_phone',
      'r.name_en as reason_name_en',
      'r.name_ar as reason_name_ar',
    ]);
}

export type OperatorBookingRow = InferResult<ReturnType<typeof operatorBookings>>[number];

/** The booking of any partner; null: there is none. */
export function findOperatorBooking(db: Queryable, bookingId: string): Promise<OperatorBookingRow | null> {
  return firstOf(db, operatorBookings(sql`b.id = ${bookingId}`));
}

/** Default: createdAt, DESC. */
export type OperatorBookingFilter = Sorting<(typeof BOOKING_ORDERS)[number]> & {
  partnerId?: string;
  status?: BookingStatus;
  paymentStatus?: PaymentStatus;
  /** Service date on or after. */
  fromDate?: CalendarDate;
  /** Service date on or before. */
  toDate?: CalendarDate;
  externalReference?: string;
  /** E.164. */
  phone?: string;
  contactId?: string;
  /** A tracking reference, a booking's id, the customer's phone or name, a part of reference, district or street. */
  search?: SearchTerms;
  attention?: Attention<BookingConcern | AppointmentConcern>;
  /** Of the appointment. */
  zoneId?: string;
  teamId?: string;
  appointmentStatus?: AppointmentStatus;
};

const BOOKING_COLUMNS = {
  createdAt: 'b.created_at',
  updatedAt: 'b.updated_at',
  date: 'b.service_date',
  status: 'b.status',
  externalReference: 'b.external_reference',
  amount: 'b.amount',
  startsAt: 'b.starts_at',
} as const;

/** The bookings in the order of their appointments, which are joined for this order only. */
function byStart<Bookings>(bookings: Bookings, direction: 'asc' | 'desc'): Bookings {
  const query = bookings as unknown as SelectQueryBuilder<
    { b: BookingTable; appointments: AppointmentTable },
    'b',
    { id: string }
  >;
  const joined = query.innerJoin('appointments as v', 'v.booking_id', 'b.id');
  return joined.orderBy('v.starts_at', direction) as unknown as Bookings;
}

/**
 * The bookings whose appointments match; null: the filter is not about appointments. Also those of a period, which the
 * index of starts has.
 */
function visitsOf({ zoneId, teamId, appointmentStatus, fromDate, toDate }: OperatorBookingFilter) {
  const isPeriod = fromDate !== undefined && toDate !== undefined;
  if (!isPeriod && (zoneId ?? teamId ?? appointmentStatus) === undefined) return null;
  return tables
    .selectFrom('appointments')
    .select('booking_id')
    .$if(isPeriod, (found) =>
      found
        .where('starts_at', '>=', instant(startOfDate(fromDate!)))
        .where('starts_at', '<', instant(startOfDate(addDays(toDate!, 1)))),
    )
    .$if(zoneId !== undefined, (found) => found.where('zone_id', '=', zoneId!))
    .$if(teamId !== undefined, (found) => found.where('team_id', '=', teamId!))
    .$if(appointmentStatus !== undefined, (found) => found.where('status', '=', appointmentStatus!));
}

function needsAttention({
  concern,
  now,
  limits,
}: Attention<BookingConcern | AppointmentConcern>): RawBuilder<boolean> {
  if (isBookingConcern(concern)) return bookingConcerns(concern, now, limits);
  return sql<boolean>`b.id = any (array(select booking_id from appointments where ${concerns(concern, now, limits)}))`;
}

const isBookingConcern = (concern: string): concern is BookingConcern =>
  BOOKING_CONCERNS.some((known) => known === concern);

export type Attention<Concern> = { concern: Concern; now: Instant; limits: AttentionLimits };

/** Bookings of all partners, newest first unless sorted otherwise. */
export async function listOperatorBookings(
  db: Queryable,
  filter: OperatorBookingFilter,
  page: Window,
): Promise<Page<OperatorBookingRow>> {
  const {
    partnerId,
    status,
    paymentStatus,
    fromDate,
    toDate,
    externalReference,
    phone,
    contactId,
    search,
    attention,
  } = filter;
  const visit = visitsOf(filter);
  const isFound = search === undefined ? undefined : await searchCondition(db, search, visit);
  const sortBy = filter.sortBy ?? 'createdAt';
  const direction = filter.sortOrder === 'ASC' ? 'asc' : 'desc';
  const withPhone = tables.selectFrom('contacts').select('id').where('phone', '=', phone!);
  const found = tables
    .selectFrom('bookings as b')
    .select('b.id')
    .$if(partnerId !== undefined, (found) => found.where('b.partner_id', '=', partnerId!))
    .$if(status !== undefined, (found) => found.where('b.status', '=', status!))
    .$if(paymentStatus !== undefined, (found) => found.where('b.payment_status', '=', paymentStatus!))
    .$if(fromDate !== undefined, (found) => found.where('b.service_date', '>=', fromDate!))
    .$if(toDate !== undefined, (found) => found.where('b.service_date', '<=', toDate!))
    .$if(externalReference !== undefined, (found) =>
      found.where('b.external_reference', '=', externalReference!),
    )
    .$if(phone !== undefined, (found) => found.where(isAmong('b.contact_id', withPhone)))
    .$if(contactId !== undefined, (found) => found.where('b.contact_id', '=', contactId!))
    .$if(isFound !== undefined, (found) => found.where(isFound!))
    .$if(attention !== undefined, (found) => found.where(needsAttention(attention!)))
    .$if(visit !== null, (found) => found.where('b.id', 'in', visit!));
  const column = BOOKING_COLUMNS[sortBy];
  const ids =
    sortBy === 'startsAt' ? byStart(found, direction) : found.orderBy(BOOKING_COLUMNS[sortBy], direction);
  return detailedPageOf(
    db,
    ids.orderBy('b.id', direction),
    (found) => operatorBookings(isAmong('b.id', found)).orderBy(column, direction).orderBy('b.id', direction),
    page,
  );
}

export type ZoneName = { id: string; name: string; nameAr: string | null };

/** The zone, and the active one that covers the place; null: none does. */
export async function findZones(
  db: Queryable,
  zoneId: string,
  { latitude, longitude }: { latitude: string; longitude: string },
): Promise<{ zone: ZoneName; addressZone: ZoneName | null }> {
  const named = "json_build_object('id', id, 'name', name, 'nameAr', name_ar)";
  const found = await db.first<{ zone: ZoneName; addressZone: ZoneName | null }>({
    text: `select (select ${named} from zones where id = $1) as zone,
      (select ${named} from (${zoneAt('$2', '$3', 'id, name, name_ar')}) z) as "addressZone"`,
    values: [zoneId, latitude, longitude],
  });
  return found!;
}

export type HistoryEvent = { created_at: Instant; actor: string; event: string; sequence: number };

/** The booking's kept events, oldest first. */
export function listHistoryEvents(db: Queryable, bookingId: string): Promise<HistoryEvent[]> {
  const query = tables.selectFrom('events').select(['created_at', 'actor', 'event', 'sequence']);
  return rowsOf(db, query.where('booking_id', '=', bookingId).orderBy('sequence'));
}

/** An operator's change in the audit log. */
export type RecordedChange = { at: Instant; actor: string; action: string; before: unknown; after: unknown };

/** Operators' changes of the booking and its appointment with their texts, oldest first. */
export async function listRecordedChanges(
  db: Queryable,
  bookingId: string,
  appointmentId: string,
): Promise<RecordedChange[]> {
  const query = tables
    .selectFrom('audit_log')
    .select(['at', 'actor', 'action', 'before', 'after', AUDIT_TEXTS])
    .where('target', 'in', [`booking:${bookingId}`, `appointment:${appointmentId}`]);
  return (await rowsOf(db, query.orderBy('position'))).map(withTexts);
}

// ---------------------------------------------------------------------------
// Appointments

const appointments = tables
  .selectFrom('appointments as a')
  .innerJoin('bookings as b', 'b.id', 'a.booking_id')
  .innerJoin('contacts as c', 'c.id', 'b.contact_id')
  .innerJoin('addresses as d', 'd.id', 'b.address_id')
  .innerJoin('teams as t', 't.id', 'a.team_id')
  .selectAll('a')
  .select([
    'b.partner_id',
    'b.status as booking_status',
    'b.series_id',
    'b.service_id',
    'b.service_date',
    'b.contact_id',
    'b.address_id',
    't.name as team_name',
    't.name_ar as team_name_ar',
    't.phone as team_phone',
    'c.name as contact_name',
    'c.phone',
    sql<number | null>`${sql.raw(REPORTED_DELAY)}`.as('late_minutes'),
    sql<LastCall | null>`${sql.raw(LAST_CALL)}`.as('last_call'),
    ...PLACE_COLUMNS,
  ]);

export type AppointmentRow = InferResult<typeof appointments>[number];

/** The appointment of any partner; null: there is none. */
export function findAppointment(db: Queryable, appointmentId: string): Promise<AppointmentRow | null> {
  return firstOf(db, appointments.where('a.id', '=', appointmentId));
}

/** Default: startsAt, ASC. */
export type AppointmentFilter = Sorting<(typeof APPOINTMENT_ORDERS)[number]> & {
  /** Starts on this Riyadh date. */
  date?: CalendarDate;
  fromDate?: CalendarDate;
  toDate?: CalendarDate;
  zoneId?: string;
  teamId?: string;
  ids?: readonly string[] | undefined;
  status?: AppointmentStatus;
  attention?: Attention<AppointmentConcern>;
};

const APPOINTMENT_COLUMNS = {
  startsAt: 'starts_at',
  endsAt: 'ends_at',
  createdAt: 'created_at',
  status: 'status',
  name: 'name',
} as const;

/** Appointments of all partners, by start unless sorted otherwise. */
export function listAppointmentRows(
  db: Queryable,
  { date, fromDate, toDate, zoneId, teamId, status, attention, ...rest }: AppointmentFilter,
  page: Window,
): Promise<Page<AppointmentRow>> {
  const column = APPOINTMENT_COLUMNS[rest.sortBy ?? 'startsAt'];
  const direction = rest.sortOrder === 'DESC' ? 'desc' : 'asc';
  const from = (day: CalendarDate) => instant(startOfDate(day));
  const until = (day: CalendarDate) => from(addDays(day, 1));
  const ids = tables
    .selectFrom('appointments')
    .select('id')
    .$if(date !== undefined, (found) =>
      found.where('starts_at', '>=', from(date!)).where('starts_at', '<', until(date!)),
    )
    .$if(fromDate !== undefined, (found) => found.where('starts_at', '>=', from(fromDate!)))
    .$if(toDate !== undefined, (found) => found.where('starts_at', '<', until(toDate!)))
    .$if(zoneId !== undefined, (found) => found.where('zone_id', '=', zoneId!))
    .$if(teamId !== undefined, (found) => found.where('team_id', '=', teamId!))
    .$if(rest.ids !== undefined, (found) => found.where('id', 'in', rest.ids!))
    .$if(status !== undefined, (found) => found.where('status', '=', status!))
    .$if(attention !== undefined, (found) =>
      found.where(concerns(attention!.concern, attention!.now, attention!.limits)),
    )
    .orderBy(column, direction)
    .orderBy('id', direction);
  return detailedPageOf(
    db,
    ids,
    (found) =>
      appointments.where(isAmong('a.id', found)).orderBy(`a.${column}`, direction).orderBy('a.id', direction),
    page,
  );
}

/** Finished appointments of live bookings, unchanged since `before`, by id after `last`. */
export function listFinished(
  db: Queryable,
  { before, startsBefore, last }: { before: Instant; startsBefore: Instant; last: string | null },
  limit: number,
): Promise<{ id: string; version: number }[]> {
  const query = tables
    .selectFrom('appointments as a')
    .innerJoin('bookings as b', 'b.id', 'a.booking_id')
    .select(['a.id', 'a.version'])
    .where('a.status', '=', 'Finished')
    // The predicate of an index.
    .where('a.status', 'not in', ['Completed', 'Cancelled'])
    .where('a.updated_at', '<=', instant(before))
    .where('a.starts_at', '<=', instant(startsBefore))
    .where('b.status', 'not in', CLOSED_BOOKINGS)
    .$if(last !== null, (found) => found.where('a.id', '>', last!))
    .orderBy('a.id')
    .limit(limit);
  return rowsOf(db, query);
}
