import { MAX_PER_WORKER, MAX_SLOW, SLOW_AFTER } from './rules.ts';

/**
 * Which endpoints are fast, learned by this worker from how long their responses take, and what room there is for more
 * attempts. An endpoint counts as slow until it has responded fast. Who gets the room is decided by the claim
 * (claim_deliveries in migrations/0055).
 */

/** An attempt that is claimed and not yet written down. Times are of a stopwatch (milliseconds). */
export type Held = {
  subscriptionId: string;
  partnerId: string;
  startedAt: number;
  /** null: under way. */
  endedAt: number | null;
};

export type Room = {
  /** How many attempts may begin, and how many of them to endpoints that are not known to be fast. */
  total: number;
  slow: number;
  fastSubscriptions: Record<string, true>;
  /** By partner: attempts to fast endpoints, and to the others. */
  held: Record<string, [fast: number, slow: number]>;
};

/** How much a new response counts against those before it. */
const NEWEST = 0.3;
/** Endpoints that are remembered; beyond, the one that was not heard of for longest is forgotten. */
const MAX_REMEMBERED = 1_000;

export type Shares = {
  /** A response took so long (milliseconds), or none came. */
  learn(subscriptionId: string, durationMs: number): void;
  /** What there is room for beside what is held, at this time of the stopwatch. */
  room(held: Iterable<Held>, at: number): Room;
};

export function createShares(): Shares {
  /** Milliseconds that an endpoint took lately, those heard of last at the end. */
  const answers = new Map<string, number>();

  return {
    learn(subscriptionId, durationMs) {
      const before = answers.get(subscriptionId) ?? durationMs;
      answers.delete(subscriptionId);
      answers.set(subscriptionId, before + NEWEST * (durationMs - before));
      const [oldest] = answers.keys();
      if (answers.size > MAX_REMEMBERED && oldest !== undefined) answers.delete(oldest);
    },

    room(held, at) {
      const attempts = [...held];
      const fastSubscriptions: Room['fastSubscriptions'] = {};
      for (const [id, milliseconds] of answers) if (milliseconds <= SLOW_AFTER) fastSubscriptions[id] = true;
      // One that has just begun to hang is known by what is under way.
      for (const { subscriptionId, startedAt, endedAt } of attempts) {
        if (endedAt === null && at - startedAt > SLOW_AFTER) delete fastSubscriptions[subscriptionId];
      }
      const counts: Room['held'] = {};
      let slow = 0;
      for (const { subscriptionId, partnerId } of attempts) {
        counts[partnerId] ??= [0, 0];
        const isSlow = !(subscriptionId in fastSubscriptions);
        counts[partnerId][isSlow ? 1 : 0]++;
        if (isSlow) slow++;
      }
      return {
        total: Math.max(0, MAX_PER_WORKER - attempts.length),
        slow: Math.max(0, MAX_SLOW - slow),
        fastSubscriptions,
        held: counts,
      };
    },
  };
}
