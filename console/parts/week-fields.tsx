import { weekdayName } from '../format.ts';
import { t } from '../language.ts';
import { isOvernight, type Shift, WEEK } from './week-bars.tsx';

/** The shifts of each weekday, to be edited. */
export function WeekFields({
  shifts,
  onChange,
}: {
  shifts: readonly Shift[];
  onChange: (shifts: readonly Shift[]) => void;
}) {
  const change = (before: Shift, after: Shift | null): void =>
    onChange(shifts.flatMap((shift) => (shift === before ? (after ?? []) : shift)));
  return (
    <div class="week">
      {WEEK.map((day) => (
        <Day
          key={day}
          day={day}
          shifts={shifts.filter(({ weekday }) => weekday === day)}
          change={change}
          add={() => onChange([...shifts, { weekday: day, startAt: '08:00', endAt: '20:00' }])}
          copy={() =>
            onChange(
              WEEK.flatMap((weekday) =>
                shifts.filter((shift) => shift.weekday === day).map((shift) => ({ ...shift, weekday })),
              ),
            )
          }
        />
      ))}
    </div>
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
