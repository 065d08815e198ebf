import type { Instant } from '../base/clock.ts';
import { toHalalas, toSar } from '../base/money.ts';
import { CHANGE_ACTIONS, type ChangeAction, type Outcome } from './words.ts';

/** What happened to the fees of a booking, oldest first. Entries are added and never changed; sums are halalas. */

/**
 * The partner's changes; `move`: another start by the operator; `decide`: what an undecided fee is, or was corrected to;
 * `waive`: given back; `gateway`: charged back, or refunded there; `end`: the operator ended the booking, which costs nothing.
 */
export const FEE_ACTIONS = [...CHANGE_ACTIONS, 'move', 'decide', 'waive', 'gateway', 'end'] as const;

export type FeeEntry = {
  action: (typeof FEE_ACTIONS)[number];
  /** SAR, exact: added to what may be kept. */
  amount: string;
  /** SAR, exact: taken away from it. */
  lowers?: string;
  at: Instant;
  /** Of a cancellation: nobody knows why the visit was not done, and the operator decides. */
  undecided?: true;
  /** Of a change of the start: from which one fees count afterwards; null: from the new one. */
  counts_from?: Instant | null;
  /** Of a move by the operator: the start that the partner's side chose last. */
  chosen?: Instant;
  /** Of such a move that frees later changes: what they had cost before, SAR. */
  due?: Record<ChangeAction, string>;
  /** Of the visit, where it decided. */
  outcome?: Outcome;
  /** Who, of an operator's entry, and for whom. */
  by?: string;
  on_behalf_of?: 'CUSTOMER';
};

type Ledger = readonly FeeEntry[];

const sumOf = (fees: Ledger, of: (entry: FeeEntry) => string | undefined): number =>
  fees.reduce((sum, entry) => sum + toHalalas(of(entry) ?? '0'), 0);

/** What may be kept; negative as long as a fee that is not charged yet was waived. */
const balanceOf = (fees: Ledger): number =>
  sumOf(fees, ({ amount }) => amount) - sumOf(fees, ({ lowers }) => lowers);

/** What may be kept now. */
export const totalOf = (fees: Ledger): number => Math.max(0, balanceOf(fees));

/** What was waived of a fee that is due and not charged yet. */
export const waivedAhead = (fees: Ledger): number => Math.max(0, -balanceOf(fees));

/** Each entry with the change of what may be kept, and the total after it. */
export function historyOf(fees: Ledger): { entry: FeeEntry; change: number; total: number }[] {
  return fees.map((entry, index) => ({
    entry,
    change: balanceOf([entry]),
    total: totalOf(fees.slice(0, index + 1)),
  }));
}

/** The sum that was given back by waivers. */
export const givenBack = (fees: Ledger): number =>
  sumOf(fees, ({ action, lowers }) => (action === 'waive' ? lowers : undefined));

/** Whether the operator still has to decide on the fee of the cancellation. */
export function isUndecided(fees: Ledger | null): boolean {
  const found = fees ?? [];
  return found.some(({ undecided }) => undecided) && !found.some(({ action }) => action === 'decide');
}

/** Whether the fee of the cancellation was set, by a policy or by the operator. */
export function isSettled(fees: Ledger | null): boolean {
  return (
    fees?.some(
      ({ action, undecided }) => action === 'decide' || (action === 'cancel' && undecided === undefined),
    ) ?? false
  );
}

/** The ledger with an entry that makes the total `wanted`. */
export function withTotal(
  fees: Ledger,
  wanted: number,
  entry: Omit<FeeEntry, 'amount' | 'lowers'>,
): FeeEntry[] {
  const change = wanted - balanceOf(fees);
  return [
    ...fees,
    { ...entry, amount: toSar(Math.max(0, change)), ...(change < 0 && { lowers: toSar(-change) }) },
  ];
}

type Charge = FeeEntry & { action: ChangeAction };
const isCharge = (entry: FeeEntry): entry is Charge =>
  entry.action === 'cancel' || entry.action === 'reschedule';

/** The fees of the partner's changes as they are now: a decision is the cancellation's, what was given back the newest ones'. */
export function chargesOf(fees: Ledger): Charge[] {
  let lowered = sumOf(fees, ({ lowers }) => lowers);
  const decided = sumOf(fees, (entry) => (entry.action === 'decide' ? entry.amount : undefined));
  return fees
    .filter(isCharge)
    .toReversed()
    .map((entry) => {
      const amount = toHalalas(entry.amount) + (entry.action === 'cancel' ? decided : 0);
      const taken = Math.min(amount, lowered);
      lowered -= taken;
      return { ...entry, amount: toSar(amount - taken) };
    })
    .toReversed();
}

/** Number of moves by the booking's partner, or for its customer. */
export function movesOf(fees: Ledger): number {
  return fees.filter(({ action }) => action === 'reschedule').length;
}
