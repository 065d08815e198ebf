import type pg from 'pg';
import { DatabaseUnavailableError, isDatabaseError } from './unavailable.ts';
import { within } from './within.ts';

/** Tracks every open connection, in the pool and beside it. */
export type Connections = {
  /** Whether statements may be prepared by name on them. */
  prepared: boolean;
  /** Resolves with the result of a statement; rejects after the time-out. */
  inTime<T>(answer: Promise<T>): Promise<T>;
  /** Handles its errors while it is open: an unhandled error would end the process. */
  add(client: pg.ClientBase): void;
  isBroken(client: pg.ClientBase): boolean;
  /** Ends it, with the protocol's goodbye when it is not broken. */
  end(client: pg.Client): void;
  /** Closes its socket without a goodbye: the peer may be gone. */
  breakOff(client: pg.ClientBase): void;
  /** Stops the reporting of errors: all are about to end, and the server may close them first. */
  mute(): void;
  /** Closes all that were opened before the moment (`performance.now()`). */
  discard(before: number): void;
  /** The error of a statement, or DatabaseUnavailableError when its connection failed. */
  explain(client: pg.ClientBase, error: Error): Error;
};

class NoAnswerError extends Error {
  override readonly name = 'NoAnswerError';
  override readonly message = 'Query read timeout';
}

/**
 * `onError` is called for each connection that breaks. `maxWait`: the time-out of results in milliseconds; null: none.
 */
export function trackConnections(
  onError: (error: Error) => void,
  prepared = true,
  maxWait: number | null = null,
): Connections {
  const open = new Map<pg.ClientBase, number>();
  const broken = new WeakSet<pg.ClientBase>();
  let muted = false;

  function breakOff(client: pg.ClientBase): void {
    broken.add(client);
    open.delete(client);
    // pg cannot close a connection without a response: end() waits for the server.
    (client as unknown as { connection: { stream: { destroy(): void } } }).connection.stream.destroy();
  }

  return {
    prepared,
    // Not pg's own query_timeout, which assigns a function to a property of each query: V8 then keeps the query, its
    // rows and its promises until a major collection (test/statement-garbage.test.ts).
    inTime: (answer) => (maxWait === null ? answer : within(maxWait, answer, () => new NoAnswerError())),
    add(client) {
      open.set(client, performance.now());
      client.on('error', (error) => {
        // The first error has the cause; later ones are not logged.
        if (!muted && !broken.has(client)) onError(error);
        broken.add(client);
      });
      client.on('end', () => open.delete(client));
    },
    isBroken: (client) => broken.has(client),
    end(client) {
      if (broken.has(client)) breakOff(client);
      else void client.end();
    },
    breakOff,
    mute() {
      muted = true;
    },
    discard(before) {
      for (const [client, since] of open) if (since < before) breakOff(client);
    },
    explain(client, error) {
      if (isDatabaseError(error)) return error;
      if (error instanceof NoAnswerError) breakOff(client);
      if (!broken.has(client)) return error;
      return new DatabaseUnavailableError('the connection broke before the database answered', {
        cause: error,
      });
    },
  };
}
