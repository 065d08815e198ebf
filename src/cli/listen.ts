import { setTimeout as sleep } from 'node:timers/promises';
import type { Clock } from '../base/clock.ts';
import { EVENT_NAMES, type EventName } from '../bookings/rules.ts';
import { startStopwatch } from '../runtime/stopwatch.ts';
import { ATTEMPT_TIMEOUT, MAX_READ } from '../webhooks/rules.ts';
import { createSecret, signedRequest } from '../webhooks/signature.ts';

/**
 * For the computers of partners' developers: follows the event feed of any deployment, over the partner API alone, and
 * forwards each event, signed as a webhook is.
 */

/** Milliseconds between two polls without new events. */
const POLL_INTERVAL = 1_000;
/** Time-out of a request to the service (section 8), in milliseconds. */
const REQUEST_TIMEOUT = 30_000;
/** The pause after consecutive failures: doubles from the first to the last (milliseconds). */
const FIRST_WAIT = 1_000;
const MAX_WAIT = 30_000;
/** The maximum of Retry-After (milliseconds). */
const MAX_RETRY_AFTER = 600_000;
/** The maximum of events in a page of the feed. */
const PAGE = 100;

export type ListenOptions = {
  /** The base URL, which ends in /v1. */
  url: string;
  key: string;
  /** null: events are only printed. */
  forward: string | null;
  /** null: those of the contract. */
  events: readonly EventName[] | null;
  /** A cursor, `beginning` or `latest`. */
  since: string;
  secret: string;
  json: boolean;
};

/** Arguments of the command line, as text. */
export type ListenArguments = {
  url: string;
  key: string | undefined;
  forward?: string;
  secret?: string;
  events?: string;
  since: string;
  json?: true;
};

/** The options of the command, for the operator's command line and for the file that partners download. */
export const LISTEN_OPTIONS: readonly { flag: string; value?: string; about: string; fallback?: string }[] = [
  {
    flag: 'key',
    value: 'key',
    about: "a key of the partner; set PARTNER_BOOKING_KEY to keep it out of the shell's history",
  },
  { flag: 'url', value: 'url', about: 'base URL of the service', fallback: 'http://127.0.0.1:3000/v1' },
  {
    flag: 'forward',
    value: 'url',
    about: 'POST each event to this URL, one after the other, signed like a webhook',
  },
  {
    flag: 'secret',
    value: 'secret',
    about: 'the secret to sign with; default a new one, which is shown',
  },
  {
    flag: 'events',
    value: 'list',
    about: 'only these events, comma-separated; default: those of the contract',
  },
  {
    flag: 'since',
    value: 'cursor',
    about: 'a cursor that an earlier run ended with, or "beginning"',
    fallback: 'latest',
  },
  { flag: 'json', about: 'events as one JSON object on each line' },
];

export const LISTEN_ABOUT = "show a partner's events as they arrive, and forward them signed like webhooks";

export const LISTEN_NOTES = `
Needs no database: it reads GET /partners/events with the permission partner_bookings_read, every second, which counts
towards the rate limit of the key. Events go to the standard output, all else to the standard error.
A forward is tried once: what fails is shown and passed over. The delivery id of a forwarded event is the event's id.`;

/** Outputs: events to the one, notes about them to the other. */
export type ListenOutput = { event(line: string): void; note(line: string): void };

/** An error that the user can correct. */
class ListenError extends Error {}

type FeedEvent = {
  id: string;
  event: string;
  bookingId: string;
  sequence: number;
  createdAt: string;
  payload: unknown;
};
type FeedPage = { data: FeedEvent[]; meta: { nextCursor: string; hasMore: boolean } };

/** A reason to try again later. `wait` in milliseconds, null: the backoff after that many failures. */
type Delay = { wait: number | null; detail: string };

/** The options of the arguments. Throws ListenError for invalid ones. */
export function listenOptions(given: ListenArguments): ListenOptions {
  const key = given.key?.trim();
  if (!key) throw new ListenError('no key: set PARTNER_BOOKING_KEY, or use --key');
  if (!/^[\x21-\x7e]+$/.test(key)) throw new ListenError('the key has characters that no key has');
  if (given.secret !== undefined && given.forward === undefined)
    throw new ListenError('--secret signs what is forwarded: it needs --forward');
  if (given.secret !== undefined && !/^whsec_[A-Za-z0-9_-]{43}$/.test(given.secret))
    throw new ListenError('--secret must be whsec_ and 43 characters, as subscriptions have it');
  return {
    url: httpUrl('--url', given.url).replace(/\/+$/, ''),
    key,
    forward: given.forward === undefined ? null : httpUrl('--forward', given.forward),
    events: given.events === undefined ? null : eventNames(given.events),
    since: given.since,
    secret: given.secret ?? createSecret(),
    json: given.json ?? false,
  };
}

