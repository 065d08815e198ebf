import { signal } from '@preact/signals';
import { changed, TOPICS, type Topic } from './changes.ts';
import { createEventReader, type ServerEvent } from './server-events.ts';
import { authorization, now, signOut, token } from './session.ts';

/** The stream of changes: server-sent events, read with `fetch`, which tells a refusal from a lost connection. */

export type Connection = { state: 'live' | 'connecting' | 'polling' } | { state: 'lost'; since: number };

export const connection = signal<Connection>({ state: 'connecting' });

/** The interval of reloads without a stream, in milliseconds. */
const POLL_MS = 15_000;
/** The longest silence of a live stream: the server sends heartbeats more often. */
const MAX_SILENCE_MS = 40_000;
const FIRST_PAUSE = 1_000;
const MAX_PAUSE = 30_000;

/** Follows the stream during a session. */
export function followChanges(): void {
  let ended = new AbortController();
  token.subscribe((current) => {
    ended.abort();
    ended = new AbortController();
    if (current !== null) void follow(current, ended.signal);
  });
}

async function follow(visitId: string, ended: AbortSignal): Promise<void> {
  /** When the stream was lost, in the service's time; null: it is open. */
  let since: number | null = null;
  let lastId: string | null = null;
  /** Failed attempts in a row. */
  let failed = 0;
  const poll = setInterval(() => {
    if (connection.peek().state !== 'live') changed(TOPICS);
  }, POLL_MS);
  ended.addEventListener('abort', () => clearInterval(poll));
  connection.value = { state: 'connecting' };
  while (!ended.aborted) {
    // Reload everything: at first, data may be older than the stream; after a failed attempt, loads may have failed
    // too.
    let isWhole = lastId === null || failed > 0;
    failed++;
    const again = await readStream(visitId, lastId, ended, {
      onOpen() {
        since = null;
        failed = 0;
        connection.value = { state: 'live' };
      },
      onEvent(event) {
        lastId = event.id ?? lastId;
        if (isWhole) changed(TOPICS);
        else if (event.data !== null) changed(topicsOf(event));
        isWhole = false;
      },
    });
    if (ended.aborted || again === 'no') return;
    if (again === 'later') {
      // The server has no stream free for this token: polling replaces it, which is no error.
      connection.value = { state: 'polling' };
      since = null;
    } else {
      since ??= now.peek();
      connection.value = { state: 'lost', since };
    }
    await pauseOf(again === 'later' ? MAX_PAUSE : Math.min(FIRST_PAUSE * 2 ** failed, MAX_PAUSE), ended);
  }
}

/** A pause that ends early when the machine is online again or the page becomes visible. */
function pauseOf(milliseconds: number, ended: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const stop = new AbortController();
    const wake = (): void => {
      stop.abort();
      clearTimeout(timer);
      resolve();
    };
    const timer = setTimeout(wake, milliseconds);
    addEventListener('online', wake, { signal: stop.signal });
    document.addEventListener('visibilitychange', wake, { signal: stop.signal });
    ended.addEventListener('abort', wake, { signal: stop.signal });
  });
}

type Handlers = { onOpen: () => void; onEvent: (event: ServerEvent) => void };

type Again = 'no' | 'soon' | 'later';

/** Reads one response to its end. Resolves to when to try again. */
async function readStream(
  visitId: string,
  lastId: string | null,
  ended: AbortSignal,
  { onOpen, onEvent }: Handlers,
): Promise<Again> {
  const silent = new AbortController();
  let silence = setTimeout(() => silent.abort(), MAX_SILENCE_MS);
  addEventListener('offline', () => silent.abort(), { signal: silent.signal });
  try {
    const response = await fetch('/operator/stream', {
      headers: {
        ...authorization(),
        accept: 'text/event-stream',
        ...(lastId !== null && { 'last-event-id': lastId }),
      },
      signal: AbortSignal.any([ended, silent.signal]),
    });
    if (response.status === 401 && token.peek() === visitId) signOut({ isRefused: true });
    if (response.status === 401) return 'no';
    if (response.status === 404 || response.status === 429) return 'later';
    if (!response.ok || response.body === null) return 'soon';
    onOpen();
    const read = createEventReader();
    for await (const part of textOf(response.body)) {
      clearTimeout(silence);
      silence = setTimeout(() => silent.abort(), MAX_SILENCE_MS);
      for (const event of read(part)) onEvent(event);
    }
  } catch {
    // The connection is lost; the caller tries again.
  } finally {
    clearTimeout(silence);
    silent.abort();
  }
  return 'soon';
}

async function* textOf(body: ReadableStream<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  const reader = body.getReader();
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    yield decoder.decode(value, { stream: true });
  }
}

/** The topics of an event; all of them if events were missed or the event is unknown. */
function topicsOf({ event, data }: ServerEvent): readonly Topic[] {
  if (event === 'reset') return TOPICS;
  try {
    const { topic } = JSON.parse(data ?? '') as { topic?: string };
    const known = TOPICS.find((one) => one === topic);
    return known === undefined ? TOPICS : [known];
  } catch {
    return TOPICS;
  }
}
