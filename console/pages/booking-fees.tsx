import { useState } from 'preact/hooks';
import { call } from '../api.ts';
import { actorText } from '../audit/sentence.tsx';
import type { BookingDetail } from '../contract.ts';
import { money } from '../format.ts';
import { t } from '../language.ts';
import type { Outcome } from '../parts/deciding.ts';
import { outcomeOptions } from '../parts/decision-dialog.tsx';
import { Dialog } from '../parts/dialog.tsx';
import { Form, SelectField, TextField, useForm } from '../parts/fields.tsx';
import { keptText } from '../parts/money-text.ts';
import { Section } from '../parts/page.tsx';
import { Timeline } from '../parts/timeline.tsx';
import { toast } from '../parts/toasts.tsx';
import { costText } from '../parts/whose-decision.tsx';
import { useQuery } from '../query.ts';
import { may, now } from '../session.ts';

/** The fees of a booking: what happened to them, and decisions on them after its end. */

const CHANGED = ['bookings', 'payments'] as const;
/** Milliseconds after the end in which the service takes another outcome. */
const CORRECTABLE_FOR = 30 * 86_400_000;

type NameOf = (actor: string) => string | null;

/** null: there is nothing to say of fees. */
export function BookingFees({ booking, nameOfActor }: { booking: BookingDetail; nameOfActor: NameOf }) {
  const [open, setOpen] = useState<'waive' | 'outcome' | null>(null);
  const { cancellation, feeHistory } = booking;
  const isUndecided = cancellation?.feeToDecide ?? false;
  const canRecord = may('recordOutcome') && isCorrectable(booking);
  if (feeHistory.length === 0 && !canRecord) return null;
  const canWaive = may('waiveFees') && !isUndecided && feeHistory.length > 0 && cancellation?.kept !== 0;
  const close = (): void => setOpen(null);
  return (
    <Section title={t('fee.label')}>
      {isUndecided && <p>{t('fee.toDecide')}</p>}
      <Timeline moments={feeHistory.map((entry, index) => momentOf(entry, index, nameOfActor))} />
      <div class="buttons">
        {canRecord && (
          <button
            type="button"
            class={isUndecided ? 'primary' : undefined}
            onClick={() => setOpen('outcome')}
          >
            {t(isUndecided ? 'fee.outcome' : 'fee.correct')}
          </button>
        )}
        {canWaive && (
          <button type="button" onClick={() => setOpen('waive')}>
            {t('fee.waive')}
          </button>
        )}
      </div>
      {open === 'waive' && <WaiveDialog booking={booking} onClose={close} />}
      {open === 'outcome' && <OutcomeDialog booking={booking} onClose={close} />}
    </Section>
  );
}

function isCorrectable({ status, cancellation, outcome = null }: BookingDetail): boolean {
  if (status !== 'canceled' || cancellation === null) return false;
  const isOver = now.value > Date.parse(cancellation.at) + CORRECTABLE_FOR;
  return !isOver && (outcome !== null || cancellation.feeToDecide);
}

function momentOf(
  { at, by, onBehalfOf, what, change, total, outcome, reason }: BookingDetail['feeHistory'][number],
  index: number,
  nameOfActor: NameOf,
) {
  const isPartners = by === null && (what === 'cancel' || what === 'reschedule');
  const details = [
    outcome !== null && t(`outcome.${outcome}`),
    reason,
    onBehalfOf !== null && t('fee.hers'),
    isPartners ? t('booking.byPartner') : t('booking.by', { who: whoOf(by, nameOfActor) }),
  ];
  return {
    key: `${at} ${index}`,
    at,
    title: (
      <>
        <strong>{t(`fee.what.${what}`)}</strong>{' '}
        {t('fee.entry', { change: money(change), total: money(total) })}{' '}
        <bdi class="faint">{details.filter(Boolean).join(' · ')}</bdi>
      </>
    ),
  };
}

const whoOf = (by: string | null, nameOfActor: NameOf): string =>
  by === null ? t('audit.worker') : actorText(by, nameOfActor(by));

type DialogProps = { booking: BookingDetail; onClose: () => void };

function WaiveDialog({ booking, onClose }: DialogProps) {
  const { bookingId: id, cancellation, feeHistory, feesGivenBack, partnerName, version } = booking;
  const kept = cancellation?.kept ?? feeHistory.at(-1)?.total ?? 0;
  const form = useForm({ amount: kept === 0 ? '' : String(kept), reason: '' }, CHANGED);
  return (
    <Dialog title={t('fee.waiveSubmit')} onClose={onClose}>
      <p>{t('fee.waiveText', { kept: money(kept), partner: partnerName })}</p>
      <Form
        form={form}
        submit={t('fee.waiveSubmit')}
        onClose={onClose}
        send={async ({ amount, reason }) => {
          // The sum of all waivers, without the error of floating point.
          const sum = Math.round((feesGivenBack + Number(amount)) * 100) / 100;
          const { data } = await call(
            'waiveFees',
            { id, body: { amount: sum, reason } },
            { ifMatch: version },
          );
          const left = data.cancellation?.kept ?? data.feeHistory.at(-1)?.total ?? 0;
          toast(t('fee.waived', { amount: money(Number(amount)), kept: money(left) }));
          onClose();
        }}
      >
        <TextField form={form} name="amount" label={t('payment.amount')} type="number" required />
        <TextField form={form} name="reason" label={t('field.reason')} required />
      </Form>
    </Dialog>
  );
}

function OutcomeDialog({ booking, onClose }: DialogProps) {
  const { bookingId: id, version } = booking;
  const form = useForm({ outcome: (booking.outcome ?? '') as string, reason: '' }, CHANGED);
  const outcome = form.values.outcome as Outcome;
  const query = { action: 'cancel', outcome } as const;
  const quote = useQuery('getBookingQuote', form.values.outcome === '' ? null : { id, query }, CHANGED).answer
    ?.data;
  return (
    <Dialog title={t('decide.outcome')} onClose={onClose}>
      {form.values.outcome !== '' && quote !== undefined && <p role="status">{costText(quote)}</p>}
      <Form
        form={form}
        submit={t('fee.outcomeSubmit')}
        onClose={onClose}
        send={async ({ reason }) => {
          const body = { outcome, reason };
          const { data } = await call('recordOutcome', { id, body }, { ifMatch: version });
          toast(t('fee.outcomeSaved', { money: keptText(data) }));
          onClose();
        }}
      >
        <SelectField
          form={form}
          name="outcome"
          label={t('decide.outcome')}
          required
          options={[{ value: '', label: '' }, ...outcomeOptions()]}
        />
        <TextField form={form} name="reason" label={t('fee.howKnown')} required />
      </Form>
    </Dialog>
  );
}
