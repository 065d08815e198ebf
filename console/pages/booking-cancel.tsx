import { useState } from 'preact/hooks';
import { call } from '../api.ts';
import type { BookingDetail } from '../contract.ts';
import { language, t } from '../language.ts';
import { Dialog } from '../parts/dialog.tsx';
import { Form, SelectField, TextField, useForm } from '../parts/fields.tsx';
import { QuoteNote } from '../parts/quote-note.tsx';
import { refundText } from '../parts/refund-text.ts';
import { settleSteps } from '../parts/status-steps.tsx';
import { toast } from '../parts/toasts.tsx';
import { asFailure, useAll } from '../query.ts';

const CHANGED = ['bookings', 'appointments', 'payments', 'availability'] as const;

/** Cancels a booking for a reason; says first what goes back to the customer, and who is told. */
export function CancelDialog({ booking, onClose }: { booking: BookingDetail; onClose: () => void }) {
  // The version when the dialog opened; after a refusal, the one shown then.
  const [version, setVersion] = useState(booking.version);
  const form = useForm({ reasonId: '', notes: '' }, CHANGED);
  const { answer } = useAll('listCancellationReasons', { query: { isActive: 'true' } });
  return (
    <Dialog title={t('booking.cancel')} onClose={onClose}>
      <p>{refundText(booking)}</p>
      <QuoteNote bookingId={booking.bookingId} action="cancel" />
      <p class="faint">{t('booking.cancelTells', { partner: booking.partnerName })}</p>
      <Form
        form={form}
        submit={t('booking.cancel')}
        danger
        onClose={onClose}
        onDone={() => {
          toast(t('booking.canceled'));
          onClose();
        }}
        send={async ({ reasonId, notes }) => {
          const { bookingId, appointment } = booking;
          // A step that was taken before the cancellation changes the version too.
          const stepped = await settleSteps(appointment.id);
          const seen =
            stepped === undefined ? version : (await call('getBooking', { id: bookingId })).data.version;
          const body = { reasonId, ...(notes.trim() !== '' && { notes }) };
          return call('cancelBooking', { id: bookingId, body }, { ifMatch: seen }).catch((error: unknown) => {
            setVersion(asFailure(error).details.version ?? version);
            throw error;
          });
        }}
      >
        <SelectField
          form={form}
          name="reasonId"
          label={t('field.reason')}
          required
          options={[
            { value: '', label: '' },
            ...(answer ?? []).map((reason) => ({
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
