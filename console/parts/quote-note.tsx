import { dateTime, money } from '../format.ts';
import { t } from '../language.ts';
import { useQuery } from '../query.ts';

const CHANGED = ['bookings', 'appointments', 'payments'] as const;

/** The fee of a change: none for the operator, and that of the partner by the booking's policy. */
export function QuoteNote({ bookingId, action }: { bookingId: string; action: 'cancel' | 'reschedule' }) {
  const takes = (by: 'OPERATOR' | 'PARTNER') => ({ id: bookingId, query: { action, by } });
  const own = useQuery('getBookingQuote', takes('OPERATOR'), CHANGED).answer?.data;
  // Refused if the partner cannot make the change.
  const theirs = useQuery('getBookingQuote', takes('PARTNER'), CHANGED).answer?.data;
  if (own === undefined || own.policy === null) return null;
  const until =
    theirs === undefined || theirs.validUntil === null
      ? ''
      : t('fee.until', { time: dateTime(theirs.validUntil) });
  return (
    <div class="quote">
      <p>{t(`fee.own.${action}`)}</p>
      {theirs !== undefined && (
        <p class="faint">
          {action === 'reschedule'
            ? t('fee.theirs.reschedule', { fee: money(theirs.fee) })
            : t('fee.theirs.cancel', {
                fee: money(theirs.fee),
                earlier: money(theirs.earlierFees),
                refund: theirs.refund === null ? '–' : money(theirs.refund),
              })}
          {until}
        </p>
      )}
    </div>
  );
}
