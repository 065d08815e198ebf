import type { CalendarDate } from '../base/clock.ts';
import type { Queryable } from '../db/connection.ts';
import { hotStatement, pg, rows } from '../db/statement.ts';

export const LIST_BOOKING_IDS_ON = hotStatement({
  name: 'list-booking-ids-on',
  takes: { partnerId: pg.uuid, date: pg.date },
  returns: { id: pg.uuid },
  text: 'select id from bookings where partner_id = :partnerId and service_date = :date order by id',
});

/** The ids of the partner's bookings with this service date, in the order of their creation. */
export async function listBookingIdsOn(
  db: Queryable,
  partnerId: string,
  date: CalendarDate,
): Promise<string[]> {
  return (await rows(db, LIST_BOOKING_IDS_ON, { partnerId, date })).map(({ id }) => id);
}
