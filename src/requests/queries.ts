import { sql } from 'kysely';
import { type Instant, toUtcIso } from '../base/clock.ts';
import type { Queryable } from '../db/connection.ts';
import { hotStatement, pg, rows } from '../db/statement.ts';
import { firstOf, instant, rowsOf, tablesOf } from '../db/tables.ts';
import type { RequestFilter } from './filter.ts';
import { type LoggedExchange, type LoggedRequest, type NewRequest, UNCOUNTED_CHECKS } from './rules.ts';
import type { RequestLogTable } from './table.ts';

const tables = tablesOf<{ request_log: RequestLogTable }>();

export const INSERT_REQUESTS = hotStatement({
  name: 'insert-requests',
  takes: { recordedAt: pg.timestamptz, requests: pg.json<string>() },
  returns: {},
  text: `
    insert into request_log (recorded_at, answered_at, request_id, partner_id, key_id, method, route, path, status, code,
      message, failed_check, reason, hints, ignored_parameters, details, duration_ms, booking_id, user_agent, bodies)
    select :recordedAt, to_timestamp("at" / 1000), "requestId", "partnerId", "keyId", "method", "route", "path", "status",
      "code", "message", "check", "reason", "hints", "ignoredParameters", "details"::json, "durationMs", "bookingId",
      "userAgent", "bodies"::json
    from json_to_recordset(:requests) as request ("at" float8, "requestId" text, "partnerId" uuid, "keyId" uuid,
      "method" text, "route" text, "path" text, "status" smallint, "code" text, "message" text, "check" text,
      "reason" text, "hints" text[], "ignoredParameters" text[], "details" text, "durationMs" real, "bookingId" uuid,
      "userAgent" text, "bodies" text)`,
});

/** Writes the requests in their order. */
export async function insertRequests(
  db: Queryable,
  recordedAt: Instant,
  requests: readonly NewRequest[],
): Promise<void> {
  await rows(db, INSERT_REQUESTS, { recordedAt, requests: JSON.stringify(requests) });
}

/** Rows that one page scans when no index matches the filter. */
const MAX_LOOKED_AT = 50_000;

const COLUMNS = [
  sql<string>`id::text`.as('id'),
  'answered_at as at',
  'request_id as requestId',
  'partner_id as partnerId',
  'key_id as keyId',
  'method',
  'route',
  'path',
  'status',
  'code',
  'message',
  'failed_check as check',
  'reason',
  'hints',
  'ignored_parameters as ignoredParameters',
  'details',
  'duration_ms as durationMs',
  'booking_id as bookingId',
  'user_agent as userAgent',
] as const;

export type RequestPage = {
  requests: LoggedRequest[];
  /** The cursor of the next page, which may be empty; null: this was the last. */
  nextCursor: string | null;
};

/**
 * Matching requests, newest first. A page may have fewer than `limit` and still a next one, because it scans a limited
 * number of rows. `before` is a `nextCursor`.
 */
export async function listRequests(
  db: Queryable,
  filter: RequestFilter,
  { limit, before }: { limit: number; before?: string },
): Promise<RequestPage> {
  const { status, statusClass, code, keyId, method, route } = filter;
  const looked = newestOf(filter, before);
  const isIndexed = [status, statusClass, code, keyId, method, route].every((value) => value === undefined);
  const query = tables
    .with('looked', () => looked.selectAll().limit(isIndexed ? limit : MAX_LOOKED_AT))
    .selectFrom('looked')
    .select(COLUMNS)
    .$if(status !== undefined, (found) => found.where('status', '=', status!))
    .$if(statusClass === 'refused', (found) => found.where('status', '>=', 400))
    .$if(typeof statusClass === 'number', (found) =>
      found
        .where('status', '>=', (statusClass as number) * 100)
        .where('status', '<', (statusClass as number) * 100 + 100),
    )
    .$if(code !== undefined, (found) => found.where(sql<boolean>`code = ${code}`))
    .$if(keyId !== undefined, (found) => found.where('key_id', '=', keyId!))
    .$if(method !== undefined, (found) => found.where('method', '=', method!))
    .$if(route !== undefined, (found) => found.where('route', '=', route!))
    .orderBy('looked.id', 'desc')
    .limit(limit);
  const requests = await rowsOf(db, query);
  if (requests.length === limit) return { requests, nextCursor: requests.at(-1)!.id };
  if (isIndexed) return { requests, nextCursor: null };
  const last = await firstOf(
    db,
    looked
      .select(sql<string>`id::text`.as('cursor'))
      .offset(MAX_LOOKED_AT - 1)
      .limit(1),
  );
  return { requests, nextCursor: last?.cursor ?? null };
}

