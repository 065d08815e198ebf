import { useState } from 'preact/hooks';
import type { Schedule } from '../contract.ts';
import { dayOf, hijriOf, isDate, weekdayName } from '../format.ts';
import { nameOf, t } from '../language.ts';
import { useTeamOptions, useZoneOptions } from '../options.ts';
import { Dialog } from '../parts/dialog.tsx';
import { ChoicesField, Form, SelectField, TextField, useForm } from '../parts/fields.tsx';
import type { ScheduleEdit } from '../parts/schedule-form.ts';
import { saveSchedule } from '../parts/schedule-preview.tsx';
import { WEEK } from '../parts/week-bars.tsx';
import { WeekFields } from '../parts/week-fields.tsx';
import { invalid } from '../query.ts';
import { type BreakRow, bodyOf, type Draft, lacksDays } from './schedule-draft.ts';

const both = (date: string): string => (isDate(date) ? `${dayOf(date)} · ${hijriOf(date)}` : '');

/** The form of a new schedule or of an existing one. It is saved from its preview. */
export function ScheduleDialog({
  draft,
  schedule,
  onSaved,
  onClose,
}: {
  draft: Draft;
  schedule?: Schedule | undefined;
  onSaved: () => void;
  onClose: () => void;
}) {
  const [shifts, setShifts] = useState(draft.shifts);
  const [breaks, setBreaks] = useState(draft.breaks);
  const form = useForm(draft.values, ['availability', 'appointments']);
  const zones = useZoneOptions();
  const teams = useTeamOptions();
  const { from, to, repeat, scope, hours } = form.values;
  const title =
    schedule === undefined ? t('schedules.add') : t('schedules.editTitle', { name: nameOf(schedule) });
  return (
    <Dialog title={title} onClose={onClose} wide>
      <Form
        form={form}
        submit={t('schedules.preview')}
        onClose={onClose}
        onDone={onSaved}
        send={async (values) => {
          const draft: Draft = { values, shifts, breaks };
          if (lacksDays(draft)) throw invalid(t('schedules.endNeeded'));
          const body = bodyOf(draft, schedule);
          const edit: ScheduleEdit =
            schedule === undefined ? { kind: 'create', body } : { kind: 'update', schedule, body };
          await saveSchedule(edit);
        }}
      >
        <div class="columns">
          <TextField form={form} name="nameEn" label={t('cat.nameEn')} ltr required />
          <TextField form={form} name="nameAr" label={t('cat.nameAr')} rtl required />
        </div>
        <div class="columns">
          <TextField
            form={form}
            name="from"
            type="date"
            label={t('filter.from')}
            hint={both(from)}
            required
          />
          <TextField
            form={form}
            name="to"
            type="date"
            label={t('filter.to')}
            hint={to === '' && repeat === 'once' ? t('schedules.toHint') : both(to)}
            required={repeat !== 'once'}
          />
          <SelectField
            form={form}
            name="repeat"
            label={t('schedules.repeat')}
            options={[
              { value: 'once', label: t('schedules.once') },
              { value: 'gregorian', label: t('schedules.gregorian') },
              { value: 'islamic-umalqura', label: t('schedules.hijri') },
            ]}
          />
        </div>
        <div class="columns">
          <SelectField
            form={form}
            name="scope"
            label={t('schedules.scope')}
            options={[
              { value: 'all', label: t('schedules.all') },
              { value: 'zones', label: t('schedules.zones') },
              { value: 'teams', label: t('schedules.teams') },
            ]}
          />
          <SelectField
            form={form}
            name="hours"
            label={t('schedules.hours')}
            options={[
              { value: 'closed', label: t('schedules.closed') },
              { value: 'weekly', label: t('schedules.weekly') },
              { value: 'own', label: t('schedules.own') },
            ]}
          />
          <TextField
            form={form}
            name="priority"
            type="number"
            label={t('schedules.priority')}
            hint={t('schedules.priorityHint')}
          />
        </div>
        {scope === 'zones' && (
          <ChoicesField form={form} name="zoneIds" label={t('nav.zones')} options={zones} />
        )}
        {scope === 'teams' && (
          <ChoicesField form={form} name="teamIds" label={t('nav.teams')} options={teams} />
        )}
        {hours === 'weekly' && <WeekFields shifts={shifts} onChange={setShifts} />}
        <BreakFields breaks={breaks} onChange={setBreaks} />
      </Form>
    </Dialog>
  );
}

function BreakFields({
  breaks,
  onChange,
}: {
  breaks: readonly BreakRow[];
  onChange: (breaks: readonly BreakRow[]) => void;
}) {
  const change = (at: number, changes: Partial<BreakRow>): void =>
    onChange(breaks.map((pause, index) => (index === at ? { ...pause, ...changes } : pause)));
  return (
    <section aria-label={t('schedules.breaks')} class="week">
      <h3>{t('schedules.breaks')}</h3>
      <p class="small faint">{t('schedules.breakHint')}</p>
      {breaks.map(({ weekdays, startAt, endAt }, index) => {
        const values = { number: index + 1 };
        return (
          <fieldset key={index} class="choices" aria-label={t('schedules.break', values)}>
            {WEEK.map((day) => (
              <label key={day}>
                <input
                  type="checkbox"
                  checked={weekdays.includes(day)}
                  onChange={({ currentTarget: { checked } }) =>
                    change(index, {
                      weekdays: checked ? [...weekdays, day] : weekdays.filter((one) => one !== day),
                    })
                  }
                />
                {weekdayName(day)}
              </label>
            ))}
            <span class="times">
              <input
                type="time"
                aria-label={t('schedules.breakStart', values)}
                value={startAt}
                onChange={(event) => change(index, { startAt: event.currentTarget.value })}
              />
              –
              <input
                type="time"
                aria-label={t('schedules.breakEnd', values)}
                value={endAt}
                onChange={(event) => change(index, { endAt: event.currentTarget.value })}
              />
              <button
                type="button"
                class="quiet small"
                aria-label={t('schedules.removeBreak', values)}
                onClick={() => onChange(breaks.filter((_pause, other) => other !== index))}
              >
                ✕
              </button>
            </span>
          </fieldset>
        );
      })}
      <button
        type="button"
        class="small"
        onClick={() => onChange([...breaks, { weekdays: [], startAt: '12:00', endAt: '13:00' }])}
      >
        {t('schedules.addBreak')}
      </button>
    </section>
  );
}