function httpUrl(option: string, text: string): string {
  // Partners run this on Node 20, which has no URL.parse.
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url === null || !/^https?:$/.test(url.protocol))
    throw new ListenError(`${option} must be a URL beginning with http:// or https://`);
  // fetch accepts none, and every line that names the URL would contain them.
  if (url.username || url.password) throw new ListenError(`${option} must not contain credentials`);
  return url.href;
}

function eventNames(text: string): EventName[] {
  return text.split(',').map((item) => {
    const name = EVENT_NAMES.find((known) => known === item.trim());
    if (name === undefined) throw new ListenError(`--events must be of ${EVENT_NAMES.join(', ')}`);
    return name;
  });
}

/**
 * Prints the events of the feed as they arrive, and forwards them, until `stop`. Reads without a pause while there are
 * more, else every POLL_INTERVAL. Retries while the service cannot be reached, and after Retry-After. The cursor
 * advances only after a page was processed, so that the cursor at the end skips no event. `clock` is real time:
 * receivers compare the timestamps with theirs. Throws ListenError for refusals that a retry would not change.
 */
export async function listen(
  options: ListenOptions,
  output: ListenOutput,
  clock: Clock,
  stop: AbortSignal,
): Promise<void> {
  let cursor = options.since;
  /** The number of processed events after the cursor. */
  let done = 0;
  let failures = 0;
  let isReady = false;
  greet(options, output);

  while (!stop.aborted) {
    const answer = await readPage(options, cursor, stop);
    if (answer === null) break;
    if ('detail' in answer) {
      // A rate limit is reported each time, a persistent failure only once.
      if (answer.wait !== null || ++failures === 1) output.note(answer.detail);
      await pause(answer.wait ?? Math.min(FIRST_WAIT * 2 ** (failures - 1), MAX_WAIT), stop);
      continue;
    }
    if (failures > 0) output.note(`${options.url} answers again`);
    failures = 0;
    if (!isReady) output.note('listening; Ctrl-C ends it');
    isReady = true;

    for (const event of answer.data) {
      if (stop.aborted) break;
      await takeEvent(options, output, event, { clock, stop });
      // A forward that was cut short may have arrived, or not: it counts as not done.
      if (!stop.aborted) done++;
    }
    if (stop.aborted && done < answer.data.length) break;
    cursor = answer.meta.nextCursor;
    done = 0;
    if (!answer.meta.hasMore) await pause(POLL_INTERVAL, stop);
  }
  const repeats = done === 1 ? 'the first is done already' : `the first ${done} are done already`;
  output.note(`to go on from here: --since ${cursor}${done === 0 ? '' : ` (${repeats})`}`);
}

function greet({ url, forward, secret, events }: ListenOptions, { note }: ListenOutput): void {
  note(`events of ${url}${events === null ? '' : `: ${events.join(', ')}`}`);
  if (forward === null) return;
  note(`forwarded to ${forward}`);
  note(`signed with ${secret}`);
}

/** `stop` cuts it short. */
type Attempt = { clock: Clock; stop: AbortSignal };

async function takeEvent(
  { events, forward, secret, json }: ListenOptions,
  output: ListenOutput,
  event: FeedEvent,
  attempt: Attempt,
): Promise<void> {
  if (events !== null && !(events as readonly string[]).includes(event.event)) return;
  output.event(
    json
      ? JSON.stringify(event)
      : `${event.createdAt}  ${event.event}  ${event.bookingId}  #${event.sequence}`,
  );
  if (forward === null) return;
  const outcome = await send(event, forward, secret, attempt);
  if (outcome !== null) output.note(`  -> ${outcome}`);
}

/**
 * One attempt, with the headers and the bytes of a webhook; the delivery's id is the event's, the same for every
 * forward of the event. Returns the outcome, null when it was interrupted.
 */
