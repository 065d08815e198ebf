import type { EventName } from '../bookings/rules.ts';
import type { EventTable } from '../bookings/table.ts';
import type { Instant } from '../clock.ts';
import type { Db, Queryable } from '../db/connection.ts';
import {
  bigint,
  first,
  hotStatement,
  int,
  jsonb,
  nullable,
  type Row,
  rows,
  text,
  timestamptz,
  typed,
  uuid,
} from '../db/statement.ts';
import { rowsOf, tablesOf } from '../db/tables.ts';

export const PLACE_EVENTS = hotStatement({
  name: 'place-events',
  takes: {},
  returns: { placed: nullable(int), last: bigint },
  text: `
    select case when exists (select 1 from unplaced_events) then place_events() end as placed,
      (select last_value from event_feed_position) as last`,
});

/**
 * Gives the events that have none yet their place in the feed (place_events in migrations/0039); `placed` says how many.
 * Asks before it takes the lock: readers of a feed with nothing new do not wait for each other. `last` is no less than any
 * place that an event had when this was called.
 */
export async function placeEvents(db: Queryable): Promise<{ placed: number; last: number }> {
  const { placed, last } = (await first(db, PLACE_EVENTS, {}))!;
  return { placed: placed ?? 0, last };
}

export const LIST_EVENTS = hotStatement({
  name: 'list-events',
  takes: { partnerId: uuid, after: bigint, keptSince: timestamptz, limit: bigint },
  returns: {
    id: uuid,
    place: bigint,
    event: typed<EventName>(text),
    booking_id: uuid,
    sequence: int,
    created_at: timestamptz,
    payload: jsonb<unknown>(),
  },
  text: `
    select e.id, p.place, e.event, e.booking_id, e.sequence, e.created_at, e.payload
    from (
      select place, event_id, created_at from event_places
      where partner_id = :partnerId and place > :after and created_at >= :keptSince
      order by place limit :limit
    ) p join events e on e.id = p.event_id and e.created_at = p.created_at
    order by p.place`,
});

export type EventRow = Row<typeof LIST_EVENTS>;

/** The partner's placed events behind the position, oldest first. */
export function listEvents(
  db: Db,
  partnerId: string,
  after: number,
  keptSince: Instant,
  limit: number,
): Promise<EventRow[]> {
  return rows(db, LIST_EVENTS, { partnerId, after, keptSince, limit });
}

const tables = tablesOf<{ events: EventTable }>();

/** The events of a booking of the partner's, oldest first. */
export function listEventsOf(
  db: Queryable,
  partnerId: string,
  bookingId: string,
): Promise<Omit<EventRow, 'place'>[]> {
  const query = tables
    .selectFrom('events')
    .select(['id', 'event', 'booking_id', 'sequence', 'created_at', 'payload'])
    .where('partner_id', '=', partnerId)
    .where('booking_id', '=', bookingId)
    .orderBy('sequence');
  return rowsOf(db, query);
}

export const LAST_PLACE = hotStatement({
  name: 'last-place',
  takes: { partnerId: uuid },
  returns: { place: bigint },
  text: 'select coalesce(max(place), 0) as place from event_places where partner_id = :partnerId',
});

/**
 * The place of the partner's last placed event, 0 when it has none. Places are committed in their order (place_events
 * runs one at a time), so whatever is placed later comes behind it.
 */
export async function lastPlace(db: Db, partnerId: string): Promise<number> {
  return (await first(db, LAST_PLACE, { partnerId }))!.place;
}
