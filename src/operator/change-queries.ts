import type { Queryable } from '../db/connection.ts';
import { first, hotStatement, pg } from '../db/statement.ts';

export type ChangedBooking = { booking_id: string; appointment_id: string | null };
/** An audit entry; booking and appointment are those of the changed resource. */
export type ChangedTarget = {
  id: string;
  target: string;
  booking_id: string | null;
  appointment_id: string | null;
};

export const LIST_CHANGES = hotStatement({
  name: 'list-changes',
  takes: { feed: pg.bigint, audit: pg.bigint, limit: pg.bigint },
  returns: {
    /** The ends of the feed and the log. */
    feed: pg.bigint,
    audit: pg.bigint,
    deliveries: pg.bigint,
    payments: pg.bigint,
    /** The oldest place that is kept in the feed; 0: there is none. */
    oldest: pg.bigint,
    bookings: pg.json<ChangedBooking[]>(),
    entries: pg.json<ChangedTarget[]>(),
  },
  text: `
    select
      (select coalesce(max(place), 0) from event_places) as feed,
      (select coalesce(max(number), 0) from audit_log) as audit,
      (select last_value from delivery_changes) as deliveries,
      (select last_value from payment_changes) as payments,
      (select coalesce(min(place), 0) from event_places) as oldest,
      (select coalesce(json_agg(json_build_object('booking_id', booking_id, 'appointment_id', appointment_id)), '[]')
        from (select booking_id, payload ->> 'appointmentId' as appointment_id
          from (select place, event_id, created_at from event_places where place > :feed order by place limit :limit) p
          join events on events.id = p.event_id and events.created_at = p.created_at order by p.place) e) as bookings,
      (select coalesce(json_agg(json_build_object('id', id, 'target', target, 'booking_id', booking_id,
          'appointment_id', appointment_id)), '[]')
        from (select id, target, coalesce(after, before) ->> 'bookingId' as booking_id,
            coalesce(after, before) ->> 'appointmentId' as appointment_id
          from audit_log where number > :audit order by number limit :limit) a) as entries`,
});

export type Changes = {
  feed: number;
  audit: number;
  deliveries: number;
  payments: number;
  oldest: number;
  bookings: ChangedBooking[];
  entries: ChangedTarget[];
};

/**
 * Events after a place of the feed and audit entries after a number, at most `limit` of each, and the ends of both.
 * Both are numbered in the order of their commits, so nothing appears behind a returned end.
 */
export async function listChanges(
  db: Queryable,
  after: { feed: number; audit: number },
  limit: number,
): Promise<Changes> {
  return (await first(db, LIST_CHANGES, { ...after, limit }))!;
}
