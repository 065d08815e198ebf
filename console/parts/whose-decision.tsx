import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import type { Quote } from '../contract.ts';
import { failureText } from '../failure-text.ts';
import { dateTime, money } from '../format.ts';
import { t } from '../language.ts';
import { useQuery } from '../query.ts';
import { Choices } from './choices.tsx';

const CHANGED = ['bookings', 'appointments', 'payments'] as const;

/** The fields of a change that the customer asked for, with the fee that was shown. */
export type ForCustomer = { onBehalfOf?: 'CUSTOMER'; maxFee?: number };

/** Whose decision a change is, with what it costs: nothing for the operator, by the policy for the customer. */
export function useWhoseDecision(
  bookingId: string,
  action: 'cancel' | 'reschedule',
  ours?: string,
): { given: ForCustomer; choice: ComponentChildren } {
  const [isHers, setHers] = useState(false);
  // Refused if the partner cannot make the change: neither can the operator for the customer.
  const { answer, failure } = useQuery(
    'getBookingQuote',
    { id: bookingId, query: { action, by: 'PARTNER' } },
    CHANGED,
  );
  const quote = answer?.data;
  const hasPolicy = quote !== undefined && quote.policy !== null;
  const own = [ours, hasPolicy && t(`fee.own.${action}`)].filter(Boolean).join(' ');
  const hers = failure !== null ? failureText(failure) : hasPolicy ? costText(quote) : '';
  return {
    given: isHers && quote !== undefined ? { onBehalfOf: 'CUSTOMER', maxFee: quote.feeAtMost } : {},
    choice: (
      <Choices
        legend={t('fee.whose')}
        choices={[
          { value: false, label: t('fee.ours'), about: own },
          { value: true, label: t('fee.hers'), about: hers, isDisabled: quote === undefined },
        ]}
        chosen={isHers}
        onChange={setHers}
      />
    ),
  };
}

/** What a change costs, and until when it is that. */
export function costText({ action, fee, feeAtMost, earlierFees, refund, validUntil }: Quote): string {
  if (fee === null) return t('decide.costUnknown', { most: money(feeAtMost) });
  const until = validUntil === null ? '' : t('fee.until', { time: dateTime(validUntil) });
  if (action === 'reschedule') return t('fee.theirs.reschedule', { fee: money(fee) }) + until;
  if (refund === null) return t('decide.costBegun');
  const amounts = { fee: money(fee), refund: money(refund) };
  return (
    (earlierFees > 0
      ? t('decide.costEarlier', { ...amounts, earlier: money(earlierFees) })
      : t('decide.cost', amounts)) + until
  );
}
