import { call } from '../api.ts';
import type { BookingPayment } from '../contract.ts';
import { t } from '../language.ts';
import { useAction } from '../query.ts';
import { may } from '../session.ts';
import { Failed } from './failed.tsx';
import { ask } from './questions.tsx';
import { toast } from './toasts.tsx';

/** What can be done with a payment: the link sent again, a refund tried again or recorded. */
export function PaymentActions({ payment }: { payment: Pick<BookingPayment, 'id' | 'status' | 'refund'> }) {
  const action = useAction(['payments', 'bookings']);
  const { id } = payment;
  const refund = payment.refund?.status;
  async function run(work: () => Promise<unknown>, done: string): Promise<void> {
    if (await action.run(work)) toast(done);
  }
  async function recordRefund(): Promise<void> {
    const reference = await ask({
      title: t('payment.done'),
      text: t('payment.doneText'),
      reason: t('payment.reference'),
      confirm: t('act.save'),
    });
    if (reference === null) return;
    await run(() => call('markRefundDone', { id, body: { reference } }), t('payment.doneSaved'));
  }
  return (
    <>
      <div class="buttons">
        {payment.status === 'OPEN' && may('resendPaymentLink') && (
          <button
            type="button"
            disabled={action.busy}
            onClick={() => void run(() => call('resendPaymentLink', { id }), t('payment.resent'))}
          >
            {t('payment.resend')}
          </button>
        )}
        {refund === 'FAILED' && may('retryRefund') && (
          <button
            type="button"
            disabled={action.busy}
            onClick={() => void run(() => call('retryRefund', { id }), t('payment.retried'))}
          >
            {t('payment.retry')}
          </button>
        )}
        {(refund === 'FAILED' || refund === 'PENDING') && may('markRefundDone') && (
          <button type="button" disabled={action.busy} onClick={() => void recordRefund()}>
            {t('payment.done')}
          </button>
        )}
      </div>
      {action.failure && <Failed failure={action.failure} />}
    </>
  );
}
