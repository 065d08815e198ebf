import type pg from 'pg';
import { DatabaseUnavailableError, isDatabaseError } from './unavailable.ts';
import { within } from './within.ts';

/** Every connection that is open, in the pool and beside it. */
export type Connections = {
  /** Statements may be prepared by name on them. */
  prepared: boolean;
  /** The answer of a statement, waited for as long as one may be; rejects after that. */
  inTime<T>(answer: Promise<T>): Promise<T>;
  /** Listens to its errors for as long as it lives: an unhandled error would end the process. */
  add(client: pg.ClientBase): void;
  isBroken(client: pg.ClientBase): boolean;
  /** Ends it in good order when it is whole. */
  end(client: pg.Client): void;
  /** Ends it without a goodbye: who is at the other end may be gone. */
  breakOff(client: pg.ClientBase): void;
  /** From now on nobody hears of their errors: all are about to end, and the server may end them first. */
  mute(): void;
  /** Breaks off all that were opened before the moment (`performance.now()`). */
  discard(before: number): void;
  /** The error of a statement, or DatabaseUnavailableError when it is one of its connection. */
  explain(client: pg.ClientBase, error: Error): Error;
};

class NoAnswerError extends Error {
  override readonly name = 'NoAnswerError';
  override readonly message = 'Query read timeout';
}

/** `onError` hears of each connection that breaks. `maxWait`: for an answer, in milliseconds; null: as long as it takes. */
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
    // pg has no way of its own to end a connection that hears nothing: end() waits for the server's reply.
    (client as unknown as { connection: { stream: { destroy(): void } } }).connection.stream.destroy();
  }

  return {
    prepared,
    // Not pg's own query_timeout, which assigns a function to a property of each query: V8 then keeps the query, its rows and
    // its promises until a major collection. Lookups alone, four at once: 2.6 MB copied into the old generation by each small
    // collection, which took 7 ms, and with this none and 0.5 ms (test/statement-garbage.test.ts).
    inTime: (answer) => (maxWait === null ? answer : within(maxWait, answer, () => new NoAnswerError())),
    add(client) {
      open.set(client, performance.now());
      client.on('error', (error) => {
        // The first one has the cause; later ones need no line of their own.
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
