import { PassThrough } from 'node:stream';
import { ApiError } from '../base/errors.ts';
import type { Db } from '../db/connection.ts';
import { DatabaseUnavailableError } from '../db/unavailable.ts';
import { placeEvents } from '../events/queries.ts';
import { type Poller, startPoller } from '../runtime/poller.ts';
import type { Wakeups } from '../runtime/wakeups.ts';
import { listChanges } from './change-queries.ts';
import {
  type Cursor,
  changesSince,
  cursorOf,
  decodeCursor,
  encodeCursor,
  laterOf,
  MAX_CHANGES,
  toEvents,
} from './changes.ts';

/** Streams of one token in one process. */
export const MAX_STREAMS = 4;
/** Milliseconds between two polls of the database, shared by all streams of the process. */
const POLL = 1_000;
/** Unread bytes of a client; beyond it the stream is closed. */
const MAX_UNREAD = 256 * 1024;
/** Milliseconds before a client reconnects after the end of a stream. */
const RETRY = 2_000;
/** Seconds of Retry-After for a token with too many streams. */
export const RETRY_AFTER = 15;
/** Milliseconds in which a client must read the rest of a stream that ends. */
const GRACE = 1_000;

export type ChangeStreams = {
  /**
   * Opens a stream of changes, at first of those since `lastEventId`; null: from now on. Throws RATE_LIMIT_EXCEEDED
   * when the token has MAX_STREAMS.
   */
  open(isValid: IsValid, tokenId: string | null, lastEventId: string | null): Promise<PassThrough>;
  /** Whether the token may open another stream. */
  hasRoom(tokenId: string | null): boolean;
  /** Ends all streams. */
  close(): void;
};

/** Whether the credential of a stream is still valid. */
type IsValid = () => Promise<boolean>;

type Stream = { sink: PassThrough; isValid: IsValid; tokenId: string | null };

/**
 * Sends changes of all processes to the open streams of this one: one poll of the database for all, and one at once
 * after a change made here. A stream holds no connection of the database. It ends when its token is revoked, when the
 * process stops, and when its client does not read.
 */
export function createChangeStreams({
  db,
  wakeups,
  isDraining,
  heartbeat,
  onError,
}: {
  db: Db;
  wakeups: Wakeups;
  isDraining: () => boolean;
  /** Milliseconds between two heartbeats. */
  heartbeat: number;
  onError: (error: Error) => void;
}): ChangeStreams {
  const streams = new Set<Stream>();
  let poller: Poller | null = null;
  let beats: NodeJS.Timeout | undefined;
  /** The cursor of the open streams; null: not known yet. */
  let cursor: Cursor | null = null;
  /** A sequence of workers was read before the commit of its change: it is sent once more. */
  let repeatedSequence: Pick<Cursor, 'deliveries' | 'payments'> | null = null;
  let isClosed = false;

  function send({ sink }: Stream, text: string): void {
    if (text === '' || sink.destroyed || sink.writableEnded) return;
    sink.write(text);
    if (sink.writableLength + sink.readableLength > MAX_UNREAD) sink.destroy();
  }

  function sendToAll(text: string): void {
    for (const stream of streams) send(stream, text);
  }

  function end({ sink }: Stream): void {
    sink.end();
    setTimeout(() => sink.destroy(), GRACE).unref();
  }

  async function endRevoked(): Promise<void> {
    for (const stream of streams) {
      // While the database is unavailable the token cannot be checked: the stream continues.
      if (!(await stream.isValid().catch(() => true))) end(stream);
    }
  }

  async function turn(): Promise<void> {
    if (isDraining()) {
      for (const stream of streams) end(stream);
      return;
    }
    await endRevoked();
    await placeEvents(db);
    const found = await listChanges(db, cursor ?? END, MAX_CHANGES + 1);
    if (cursor === null) {
      cursor = cursorOf(found);
      return;
    }
    const since = cursor;
    const next = laterOf(since, cursorOf(found));
    // When retention has dropped the whole feed, its end decreases.
    const feed = Math.min(since.feed, found.feed);
    const told = changesSince({ ...since, feed, ...repeatedSequence }, found);
    repeatedSequence =
      found.deliveries > since.deliveries || found.payments > since.payments
        ? { deliveries: since.deliveries, payments: since.payments }
        : null;
    cursor = next;
    sendToAll(toEvents(told, next));
  }

  function start(): Poller {
    beats = setInterval(() => sendToAll(': heartbeat\n\n'), heartbeat);
    cursor = null;
    return startPoller(wakeups, POLL, turn, onError);
  }

  function remove(stream: Stream): void {
    streams.delete(stream);
    if (streams.size > 0) return;
    poller?.stop();
    poller = null;
    clearInterval(beats);
  }

  /** The missed changes of a new stream, and its cursor. Later changes are sent to all. */
  async function missed(lastEventId: string | null): Promise<string> {
    await poller?.again();
    if (cursor === null) throw new DatabaseUnavailableError('changes cannot be read');
    const since = lastEventId === null ? null : decodeCursor(lastEventId);
    const found = await listChanges(db, since ?? END, MAX_CHANGES + 1);
    const now = cursorOf(found);
    const told = lastEventId === null ? null : since === null ? 'reset' : changesSince(since, found);
    return (told && toEvents(told, now)) || `id: ${encodeCursor(now)}\n\n`;
  }

  const hasRoom = (tokenId: string | null): boolean =>
    [...streams].filter((stream) => stream.tokenId === tokenId).length < MAX_STREAMS;

  return {
    hasRoom,
    async open(isValid, tokenId, lastEventId) {
      if (!hasRoom(tokenId)) {
        throw new ApiError('RATE_LIMIT_EXCEEDED', `The token has ${MAX_STREAMS} streams open already`, {
          check: 'streams',
          limit: MAX_STREAMS,
          retryAfter: RETRY_AFTER,
        });
      }
      const stream: Stream = { sink: new PassThrough(), isValid, tokenId };
      streams.add(stream);
      stream.sink.once('close', () => remove(stream));
      try {
        poller ??= start();
        send(stream, `retry: ${RETRY}\n\n`);
        send(stream, await missed(lastEventId));
      } catch (error) {
        stream.sink.destroy();
        throw error;
      }
      if (isClosed) end(stream);
      return stream.sink;
    },
    close() {
      isClosed = true;
      for (const stream of streams) end(stream);
    },
  };
}

/** Beyond all places: reads only the end. */
const END = { feed: Number.MAX_SAFE_INTEGER, audit: Number.MAX_SAFE_INTEGER };
