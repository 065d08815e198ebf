import type { FastifyContextConfig, FastifyReply, FastifyRequest } from 'fastify';
import type { Clock, Instant } from '../base/clock.ts';
import type { ApiError } from '../base/errors.ts';
import type { Db } from '../db/connection.ts';
import type { App } from '../http/edge.ts';
import { isUuid } from '../http/validation.ts';
import type { Access } from '../partners/access.ts';
import { presentedKey } from '../partners/guard.ts';
import { findKnownKeys } from '../partners/queries.ts';
import { hashKey, isWellFormedKey, whyRefused } from '../partners/rules.ts';
import { maskText, maskUrl, maskValue } from '../runtime/masking.ts';
import { createWriteBehind, type WriteBehindOptions } from '../runtime/write-behind.ts';
import { type Batch, createBatch } from './packing.ts';
import { insertBatch } from './queries.ts';
import {
  type Bodies,
  MAX_BODY,
  MAX_DETAILS,
  MAX_IGNORED,
  MAX_PARAMETER,
  MAX_PATH,
  MAX_USER_AGENT,
  type NewEntry,
} from './rules.ts';

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

/** `unauthenticated`: its key was not let in, and mostly is nobody's. */
type Outcome = 'succeeded' | 'refused' | 'unauthenticated';
const NO_BODIES: Readonly<Record<Outcome, number>> = { succeeded: 0, refused: 0, unauthenticated: 0 };

export type RequestLogOptions = {
  db: Db;
  clock: Clock;
  /** A sandbox keeps bodies, paths and queries, masked. */
  isSandbox: boolean;
  onDropped: WriteBehindOptions<Item, Waiting>['onDropped'];
  /** A request of a sandbox is kept without its bodies, because too many of the same half second have theirs. */
  onBodiesLeftOut(outcome: Outcome, count: number): void;
  onError(error: Error): void;
};

/** What waits at once: some seconds of a process at full load. */
const MAX_ITEMS = 10_000;
/** Characters of bodies that wait at once. */
const MAX_CHARACTERS = 8 * 1024 * 1024;
/**
 * Requests with bodies in one write, half a second: so many of each outcome, because a burst of others must not cost a refusal
 * the answer to its "why?". Masking and packing all bodies of a loaded sandbox took a ninth of the process's time.
 */
