import type { Failure } from '../calls.ts';
import { STATUS_REASONS } from '../contract.ts';
import type { CrewStepTaken } from '../crew/contract.ts';
import { t } from '../language.ts';
import { invalid } from '../query.ts';
import { TEXTS } from '../texts.ts';
import { stateName } from './badge.tsx';
import { Dialog } from './dialog.tsx';
import { Form, SelectField, TextField, useForm } from './fields.tsx';
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
export const missing = (...names: string[]): Failure =>
  invalid(...names.map((name) => `${name}: ${t('step.missing')}`));

/** Why a visit could not be done. */
export function CannotCompleteDialog({
  visit,
  onDone,
  onClose,
}: {
  visit: StepVisit;
  onDone: (cause: NonNullable<Step['cause']>) => void;
  onClose: () => void;
}) {
  const form = useForm({ statusReason: '', statusNotes: '' }, []);
  return (
    <Dialog title={t('step.cannotTitle', { name: visit.name })} onClose={onClose}>
      <p>{t('step.cannotText')}</p>
      <Form
        form={form}
        submit={t('step.cannotSubmit')}
        danger
        onClose={onClose}
        send={async ({ statusReason, statusNotes }) => {
          if (statusReason === '') throw missing('statusReason');
          const notes = statusNotes.trim();
          onClose();
          onDone({
            statusReason: statusReason as StatusReason,
            ...(notes !== '' && { statusNotes: notes }),
          });
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