async function send(
  { id, event, payload }: FeedEvent,
  forward: string,
  secret: string,
  { clock, stop }: Attempt,
): Promise<string | null> {
  const request = signedRequest({ deliveryId: id, event, payload }, secret, clock.now());
  const elapsed = startStopwatch();
  try {
    const response = await fetch(forward, {
      method: 'POST',
      ...request,
      redirect: 'manual', // webhooks follow none
      signal: AbortSignal.any([stop, AbortSignal.timeout(ATTEMPT_TIMEOUT)]),
    });
    await skipBody(response);
    const verdict = response.ok ? '' : ', which a webhook would try again';
    return `${response.status} in ${Math.round(elapsed())} ms${verdict}`;
  } catch (error) {
    if (stop.aborted) return null;
    return `failed after ${Math.round(elapsed())} ms: ${reasonOf(error as Error, ATTEMPT_TIMEOUT)}`;
  }
}

/** Reads as much of a response as a webhook would: an endless one fails only within that limit. */
async function skipBody({ body }: Response): Promise<void> {
  if (body === null) return;
  let read = 0;
  for await (const chunk of body) {
    read += chunk.byteLength;
    if (read >= MAX_READ) break; // cancels the stream
  }
}

/** A page of the feed, a reason to wait, or null when it was stopped. Throws ListenError. */
async function readPage(
  { url, key, events }: ListenOptions,
  since: string,
  stop: AbortSignal,
): Promise<FeedPage | Delay | null> {
  const query = new URLSearchParams({ limit: String(PAGE) });
  if (since !== 'beginning') query.set('after', since);
  if (events !== null) query.set('events', events.join(','));
  let response: Response;
  let text: string;
  try {
    response = await fetch(`${url}/partners/events?${query}`, {
      headers: { 'x-api-key': key },
      redirect: 'manual', // the key must not follow a redirect
      signal: AbortSignal.any([stop, AbortSignal.timeout(REQUEST_TIMEOUT)]),
    });
    text = await response.text();
  } catch (error) {
    if (stop.aborted) return null;
    const reason = reasonOf(error as Error, REQUEST_TIMEOUT);
    return { wait: null, detail: `${url} cannot be reached (${reason}): trying on` };
  }
  return judge(url, response, text);
}

function judge(url: string, { status, headers }: Response, text: string): FeedPage | Delay {
  const body = parsed(text);
  if (status === 200) {
    if (!isPage(body)) throw new ListenError(`${url} does not answer as the service does: check --url`);
    return body;
  }
  if (status === 429) {
    const wait = Math.min(Math.max(1, Number(headers.get('retry-after')) || 0) * 1000, MAX_RETRY_AFTER);
    return { wait, detail: `the key's rate limit is used up: waiting ${wait / 1000} s` };
  }
  if (status >= 500) return { wait: null, detail: `${url} answers ${status}: trying on` };
  throw new ListenError(refusal(url, status, body));
}

/** One line for a response that a retry would not change. */
function refusal(url: string, status: number, body: unknown): string {
  const error = (body as { error?: { code?: string; message?: string } } | null)?.error;
  const detail = `${status}${error?.message ? `, ${error.message}` : ''}`;
  if (status === 400) return `the service refused the request (${detail}): check --since`;
  if (status === 401)
    return `the service refused the key (${detail}): check it, and that it is one of ${url}`;
  if (status === 403 && error?.code === 'FORBIDDEN')
    return `the key may not do this (${detail}): it needs the permission partner_bookings_read, from this address`;
  return `${url} refuses (${detail}): check --url, which ends in /v1`;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null; // the response need not be JSON
  }
}

function isPage(body: unknown): body is FeedPage {
  const { data, meta } = (body ?? {}) as Partial<FeedPage>;
  return Array.isArray(data) && typeof meta?.nextCursor === 'string' && typeof meta.hasMore === 'boolean';
}

/** `fetch` reports "fetch failed"; its cause has the reason. */
function reasonOf(error: Error, timeout: number): string {
  if (error.name === 'TimeoutError') return `no answer within ${timeout / 1000} s`;
  const cause = (error.cause ?? error) as Error & { code?: string };
  return cause.message || cause.code || error.message;
}

async function pause(milliseconds: number, stop: AbortSignal): Promise<void> {
  // Only a stop aborts it.
  await sleep(milliseconds, undefined, { signal: stop }).catch(() => {});
}
