import type { Answered, Call } from './call.ts';
import type { CallOptions, FollowOptions } from './call-options.ts';
import type { ListEventsQuery } from './contract.ts';
import { UnexpectedAnswerError } from './errors.ts';
import type { FeedEvent, FeedPage, Page } from './model.ts';
import { RATE_PAUSE_OF_FOLLOW, sleep } from './retries.ts';

/** Rows of a page when all pages are wanted: the service's maximum. */
const LIMIT = 100;
const POLL_MS = 5_000;

/**
 * A list with pages. `await` returns the requested page; `for await` iterates every item from there on. Nothing is sent
 * before one of the two.
 */
export type List<Item, OnePage extends { data: Item[] } = Page<Item>> = Promise<OnePage> &
  AsyncIterable<Item> & {
    /** The requested page, with its response. */
    withResponse(): Promise<Answered<OnePage>>;
    /** That page and all later ones, with 100 rows unless the query sets a limit. */
    pages(): AsyncGenerator<OnePage, void, undefined>;
    /** Every item from there on, or the first `max` of them. */
    toArray(options?: { max?: number | undefined }): Promise<Item[]>;
  };

export function listOf<Item, OnePage extends { data: Item[] }>(
  first: () => Call<OnePage>,
  pages: () => AsyncGenerator<OnePage, void, undefined>,
): List<Item, OnePage> {
  let asked: Call<OnePage> | undefined;
  const ask = (): Call<OnePage> => {
    asked ??= first();
    return asked;
  };
  async function* items(): AsyncGenerator<Item, void, undefined> {
    for await (const page of pages()) yield* page.data;
  }
  return {
    // biome-ignore lint/suspicious/noThenProperty: a list is awaited for its page
    then: (onFulfilled, onRejected) => ask().then(onFulfilled, onRejected),
    catch: (onRejected) => ask().catch(onRejected),
    finally: (onFinally) => ask().finally(onFinally),
    withResponse: () => ask().withResponse(),
    pages,
    [Symbol.toStringTag]: 'List',
    [Symbol.asyncIterator]: items,
    async toArray({ max = Number.POSITIVE_INFINITY } = {}) {
      if (!(max >= 0)) throw new TypeError('max must be 0 or above');
      const all: Item[] = [];
      if (max === 0) return all;
      for await (const item of items()) {
        all.push(item);
        if (all.length >= max) break;
      }
      return all;
    },
  };
}

type PageQuery = { page?: number | undefined; limit?: number | undefined; asOf?: string | undefined };

/**
 * The query's page of a list and all later ones. A list's `asOf` is passed on, so that new rows shift nothing from one
 * page to the next.
 */
export async function* pagesOf<Item>(
  name: string,
  list: (query: PageQuery) => Call<Page<Item>>,
  query: PageQuery = {},
): AsyncGenerator<Page<Item>, void, undefined> {
  let { asOf } = query;
  let before = '';
  for (let page = query.page ?? 1; ; page++) {
    const asked = list({ limit: LIMIT, ...query, page, ...(asOf !== undefined && { asOf }) });
    const { data: answer, response } = await asked.withResponse();
    const isLast = page >= answer.meta.totalPages;
    const rows = JSON.stringify(answer.data);
    if (!isLast && (answer.data.length === 0 || rows === before)) {
      const what = answer.data.length === 0 ? 'is empty' : 'repeats the one before';
      throw new UnexpectedAnswerError(name, rows, response, `page ${page} ${what}, and is not the last`);
    }
    yield answer;
    if (isLast) return;
    before = rows;
    asOf ??= answer.asOf;
  }
}

type ListEvents = (query: ListEventsQuery, options?: CallOptions) => Call<FeedPage>;

/** The page of the feed after the cursor. Throws when it leads to itself. */
async function feedPage(list: ListEvents, query: ListEventsQuery, options?: CallOptions): Promise<FeedPage> {
  const { data: page, response } = await list({ limit: LIMIT, ...query }, options).withResponse();
  const { hasMore, nextCursor } = page.meta;
  if (hasMore && nextCursor === query.after) {
    const problem = 'there is more, but the cursor did not move';
    throw new UnexpectedAnswerError('events.list', JSON.stringify(page), response, problem);
  }
  return page;
}

/** The page of the feed after the query's cursor, and all later ones. */
export async function* feedPagesOf(
  list: ListEvents,
  query: ListEventsQuery = {},
): AsyncGenerator<FeedPage, void, undefined> {
  for (let { after } = query; ; ) {
    const page = await feedPage(list, { ...query, after });
    yield page;
    if (!page.meta.hasMore) return;
    after = page.meta.nextCursor;
  }
}

/** Every event after the query's cursor, in order, and future ones. */
export async function* followFeed(
  list: ListEvents,
  query: ListEventsQuery = {},
  { pollMs = POLL_MS, onCursor, ...options }: FollowOptions = {},
): AsyncGenerator<FeedEvent, void, undefined> {
  const patient = { ...options, rateLimitWaitMs: options.rateLimitWaitMs ?? RATE_PAUSE_OF_FOLLOW };
  for (let { after } = query; ; ) {
    const { data, meta } = await feedPage(list, { ...query, after }, patient);
    yield* data;
    // The last event of the page was processed: the loop has asked for another one.
    if (meta.nextCursor !== after) await onCursor?.(meta.nextCursor);
    after = meta.nextCursor;
    if (!meta.hasMore) await sleep(pollMs, options.signal);
  }
}