const MAX_WITH_BODIES = 250;
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
  onBodiesLeftOut,
  onError,
}: RequestLogOptions): RequestLog {
  let withBodies = { ...NO_BODIES };
  const buffer = createWriteBehind<Item, Waiting>({
    open() {
      withBodies = { ...NO_BODIES };
      return createWaiting();
    },
    write: (waiting, done) => writeWaiting(db, clock, waiting, done),
    maxItems: MAX_ITEMS,
    maxBytes: MAX_CHARACTERS,
    onDropped,
    onError,
  });

  /** null: production, or there is no room for them. */
  function bodiesToKeep(request: FastifyRequest, outcome: Outcome): Bodies | null {
    if (!isSandbox) return null;
    if (withBodies[outcome] >= MAX_WITH_BODIES) {
      onBodiesLeftOut(outcome, 1);
      return null;
    }
    withBodies[outcome]++;
    return bodiesOf(request);
  }

  return {
    keepsBodies: isSandbox,
    record(request, reply) {
      const caller = request.caller as Access | undefined;
      if (caller !== undefined) {
        const bodies = bodiesToKeep(request, reply.statusCode < 400 ? 'succeeded' : 'refused');
        const entry = entryOf(request, reply, clock.now(), isSandbox, bodies, caller.partnerId, caller.keyId);
        buffer.add({ entry, keyHash: null }, weightOf(entry));
        return;
      }
      // The guard has the same answer for all of these; whose key it was is looked up apart from it.
      const key = presentedKey(request);
      if (key === null || !isWellFormedKey(key)) return;
      const bodies = bodiesToKeep(request, 'unauthenticated');
      const entry = entryOf(request, reply, clock.now(), isSandbox, bodies, '', '');
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
  at: Instant,
  isSandbox: boolean,
  bodies: Bodies | null,
  partnerId: string,
  keyId: string,
): NewEntry {
  const why = request.refusal === null ? NO_REFUSAL : said(request.refusal);
  const config = request.routeConfig;
  const route = request.is404 ? null : (config.url ?? null);
  const agent = request.headers['user-agent'];
  return {
    at,
    requestId: maskText(request.id),
    partnerId,
    keyId,
    method: request.method,
    route,
    path: isSandbox || route === null ? pathOf(request, route, isSandbox) : null,
    status: reply.statusCode,
    code: why.code,
    message: why.message,
    check: why.check,
    reason: why.reason,
    hints: why.hints,
    ignoredParameters: namesOf(request.ignoredParameters),
    details: why.details,
    durationMs: request.durationMs,
    bookingId: bookingOf(request, config, reply.statusCode < 400),
    userAgent: agent === undefined ? null : maskText(agent).slice(0, MAX_USER_AGENT),
    bodies,
  };
}

const NONE: readonly string[] = [];

function namesOf(parameters: readonly string[] | null): readonly string[] {
  if (parameters === null) return NONE;
  return parameters
    .slice(0, MAX_IGNORED)
    .map((name) => maskText(name).slice(0, MAX_PARAMETER).toWellFormed());
}

/** What a path of UUIDs says is its route and its UUIDs, in which nothing is to be masked. */
function pathOf(
  { originalUrl: url, params }: FastifyRequest,
  route: string | null,
  isSandbox: boolean,
): string {
  if (route !== null && !url.includes('?') && Object.values(params ?? {}).every(isUuid)) return url;
  return maskUrl(url, isSandbox, MAX_PATH);
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
  const { masked, isCut } = maskValue(more, MAX_DETAILS);
  return {
    code,
    message: maskText(message),
    check: typeof check === 'string' ? check : null,
    reason: typeof reason === 'string' ? reason : null,
    hints: Array.isArray(hints) ? hints.map((hint) => maskText(String(hint))) : [],
    details: isCut || Object.keys(more).length === 0 ? null : (masked as Record<string, unknown>),
  };
}

const BOOKING = /"bookingId":"([0-9a-f-]{36})"/;

function bookingOf(
  request: FastifyRequest,
  { answersBooking }: Partial<FastifyContextConfig>,
  isValid: boolean,
): string | null {
  const { bookingId } = (request.params ?? {}) as { bookingId?: string };
  if (bookingId !== undefined) return isValid || isUuid(bookingId) ? bookingId.toLowerCase() : null;
  if (!answersBooking || request.answeredText === null) return null;
  return BOOKING.exec(request.answeredText)?.[1] ?? null;
}

function bodiesOf(request: FastifyRequest): Bodies | null {
  const asked = request.body === undefined ? null : bodyOf(request.body);
  const answered = request.answeredText === null ? null : bodyOf(JSON.parse(request.answeredText));
  if (asked === null && answered === null) return null;
  return {
    request: asked?.text ?? null,
    response: answered?.text ?? null,
    requestCut: asked?.isCut ?? false,
    responseCut: answered?.isCut ?? false,
  };
}

function bodyOf(value: unknown): { text: string; isCut: boolean } {
  const { masked, isCut } = maskValue(value, MAX_BODY);
  const text = JSON.stringify(masked);
  return { text: text.slice(0, MAX_BODY), isCut: isCut || text.length > MAX_BODY };
}

function weightOf({ bodies }: NewEntry): number {
  return bodies === null ? 0 : (bodies.request?.length ?? 0) + (bodies.response?.length ?? 0);
}

type Waiting = {
  add(item: Item): void;
  /** By partner. */
  batches: Map<string, Batch[]>;
  /** Of requests whose key was not let in. */
  strangers: { entry: NewEntry; keyHash: string }[];
};

function createWaiting(): Waiting {
  const batches = new Map<string, Batch[]>();
  const strangers: Waiting['strangers'] = [];
  return {
    batches,
    strangers,
    add({ entry, keyHash }) {
      if (keyHash === null) addTo(batches, entry);
      else strangers.push({ entry, keyHash });
    },
  };
}

function addTo(batches: Map<string, Batch[]>, entry: NewEntry): void {
  const { partnerId } = entry;
  const known = batches.get(partnerId) ?? [];
  if (known.length === 0) batches.set(partnerId, known);
  const last = known.at(-1);
  if (last !== undefined && last.size() < MAX_PACKED) {
    last.add(entry);
    return;
  }
  const batch = createBatch(partnerId);
  batch.add(entry);
  known.push(batch);
}

async function writeWaiting(
  db: Db,
  clock: Clock,
  { batches, strangers }: Waiting,
  done: (count: number) => void,
): Promise<void> {
  const known = await entriesOfKnownKeys(db, strangers);
  done(strangers.length - known.length);
  addInOrder(batches, known);
  const recordedAt = clock.now() - clock.offset();
  // Packing keeps the process busy for a millisecond or more: between two batches requests are answered.
  for (const [partnerId, ofPartner] of batches)
    for (const batch of ofPartner) {
      await insertBatch(db, recordedAt, partnerId, batch.pack());
      done(batch.size());
    }
}

/** Adds the entries to those of their partners, by the time of their answers. */
function addInOrder(batches: Map<string, Batch[]>, entries: readonly NewEntry[]): void {
  for (const [partnerId, added] of Map.groupBy(entries, (entry) => entry.partnerId)) {
    const others = (batches.get(partnerId) ?? []).flatMap((batch) => batch.entries());
    batches.delete(partnerId);
    for (const entry of [...others, ...added].sort((a, b) => a.at - b.at)) addTo(batches, entry);
  }
}

/** Of requests whose key was not let in those with a key that is known all the same, and why it opened nothing. */
async function entriesOfKnownKeys(db: Db, strangers: Waiting['strangers']): Promise<NewEntry[]> {
  if (strangers.length === 0) return [];
  const hashes = new Set(strangers.map(({ keyHash }) => keyHash));
  const known = new Map((await findKnownKeys(db, [...hashes])).map((row) => [row.hash, row]));
  return strangers.flatMap(({ entry, keyHash }) => {
    const key = known.get(keyHash);
    if (key === undefined) return [];
    const found = { ...entry, partnerId: key.partner_id, keyId: key.id };
    return [entry.check === 'key' ? { ...found, reason: whyRefused(key, entry.at) } : found];
  });
}
