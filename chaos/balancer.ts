import { Agent, request } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';
import { newCustomer } from './scene.ts';

/**
 * A load balancer with its clients: requests go to the addresses round-robin over kept-alive connections, and none is
 * sent twice.
 */
export type Balancer = {
  requests: number;
  /** The failure of each request without a 200. */
  failures: string[];
  /** Resolves when it has answered a request that is sent from now on. */
  answeredBy(base: string): Promise<void>;
  stop(): Promise<void>;
};

export type BalancerOptions = {
  key: string;
  clients: number;
  /**
   * Send only to addresses that report ready. Otherwise only one that refuses a connection is skipped, for that
   * request: nothing had been sent to it.
   */
  probes: boolean;
};

/** Between two requests of one client, and two readiness probes of an address (milliseconds). */
const PAUSE = 5;
const ASK_EVERY = 200;
const ANSWER_WITHIN = 12_000;

type LoadRequest = { method: 'GET' | 'POST'; path: string; body?: unknown };

/** One of three requests writes. */
function requestOf(number: number): LoadRequest {
  if (number % 3 === 0) return { method: 'POST', path: '/v1/partners/contacts', body: newCustomer() };
  return { method: 'GET', path: number % 3 === 1 ? '/v1/partners/bookings' : '/v1/partners/events?limit=5' };
}

export function startBalancer(bases: readonly string[], { key, clients, probes }: BalancerOptions): Balancer {
  const agents = new Map(bases.map((base) => [base, new Agent({ keepAlive: true, maxSockets: clients })]));
  const ready = new Set<string>(bases);
  let waiting: { base: string; from: number; resolve: () => void }[] = [];
  let running = true;
  let turn = 0;
  const balancer: Balancer = {
    requests: 0,
    failures: [],
    answeredBy(base) {
      const from = performance.now();
      return new Promise((resolve) => waiting.push({ base, from, resolve }));
    },
    async stop() {
      running = false;
      await Promise.all(work);
      for (const agent of agents.values()) agent.destroy();
    },
  };

  /** The status; throws when there is no response. */
  function send(base: string, { method, path, body }: LoadRequest, agent: Agent | false): Promise<number> {
    const text = body === undefined ? '' : JSON.stringify(body);
    return new Promise((resolve, reject) => {
      const sent = request(
        base + path,
        {
          method,
          agent,
          timeout: ANSWER_WITHIN,
          headers: {
            'x-api-key': key,
            ...(body !== undefined && {
              'content-type': 'application/json',
              'content-length': Buffer.byteLength(text),
            }),
          },
        },
        (answer) => {
          answer.on('error', reject);
          answer.on('end', () => resolve(answer.statusCode!));
          answer.resume();
        },
      );
      sent.on('error', reject);
      sent.on('timeout', () => sent.destroy(new Error(`no answer within ${ANSWER_WITHIN} ms`)));
      sent.end(text);
    });
  }

  async function ask(base: string): Promise<void> {
    while (running) {
      const status = await send(base, { method: 'GET', path: '/readyz' }, false).catch(() => 0); // it does not listen
      if (status === 200) ready.add(base);
      else ready.delete(base);
      await wait(ASK_EVERY);
    }
  }

  async function sendNext(): Promise<void> {
    balancer.requests++;
    const next = requestOf(balancer.requests);
    const sentAt = performance.now();
    const refused = new Set<string>();
    for (;;) {
      const usable = bases.filter((base) => ready.has(base) && !refused.has(base));
      if (usable.length === 0) return void balancer.failures.push('nobody was ready');
      const base = usable[turn++ % usable.length]!;
      try {
        const status = await send(base, next, agents.get(base)!);
        if (status !== 200) balancer.failures.push(`${next.method} ${next.path} at ${base}: ${status}`);
        for (const it of waiting) if (it.base === base && sentAt > it.from) it.resolve();
        waiting = waiting.filter((it) => it.base !== base || sentAt <= it.from);
        return;
      } catch (error) {
        const { code, message } = error as NodeJS.ErrnoException;
        if (!probes && code === 'ECONNREFUSED') refused.add(base);
        else return void balancer.failures.push(`${next.method} ${next.path} at ${base}: ${code ?? message}`);
      }
    }
  }

  async function run(): Promise<void> {
    while (running) {
      await sendNext();
      await wait(PAUSE);
    }
  }

  const work = [...(probes ? bases.map(ask) : []), ...Array.from({ length: clients }, run)];
  return balancer;
}

/** Restarts each in turn as a deployment does, the next one when the previous one responds again; `times` in all. */
export async function restartInTurn(
  bases: readonly string[],
  processes: readonly { restart(): Promise<number | null>; name: string }[],
  balancer: Balancer,
  times: number,
): Promise<void> {
  for (let number = 0; number < times; number++) {
    const index = number % processes.length;
    const { name, restart } = processes[index]!;
    const code = await restart();
    if (code !== 0) balancer.failures.push(`${name} ended with code ${code} when it was told to stop`);
    await balancer.answeredBy(bases[index]!);
  }
}
