import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Clock } from '../clock.ts';
import type { Db } from '../db/connection.ts';
import type { ApiError } from '../errors.ts';
import type { App } from '../http/edge.ts';
import { isUuid } from '../http/validation.ts';
import type { Access } from '../partners/access.ts';
import { presentedKey } from '../partners/guard.ts';
import { findKnownKeys } from '../partners/queries.ts';
import { hashKey, isWellFormedKey, whyRefused } from '../partners/rules.ts';
import { createWriteBehind, type WriteBehindOptions } from '../runtime/write-behind.ts';
import { maskJson, maskText, maskUrl } from './masking.ts';
import { packEntries } from './packing.ts';
import { insertBatch } from './queries.ts';
import { type Bodies, MAX_BODY, MAX_DETAILS, MAX_PATH, MAX_USER_AGENT, type NewEntry } from './rules.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** The response's body, for the request log; null: not looked at. */
    answeredText: string | null;
  }
  interface FastifyContextConfig {
    /** Its response names the booking that it is about, and its path does not. */
    answersBooking?: true;
  }
}

/** A request and, when the guard did not let its key in, the key's hash: whose it was is found out when it is written. */
type Item = { entry: NewEntry; keyHash: string | null };

export type RequestLog = {
  /** Notes a request that has been answered. Never fails, and never waits. */
  record(request: FastifyRequest, reply: FastifyReply): void;
  /** Whether response bodies are kept, too. */
  readonly keepsBodies: boolean;
  /** Writes what this process has noted, which otherwise happens twice a second. Never fails. */
  flush(): Promise<void>;
  /** Writes what is left. */
  close(): Promise<void>;
};

export type RequestLogOptions = {
  db: Db;
  clock: Clock;
  /** A sandbox keeps bodies, paths and queries, masked. */
  isSandbox: boolean;
  onDropped: WriteBehindOptions<Item>['onDropped'];
  onError(error: Error): void;
};

/** What waits at once: some seconds of a process at full load. */
const MAX_ITEMS = 10_000;
/** Characters of bodies that wait at once. */
const MAX_CHARACTERS = 8 * 1024 * 1024;
/** Requests of one row. */
const MAX_PACKED = 1_000;

/**
 * Keeps every request of a known key: also of one that is expired, revoked, replaced or of a suspended partner. Of
 * others nothing is kept. The response does not wait for any of it, and nothing in it depends on it.
 */
export function createRequestLog({
  db,
  clock,
  isSandbox,
  onDropped,
  onError,
}: RequestLogOptions): RequestLog {
  const buffer = createWriteBehind<Item>({
    write: (items, done) => writeItems(db, clock, items, done),
    maxItems: MAX_ITEMS,
    maxBytes: MAX_CHARACTERS,
    onDropped,
    onError,
  });
  return {
    keepsBodies: isSandbox,
    record(request, reply) {
      const caller = request.caller as Access | undefined;
      if (caller !== undefined) {
        const entry = entryOf(request, reply, clock, isSandbox, caller.partnerId, caller.keyId);
        buffer.add({ entry, keyHash: null }, weightOf(entry));
        return;
      }
      // The guard has the same answer for all of these; whose key it was is looked up apart from it.
      const key = presentedKey(request);
      if (key === null || !isWellFormedKey(key)) return;
      const entry = entryOf(request, reply, clock, isSandbox, '', '');
      buffer.add({ entry, keyHash: hashKey(key) }, weightOf(entry));
    },
    flush: buffer.flush,
    close: buffer.close,
  };
}

/** Notes the application's requests from now on. */
export function recordRequests(app: App, log: RequestLog): void {
  app.decorateRequest('answeredText', null);
  app.addHook('onRoute', (route) => {
    if (!log.keepsBodies && !route.config?.answersBooking) return;
    route.onSend = [
      ...[route.onSend ?? []].flat(),
      (request, _reply, payload, done) => {
        if (typeof payload === 'string') request.answeredText = payload;
        done(null, payload);
      },
    ];
  });
  app.addHook('onResponse', (request, reply, done) => {
    log.record(request, reply);
    done();
  });
}

