import type { CalendarDate } from '../base/clock.ts';
import { toHalalas } from '../base/money.ts';
import { type BookingPayment, refundedOf } from '../bookings/refund.ts';
import { type AppointmentStatus, type BookingStatus, statusesIn } from '../bookings/rules.ts';
import type { PaymentResponsibility } from '../partners/rules.ts';
import { type FeeEntry, givenBack, isUndecided, totalOf } from '../policies/ledger.ts';

/** What a partner owes for a booking, by the booking's own facts alone; pure. Sums are halalas. */

/**
 * VISIT, FEE (of ending the booking, with its moves) and WAIVER (given back of these): owed by the partner. COLLECTED and
 * GIVEN_BACK: money of its customers that came by links, and is not owed.
 */
export const LINE_KINDS = ['VISIT', 'FEE', 'WAIVER', 'COLLECTED', 'GIVEN_BACK'] as const;
export type LineKind = (typeof LINE_KINDS)[number];

export type Owed = Partial<Record<LineKind, number>>;

export type MoneyFacts = {
  payment_responsibility: PaymentResponsibility;
  status: BookingStatus;
  /** SAR, exact. */
  amount: string;
  fees: readonly FeeEntry[] | null;
  appointment_status: AppointmentStatus;
  /** Of a cancelled booking: how far the work had come. */
  work_reached: AppointmentStatus | null;
  payment: Pick<BookingPayment, 'paid_amount' | 'refunded_amount' | 'refund_status'> | null;
};

const DONE = statusesIn('done');

type Formula = { version: number; from: CalendarDate; owedOf: (facts: MoneyFacts) => Owed };

/**
 * The versions of the rules, the newest first. A mended one starts with a service date to come, so that it bills no past anew,
 * and those before it stay: they value what was told by them.
 */
const FORMULAS: readonly Formula[] = [{ version: 1, from: '2000-01-01', owedOf: owedBy1 }];

/** The version for a booking: the one that it was told by, else that of its service date. */
export const formulaOf = (told: number | null, serviceDate: CalendarDate): number =>
  told ?? FORMULAS.find(({ from }) => from <= serviceDate)!.version;

/** What is owed by that version of the rules; kinds without a sum are left out. */
export function owedOf(facts: MoneyFacts, version: number): Owed {
  const owed = FORMULAS.find((formula) => formula.version === version)!.owedOf(facts);
  return Object.fromEntries(Object.entries(owed).filter(([, sum]) => sum !== 0));
}

function owedBy1(facts: MoneyFacts): Owed {
  if (facts.payment_responsibility === 'PLATFORM') return collectedOf(facts);
  const { status, amount, fees, appointment_status: visit, work_reached: reached } = facts;
  if (status === 'failed') return {};
  if (status !== 'canceled') return DONE.includes(visit) ? { VISIT: toHalalas(amount) } : {};
  // Until the operator decides, nothing is owed, earlier moves included.
  if (fees === null || isUndecided(fees)) return {};
  const kept = totalOf(fees);
  const charged = kept + Math.min(givenBack(fees), lastingOf(fees));
  const kind = reached !== null && DONE.includes(reached) ? 'VISIT' : 'FEE';
  return { [kind]: charged, WAIVER: kept - charged };
}

/** What was charged and not taken away again but by waivers. */
function lastingOf(fees: readonly FeeEntry[]): number {
  const sum = fees.reduce(
    (total, { action, amount, lowers }) =>
      total + toHalalas(amount) - (action === 'waive' ? 0 : toHalalas(lowers ?? '0')),
    0,
  );
  return Math.max(0, sum - totalOf(fees));
}

function collectedOf({ payment }: MoneyFacts): Owed {
  if (payment === null) return {};
  return { COLLECTED: toHalalas(payment.paid_amount ?? '0'), GIVEN_BACK: -toHalalas(refundedOf(payment)) };
}
