import type { Instant } from '../base/clock.ts';
import type { EventName } from '../bookings/rules.ts';
import type { EventTable } from '../bookings/table.ts';
import type { Db, Queryable } from '../db/connection.ts';
import {
  bigint,
  boolean,
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
import { DatabaseUnavailableError } from '../db/unavailable.ts';
import type { Cursor } from './rules.ts';

export const PLACE_EVENTS = hotStatement({
  name: 'place-events',
  takes: {},
  returns: { placed: nullable(int), history: nullable(text), last: bigint },
  text: `
    select case when exists (select 1 from unplaced_events) then place_events() end as placed,
      current_history() as history, (select last_value from event_feed_position) as last`,
});

/**
 * Gives committed events their places in the feed (place_events); `placed` is their number. Checks for such events
 * before it takes the lock, so readers without new events do not wait for each other. `history` is the current one,
 * `last` at least the last place before the call. Throws DatabaseUnavailableError on a standby, which does not know the
 * next history.
 */
export async function placeEvents(db: Queryable): Promise<{ placed: number; history: string; last: number }> {
  const { placed, history, last } = (await first(db, PLACE_EVENTS, {}))!;
  if (history === null) throw new DatabaseUnavailableError('the database is a standby');
  return { placed: placed ?? 0, history, last };
}

export const IS_CURSOR_VALID = hotStatement({
  name: 'is-cursor-shared',
  takes: { history: nullable(text), position: bigint },
  returns: { shared: boolean },
  text: `
    select not exists (
      select from histories later where later.number > own.number and later.last_place < :position
    ) as shared
    from histories own
    where own.id = coalesce(:history, (select id from histories order by number limit 1))`,
});

/**
 * Whether every later history has the events of the cursor's history up to its position. False for an unknown history.
 */
export async function isCursorValid(db: Queryable, cursor: Cursor): Promise<boolean> {
  return (await first(db, IS_CURSOR_VALID, cursor))?.shared ?? false;
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

/** The partner's placed events after the place `after`, oldest first. */
export function listEvents(
  db: Db,
  partnerId: string,
  { after, keptSince, limit }: { after: number; keptSince: Instant; limit: number },
): Promise<EventRow[]> {
  return rows(db, LIST_EVENTS, { partnerId, after, keptSince, limit });
}

const tables = tablesOf<{ events: EventTable }>();

/** The events of the partner's booking, oldest first. */
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
 * The place of the partner's last placed event, 0 when there is none. Places are committed in order (place_events runs
 * one at a time), so later events are placed after it.
 */
export async function lastPlace(db: Db, partnerId: string): Promise<number> {
  return (await first(db, LAST_PLACE, { partnerId }))!.place;
}