function entryOf(
  request: FastifyRequest,
  reply: FastifyReply,
  clock: Clock,
  isSandbox: boolean,
  partnerId: string,
  keyId: string,
): NewEntry {
  const why = request.refusal === null ? NO_REFUSAL : said(request.refusal);
  const route = request.is404 ? null : (request.routeOptions.url ?? null);
  const agent = request.headers['user-agent'];
  return {
    at: clock.now(),
    requestId: request.id,
    partnerId,
    keyId,
    method: request.method,
    route,
    path: isSandbox || route === null ? maskUrl(request.url, isSandbox, MAX_PATH) : null,
    status: reply.statusCode,
    code: why.code,
    message: why.message,
    check: why.check,
    reason: why.reason,
    hints: why.hints,
    details: why.details,
    durationMs: reply.elapsedTime,
    bookingId: bookingOf(request),
    userAgent: agent === undefined ? null : agent.slice(0, MAX_USER_AGENT),
    bodies: isSandbox ? bodiesOf(request) : null,
  };
}

type Refusal = Pick<NewEntry, 'code' | 'message' | 'check' | 'reason' | 'hints' | 'details'>;
const NO_REFUSAL: Refusal = {
  code: null,
  message: null,
  check: null,
  reason: null,
  hints: [],
  details: null,
};

function said({ code, message, details }: ApiError): Refusal {
  const { check, reason, hints, statusCode: _, error: __, ...more } = details;
  const masked = maskJson(JSON.stringify(more));
  return {
    code,
    message: maskText(message),
    check: typeof check === 'string' ? check : null,
    reason: typeof reason === 'string' ? reason : null,
    hints: Array.isArray(hints) ? hints.map((hint) => maskText(String(hint))) : [],
    details: masked === '{}' || masked.length > MAX_DETAILS ? null : JSON.parse(masked),
  };
}

const BOOKING = /"bookingId":"([0-9a-f-]{36})"/;

function bookingOf(request: FastifyRequest): string | null {
  const { bookingId } = (request.params ?? {}) as { bookingId?: string };
  if (bookingId !== undefined) return isUuid(bookingId) ? bookingId.toLowerCase() : null;
  if (!request.routeOptions.config.answersBooking || request.answeredText === null) return null;
  return BOOKING.exec(request.answeredText)?.[1] ?? null;
}

function bodiesOf(request: FastifyRequest): Bodies | null {
  const asked = request.body === undefined ? null : maskJson(JSON.stringify(request.body));
  const answered = request.answeredText === null ? null : maskJson(request.answeredText);
  if (asked === null && answered === null) return null;
  return {
    request: asked?.slice(0, MAX_BODY) ?? null,
    response: answered?.slice(0, MAX_BODY) ?? null,
    requestCut: asked !== null && asked.length > MAX_BODY,
    responseCut: answered !== null && answered.length > MAX_BODY,
  };
}

function weightOf({ bodies }: NewEntry): number {
  return bodies === null ? 0 : (bodies.request?.length ?? 0) + (bodies.response?.length ?? 0);
}

async function writeItems(
  db: Db,
  clock: Clock,
  items: readonly Item[],
  done: (count: number) => void,
): Promise<void> {
  const entries = await entriesOfKnownKeys(db, items);
  done(items.length - entries.length);
  const recordedAt = clock.now() - clock.offset();
  // Packing keeps the process busy for a millisecond or more: between two batches requests are answered.
  for (const [partnerId, batch] of batchesOf(entries)) {
    await insertBatch(db, recordedAt, partnerId, packEntries(batch));
    done(batch.length);
  }
}

/** By partner, in their order. */
function batchesOf(entries: readonly NewEntry[]): [partnerId: string, batch: NewEntry[]][] {
  const batches: [string, NewEntry[]][] = [];
  const open = new Map<string, NewEntry[]>();
  for (const entry of entries) {
    let batch = open.get(entry.partnerId);
    if (batch === undefined || batch.length === MAX_PACKED) {
      batch = [];
      open.set(entry.partnerId, batch);
      batches.push([entry.partnerId, batch]);
    }
    batch.push(entry);
  }
  return batches;
}

/** Of requests whose key was not let in those with a key that is known all the same, and why it opened nothing. */
async function entriesOfKnownKeys(db: Db, items: readonly Item[]): Promise<NewEntry[]> {
  const hashes = new Set(items.flatMap(({ keyHash }) => keyHash ?? []));
  if (hashes.size === 0) return items.map(({ entry }) => entry);
  const known = new Map((await findKnownKeys(db, [...hashes])).map((row) => [row.hash, row]));
  return items.flatMap(({ entry, keyHash }) => {
    if (keyHash === null) return [entry];
    const key = known.get(keyHash);
    if (key === undefined) return [];
    const found = { ...entry, partnerId: key.partner_id, keyId: key.id };
    return [entry.check === 'key' ? { ...found, reason: whyRefused(key, entry.at) } : found];
  });
}
