import { addDays, type CalendarDate, type Instant, startOfDate, toUtcIso } from '../clock.ts';
import type { AddressRow } from '../contacts/queries.ts';
import type { Queryable, Tx } from '../platform/db.ts';
import type { Page } from '../platform/envelope.ts';
import { pageOf, type Window, whereOf } from '../platform/listing.ts';
import type { BookingRow } from './queries.ts';
import type { AppointmentStatus, BookingStatus, PaymentStatus } from './rules.ts';

/** What the operator sees of bookings and appointments, whoever's they are. */

/** Where the customer is; the id is the address's. */
type AtAddress = Omit<AddressRow, 'id'> & { address_id: string };

export type OperatorBookingRow = BookingRow &
  AtAddress & {
    partner_id: string;
    partner_name: string;
    contact_id: string;
    contact_name: string;
    phone: string;
    service_id: string;
    service_name: string;
    team_id: string;
    team_name: string;
    /** SAR, exact. */
    amount: string;
    notes: string | null;
    payment_reference: string | null;
    payment_confirmed_at: Instant | null;
    cancellation_reason_id: string | null;
    reason_name_en: string | null;
    cancellation_notes: string | null;
    cancellation_action: string | null;
    cancelled_by: string | null;
    cancelled_at: Instant | null;
    created_at: Instant;
    updated_at: Instant;
  };

const ADDRESS = `d.id as address_id, d.latitude, d.longitude, d.city_name, d.district_name, d.street_name`;

const OPERATOR_BOOKING = `b.id, b.external_reference, b.status, b.payment_status, b.service_date, b.partner_id,
  b.amount, b.notes, b.payment_reference, b.payment_confirmed_at, b.cancellation_reason_id, b.cancellation_notes,
  b.cancellation_action, b.cancelled_by, b.cancelled_at, b.created_at, b.updated_at,
  a.id as appointment_id, a.name as appointment_name, a.status as appointment_status, a.starts_at, a.ends_at,
  p.name as partner_name, c.id as contact_id, c.name as contact_name, c.phone, ${ADDRESS},
  s.id as service_id, s.name as service_name, t.id as team_id, t.name as team_name, r.name_en as reason_name_en`;

const OPERATOR_BOOKING_JOINS = `
  join appointments a on a.booking_id = b.id
  join partners p on p.id = b.partner_id
  join contacts c on c.id = b.contact_id
  join addresses d on d.id = b.address_id
  join services s on s.id = b.service_id
  join teams t on t.id = a.team_id
  left join cancellation_reasons r on r.id = b.cancellation_reason_id`;

export function findOperatorBooking(db: Queryable, bookingId: string): Promise<OperatorBookingRow | null> {
  return db.first<OperatorBookingRow>({
    text: `select ${OPERATOR_BOOKING} from bookings b ${OPERATOR_BOOKING_JOINS} where b.id = $1`,
    values: [bookingId],
  });
}

export type OperatorBookingFilter = {
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
  /** An appointment's name or a booking's id, or a part of an external reference; whatever its case. */
  search?: string;
};

/** Bookings of all partners, newest first. */
export function listOperatorBookings(
  db: Queryable,
  filter: OperatorBookingFilter,
  page: Window,
): Promise<Page<OperatorBookingRow>> {
  const { where, values } = whereOf([
    ['b.partner_id = ?', filter.partnerId],
    ['b.status = ?', filter.status],
    ['b.payment_status = ?', filter.paymentStatus],
    ['b.service_date >= ?::date', filter.fromDate],
    ['b.service_date <= ?::date', filter.toDate],
    ['b.external_reference = ?', filter.externalReference],
    ['b.contact_id in (select id from contacts where phone = ?)', filter.phone],
    [
      `(b.id = (select booking_id from appointments where name = upper(?)) or b.id::text = lower(?)
        or strpos(lower(b.external_reference), lower(?)) > 0)`,
      filter.search,
    ],
  ]);
  return pageOf(
    db,
    `
      with page as (
        select b.id from bookings b ${where}
        order by b.created_at desc, b.id desc limit $${values.length + 1} offset $${values.length + 2}
      ), counted as (
        select count(*) as total from bookings b ${where}
      ), found as (
        select ${OPERATOR_BOOKING} from page join bookings b on b.id = page.id ${OPERATOR_BOOKING_JOINS}
      )
      select counted.total, found.* from counted left join found on true
      order by found.created_at desc, found.id desc`,
    [...values, page.limit, page.offset],
  );
}

export type HistoryEvent = { created_at: Instant; actor: string; event: string; sequence: number };

