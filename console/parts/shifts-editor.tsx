import { useState } from 'preact/hooks';
import { call } from '../api.ts';
import type { ChangedTeam, Team } from '../contract.ts';
import { weekdayName } from '../format.ts';
import { t } from '../language.ts';
import { useAction } from '../query.ts';
import { Failed } from './failed.tsx';
import { toast } from './toasts.tsx';
import { useUnsaved } from './unsaved.ts';
import { isOvernight, type Shift, WEEK, WeekBars } from './week-bars.tsx';

/** Edits a team's shifts; one that ends before it starts ends on the next day. */

const WHOLE = /^\d{2}:\d{2}$/;

export function ShiftsEditor({ team, onSaved }: { team: Team; onSaved: (saved: ChangedTeam) => void }) {
  const [shifts, setShifts] = useState<readonly Shift[]>(team.shifts);
  const action = useAction(['availability']);
  const whole = shifts.filter(({ startAt, endAt }) => WHOLE.test(startAt) && WHOLE.test(endAt));
  const isChanged = JSON.stringify(shifts) !== JSON.stringify(team.shifts);
  useUnsaved(isChanged);
  const change = (before: Shift, after: Shift | null): void =>
    setShifts(shifts.flatMap((shift) => (shift === before ? (after ?? []) : shift)));
  async function save(): Promise<void> {
    await action.run(async () => {
      const { data } = await call(
        'updateTeam',
        { id: team.id, body: { shifts: [...shifts] } },
        { ifMatch: team.version },
      );
      onSaved(data);
      toast(t('act.saved'));
    });
  }
  return (
    <form
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        void save();
      }}
    >
      <WeekBars shifts={whole} />
      <p class="small faint">{t('teams.weekHint')}</p>
      {action.failure && <Failed failure={action.failure} />}
      <div class="week">
        {WEEK.map((day) => (
          <Day
            key={day}
            day={day}
            shifts={shifts.filter(({ weekday }) => weekday === day)}
            change={change}
            add={() => setShifts([...shifts, { weekday: day, startAt: '08:00', endAt: '20:00' }])}
            copy={() =>
              setShifts(
                WEEK.flatMap((weekday) =>
                  shifts.filter((shift) => shift.weekday === day).map((shift) => ({ ...shift, weekday })),
                ),
              )
            }
          />
        ))}
      </div>
      <div class="buttons">
        <button type="submit" class="primary" disabled={!isChanged || action.busy}>
          {t('act.save')}
        </button>
        {isChanged && (
          <button type="button" onClick={() => setShifts(team.shifts)}>
            {t('unsaved.discard')}
          </button>
        )}
      </div>
    </form>
  );
}

function Day({
  day,
  shifts,
  change,
  add,
  copy,
}: {
  day: number;
  shifts: readonly Shift[];
  change: (before: Shift, after: Shift | null) => void;
  add: () => void;
  copy: () => void;
}) {
  const name = weekdayName(day);
  return (
    <fieldset class="day" aria-label={name}>
      <b>{name}</b>
      <div class="shifts">
        {shifts.length === 0 && <span class="faint">{t('teams.dayOff')}</span>}
        {shifts.map((shift, index) => {
          const values = { number: index + 1, day: name };
          return (
            <span key={index} class="times">
              <input
                type="time"
                aria-label={t('teams.shiftStart', values)}
                value={shift.startAt}
                onChange={(event) => change(shift, { ...shift, startAt: event.currentTarget.value })}
              />
              –
              <input
                type="time"
                aria-label={t('teams.shiftEnd', values)}
                value={shift.endAt}
                onChange={(event) => change(shift, { ...shift, endAt: event.currentTarget.value })}
              />
              {isOvernight(shift) && <span class="badge notice">{t('teams.nextDay')}</span>}
              <button
                type="button"
                class="quiet small"
                aria-label={t('teams.removeShift', values)}
                onClick={() => change(shift, null)}
              >
                ✕
              </button>
            </span>
          );
        })}
      </div>
      <div class="actions">
        <button type="button" class="small" aria-label={`${t('teams.addShift')}: ${name}`} onClick={add}>
          +
        </button>
        {shifts.length > 0 && (
          <button type="button" class="small" onClick={copy}>
            {t('teams.copyDay')}
            <span class="unseen">: {name}</span>
          </button>
        )}
      </div>
    </fieldset>
  );
}
