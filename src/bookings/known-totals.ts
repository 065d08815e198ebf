/** The number of a partner's bookings whose transactions are older than `horizon`. */
export type KnownTotal = {
  before: number;
  horizon: string;
  /** Start time of the database server: after a failover another server may lack those transactions. */
  server: string;
};

export type KnownTotals = {
  /** null: not cached. */
  of(partnerId: string): KnownTotal | null;
  remember(partnerId: string, total: KnownTotal): void;
};

const MAX_PARTNERS = 10_000;

/**
 * A cache of the partners' totals before the oldest transaction under way. These totals are final: a booking is never
 * deleted and never changes its partner. A list counts only the bookings since then for its exact total
 * (docs/decisions/list-and-as-of.md).
 */
export function createKnownTotals(): KnownTotals {
  const totals = new Map<string, KnownTotal>();
  return {
    of: (partnerId) => totals.get(partnerId) ?? null,
    remember(partnerId, total) {
      // Evicts the oldest entry: a Map keeps the order of insertion.
      totals.delete(partnerId);
      if (totals.size >= MAX_PARTNERS) totals.delete(totals.keys().next().value!);
      totals.set(partnerId, total);
    },
  };
}
