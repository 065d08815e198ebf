import type { FastifyContextConfig, FastifyReply, FastifyRequest } from 'fastify';
import type { Clock } from '../base/clock.ts';
import type { ApiError } from '../base/errors.ts';
import type { Db } from '../db/connection.ts';
import type { App } from '../http/edge.ts';
import { isUuid } from '../http/validation.ts';
import type { Access } from '../partners/access.ts';
import { findKnownKeys } from '../partners/access-queries.ts';
import { presentedKey } from '../partners/guard.ts';
import { hashKey, isWellFormedKey, refusalReason } from '../partners/key-rules.ts';
import { maskJson, maskText, maskUrl } from '../runtime/masking.ts';
import { createWriteBehind, type WriteBehindOptions } from '../runtime/write-behind.ts';
import { insertRequests } from './queries.ts';
import {
  type Bodies,
  MAX_BODY,
  MAX_DETAILS,
  MAX_IGNORED,
  MAX_PARAMETER,
  MAX_PATH,
  MAX_USER_AGENT,
  type NewRequest,
  storable,
} from './rules.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** The response's body for the request log; null: not captured. */
    answeredText: string | null;
  }
  interface FastifyContextConfig {
    /** Its response, not its path, names the booking. */
    answersBooking?: true;
  }
}

/** A request and, when the guard refused its key, the key's hash: its owner is looked up when it is written. */
type Item = { request: NewRequest; keyHash: string | null };

export type RequestLog = {
  /** Records a request after its response. Never fails, and never waits. */
  record(request: FastifyRequest, reply: FastifyReply): void;
  /** Whether response bodies are stored. */
  readonly keepsBodies: boolean;
  /** Writes this process's buffer, which is otherwise written periodically. Never fails. */
  flush(): Promise<void>;
  /** Writes the rest. */
  close(): Promise<void>;
};

/** `unauthenticated`: its key was refused, and is mostly unknown. */
type Outcome = 'succeeded' | 'refused' | 'unauthenticated';
const NO_BODIES: Readonly<Record<Outcome, number>> = { succeeded: 0, refused: 0, unauthenticated: 0 };

export type RequestLogOptions = {
  db: Db;
  clock: Clock;
  /** A sandbox stores bodies, paths and queries, masked. */
  isSandbox: boolean;
  onDropped: WriteBehindOptions<Item>['onDropped'];
  /** A sandbox stores a request without its bodies, because its batch has too many. */
  onBodiesLeftOut(outcome: Outcome, count: number): void;
  onError(error: Error): void;
};

/** The owner of the request; with a hash when the guard refused its key, so that it is looked up when written. */
type Owner = { partnerId: string; keyId: string; keyHash: string | null };

/** Items of the buffer: some seconds of a process at full load. */
const MAX_ITEMS = 10_000;
/** Characters of bodies in the buffer. */
const MAX_CHARACTERS = 8 * 1024 * 1024;
/**
 * Requests with bodies in one batch, for each outcome, so that a burst of successes does not displace the body of an
 * error. Masking and packing all bodies of a loaded sandbox would take much of the process's time.
 */
const MAX_WITH_BODIES = 60;
/** Rows of one statement: between two the process answers. */
const MAX_ROWS = 500;

/**
 * Records every request with a known key: also one that is expired, revoked, replaced or of a suspended partner; no
 * others. The response does not wait for it.
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
  const buffer = createWriteBehind<Item>({
    async write(items, done) {
      withBodies = { ...NO_BODIES };
      const requests = await requestsOfKnownKeys(db, items);
      done(items.length - requests.length);
      const recordedAt = clock.now() - clock.offset();
      for (let from = 0; from < requests.length; from += MAX_ROWS) {
        const batch = requests.slice(from, from + MAX_ROWS);
        await insertRequests(db, recordedAt, batch);
        done(batch.length);
      }
    },
    maxItems: MAX_ITEMS,
    maxBytes: MAX_CHARACTERS,
    onDropped,
    onError,
  });

  /** null: production, or the batch has too many. */
  function bodiesToKeep(request: FastifyRequest, outcome: Outcome): string | null {
    if (!isSandbox) return null;
    if (withBodies[outcome] >= MAX_WITH_BODIES) {
      onBodiesLeftOut(outcome, 1);
      return null;
    }
    withBodies[outcome]++;
    return bodiesOf(request);
  }

  function add(request: FastifyRequest, reply: FastifyReply, outcome: Outcome, owner: Owner): void {
    const bodies = bodiesToKeep(request, outcome);
    const { keyHash, partnerId, keyId } = owner;
    const noted = {
      ...requestOf(request, reply, isSandbox),
      at: clock.now(),
      partnerId,
      keyId,
      bodies,
    };
    buffer.add({ request: noted, keyHash }, bodies?.length ?? 0);
  }

  return {
    keepsBodies: isSandbox,
    record(request, reply) {
      const caller = request.caller as Access | undefined;
      if (caller !== undefined) {
        const { partnerId, keyId } = caller;
        add(request, reply, reply.statusCode < 400 ? 'succeeded' : 'refused', {
          partnerId,
          keyId,
          keyHash: null,
        });
        return;
      }
      // The guard's response is the same for all of these; the owner of the key is looked up separately.
      const key = presentedKey(request);
      if (key === null || !isWellFormedKey(key)) return;
      add(request, reply, 'unauthenticated', { partnerId: '', keyId: '', keyHash: hashKey(key) });
    },
    flush: buffer.flush,
    close: buffer.close,
  };
}

