import type { Failure } from '../calls.ts';
import { STATUS_REASONS } from '../contract.ts';
import type { CrewStepTaken } from '../crew/contract.ts';
import { t } from '../language.ts';
import { invalid, useQuery } from '../query.ts';
import { go, href } from '../router.ts';
import { may } from '../session.ts';
import { TEXTS } from '../texts.ts';
import { stateName } from './badge.tsx';
import { Dialog } from './dialog.tsx';
import { Failed } from './failed.tsx';
import { Form, SelectField, TextField, useForm } from './fields.tsx';
import { refundText } from './refund-text.ts';
import type { Status, StatusReason, Step, StepVisit } from './step-queue.ts';

/** Questions before steps that need a reason. */

type ReasonKey = `statusReason.${StatusReason | NonNullable<CrewStepTaken['refusal']> | 'CORRECTED'}`;
const isReasonKey = (key: string): key is ReasonKey => key in TEXTS;

/** The text of a reason of the history; others are returned as they are. */
export function statusReasonText(reason: string): string {
  const key = `statusReason.${reason}`;
  return isReasonKey(key) ? t(key) : reason;
}

/** A failure at the fields that are empty. */
const missing = (...names: string[]): Failure =>
  invalid(...names.map((name) => `${name}: ${t('step.missing')}`));

type Next = 'open' | 'again' | 'cancel';

/** Why a visit could not be done, and what next. */
export function CannotCompleteDialog({
  visit,
  onDone,
  onClose,
}: {
  visit: StepVisit;
  onDone: (cause: NonNullable<Step['cause']>) => void;
  onClose: () => void;
}) {
  const form = useForm({ statusReason: '', statusNotes: '', next: 'open' as string }, []);
  const query = useQuery('getBooking', { id: visit.bookingId });
  const booking = query.answer?.data;
  const nexts: readonly Next[] = [
    'open',
    ...(may('createBookingForPartner') ? ['again' as const] : []),
    ...(may('cancelBooking') ? ['cancel' as const] : []),
  ];
  return (
    <Dialog title={t('step.cannotTitle', { name: visit.name })} onClose={onClose}>
      <p>{t('step.cannotText')}</p>
      <Form
        form={form}
        submit={t('step.cannotSubmit')}
        danger
        onClose={onClose}
        send={async ({ statusReason, statusNotes, next }) => {
          if (statusReason === '') throw missing('statusReason');
          const notes = statusNotes.trim();
          onDone({
            statusReason: statusReason as StatusReason,
            ...(notes !== '' && { statusNotes: notes }),
          });
          onClose();
          if (next === 'cancel') go(href(`/bookings/${visit.bookingId}`, { do: 'cancel' }));
          if (next === 'again' && booking !== undefined) {
            const { contact, address, service } = booking;
            const ids = { contactId: contact.id, addressId: address.id, serviceId: service.id };
            go(href('/bookings/new', ids));
          }
        }}
      >
        <SelectField
          form={form}
          name="statusReason"
          label={t('field.reason')}
          required
          options={[
            { value: '', label: '' },
            ...STATUS_REASONS.map((reason) => ({ value: reason, label: statusReasonText(reason) })),
          ]}
        />
        <TextField form={form} name="statusNotes" label={t('field.notes')} rows={2} />
        <fieldset class="choices stacked">
          <legend>{t('step.next')}</legend>
          {nexts.map((next) => (
            <label key={next}>
              <input
                type="radio"
                name="next"
                checked={form.values.next === next}
                disabled={next !== 'open' && booking === undefined}
                onChange={() => form.set('next', next)}
              />{' '}
              {t(`step.next.${next}`)}
              {next === 'cancel' && booking !== undefined && (
                <span class="faint small"> {refundText(booking)}</span>
              )}
            </label>
          ))}
        </fieldset>
        {query.failure !== null && <Failed failure={query.failure} retry={query.reload} />}
      </Form>
    </Dialog>
  );
}

/** Another status for a visit whose status was set wrongly, with the reason. */
export function CorrectDialog({
  visit,
  statuses,
  onDone,
  onClose,
}: {
  visit: StepVisit;
  statuses: readonly Status[];
  onDone: (to: Status, reason: string) => void;
  onClose: () => void;
}) {
  const form = useForm({ status: '', reason: '' }, []);
  return (
    <Dialog title={t('step.correctTitle', { name: visit.name })} onClose={onClose}>
      <p>{t('step.correctText', { status: stateName('appointment', visit.status) })}</p>
      <Form
        form={form}
        submit={t('step.correctSubmit')}
        onClose={onClose}
        send={async ({ status, reason }) => {
          const given = reason.trim();
          const faults = [...(status === '' ? ['status'] : []), ...(given === '' ? ['reason'] : [])];
          if (faults.length > 0) throw missing(...faults);
          onDone(status as Status, given);
          onClose();
        }}
      >
        <SelectField
          form={form}
          name="status"
          label={t('field.status')}
          required
          options={[
            { value: '', label: '' },
            ...statuses.map((to) => ({ value: to, label: stateName('appointment', to) })),
          ]}
        />
        <TextField form={form} name="reason" label={t('field.reason')} rows={2} required />
      </Form>
    </Dialog>
  );
}
