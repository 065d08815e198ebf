import { useEffect, useState } from 'preact/hooks';
import { call } from '../api.ts';
import { clockTime, instant } from '../board/day.ts';
import type { Goal } from '../board/moves.ts';
import { type BookingDetail, OUTCOMES } from '../contract.ts';
import { dateIn } from '../format.ts';
import { t } from '../language.ts';
import { useAction, useAll, useQuery } from '../query.ts';
import { Choices } from './choices.tsx';
import { deciding, type Outcome } from './deciding.ts';
import { Dialog } from './dialog.tsx';
import { Failed, Loaded } from './failed.tsx';
import { Form, SelectField, TextField, useForm } from './fields.tsx';
import { keptText } from './money-text.ts';
import { Places } from './move-dialog.tsx';
import { reasonOptions } from './reason-options.ts';
import { settledVersion } from './status-steps.tsx';
import { toast } from './toasts.tsx';
import { costText } from './whose-decision.tsx';

/** Decision on a booking whose visit could not be done: another visit, its end, or later. */

const CHANGED = ['bookings', 'appointments', 'payments', 'availability'] as const;
const ANSWERS = ['revisit', 'end', 'later'] as const;
type Answer = (typeof ANSWERS)[number];

const close = (): void => {
  deciding.value = null;
};

export function DecisionDialog() {
  return deciding.value === null ? null : <Asked key={deciding.value.bookingId} {...deciding.value} />;
}

function Asked({ bookingId, name, outcome }: NonNullable<typeof deciding.value>) {
  // Not on the next page.
  useEffect(() => close, []);
  const query = useQuery('getBooking', { id: bookingId }, CHANGED);
  return (
    <Dialog title={t('decide.title', { name })} onClose={close}>
      <Loaded query={query}>{({ data }) => <Answers booking={data} outcome={outcome} />}</Loaded>
    </Dialog>
  );
}

function Answers({ booking, outcome }: { booking: BookingDetail; outcome: Outcome | null }) {
  const [answer, setAnswer] = useState<Answer>('later');
  const known = outcome ?? booking.outcome ?? null;
  const form = useForm({ outcome: (known ?? '') as string, reasonId: '', notes: '' }, CHANGED);
  const quote = useEndQuote(booking.bookingId, form.values.outcome);
  const abouts: Record<Answer, string> = {
    revisit: t('decide.free'),
    end: quote === undefined ? '' : costText(quote),
    later: t('decide.laterText'),
  };
  return (
    <>
      <Choices
        legend={t('decide.answers')}
        choices={ANSWERS.map((value) => ({ value, label: t(`decide.${value}`), about: abouts[value] }))}
        chosen={answer}
        onChange={setAnswer}
      />
      {answer === 'revisit' && <Revisit booking={booking} />}
      {answer === 'end' && (
        <End booking={booking} form={form} isKnown={known !== null} maxFee={quote?.feeAtMost} />
      )}
      {answer === 'later' && (
        <div class="buttons">
          <button type="button" class="primary" onClick={close}>
            {t('decide.later')}
          </button>
        </div>
      )}
    </>
  );
}

/** What ending costs with the outcome; without one it is what can be decided at most. */
function useEndQuote(id: string, outcome: string) {
  const asked = outcome === '' ? 'CUSTOMER_ABSENT' : (outcome as Outcome);
  const quote = useQuery('getBookingQuote', { id, query: { action: 'cancel', outcome: asked } }, CHANGED)
    .answer?.data;
  if (quote === undefined || outcome !== '' || quote.policy === null) return quote;
  return quote.feeAtMost + quote.earlierFees === 0 ? quote : { ...quote, fee: null, refund: null };
}

type EndForm = ReturnType<typeof useForm<{ outcome: string; reasonId: string; notes: string }>>;

function End({
  booking,
  form,
  isKnown,
  maxFee,
}: {
  booking: BookingDetail;
  form: EndForm;
  isKnown: boolean;
  maxFee: number | undefined;
}) {
  const { answer: reasons } = useAll('listCancellationReasons', { query: { isActive: 'true' } });
  return (
    <>
      <p class="faint">{t('booking.cancelTells', { partner: booking.partnerName })}</p>
      <Form
        form={form}
        submit={t('decide.end')}
        danger
        send={async ({ outcome, reasonId, notes }) => {
          const body = {
            reasonId,
            ...(outcome !== '' && { outcome: outcome as Outcome }),
            ...(notes.trim() !== '' && { notes }),
            ...(maxFee !== undefined && { maxFee }),
          };
          const ifMatch = await settledVersion(booking);
          const { data } = await call('closeBooking', { id: booking.bookingId, body }, { ifMatch });
          toast(t('decide.ended', { money: keptText(data) }));
          close();
        }}
      >
        <SelectField
          form={form}
          name="outcome"
          label={t('decide.outcome')}
          options={[...(isKnown ? [] : [{ value: '', label: t('decide.unknown') }]), ...outcomeOptions()]}
        />
        <SelectField
          form={form}
          name="reasonId"
          label={t('field.reason')}
          required
          options={reasonOptions(reasons)}
        />
        <TextField form={form} name="notes" label={t('field.notes')} rows={3} />
      </Form>
    </>
  );
}

export const outcomeOptions = (): { value: string; label: string }[] =>
  OUTCOMES.map((outcome) => ({ value: outcome, label: t(`outcome.${outcome}`) }));

function Revisit({ booking }: { booking: BookingDetail }) {
  const { appointment, bookingId, partnerName } = booking;
  const action = useAction(CHANGED);
  const [startsAt, endsAt] = [appointment.scheduledStartDateTime, appointment.scheduledEndDateTime];
  async function plan({ teamId, start }: Goal, reason?: string): Promise<void> {
    const end = start + instant(endsAt) - instant(startsAt);
    const body = {
      teamId,
      date: dateIn(start),
      timeslot: { startAt: clockTime(start), endAt: clockTime(end) },
      ...(reason !== undefined && { force: true, reason }),
    };
    const isPlanned = await action.run(async () =>
      call('revisitBooking', { id: bookingId, body }, { ifMatch: await settledVersion(booking) }),
    );
    if (!isPlanned) return;
    toast(t('decide.revisited'));
    close();
  }
  return (
    <>
      <p class="faint">{t('decide.revisitText', { partner: partnerName })}</p>
      {action.failure && <Failed failure={action.failure} />}
      <Places
        visit={{ id: appointment.id, startsAt }}
        act={t('decide.plan')}
        onChoose={(goal, reason) => void plan(goal, reason)}
      />
    </>
  );
}