/** The booking's events that are kept, oldest first. */
export function listHistoryEvents(db: Queryable, bookingId: string): Promise<HistoryEvent[]> {
  return db.rows<HistoryEvent>({
    text: 'select created_at, actor, event, sequence from events where booking_id = $1 order by sequence',
    values: [bookingId],
  });
}

/** An operator's change as the audit log has it. */
export type RecordedChange = { at: Instant; actor: string; action: string; before: unknown; after: unknown };

/** What operators did to the booking and its appointment, oldest first. */
export function listRecordedChanges(
  db: Queryable,
  bookingId: string,
  appointmentId: string,
): Promise<RecordedChange[]> {
  return db.rows<RecordedChange>({
    text: `
      select at, actor, action, before, after from audit_log where target = any ($1::text[]) order by position`,
    values: [[`booking:${bookingId}`, `appointment:${appointmentId}`]],
  });
}

// ---------------------------------------------------------------------------
// Appointments

export type AppointmentRow = AtAddress & {
  id: string;
  name: string;
  status: AppointmentStatus;
  booking_id: string;
  partner_id: string;
  team_id: string;
  team_name: string;
  zone_id: string;
  service_id: string;
  service_date: CalendarDate;
  starts_at: Instant;
  ends_at: Instant;
  contact_name: string;
  phone: string;
};

const APPOINTMENT = `a.id, a.name, a.status, a.booking_id, b.partner_id, a.team_id, t.name as team_name, a.zone_id,
  b.service_id, b.service_date, a.starts_at, a.ends_at, c.name as contact_name, c.phone, ${ADDRESS}`;

const APPOINTMENT_JOINS = `
  join bookings b on b.id = a.booking_id
  join contacts c on c.id = b.contact_id
  join addresses d on d.id = b.address_id
  join teams t on t.id = a.team_id`;

export function findAppointment(db: Queryable, appointmentId: string): Promise<AppointmentRow | null> {
  return db.first<AppointmentRow>({
    text: `select ${APPOINTMENT} from appointments a ${APPOINTMENT_JOINS} where a.id = $1`,
    values: [appointmentId],
  });
}

export type AppointmentFilter = {
  /** Starts on this Riyadh date. */
  date?: CalendarDate;
  fromDate?: CalendarDate;
  toDate?: CalendarDate;
  zoneId?: string;
  teamId?: string;
  status?: AppointmentStatus;
};

/** Appointments of all partners, by start. */
export function listAppointmentRows(
  db: Queryable,
  filter: AppointmentFilter,
  page: Window,
): Promise<Page<AppointmentRow>> {
  const from = (date: CalendarDate | undefined) => date && toUtcIso(startOfDate(date));
  const until = (date: CalendarDate | undefined) => date && from(addDays(date, 1));
  const { where, values } = whereOf([
    ['a.starts_at >= ?', from(filter.date)],
    ['a.starts_at < ?', until(filter.date)],
    ['a.starts_at >= ?', from(filter.fromDate)],
    ['a.starts_at < ?', until(filter.toDate)],
    ['a.zone_id = ?', filter.zoneId],
    ['a.team_id = ?', filter.teamId],
    ['a.status = ?', filter.status],
  ]);
  return pageOf(
    db,
    `
      with page as (
        select a.id from appointments a ${where}
        order by a.starts_at, a.id limit $${values.length + 1} offset $${values.length + 2}
      ), counted as (
        select count(*) as total from appointments a ${where}
      ), found as (
        select ${APPOINTMENT} from page join appointments a on a.id = page.id ${APPOINTMENT_JOINS}
      )
      select counted.total, found.* from counted left join found on true
      order by found.starts_at, found.id`,
    [...values, page.limit, page.offset],
  );
}

export async function findBookingIdOf(db: Queryable, appointmentId: string): Promise<string | null> {
  const row = await db.first<{ booking_id: string }>({
    text: 'select booking_id from appointments where id = $1',
    values: [appointmentId],
  });
  return row?.booking_id ?? null;
}

/** A team's travel buffer (minutes) and the version of the catalogue it is from; null: there is no such team. */
export function findTeamBuffer(
  tx: Tx,
  teamId: string,
): Promise<{ catalogue_version: number; travel_buffer_minutes: number } | null> {
  return tx.first({
    text: `
      select (select version from change_counters where name = 'catalogue') as catalogue_version,
        travel_buffer_minutes
      from teams where id = $1`,
    values: [teamId],
  });
}

export async function setBookingStatus(
  tx: Tx,
  now: Instant,
  bookingId: string,
  status: BookingStatus,
): Promise<void> {
  await tx.rows({
    text: 'update bookings set status = $2, updated_at = $3 where id = $1',
    values: [bookingId, status, toUtcIso(now)],
  });
}