/** Records the application's requests from now on. */
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

function requestOf(
  request: FastifyRequest,
  reply: FastifyReply,
  isSandbox: boolean,
): Omit<NewRequest, 'at' | 'partnerId' | 'keyId' | 'bodies'> {
  const config = request.routeConfig;
  const route = request.is404 ? null : (config.url ?? null);
  const agent = request.headers['user-agent'];
  return {
    requestId: maskText(request.id),
    method: request.method,
    route,
    path: isSandbox || route === null ? pathOf(request, route, isSandbox) : null,
    status: reply.statusCode,
    ...(request.refusal === null ? NO_REFUSAL : refusalOf(request.refusal)),
    ignoredParameters: namesOf(request.ignoredParameters),
    durationMs: Math.round(request.durationMs * 10) / 10,
    bookingId: bookingOf(request, config),
    userAgent: agent === undefined ? null : maskText(agent).slice(0, MAX_USER_AGENT),
  };
}

const NONE: readonly string[] = [];

function namesOf(parameters: readonly string[] | null): readonly string[] {
  if (parameters === null) return NONE;
  return parameters.slice(0, MAX_IGNORED).map((name) => storable(maskText(name).slice(0, MAX_PARAMETER)));
}

/** The path as its route and UUIDs, if it has only UUIDs as parameters: these need no masking. */
function pathOf(
  { originalUrl: url, params }: FastifyRequest,
  route: string | null,
  isSandbox: boolean,
): string {
  if (route !== null && !url.includes('?') && Object.values(params ?? {}).every(isUuid)) return url;
  return maskUrl(url, isSandbox, MAX_PATH);
}

type Refusal = Pick<NewRequest, 'code' | 'message' | 'check' | 'reason' | 'hints' | 'details'>;
const NO_REFUSAL: Refusal = {
  code: null,
  message: null,
  check: null,
  reason: null,
  hints: NONE,
  details: null,
};

function refusalOf({ code, message, details }: ApiError): Refusal {
  const { check, reason, hints, statusCode: _, error: __, ...more } = details;
  const { text, isCut } = maskJson(JSON.stringify(more), MAX_DETAILS);
  return {
    code,
    message: storable(maskText(message)),
    check: typeof check === 'string' ? check : null,
    reason: typeof reason === 'string' ? storable(reason) : null,
    hints: Array.isArray(hints) ? hints.map((hint) => storable(maskText(String(hint)))) : NONE,
    details: isCut || Object.keys(more).length === 0 ? null : text,
  };
}

const BOOKING = /"bookingId":"([0-9a-f-]{36})"/;

function bookingOf(
  request: FastifyRequest,
  { answersBooking }: Partial<FastifyContextConfig>,
): string | null {
  const { bookingId } = (request.params ?? {}) as { bookingId?: string };
  if (bookingId !== undefined) return isUuid(bookingId) ? bookingId.toLowerCase() : null;
  if (!answersBooking || request.answeredText === null) return null;
  return BOOKING.exec(request.answeredText)?.[1] ?? null;
}

function bodiesOf({ sentBody, answeredText }: FastifyRequest): string | null {
  if (sentBody === null && answeredText === null) return null;
  const asked = sentBody === null ? null : maskJson(sentBody.toString(), MAX_BODY);
  const answered = answeredText === null ? null : maskJson(answeredText, MAX_BODY);
  const bodies: Bodies = {
    request: asked?.text ?? null,
    response: answered?.text ?? null,
    requestCut: asked?.isCut ?? false,
    responseCut: answered?.isCut ?? false,
  };
  return JSON.stringify(bodies);
}

/** The requests with known keys: with a refused key also the reason. */
async function requestsOfKnownKeys(db: Db, items: readonly Item[]): Promise<NewRequest[]> {
  const hashes = new Set(items.flatMap(({ keyHash }) => keyHash ?? []));
  const found = hashes.size === 0 ? [] : await findKnownKeys(db, [...hashes]);
  const known = new Map(found.map((row) => [row.hash, row]));
  return items.flatMap(({ request, keyHash }) => {
    if (keyHash === null) return [request];
    const key = known.get(keyHash);
    if (key === undefined) return [];
    const reason = request.check === 'key' ? refusalReason(key, request.at) : request.reason;
    return [{ ...request, partnerId: key.partner_id, keyId: key.id, reason }];
  });
}
