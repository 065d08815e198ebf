/** A partner's bookings but for those of transactions from the horizon on, which each list counts anew. */
export type KnownTotal = {
  before: number;
  horizon: string;
  /** When the server was started that said so: another one, after a failover, may have lost what it had. */
  server: string;
};

export type KnownTotals = {
  /** null: not known. */
  of(partnerId: string): KnownTotal | null;
  remember(partnerId: string, total: KnownTotal): void;
};

/** Partners remembered. */
const MAX_PARTNERS = 10_000;

/**
 * How many bookings each partner has, as of a moment that lies before every transaction still under way. What was
 * committed before it stays: a booking is never deleted and never changes its partner. So a list only has to count the
 * few made since to have its exact total (docs/decisions/list-and-as-of.md).
 */
export function createKnownTotals(): KnownTotals {
  const totals = new Map<string, KnownTotal>();
  return {
    of: (partnerId) => totals.get(partnerId) ?? null,
    remember(partnerId, total) {
      // The one remembered longest ago goes: a Map keeps the order of insertion.
      totals.delete(partnerId);
      if (totals.size >= MAX_PARTNERS) totals.delete(totals.keys().next().value!);
      totals.set(partnerId, total);
    },
  };
}
