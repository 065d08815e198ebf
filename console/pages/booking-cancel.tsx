import { useState } from 'preact/hooks';
import { call } from '../api.ts';
import type { BookingDetail } from '../contract.ts';
import { t } from '../language.ts';
import { Dialog } from '../parts/dialog.tsx';
import { Form, SelectField, TextField, useForm } from '../parts/fields.tsx';
import { keptText, refundText } from '../parts/money-text.ts';
import { reasonOptions } from '../parts/reason-options.ts';
import { settledVersion } from '../parts/status-steps.tsx';
import { toast } from '../parts/toasts.tsx';
import { useWhoseDecision } from '../parts/whose-decision.tsx';
import { asFailure, useAll } from '../query.ts';

const CHANGED = ['bookings', 'appointments', 'payments', 'availability'] as const;

/** Cancels a booking for a reason; says first what goes back to the customer, and who is told. */
export function CancelDialog({ booking, onClose }: { booking: BookingDetail; onClose: () => void }) {
  // The version when the dialog opened; after a refusal, the one shown then.
  const [version, setVersion] = useState(booking.version);
  const { given, choice } = useWhoseDecision(booking.bookingId, 'cancel', refundText(booking));
  const form = useForm({ reasonId: '', notes: '' }, CHANGED);
  const { answer } = useAll('listCancellationReasons', { query: { isActive: 'true' } });
  return (
    <Dialog title={t('booking.cancel')} onClose={onClose}>
      {choice}
      <p class="faint">{t('booking.cancelTells', { partner: booking.partnerName })}</p>
      <Form
        form={form}
        submit={t('booking.cancel')}
        danger
        onClose={onClose}
        send={async ({ reasonId, notes }) => {
          const { bookingId: id } = booking;
          const ifMatch = await settledVersion(booking, version);
          const body = { reasonId, ...(notes.trim() !== '' && { notes }), ...given };
          const { data } = await call('cancelBooking', { id, body }, { ifMatch }).catch((error: unknown) => {
            setVersion(asFailure(error).details.version ?? version);
            throw error;
          });
          toast(t('booking.canceled', { money: keptText(data) }));
          onClose();
        }}
      >
        <SelectField
          form={form}
          name="reasonId"
          label={t('field.reason')}
          required
          options={reasonOptions(answer)}
        />
        <TextField form={form} name="notes" label={t('field.notes')} rows={3} />
      </Form>
    </Dialog>
  );
}
