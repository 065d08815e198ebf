import { AHEAD, MAX_AHEAD, MAX_PER_SUBSCRIPTION, MAX_PER_WORKER, MAX_SLOW, SLOW_AFTER } from './rules.ts';

/**
 * Which endpoints are fast, learned by this worker from how long their responses take, and what room there is for more
 * attempts. An endpoint counts as slow until it has responded fast. Who gets the room is decided by the claim
 * (claim_deliveries_ahead in functions.sql).
 */

/** A delivery that is claimed and whose attempt is not yet written down. Times are of a stopwatch (milliseconds). */
export type Held = {
  subscriptionId: string;
  partnerId: string;
  /** null: it waits for its place. */
  startedAt: number | null;
  /** null: it waits or is under way. */
  endedAt: number | null;
};

export type Room = {
  /** How many attempts may begin, and how many of them to endpoints that are not known to be fast. */
  total: number;
  slow: number;
  /** By those that are known to be fast: how many of it this worker may have when no other has any. */
  fastSubscriptions: Record<string, number>;
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

/** Remembers how fast 1,000 endpoints are: those heard of last. */
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
      // What waits takes room that somebody else may need.
      const maxAhead = attempts.length < MAX_PER_WORKER / 2 ? MAX_AHEAD : 0;
      for (const [id, milliseconds] of answers) {
        if (milliseconds > SLOW_AFTER) continue;
        const ahead = Math.floor((MAX_PER_SUBSCRIPTION * AHEAD) / Math.max(1, milliseconds));
        fastSubscriptions[id] = MAX_PER_SUBSCRIPTION + Math.min(maxAhead, ahead);
      }
      // One that has just begun to hang is known by what is under way.
      for (const { subscriptionId, startedAt, endedAt } of attempts) {
        if (startedAt !== null && endedAt === null && at - startedAt > SLOW_AFTER)
          delete fastSubscriptions[subscriptionId];
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
