import { Readable } from 'node:stream';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { FastifyReply, FastifyRequest } from 'fastify';
import Negotiator from 'negotiator';
import type { TSchema } from 'typebox';
import { BYTE_ORDER_MARK, type CsvColumn, csvColumns, csvLine, csvRow } from './csv.ts';
import type { App } from './edge.ts';
import { isRead } from './methods.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The list is also available as CSV. */
    csv?: true;
  }
}

/** Rows of one statement; more would occupy the database and the memory for too long. */
const PART = 10_000;
/** Rows of the first read, and of one turn of the event loop. */
const BATCH = 500;

type List = { data: readonly unknown[]; meta: { total: number } };
type Handler = (request: FastifyRequest, reply: FastifyReply) => Promise<List>;

/**
 * Sends every list with pages that is added from now on as CSV to clients that prefer it (`Accept: text/csv`): all rows
 * that match the filters, in the order of the list, whatever `page` and `limit` are. Up to 10,000 are those of one moment; more are
 * read in parts while the file is sent.
 */
export function sendListsAsCsv(app: App): void {
  app.addHook('onRoute', (route) => {
    const item = itemOf(route.schema?.response);
    if (item === null || ![route.method].flat().every(isRead)) return;
    const columns = csvColumns(item);
    const answer = route.handler.bind(app) as unknown as Handler;
    const name = route.url.split('/').findLast((part) => part !== '' && !part.startsWith(':'));
    route.config = { ...route.config, csv: true };
    route.handler = (async (request: FastifyRequest, reply: FastifyReply) => {
      if (!prefersCsv(request)) return answer(request, reply);
      // Read before the response starts, so that an error has its status. The first rows come with the total.
      let list = await answer(withPage(request, 1, BATCH), reply);
      // In one statement: with pages, a row that leaves the list meanwhile would shift the others, and one would be lost.
      if (list.meta.total > BATCH) list = await answer(withPage(request, 1, PART), reply);
      const partOf = (page: number) => answer(withPage(request, page, PART), reply);
      reply.header('content-type', 'text/csv; charset=utf-8; header=present');
      reply.header('content-disposition', `attachment; filename="${name}.csv"`);
      return reply.send(Readable.from(fileOf(columns, list, partOf)));
    }) as unknown as typeof route.handler;
  });
}

async function* fileOf(
  columns: readonly CsvColumn[],
  first: List,
  partOf: (page: number) => Promise<List>,
): AsyncGenerator<string> {
  yield BYTE_ORDER_MARK + csvLine(columns.map(({ name }) => name));
  yield* linesOf(columns, first.data);
  for (let page = 2, isMore = first.data.length === PART; isMore; page++) {
    const { data } = await partOf(page);
    yield* linesOf(columns, data);
    isMore = data.length === PART;
  }
}

async function* linesOf(columns: readonly CsvColumn[], rows: readonly unknown[]): AsyncGenerator<string> {
  for (let from = 0; from < rows.length; from += BATCH) {
    let lines = '';
    for (const row of rows.slice(from, from + BATCH)) lines += csvRow(columns, row);
    yield lines;
    await nextTurn();
  }
}

/** The schema of a row of a list with pages; null: the response is not a list. */
function itemOf(response: unknown): TSchema | null {
  const { properties } = ((response as Record<string, unknown> | undefined)?.['200'] ?? {}) as {
    properties?: { data?: { items?: TSchema }; meta?: { properties?: { total?: unknown } } };
  };
  return properties?.meta?.properties?.total === undefined ? null : (properties.data?.items ?? null);
}

function prefersCsv({ headers: { accept } }: FastifyRequest): boolean {
  if (accept === undefined) return false;
  return new Negotiator({ headers: { accept } }).mediaType(['application/json', 'text/csv']) === 'text/csv';
}

/** The request for a page; validated before, so `limit` may exceed that of a page. */
function withPage(request: FastifyRequest, page: number, limit: number): FastifyRequest {
  const query = { ...(request.query as object), page, limit };
  return Object.create(request, { query: { value: query } }) as FastifyRequest;
}