/** Newest first, by the indexed filters. */
function newestOf(filter: RequestFilter, before: string | undefined) {
  const { partnerId, requestId, bookingId, from, to } = filter;
  return tables
    .selectFrom('request_log')
    .$if(partnerId !== undefined, (found) => found.where('partner_id', '=', partnerId!))
    .$if(before !== undefined, (found) => found.where('id', '<', sql<number>`${before}::bigint`))
    .$if(requestId !== undefined, (found) => found.where(sql<boolean>`request_id ^@ ${requestId}`))
    .$if(bookingId !== undefined, (found) => found.where('booking_id', '=', bookingId!))
    .$if(from !== undefined, (found) => found.where('answered_at', '>=', instant(from!)))
    .$if(to !== undefined, (found) => found.where('answered_at', '<', instant(to!)))
    .orderBy('id', 'desc');
}

/** One request with its bodies; null: none, or another partner's. `partnerId` null: of any partner. */
export function findRequest(
  db: Queryable,
  partnerId: string | null,
  id: string,
): Promise<LoggedExchange | null> {
  const query = tables
    .selectFrom('request_log')
    .select([...COLUMNS, 'bodies'])
    .where('id', '=', sql<number>`${id}::bigint`)
    .$if(partnerId !== null, (found) => found.where('partner_id', '=', partnerId!));
  return firstOf(db, query);
}

export type FailureGroup = {
  code: string | null;
  status: number;
  method: string;
  route: string | null;
  count: number;
  lastAt: Instant;
  /** The newest of them. */
  lastId: string;
};

/** Refused requests by code and route, the most frequent first. `keyId` null: of all keys. */
export function errorsByRoute(
  db: Queryable,
  partnerId: string,
  { from, to, keyId = null }: { from: Instant; to: Instant; keyId?: string | null },
): Promise<FailureGroup[]> {
  return db.rows<FailureGroup>({
    text: `
      select code, status, method, route, count(*)::int as count, max(answered_at) as "lastAt", max(id)::text as "lastId"
      from request_log
      where partner_id = $1 and answered_at >= $2 and answered_at < $3 and status >= 400 and ($4::uuid is null or key_id = $4)
      group by code, status, method, route
      order by count desc, max(id) desc`,
    values: [partnerId, toUtcIso(from), toUtcIso(to), keyId],
  });
}

/** The requests of a key within a sliding window, and its start. */
export type Peak = { keyId: string; requests: number; from: Instant };

/** The peak of each key: the most requests that count for its limit within a window of the range, by whole seconds. */
export function peaksByKey(
  db: Queryable,
  partnerId: string,
  { from, to }: { from: Instant; to: Instant },
): Promise<Peak[]> {
  return db.rows<Peak>({
    text: `
      with second as (
        select key_id, date_trunc('second', answered_at) as at, count(*) as requests
        from request_log
        where partner_id = $1 and answered_at >= $2 and answered_at < $3
          and (failed_check is null or failed_check <> all ($4::text[]))
        group by 1, 2
      ), minute as (
        select key_id, sum(requests) over last_minute as requests, min(at) over last_minute as "from"
        from second
        window last_minute as (partition by key_id order by at range interval '59 seconds' preceding)
      )
      select distinct on (key_id) key_id as "keyId", requests::int, "from" from minute
      order by key_id, requests desc, "from"`,
    values: [partnerId, toUtcIso(from), toUtcIso(to), UNCOUNTED_CHECKS],
  });
}
