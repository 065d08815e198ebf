import { sql } from 'kysely';
import { type Instant, toUtcIso } from '../base/clock.ts';
import type { Queryable } from '../db/connection.ts';
import {
  bytea,
  hotStatement,
  ints,
  json,
  nullable,
  rows,
  text,
  texts,
  timestamptz,
  uuid,
  uuids,
} from '../db/statement.ts';
import { instant, rowsOf, tablesOf } from '../db/tables.ts';
import { type Packed, routeName } from './packing.ts';
import type { RequestFilter, SecondCounts } from './rules.ts';
import type { BatchRow, RequestBatchTable } from './table.ts';

const tables = tablesOf<{ request_batches: RequestBatchTable }>();

export const INSERT_BATCH = hotStatement({
  name: 'insert-request-batch',
  takes: {
    partnerId: uuid,
    recordedAt: timestamptz,
    firstAt: timestamptz,
    lastAt: timestamptz,
    keyIds: uuids,
    routes: texts,
    statuses: ints,
    codes: texts,
    requestIds: text,
    bookingIds: nullable(text),
    failures: nullable(json<string>()),
    seconds: json<string>(),
    entries: bytea,
    bodies: nullable(bytea),
  },
  returns: {},
  text: `
    insert into request_batches (id, partner_id, recorded_at, first_at, last_at, key_ids, routes, statuses, codes,
      request_ids, booking_ids, failures, seconds, entries, bodies)
    values (request_batch_id(:recordedAt), :partnerId, :recordedAt, :firstAt, :lastAt, :keyIds, :routes, :statuses, :codes,
      :requestIds, :bookingIds, :failures, :seconds, :entries, :bodies)`,
});

/** Writes a partner's requests as one row. */
export async function insertBatch(
  db: Queryable,
  recordedAt: Instant,
  partnerId: string,
  { failures, seconds, ...packed }: Packed,
): Promise<void> {
  await rows(db, INSERT_BATCH, {
    partnerId,
    recordedAt,
    ...packed,
    failures: failures === null ? null : JSON.stringify(failures),
    seconds: JSON.stringify(seconds),
  });
}

const holds = (column: 'request_ids' | 'booking_ids', part: string) =>
  sql<boolean>`strpos(${sql.ref(column)}, ${part}) > 0`;
const includes = (column: string, value: string | number, type: string) =>
  sql<boolean>`${value}::${sql.raw(type)} = any(${sql.ref(column)})`;

/**
 * The batches that may hold what is looked for, newest first; `through` is the newest to consider. Their requests still
 * have to be filtered one by one.
 */
export function listBatches(
  db: Queryable,
  filter: RequestFilter,
  through: number | null,
  limit: number,
): Promise<BatchRow[]> {
  const { partnerId, requestId, status, statusClass, code, keyId, method, route, bookingId, from, to } =
    filter;
  const query = tables
    .selectFrom('request_batches')
    .select(['id', 'partner_id', 'first_at', 'key_ids', 'request_ids', 'booking_ids', 'entries'])
    .$if(partnerId !== undefined, (found) => found.where('partner_id', '=', partnerId!))
    .$if(through !== null, (found) => found.where('id', '<=', through!))
    .$if(from !== undefined, (found) => found.where('last_at', '>=', instant(from!)))
    .$if(to !== undefined, (found) => found.where('first_at', '<', instant(to!)))
    .$if(requestId !== undefined, (found) => found.where(holds('request_ids', ` ${requestId}`)))
    .$if(bookingId !== undefined, (found) => found.where(holds('booking_ids', ` ${bookingId}`)))
    .$if(status !== undefined, (found) => found.where(includes('statuses', status!, 'int')))
    .$if(statusClass === 'refused', (found) => found.where(sql<boolean>`failures is not null`))
    .$if(typeof statusClass === 'number', (found) =>
      found.where(
        sql<boolean>`exists (select from unnest(statuses) as one (status) where status / 100 = ${statusClass})`,
      ),
    )
    .$if(code !== undefined, (found) => found.where(includes('codes', code!, 'text')))
    .$if(keyId !== undefined, (found) => found.where(includes('key_ids', keyId!, 'uuid')))
    .$if(route !== undefined && method !== undefined, (found) =>
      found.where(includes('routes', routeName(method!, route!), 'text')),
    )
    .orderBy('id', 'desc')
    .limit(limit);
  return rowsOf(db, query);
}

/** null: there is none of this id, or it is not this partner's; `partnerId` null: of any partner. */
export function findBatch(
  db: Queryable,
  partnerId: string | null,
  id: number,
): Promise<(BatchRow & { bodies: Buffer | null }) | null> {
  const query = tables
    .selectFrom('request_batches')
    .select(['id', 'partner_id', 'first_at', 'key_ids', 'request_ids', 'booking_ids', 'entries', 'bodies'])
    .where('id', '=', id)
    .$if(partnerId !== null, (found) => found.where('partner_id', '=', partnerId!));
  return rowsOf(db, query).then(([row]) => row ?? null);
}

export type FailureRow = {
  code: string | null;
  status: number;
  method: string;
  route: string | null;
  count: number;
  last_at: number;
  last_batch: number;
  last_place: number;
};

/** Refused requests of batches that end in the range, by code and route; of one key, or `keyId` null: of all. */
export function countFailures(
  db: Queryable,
  partnerId: string,
  keyId: string | null,
  from: Instant,
  to: Instant,
): Promise<FailureRow[]> {
  return db.rows<FailureRow>({
    text: `
      select one.code, one.status, one.method, one.route, sum(one.count)::int as count,
        max(one."lastAt")::float8 as last_at,
        (array_agg(b.id order by b.id desc, one.place desc))[1] as last_batch,
        (array_agg(one.place order by b.id desc, one.place desc))[1] as last_place
      from request_batches b, lateral json_to_recordset(b.failures)
        as one (code text, status int, method text, route text, count int, "lastAt" float8, place int, "keyId" text)
      where b.partner_id = $1 and b.last_at >= $2 and b.first_at < $3 and b.failures is not null
        and ($4::text is null or one."keyId" = $4)
      group by one.code, one.status, one.method, one.route
      order by count desc, last_batch desc, last_place desc`,
    values: [partnerId, toUtcIso(from), toUtcIso(to), keyId],
  });
}

/** How many requests each key made in each second, of batches that end in the range. */
export async function listSeconds(
  db: Queryable,
  partnerId: string,
  from: Instant,
  to: Instant,
): Promise<SecondCounts[]> {
  const query = tables
    .selectFrom('request_batches')
    .select('seconds')
    .where('partner_id', '=', partnerId)
    .where('last_at', '>=', instant(from))
    .where('first_at', '<', instant(to));
  return (await rowsOf(db, query)).map(({ seconds }) => seconds);
}
