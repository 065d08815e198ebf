import type { CallOptions, FollowOptions } from './call-options.ts';
import type { FeedEvent, FeedPage, ListEventsQuery, Page } from './contract.ts';
import { sleep } from './retries.ts';

/** Rows on a page when all pages are wanted: the most that the service gives. */
const LIMIT = 100;
const POLL_MS = 5_000;

type PageQuery = { page?: number | undefined; limit?: number | undefined; asOf?: string | undefined };

/**
 * Everything in a list from the query's page on. Where the list answers `asOf`, it is given back, so that rows made
 * meanwhile shift nothing from one page to the next.
 */
export async function* allPages<Item>(
  list: (query: PageQuery, options: CallOptions) => Promise<Page<Item>>,
  query: PageQuery = {},
  options: CallOptions = {},
): AsyncGenerator<Item, void, undefined> {
  let asOf = query.asOf;
  for (let page = query.page ?? 1; ; page++) {
    const answer = await list({ limit: LIMIT, ...query, page, ...(asOf !== undefined && { asOf }) }, options);
    yield* answer.data;
    if (page >= answer.meta.totalPages) return;
    asOf ??= answer.asOf;
  }
}

/** Every event behind the query's cursor, in order; with `follow` also those that are still to come. */
export async function* allEvents(
  list: (query: ListEventsQuery, options: CallOptions) => Promise<FeedPage>,
  query: ListEventsQuery = {},
  { follow = false, pollMs = POLL_MS, onCursor, ...options }: FollowOptions = {},
): AsyncGenerator<FeedEvent, void, undefined> {
  let { after } = query;
  for (;;) {
    const { data, meta } = await list({ limit: LIMIT, ...query, after }, options);
    yield* data;
    // Here the last event of the page has been worked on: the loop has asked for another one.
    if (meta.nextCursor !== after) await onCursor?.(meta.nextCursor);
    after = meta.nextCursor;
    if (meta.hasMore) continue;
    if (!follow) return;
    await sleep(pollMs, options.signal);
  }
}
