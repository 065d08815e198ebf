import type { CalendarDate } from '../base/clock.ts';
import type { AppointmentStatus, BookingStatus } from '../bookings/rules.ts';
import { SOLD_IN_ARABIC, SOLD_NAME } from '../catalogue/sold-names.ts';
import type { Queryable } from '../db/connection.ts';
import {
  date,
  first,
  hotStatement,
  jsonb,
  nullable,
  type Row,
  text,
  timestamptz,
  typed,
  uuid,
} from '../db/statement.ts';

/** The date and time that a booking was made for, as in its first event. */
type FirstSlot = { date: string; timeslot: { startAt: string } };
/** The last change of its appointment, as in the event. */
type LastChange = { to: AppointmentStatus; changedAt: string };

export const FIND_VISIT = hotStatement({
  name: 'find-customer-visit',
  takes: { bookingId: uuid },
  returns: {
    partner_name: text,
    page_colour: nullable(text),
    contact_text_en: nullable(text),
    contact_text_ar: nullable(text),
    contact_number: nullable(text),
    status: typed<BookingStatus>(text),
    service_date: typed<CalendarDate>(date),
    service_name: text,
    service_name_ar: text,
    appointment_name: text,
    appointment_status: typed<AppointmentStatus>(text),
    starts_at: timestamptz,
    ends_at: timestamptz,
    team_name: text,
    team_name_ar: text,
    first_slot: nullable(jsonb<FirstSlot>()),
    last_change: nullable(jsonb<LastChange>()),
    payment_id: nullable(uuid),
    link_url: nullable(text),
    link_expires_at: nullable(timestamptz),
  },
  text: `
    select p.name as partner_name, p.page_colour, p.contact_text_en, p.contact_text_ar, p.contact_number, b.status,
      b.service_date, ${SOLD_NAME} as service_name, ${SOLD_IN_ARABIC} as service_name_ar,
      a.name as appointment_name, a.status as appointment_status, a.starts_at, a.ends_at, t.name as team_name,
      coalesce(t.name_ar, t.name) as team_name_ar,
      (select e.payload from events e where e.booking_id = b.id and e.sequence = 1) as first_slot,
      (select e.payload -> 'appointmentStatusChange' from events e
        where e.booking_id = b.id and e.event = 'booking.appointment_status_changed'
        order by e.sequence desc limit 1) as last_change,
      l.id as payment_id, l.link_url, l.expires_at as link_expires_at
    from bookings b
    join contacts c on c.id = b.contact_id and c.erasure_id is null
    join partners p on p.id = b.partner_id
    join services s on s.id = b.service_id
    join appointments a on a.booking_id = b.id
    join teams t on t.id = a.team_id
    left join payments l on l.booking_id = b.id and l.status = 'OPEN' and b.status = 'waiting payment'
    where b.id = :bookingId and p.tracking_page`,
});
export type VisitRow = Row<typeof FIND_VISIT>;

/** The booking for its customer; null: there is none, or its partner's account has no such pages. */
export function findVisit(db: Queryable, bookingId: string): Promise<VisitRow | null> {
  return first(db, FIND_VISIT, { bookingId });
}
