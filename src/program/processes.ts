import cluster, { type Worker } from 'node:cluster';
import { setTimeout as sleep } from 'node:timers/promises';
import { AggregatorRegistry, Counter, Gauge, Registry } from 'prom-client';
import { localFailures } from '../http/auth-failures.ts';
import type { Logger } from '../runtime/logger.ts';
import { memoryRateLimiter } from '../runtime/rate-limit.ts';
import type { Measured, ToFirst, ToSibling, WindowKind } from '../runtime/siblings.ts';
import { startStopwatch } from '../runtime/stopwatch.ts';

/**
 * PROCESSES above 1: this first process serves nothing itself. It starts the others, which share its ports, puts
 * another in the place of one that dies, and keeps what must be counted in one place: the windows of rate limits when
 * there is no Redis. docs/decisions/processes.md
 */

type Role = 'api' | 'worker';

/** A process that lived shorter is not replaced at once (milliseconds). */
const SHORT_LIFE = 10_000;
const FIRST_PAUSE = 1_000;
const LONGEST_PAUSE = 30_000;
/** How long one process waits for what another is asked (milliseconds). */
const ANSWER_WITHIN = 1_000;

export type Processes = {
  /** Resolves when all have ended. */
  stop(signal: NodeJS.Signals): Promise<void>;
};

/**
 * Starts `api` processes and, when asked, a worker beside them; resolves when all serve. The first one migrates alone.
 * Throws StartFailedError, with the status of its end, when that one ends instead.
 */
export async function startProcesses(
  { api, worker }: { api: number; worker: boolean },
  logger: Logger,
  greet: (banner: string) => void,
): Promise<Processes> {
  const windows: Record<WindowKind, ReturnType<typeof memoryRateLimiter>> = {
    rate: memoryRateLimiter(),
    failures: localFailures(),
  };
  const own = new Registry();
  const running = new Map<Worker, { role: Role; age: () => number; serves: boolean }>();
  const restarts = new Counter({
    name: 'process_restarts_total',
    help: 'Processes that ended and were replaced, by role',
    labelNames: ['role'],
    registers: [own],
  });
  new Gauge({
    name: 'processes',
    help: 'Processes that serve behind one port, and their worker, by role',
    labelNames: ['role'],
    registers: [own],
    collect() {
      for (const role of ['api', 'worker'] as const)
        this.set({ role }, [...running.values()].filter((one) => one.role === role && one.serves).length);
    },
  });
  const asked = new Map<number, (answer: Measured | null) => void>();
  let lastId = 0;
  let stopping = false;
  let shortLives = 0;

  const say = (to: Worker, message: ToSibling): void => {
    // One that is ending hears nothing any more, and needs no answer.
    if (to.isConnected()) to.send(message, () => {});
  };

  /** What a process has measured; null when it does not say, or was asked to look at the database. */
  async function ask(about: 'measure' | 'look', one: Worker): Promise<Measured | null> {
    const id = ++lastId;
    const answer = await new Promise<Measured | null>((resolve) => {
      asked.set(id, resolve);
      setTimeout(resolve, ANSWER_WITHIN, null).unref();
      say(one, { about, id });
    });
    asked.delete(id);
    return answer;
  }

  async function metricsOfAll(contentType: string): Promise<string> {
    const serving = [...running].filter(([, { serves }]) => serves).map(([one]) => one);
    const all = await Promise.all([own.getMetricsAsJSON(), ...serving.map((one) => ask('measure', one))]);
    const said = all.filter((measured) => measured !== null);
    const together = AggregatorRegistry.aggregate(said as object[]);
    together.setContentType(contentType as never);
    return together.metrics();
  }

  function hear(from: Worker, message: ToFirst): void {
    switch (message.about) {
      case 'ready':
        running.get(from)!.serves = true;
        return;
      case 'takes': {
        const verdicts = message.takes.map(({ kind, key, limit, now }) =>
          windows[kind].take(key, limit, now),
        );
        say(from, { about: 'takes', id: message.id, verdicts });
        return;
      }
      case 'metrics':
        void metricsOfAll(message.contentType)
          .catch((error) => {
            logger.error({ err: error }, 'the metrics of all processes could not be put together');
            return '';
          })
          .then((text) => say(from, { about: 'metrics', id: message.id, text }));
        return;
      case 'measured':
        if (message.fault !== undefined)
          logger.error({ pid: from.process.pid, fault: message.fault }, 'a process could not be measured');
        asked.get(message.id)?.(message.measured);
        return;
      case 'look': {
        const others = [...running.keys()].filter((one) => one !== from);
        void Promise.all(others.map((one) => ask('look', one))).then(() =>
          say(from, { about: 'looked', id: message.id }),
        );
        return;
      }
      case 'looked':
        asked.get(message.id)?.(null);
        return;
    }
  }

  /** Resolves when it serves, with its banner; null when it ended before. */
  function start(role: Role): Promise<string | null> {
    const one = cluster.fork({ ROLES: role, PROCESSES: '1' });
    running.set(one, { role, age: startStopwatch(), serves: false });
    return new Promise((resolve) => {
      one.on('message', (message: ToFirst) => {
        hear(one, message);
        if (message.about === 'ready') resolve(message.banner ?? '');
      });
      one.once('exit', (code, signal) => {
        resolve(null);
        ended(one, code, signal);
      });
    });
  }

  let firstEnd: number | null = null;
  let started = false;
  function ended(one: Worker, code: number, signal: string): void {
    const { role, age } = running.get(one)!;
    running.delete(one);
    if (stopping) return;
    if (!started) {
      firstEnd ??= code;
      return;
    }
    logger.error({ role, pid: one.process.pid, code, signal }, 'a process ended: another takes its place');
    restarts.inc({ role });
    shortLives = age() < SHORT_LIFE ? shortLives + 1 : 0;
    const pause = shortLives === 0 ? 0 : Math.min(LONGEST_PAUSE, FIRST_PAUSE * 2 ** (shortLives - 1));
    void sleep(pause).then(() => {
      if (!stopping) void start(role);
    });
  }

  async function stop(signal: NodeJS.Signals): Promise<void> {
    stopping = true;
    const ends = [...running.keys()].map((one) => new Promise((resolve) => one.once('exit', resolve)));
    for (const one of running.keys()) one.process.kill(signal);
    await Promise.all(ends);
  }

  const banner = await start('api');
  if (banner === null) throw new StartFailedError(firstEnd ?? 1);
  started = true;
  const others: Role[] = [
    ...Array.from({ length: api - 1 }, () => 'api' as const),
    ...(worker ? ['worker' as const] : []),
  ];
  await Promise.all(others.map(start));
  if (banner !== '') greet(banner);
  return { stop };
}

/** The first process could not start, and has said why. */
export class StartFailedError extends Error {
  override readonly name = 'StartFailedError';
  readonly code: number;
  constructor(code: number) {
    super('the first process did not start');
    this.code = code;
  }
}
