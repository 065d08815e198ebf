import type { Instant } from '../base/clock.ts';
import type { EventName } from '../bookings/rules.ts';
import type { EventTable } from '../bookings/table.ts';
import type { Db, Queryable } from '../db/connection.ts';
import { first, hotStatement, pg, rows } from '../db/statement.ts';
import { rowsOf, tablesOf } from '../db/tables.ts';
import { DatabaseUnavailableError } from '../db/unavailable.ts';
import type { Cursor } from './rules.ts';

export const PLACE_EVENTS = hotStatement({
  name: 'place-events',
  takes: {},
  returns: { placed: pg.nullable(pg.int), history: pg.nullable(pg.text), last: pg.bigint },
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
  takes: { history: pg.nullable(pg.text), position: pg.bigint },
  returns: { shared: pg.boolean },
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

/** The partner's next places, in their order. */
const PLACES = `
  select place, event_id, created_at from event_places
  where partner_id = :partnerId and place > :after and created_at >= :keptSince
  order by place limit :scanned`;

// The places are read one after the other until there are enough events of these names. Only when there are not, the last
// of the places that were read matters: the feed goes on after it.
export const LIST_EVENTS = hotStatement({
  name: 'list-events',
  takes: {
    partnerId: pg.uuid,
    after: pg.bigint,
    keptSince: pg.timestamptz,
    names: pg.typed<readonly EventName[]>(pg.texts),
    limit: pg.bigint,
    scanned: pg.bigint,
  },
  returns: {
    scanned_to: pg.nullable(pg.bigint),
    scanned: pg.nullable(pg.bigint),
    id: pg.nullable(pg.uuid),
    place: pg.nullable(pg.bigint),
    event: pg.nullable(pg.typed<EventName>(pg.text)),
    booking_id: pg.nullable(pg.uuid),
    sequence: pg.nullable(pg.int),
    created_at: pg.nullable(pg.timestamptz),
    payload: pg.nullable(pg.jsonb<unknown>()),
  },
  text: `
    with found as materialized (
      select e.id, p.place, e.event, e.booking_id, e.sequence, e.created_at, e.payload
      from (${PLACES}) p join events e on e.id = p.event_id and e.created_at = p.created_at
      where e.event = any (:names::text[]) order by p.place limit :limit
    ), enough as (select count(*) >= :limit as enough from found)
    select case when not enough then (select max(place) from (${PLACES}) p) end as scanned_to,
      case when not enough then (select count(*) from (${PLACES}) p) end as scanned, found.*
    from enough left join found on true order by found.place`,
});

export type EventRow = {
  id: string;
  place: number;
  event: EventName;
  booking_id: string;
  sequence: number;
  created_at: Instant;
  payload: unknown;
};

/** Places that one read looks at. */
export const MAX_SCANNED = 1_000;

/**
 * The partner's placed events of these names after the place `after`, oldest first: `limit`, or those among the next
 * MAX_SCANNED places, of which `scannedTo` is the last (null: `limit` were found, or there is no place). `hasMore`: there
 * may be places after it.
 */
export async function listEvents(
  db: Db,
  partnerId: string,
  asked: { after: number; keptSince: Instant; names: readonly EventName[]; limit: number },
): Promise<{ rows: EventRow[]; scannedTo: number | null; hasMore: boolean }> {
  const found = await rows(db, LIST_EVENTS, { partnerId, scanned: MAX_SCANNED, ...asked });
  const { scanned, scanned_to: scannedTo } = found[0]!;
  const events = found.filter(({ id }) => id !== null) as EventRow[];
  return { rows: events, scannedTo, hasMore: scanned === null || scanned >= MAX_SCANNED };
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
  takes: { partnerId: pg.uuid },
  returns: { place: pg.bigint },
  text: 'select coalesce(max(place), 0) as place from event_places where partner_id = :partnerId',
});

/**
 * The place of the partner's last placed event, 0 when there is none. Places are committed in order (place_events runs
 * one at a time), so later events are placed after it.
 */
export async function lastPlace(db: Db, partnerId: string): Promise<number> {
  return (await first(db, LAST_PLACE, { partnerId }))!.place;
}
