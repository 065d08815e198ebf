import type { Instant } from '../base/clock.ts';
import type { Queryable } from '../db/connection.ts';
import { unpackBodies, unpackEntries } from './packing.ts';
import { countFailures, findBatch, listBatches, listSeconds } from './queries.ts';
import {
  formatId,
  type LoggedExchange,
  type LoggedRequest,
  matches,
  type Peak,
  parseId,
  peaksOf,
  type RequestFilter,
} from './rules.ts';

/** Batches that are read at a time: few first, because a busy partner's newest one fills a page. */
const FIRST_BATCHES = 8;
const MAX_BATCHES = 64;
/** Batches that one page looks into at most. */
const MAX_LOOKED_INTO = 1_000;

export type RequestPage = {
  requests: LoggedRequest[];
  /** Of the next page, which may be empty; null: this was the last. */
  nextCursor: string | null;
};

/**
 * Requests that match, the last answered first (those of several processes within half a second of each other). A page
 * may have fewer than `limit` and still a next one: what is rare is looked for in pieces. `before` is a `nextCursor`.
 */
export async function listRequests(
  db: Queryable,
  filter: RequestFilter,
  { limit, before }: { limit: number; before?: string },
): Promise<RequestPage> {
  const start = before === undefined ? null : parseId(before);
  const requests: LoggedRequest[] = [];
  let through = start?.batch ?? null;
  let size = FIRST_BATCHES;
  for (let lookedInto = 0; lookedInto < MAX_LOOKED_INTO; lookedInto += size) {
    size = Math.min(size * 2, MAX_BATCHES);
    const batches = await listBatches(db, filter, through, size);
    for (const batch of batches) {
      const entries = unpackEntries(batch);
      // The cursor names the last that was looked at.
      const from = batch.id === start?.batch ? start.place - 1 : entries.length - 1;
      for (let place = from; place >= 0; place--) {
        const entry = entries[place];
        if (entry === undefined || !matches(entry, filter)) continue;
        requests.push(entry);
        if (requests.length === limit) return { requests, nextCursor: entry.id };
      }
    }
    const last = batches.at(-1);
    if (last === undefined || batches.length < size) return { requests, nextCursor: null };
    through = last.id - 1;
  }
  return { requests, nextCursor: formatId((through ?? 0) + 1, 0) };
}

/** One request with its bodies; null: there is none, or it is another partner's. `partnerId` null: anybody's. */
export async function findRequest(
  db: Queryable,
  partnerId: string | null,
  id: string,
): Promise<LoggedExchange | null> {
  const parsed = parseId(id);
  const batch = parsed && (await findBatch(db, partnerId, parsed.batch));
  if (parsed === null || batch === null) return null;
  const request = unpackEntries(batch)[parsed.place];
  if (request === undefined) return null;
  const bodies = batch.bodies === null ? null : unpackBodies(batch.bodies)[parsed.place];
  return { ...request, bodies: bodies ?? null };
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

/**
 * Refused requests by code and route, the most frequent first; the edges of the range to half a second. `keyId` null: of
 * all keys.
 */
export async function errorsByRoute(
  db: Queryable,
  partnerId: string,
  { from, to, keyId = null }: { from: Instant; to: Instant; keyId?: string | null },
): Promise<FailureGroup[]> {
  const groups = await countFailures(db, partnerId, keyId, from, to);
  return groups.map(({ last_at: lastAt, last_batch, last_place, ...group }) => ({
    ...group,
    lastAt,
    lastId: formatId(last_batch, last_place),
  }));
}

/** The most requests of each key in any 60 seconds of the range, counted by whole seconds. */
export async function peaksByKey(
  db: Queryable,
  partnerId: string,
  { from, to }: { from: Instant; to: Instant },
): Promise<Peak[]> {
  return peaksOf(await listSeconds(db, partnerId, from, to));
}
