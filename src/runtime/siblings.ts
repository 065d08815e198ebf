import type { Instant } from '../base/clock.ts';
import type { RateLimiter, Verdict } from './rate-limit.ts';

/**
 * Several processes behind one port, and the first one that started them (src/program/processes.ts): what they say to each
 * other. The first one keeps what must be counted in one place, and asks all when one of them is asked for metrics.
 */

/** The windows that the first process keeps when there is no Redis. */
export type WindowKind = 'rate' | 'failures';
export type Take = { kind: WindowKind; key: string; limit: number; now: Instant };

/** What a process has measured, as prom-client's `getMetricsAsJSON` returns it. */
export type Measured = unknown[];

export type ToFirst =
  | { about: 'ready'; banner: string | null }
  | { about: 'takes'; id: number; takes: Take[] }
  | { about: 'metrics'; id: number; contentType: string }
  /** The others are to look at the database; and: this process has. */
  | { about: 'look'; id: number }
  | { about: 'looked'; id: number }
  /** `fault`: why there is nothing measured. */
  | { about: 'measured'; id: number; measured: Measured | null; fault?: string };

export type ToSibling =
  | { about: 'takes'; id: number; verdicts: Verdict[] }
  | { about: 'metrics'; id: number; text: string }
  | { about: 'measure'; id: number }
  | { about: 'look'; id: number }
  | { about: 'looked'; id: number };

export type Siblings = {
  /** Nobody serves yet beside this process: the others are started when it does. */
  isFirst: boolean;
  /** This process serves. `banner`: what a person who started the program is shown. */
  ready(banner: string | null): void;
  windows(kind: WindowKind): Pick<RateLimiter, 'take'>;
  /**
   * Resolves when all other processes have looked at the database, or had a second for it. `look`: how this one does,
   * whenever another one asks.
   */
  sharedLooks(look: () => Promise<void>): () => Promise<void>;
  /** The metrics of all processes as one. `measure`: those of this process, whenever another one is asked. */
  sharedMetrics(measure: () => Promise<Measured>, contentType: string): () => Promise<string>;
};

/** How a process talks to the one that started it; `process` of a child. */
export type Channel = {
  send(message: ToFirst): void;
  onMessage(listener: (message: ToSibling) => void): void;
};

/** What a process asks of the one that started it, over the channel to it. */
export function createSiblings({ send, onMessage }: Channel, isFirst: boolean): Siblings {
  let lastId = 0;
  const waiting = new Map<number, (message: ToSibling) => void>();
  let measure: (() => Promise<Measured>) | null = null;
  let look: (() => Promise<void>) | null = null;
  /** What was asked for in one turn of the event loop goes as one message. */
  let gathered: { take: Take; resolve: (verdict: Verdict) => void }[] = [];

  onMessage((message) => {
    if (message.about === 'measure') {
      const { id } = message;
      void measure?.().then(
        (measured) => send({ about: 'measured', id, measured }),
        (error) => send({ about: 'measured', id, measured: null, fault: String(error) }),
      );
      return;
    }
    if (message.about === 'look') {
      const { id } = message;
      const looked = (): void => send({ about: 'looked', id });
      // One that has not looked yet is starting. One whose database does not respond looks again by itself.
      void Promise.resolve(look?.()).then(looked, looked);
      return;
    }
    waiting.get(message.id)?.(message);
    waiting.delete(message.id);
  });

  /** Resolves when the first process has answered; should it end, so does this one. */
  function ask(message: (id: number) => ToFirst): Promise<ToSibling> {
    const id = ++lastId;
    const answer = new Promise<ToSibling>((resolve) => waiting.set(id, resolve));
    send(message(id));
    return answer;
  }

  function sendTakes(): void {
    const asked = gathered;
    gathered = [];
    void ask((id) => ({ about: 'takes', id, takes: asked.map(({ take }) => take) })).then((answer) => {
      if (answer.about !== 'takes') return;
      for (const [index, { resolve }] of asked.entries()) resolve(answer.verdicts[index]!);
    });
  }

  return {
    isFirst,
    ready: (banner) => send({ about: 'ready', banner }),
    windows: (kind) => ({
      take: (key, limit, now) =>
        new Promise((resolve) => {
          if (gathered.length === 0) setImmediate(sendTakes);
          gathered.push({ take: { kind, key, limit, now }, resolve });
        }),
    }),
    sharedLooks(own) {
      look = own;
      return async () => {
        await ask((id) => ({ about: 'look', id }));
      };
    },
    sharedMetrics(own, contentType) {
      measure = own;
      return async () => {
        const answer = await ask((id) => ({ about: 'metrics', id, contentType }));
        return answer.about === 'metrics' ? answer.text : '';
      };
    },
  };
}
