import type { CalendarDate } from '../base/clock.ts';
import type { AppointmentStatus, BookingStatus } from '../bookings/rules.ts';
import { SOLD_IN_ARABIC, SOLD_NAME } from '../catalogue/sold-names.ts';
import type { Queryable } from '../db/connection.ts';
import { first, hotStatement, pg, type Row } from '../db/statement.ts';

/** The date and time that a booking was made for, as in its first event. */
type FirstSlot = { date: string; timeslot: { startAt: string } };
/** The last change of its appointment, as in the event. */
type LastChange = { to: AppointmentStatus; changedAt: string };

export const FIND_VISIT = hotStatement({
  name: 'find-customer-visit',
  takes: { bookingId: pg.uuid },
  returns: {
    partner_name: pg.text,
    page_colour: pg.nullable(pg.text),
    contact_text_en: pg.nullable(pg.text),
    contact_text_ar: pg.nullable(pg.text),
    contact_number: pg.nullable(pg.text),
    status: pg.typed<BookingStatus>(pg.text),
    service_date: pg.typed<CalendarDate>(pg.date),
    service_name: pg.text,
    service_name_ar: pg.text,
    appointment_name: pg.text,
    appointment_status: pg.typed<AppointmentStatus>(pg.text),
    starts_at: pg.timestamptz,
    ends_at: pg.timestamptz,
    team_name: pg.text,
    team_name_ar: pg.text,
    first_slot: pg.nullable(pg.jsonb<FirstSlot>()),
    last_change: pg.nullable(pg.jsonb<LastChange>()),
    payment_id: pg.nullable(pg.uuid),
    link_url: pg.nullable(pg.text),
    link_expires_at: pg.nullable(pg.timestamptz),
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
