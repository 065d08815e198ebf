import { useState } from 'preact/hooks';
import { call } from '../api.ts';
import type { BookingPayment } from '../contract.ts';
import { money } from '../format.ts';
import { t } from '../language.ts';
import { useAction } from '../query.ts';
import { may } from '../session.ts';
import { ActionButton } from './action-button.tsx';
import { Dialog } from './dialog.tsx';
import { Failed } from './failed.tsx';
import { Form, TextField, useForm } from './fields.tsx';
import { ask } from './questions.tsx';
import { toast } from './toasts.tsx';

const CHANGED = ['payments', 'bookings'] as const;

/** Actions on a payment: send the link again; decide on, retry or record a refund. */
export function PaymentActions({ payment }: { payment: Pick<BookingPayment, 'id' | 'status' | 'refund'> }) {
  const action = useAction(CHANGED);
  const [deciding, setDeciding] = useState(false);
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
  async function decline(): Promise<void> {
    const reason = await ask({
      title: t('payment.decline'),
      text: t('payment.decideText', { amount: money(payment.refund?.amount ?? 0) }),
      reason: t('field.reason'),
      confirm: t('payment.decline'),
      danger: true,
    });
    if (reason === null) return;
    await run(() => call('declineRefund', { id, body: { reason } }), t('payment.declined'));
  }
  return (
    <>
      <div class="buttons">
        {refund === 'TO_DECIDE' && may('refundPayment') && (
          <>
            <button type="button" class="primary" disabled={action.busy} onClick={() => setDeciding(true)}>
              {t('payment.decide')}
            </button>
            <button type="button" disabled={action.busy} onClick={() => void decline()}>
              {t('payment.decline')}
            </button>
          </>
        )}
        {payment.status === 'OPEN' && may('resendPaymentLink') && (
          <ActionButton
            action={action}
            run={() => call('resendPaymentLink', { id })}
            done={t('payment.resent')}
          >
            {t('payment.resend')}
          </ActionButton>
        )}
        {refund === 'FAILED' && may('retryRefund') && (
          <ActionButton action={action} run={() => call('retryRefund', { id })} done={t('payment.retried')}>
            {t('payment.retry')}
          </ActionButton>
        )}
        {(refund === 'FAILED' || refund === 'PENDING') && may('markRefundDone') && (
          <button type="button" disabled={action.busy} onClick={() => void recordRefund()}>
            {t('payment.done')}
          </button>
        )}
      </div>
      {action.failure && <Failed failure={action.failure} />}
      {deciding && <RefundDialog payment={payment} onClose={() => setDeciding(false)} />}
    </>
  );
}

/** Asks for the amount and reason of a refund. */
function RefundDialog({
  payment: { id, refund },
  onClose,
}: {
  payment: Pick<BookingPayment, 'id' | 'refund'>;
  onClose: () => void;
}) {
  const form = useForm({ amount: '', reason: '' }, CHANGED);
  return (
    <Dialog title={t('payment.decide')} onClose={onClose}>
      <p>{t('payment.decideText', { amount: money(refund?.amount ?? 0) })}</p>
      <Form
        form={form}
        submit={t('payment.decide')}
        onClose={onClose}
        onDone={() => {
          toast(t('payment.decided'));
          onClose();
        }}
        send={({ amount, reason }) =>
          call('refundPayment', {
            id,
            body: { reason, ...(amount.trim() !== '' && { amount: Number(amount) }) },
          })
        }
      >
        <TextField
          form={form}
          name="amount"
          label={t('payment.amount')}
          hint={t('payment.amountHint')}
          type="number"
        />
        <TextField form={form} name="reason" label={t('field.reason')} required />
      </Form>
    </Dialog>
  );
}
