import type { Instant } from '../base/clock.ts';
import type { Queryable, Tx } from '../db/connection.ts';
import { hotStatement, pg, rows } from '../db/statement.ts';

/** SQL: the reported delay of booking `b` in minutes, while its appointment `a` starts as it did then; null: none. */
export const REPORTED_DELAY = `case when b.late_starts_at = a.starts_at then nullif(b.late_minutes, 0) end`;

export const REPORT_LATENESS = hotStatement({
  name: 'report-lateness',
  takes: { bookingId: pg.uuid, minutes: pg.int, at: pg.timestamptz },
  returns: { id: pg.uuid },
  text: `
    update bookings b
    set late_minutes = :minutes, late_reported_at = :at, late_starts_at = a.starts_at, late_untold = true
    from appointments a
    where b.id = :bookingId and a.booking_id = b.id and a.status in ('Scheduled', 'Confirmed', 'In The Way')
      and (b.late_starts_at is distinct from a.starts_at or b.late_reported_at <= :at)
    returning b.id`,
});

/**
 * Stores that the team comes so many minutes after the start of the visit (0: on time after all), as was reported at `at`,
 * and has the customer's messages planned. Returns false, and stores nothing, when the team has arrived, the visit is over,
 * or a later report is known.
 */
export async function reportLateness(
  db: Queryable,
  bookingId: string,
  minutes: number,
  at: Instant,
): Promise<boolean> {
  return (await rows(db, REPORT_LATENESS, { bookingId, minutes, at })).length > 0;
}

export const TAKE_LATE_BOOKINGS = hotStatement({
  name: 'take-late-bookings',
  takes: {},
  returns: { id: pg.uuid },
  text: `
    update bookings set late_untold = false
    where id in (select id from bookings where late_untold limit 500 for no key update skip locked)
    returning id`,
});

/** The bookings whose delay was reported since the last call; each is returned once. */
export async function takeLateBookings(tx: Tx): Promise<string[]> {
  return (await rows(tx, TAKE_LATE_BOOKINGS, {})).map(({ id }) => id);
}
