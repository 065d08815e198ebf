import { call } from '../api.ts';
import type { CreatePolicyRequest, Policy } from '../contract.ts';
import { nameOf, t } from '../language.ts';
import { EditDialog } from '../parts/edit-dialog.tsx';
import { type FormState, TextField, useForm } from '../parts/fields.tsx';
import { numberOf, requiredNumber } from '../values.ts';

/** The terms of a policy as a form: a new one, or a new version. */

type Step = { hoursBefore: string; unit: 'percent' | 'amount'; fee: string };
type Values = {
  nameEn: string;
  nameAr: string;
  graceMinutes: string;
  cancel: readonly Step[];
  reschedule: readonly Step[];
  afterStartPercent: string;
  noShowPercent: string;
  maxReschedules: string;
};

const stepsOf = (steps: Policy['cancel'] | undefined): readonly Step[] =>
  (steps ?? []).map(({ hoursBefore, percent, amount }) => ({
    hoursBefore: String(hoursBefore),
    unit: percent === undefined ? 'amount' : 'percent',
    fee: String(percent ?? amount),
  }));

const valuesOf = (policy: Policy | null): Values => ({
  nameEn: policy?.nameEn ?? '',
  nameAr: policy?.nameAr ?? '',
  graceMinutes: String(policy?.graceMinutes ?? 10),
  cancel: stepsOf(policy?.cancel),
  reschedule: stepsOf(policy?.reschedule),
  afterStartPercent: String(policy?.afterStartPercent ?? 100),
  noShowPercent: String(policy?.noShowPercent ?? 100),
  maxReschedules: String(policy?.maxReschedules ?? ''),
});

const bodyOf = (values: Values): CreatePolicyRequest => ({
  nameEn: values.nameEn,
  nameAr: values.nameAr,
  graceMinutes: requiredNumber(values.graceMinutes),
  cancel: values.cancel.map(sentStep),
  reschedule: values.reschedule.map(sentStep),
  afterStartPercent: requiredNumber(values.afterStartPercent),
  noShowPercent: requiredNumber(values.noShowPercent),
  maxReschedules: numberOf(values.maxReschedules) ?? null,
});

const sentStep = ({ hoursBefore, unit, fee }: Step) => ({
  hoursBefore: requiredNumber(hoursBefore),
  [unit]: requiredNumber(fee),
});

export function PolicyDialog({ policy, onClose }: { policy: Policy | null; onClose: () => void }) {
  const form = useForm<Values>(valuesOf(policy), ['catalogue']) as FormState<Values>;
  return (
    <EditDialog
      title={policy === null ? t('policies.add') : t('policies.newVersionOf', { name: nameOf(policy) })}
      isNew={policy === null}
      form={form}
      onClose={onClose}
      send={(values) => {
        const body = bodyOf(values);
        return policy === null
          ? call('createPolicy', { body })
          : call('updatePolicy', { id: policy.id, body: form.changed(body) }, { ifMatch: policy.version });
      }}
    >
      <p class="faint">{t('policies.newVersionHint')}</p>
      <div class="columns">
        <TextField form={form} name="nameEn" label={t('cat.nameEn')} ltr required />
        <TextField form={form} name="nameAr" label={t('cat.nameAr')} rtl required />
        <TextField form={form} name="graceMinutes" label={t('policies.grace')} type="number" ltr required />
      </div>
      <StepFields form={form} name="cancel" label={t('policies.cancel')} />
      <StepFields form={form} name="reschedule" label={t('policies.reschedule')} />
      <div class="columns">
        <TextField
          form={form}
          name="afterStartPercent"
          label={t('policies.afterStart')}
          type="number"
          ltr
          required
        />
        <TextField form={form} name="noShowPercent" label={t('policies.noShow')} type="number" ltr required />
        <TextField
          form={form}
          name="maxReschedules"
          label={t('policies.maxReschedules')}
          hint={t('policies.maxReschedulesHint')}
          type="number"
          ltr
        />
      </div>
    </EditDialog>
  );
}

/** The steps of one kind of change, each with its hours and its fee. */
function StepFields({
  form,
  name,
  label,
}: {
  form: FormState<Values>;
  name: 'cancel' | 'reschedule';
  label: string;
}) {
  const steps = form.values[name];
  const faults = form.faults(name);
  const isInvalid = faults.length > 0 ? 'true' : undefined;
  const change = (at: number, changes: Partial<Step>): void =>
    form.set(
      name,
      steps.map((step, index) => (index === at ? { ...step, ...changes } : step)),
    );
  return (
    <fieldset class="fee-steps">
      <legend>{label}</legend>
      <p class="small faint">{t('policies.stepsHint')}</p>
      {steps.map(({ hoursBefore, unit, fee }, index) => (
        <fieldset key={index} class="fee-step" aria-label={t('policies.step', { number: index + 1 })}>
          <label>
            {t('policies.hours')}{' '}
            <input
              class="short"
              inputMode="numeric"
              dir="ltr"
              autoComplete="off"
              aria-invalid={isInvalid}
              value={hoursBefore}
              onInput={(event) => change(index, { hoursBefore: event.currentTarget.value })}
            />
          </label>
          <label>
            {t('policies.fee')}{' '}
            <input
              class="short"
              inputMode="decimal"
              dir="ltr"
              autoComplete="off"
              aria-invalid={isInvalid}
              value={fee}
              onInput={(event) => change(index, { fee: event.currentTarget.value })}
            />
          </label>
          <select
            aria-label={t('policies.unit')}
            value={unit}
            onChange={(event) => change(index, { unit: event.currentTarget.value as Step['unit'] })}
          >
            <option value="percent">{t('policies.percent')}</option>
            <option value="amount">{t('policies.amount')}</option>
          </select>
          <button
            type="button"
            class="quiet small"
            aria-label={t('policies.removeStep', { number: index + 1 })}
            onClick={() =>
              form.set(
                name,
                steps.filter((_step, other) => other !== index),
              )
            }
          >
            ✕
          </button>
        </fieldset>
      ))}
      {faults.map((fault) => (
        <span key={fault} class="fault">
          <bdi>{fault}</bdi>
        </span>
      ))}
      <button
        type="button"
        class="small"
        onClick={() => form.set(name, [...steps, { hoursBefore: '', unit: 'percent', fee: '' }])}
      >
        {t('policies.addStep')}
      </button>
    </fieldset>
  );
}
