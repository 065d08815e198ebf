import { useState } from 'preact/hooks';
import { call } from '../api.ts';
import { type BookingDetail, OUTCOMES } from '../contract.ts';
import { money } from '../format.ts';
import { language, t } from '../language.ts';
import { Dialog } from '../parts/dialog.tsx';
import { Form, SelectField, TextField, useForm } from '../parts/fields.tsx';
import { toast } from '../parts/toasts.tsx';
import { useAll, useQuery } from '../query.ts';
import { may } from '../session.ts';

/** Decision on a booking whose visit could not be done: close it, or visit once more. */

type Outcome = (typeof OUTCOMES)[number];

const CHANGED = ['bookings', 'appointments', 'payments', 'availability'] as const;

/** The buttons of the decision, with their dialogs. */
export function Decision({ booking }: { booking: BookingDetail }) {
  const [open, setOpen] = useState<'close' | 'revisit' | null>(null);
  const close = (): void => setOpen(null);
  return (
    <>
      {may('revisitBooking') && (
        <button type="button" onClick={() => setOpen('revisit')}>
          {t('decide.revisit')}
        </button>
      )}
      {may('closeBooking') && (
        <button type="button" onClick={() => setOpen('close')}>
          {t('decide.close')}
        </button>
      )}
      {open === 'close' && <CloseDialog booking={booking} onClose={close} />}
      {open === 'revisit' && <RevisitDialog booking={booking} onClose={close} />}
    </>
  );
}

function CloseDialog({ booking, onClose }: { booking: BookingDetail; onClose: () => void }) {
  const form = useForm({ outcome: booking.outcome ?? '', reasonId: '', notes: '' }, CHANGED);
  const { answer: reasons } = useAll('listCancellationReasons', { query: { isActive: 'true' } });
  const quote = useQuery('getBookingQuote', { id: booking.bookingId, query: { action: 'cancel' } }).answer
    ?.data;
  const isKnown = booking.outcome != null && quote !== undefined && quote.policy !== null;
  return (
    <Dialog title={t('decide.closeSubmit')} onClose={onClose}>
      <p>{t('decide.closeText')}</p>
      {isKnown && <p>{t('decide.fee', { fee: money(quote.fee), refund: money(quote.refund ?? 0) })}</p>}
      <p class="faint">{t('booking.cancelTells', { partner: booking.partnerName })}</p>
      <Form
        form={form}
        submit={t('decide.closeSubmit')}
        danger
        onClose={onClose}
        onDone={() => {
          toast(t('decide.closed'));
          onClose();
        }}
        send={({ outcome, reasonId, notes }) => {
          const body = {
            reasonId,
            ...(outcome !== '' && { outcome: outcome as Outcome }),
            ...(notes.trim() !== '' && { notes }),
          };
          return call('closeBooking', { id: booking.bookingId, body }, { ifMatch: booking.version });
        }}
      >
        <SelectField
          form={form}
          name="outcome"
          label={t('decide.outcome')}
          options={[
            { value: '', label: t('decide.unknown') },
            ...OUTCOMES.map((outcome) => ({ value: outcome, label: t(`outcome.${outcome}`) })),
          ]}
        />
        <SelectField
          form={form}
          name="reasonId"
          label={t('field.reason')}
          required
          options={[
            { value: '', label: '' },
            ...(reasons ?? []).map((reason) => ({
              value: reason.id,
              label: language.value === 'ar' ? reason.nameAr : reason.nameEn,
            })),
          ]}
        />
        <TextField form={form} name="notes" label={t('field.notes')} rows={3} />
      </Form>
    </Dialog>
  );
}

function RevisitDialog({ booking, onClose }: { booking: BookingDetail; onClose: () => void }) {
  const { startAt, endAt } = booking.timeslot;
  const form = useForm({ date: '', startAt, endAt }, CHANGED);
  return (
    <Dialog title={t('decide.revisitSubmit')} onClose={onClose}>
      <p>{t('decide.revisitText', { partner: booking.partnerName })}</p>
      <Form
        form={form}
        submit={t('decide.revisitSubmit')}
        onClose={onClose}
        onDone={() => {
          toast(t('decide.revisited'));
          onClose();
        }}
        send={({ date, ...timeslot }) =>
          call(
            'revisitBooking',
            { id: booking.bookingId, body: { date, timeslot } },
            { ifMatch: booking.version },
          )
        }
      >
        <div class="columns">
          <TextField form={form} name="date" label={t('decide.date')} type="date" required ltr />
          <TextField form={form} name="startAt" label={t('decide.startAt')} type="time" required ltr />
          <TextField form={form} name="endAt" label={t('decide.endAt')} type="time" required ltr />
        </div>
      </Form>
    </Dialog>
  );
}
