import type { CalendarDate } from '../base/clock.ts';
import { REPORTED_DELAY } from '../bookings/late-queries.ts';
import type { AppointmentStatus, BookingStatus } from '../bookings/rules.ts';
import type { VisitKey } from '../bookings/tracking.ts';
import { SOLD_IN_ARABIC, SOLD_NAME } from '../catalogue/sold-names.ts';
import type { ContactLanguage, StoppedBy } from '../contacts/table.ts';
import type { Queryable } from '../db/connection.ts';
import { first, hotStatement, pg, type Row } from '../db/statement.ts';
import { termsOf } from '../policies/queries.ts';
import type { Terms } from '../policies/rules.ts';

/** The date and time that a booking was made for, as in its first event. */
type FirstSlot = { date: string; timeslot: { startAt: string } };
/** The last change of its appointment, as in the event. */
export type LastChange = { to: AppointmentStatus; changedAt: string };

/** SQL: that change, of the booking `b`. */
export const LAST_CHANGE = `(
  select e.payload -> 'appointmentStatusChange' from events e
  where e.booking_id = b.id and e.event = 'booking.appointment_status_changed' order by e.sequence desc limit 1
)`;

export const FIND_VISIT = hotStatement({
  name: 'find-customer-visit',
  takes: { bookingId: pg.nullable(pg.uuid), name: pg.nullable(pg.text) },
  returns: {
    booking_id: pg.uuid,
    contact_id: pg.uuid,
    language: pg.nullable(pg.typed<ContactLanguage>(pg.text)),
    messages_stopped: pg.nullable(pg.typed<StoppedBy>(pg.text)),
    has_messages: pg.boolean,
    changes: pg.int,
    terms: pg.nullable(pg.jsonb<Terms>()),
    late_minutes: pg.nullable(pg.int),
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
    select b.id as booking_id, c.id as contact_id, c.language, c.messages_stopped,
      p.customer_messages <> '{}' as has_messages, b.version + a.version as changes, ${termsOf('b.policy_id')} as terms,
      ${REPORTED_DELAY} as late_minutes, p.name as partner_name, p.page_colour, p.contact_text_en, p.contact_text_ar, p.contact_number, b.status,
      b.service_date, ${SOLD_NAME} as service_name, ${SOLD_IN_ARABIC} as service_name_ar,
      a.name as appointment_name, a.status as appointment_status, a.starts_at, a.ends_at, t.name as team_name,
      coalesce(t.name_ar, t.name) as team_name_ar,
      (select e.payload from events e where e.booking_id = b.id and e.sequence = 1) as first_slot,
      ${LAST_CHANGE} as last_change,
      l.id as payment_id, l.link_url, l.expires_at as link_expires_at
    from bookings b
    join contacts c on c.id = b.contact_id and c.erasure_id is null
    join partners p on p.id = b.partner_id
    join services s on s.id = b.service_id
    join appointments a on a.booking_id = b.id
    join teams t on t.id = a.team_id
    left join payments l on l.booking_id = b.id and l.status = 'OPEN' and b.status = 'waiting payment'
    where b.id = coalesce(:bookingId::uuid, (select n.booking_id from appointments n where n.name = :name::text))
      and p.tracking_page`,
});
export type VisitRow = Row<typeof FIND_VISIT>;

/** The booking for its customer; null: there is none, or its partner's account has no such pages. */
export function findVisit(db: Queryable, visit: VisitKey): Promise<VisitRow | null> {
  return first(db, FIND_VISIT, visit);
}
