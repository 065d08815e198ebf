import { MAX_PER_SUBSCRIPTION, MAX_WAIT } from './rules.ts';

/**
 * Deliveries that this worker has claimed ahead: no more of a subscription are under way at once than may be, the others
 * wait here for a place, in the order of their claims. Times are of a stopwatch (milliseconds).
 */
export type Backlog<Delivery> = {
  /** Begins it, or keeps it until there is a place. */
  add(delivery: Delivery, at: number): void;
  /** One of the subscription is over: the next one begins. */
  ended(subscriptionId: string, at: number): void;
  /** Takes out those that have waited for MAX_WAIT at this time, none of which begins any more; at Infinity all. */
  takeLate(at: number): Delivery[];
  /** How many wait. */
  size(): number;
};

type Lane<Delivery> = { underWay: number; waiting: { delivery: Delivery; since: number }[] };

/** `begin` is told whether the delivery had to wait, and so may have been changed since its claim. */
export function createBacklog<Delivery extends { subscriptionId: string }>(
  begin: (delivery: Delivery, hasWaited: boolean) => void,
): Backlog<Delivery> {
  const lanes = new Map<string, Lane<Delivery>>();
  let late: Delivery[] = [];
  let size = 0;

  function sweep({ waiting }: Lane<Delivery>, at: number): void {
    const inTime = waiting.findIndex(({ since }) => at - since < MAX_WAIT);
    const swept = waiting.splice(0, inTime === -1 ? waiting.length : inTime);
    for (const { delivery } of swept) late.push(delivery);
    size -= swept.length;
  }

  return {
    add(delivery, at) {
      const { subscriptionId } = delivery;
      const lane = lanes.get(subscriptionId) ?? { underWay: 0, waiting: [] };
      lanes.set(subscriptionId, lane);
      if (lane.underWay < MAX_PER_SUBSCRIPTION) {
        lane.underWay++;
        begin(delivery, false);
      } else {
        lane.waiting.push({ delivery, since: at });
        size++;
      }
    },

    ended(subscriptionId, at) {
      const lane = lanes.get(subscriptionId)!;
      sweep(lane, at);
      const next = lane.waiting.shift();
      if (next !== undefined) {
        size--;
        begin(next.delivery, true);
      } else if (--lane.underWay === 0) lanes.delete(subscriptionId);
    },

    takeLate(at) {
      for (const lane of lanes.values()) sweep(lane, at);
      const taken = late;
      late = [];
      return taken;
    },

    size: () => size,
  };
}
