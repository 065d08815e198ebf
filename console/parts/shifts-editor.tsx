import { useId, useState } from 'preact/hooks';
import { call } from '../api.ts';
import type { ChangedTeam, Schedule, Team } from '../contract.ts';
import { dateIn, dayOf } from '../format.ts';
import { nameOf, t } from '../language.ts';
import { useAction } from '../query.ts';
import { may, now } from '../session.ts';
import { TEXTS } from '../texts.ts';
import { previewed } from './change-preview.tsx';
import { DateInput } from './date-input.tsx';
import { Failed } from './failed.tsx';
import { saveSchedule } from './schedule-preview.tsx';
import { toast } from './toasts.tsx';
import { useUnsaved } from './unsaved.ts';
import { type Shift, WeekBars } from './week-bars.tsx';
import { WeekFields } from './week-fields.tsx';

/** Edits a team's shifts, at once or from a date; one that ends before it starts ends on the next day. */

const WHOLE = /^\d{2}:\d{2}$/;

/** The hours of a body or a schedule, as they are sent. */
const hoursOf = (shifts: readonly Shift[]) =>
  shifts.length === 0 ? { closed: true } : { weekly: [...shifts] };

/** The hours that hold for good since a date instead of the team's own: the strongest, of equal ones the last made. */
export const currentOf = (dated: readonly Schedule[]): Schedule | undefined =>
  dated
    .filter(({ from, to }) => from! <= dateIn(now.value) && to === null)
    .sort((one, other) => other.priority - one.priority || other.createdAt.localeCompare(one.createdAt))[0];

/** `dated` are the hours that this team alone has on dates. */
export function ShiftsEditor({
  team,
  dated,
  onSaved,
}: {
  team: Team;
  dated: readonly Schedule[];
  onSaved: (saved: ChangedTeam) => void;
}) {
  const current = currentOf(dated);
  const before: readonly Shift[] = current === undefined ? team.shifts : (current.weekly ?? []);
  const [shifts, setShifts] = useState(before);
  const [from, setFrom] = useState('');
  const action = useAction(['availability', 'appointments']);
  const id = useId();
  const whole = shifts.filter(({ startAt, endAt }) => WHOLE.test(startAt) && WHOLE.test(endAt));
  const isChanged = JSON.stringify(shifts) !== JSON.stringify(before);
  useUnsaved(isChanged);
  async function save(): Promise<void> {
    if (from > dateIn(now.value)) {
      const named = (language: 'en' | 'ar', name: string) =>
        TEXTS['teams.hoursOfFrom'][language].replace('{name}', name).replace('{date}', from);
      const { name, nameAr } = team;
      const names = { nameEn: named('en', name), nameAr: named('ar', nameAr ?? name) };
      const body = { ...names, from, teamIds: [team.id], ...hoursOf(shifts) };
      await saveSchedule({ kind: 'create', body });
      setFrom('');
      return setShifts(before);
    }
    if (current !== undefined)
      return saveSchedule({ kind: 'update', schedule: current, body: hoursOf(shifts) });
    const sent = { id: team.id, body: { shifts: [...shifts] } };
    const data = await previewed(
      async (query) => (await call('updateTeam', { ...sent, query }, { ifMatch: team.version })).data,
    );
    onSaved(data);
    // Edits made since it was sent stay.
    setShifts((latest) => (latest === shifts ? data.shifts : latest));
    toast(t('act.saved'));
  }
  return (
    <form
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        void action.run(save);
      }}
    >
      <WeekBars shifts={whole} />
      <p class="small faint">{t('teams.weekHint')}</p>
      {action.failure && <Failed failure={action.failure} />}
      <WeekFields shifts={shifts} onChange={setShifts} />
      {isChanged && may('createSchedule') && (
        <div class="field">
          <label for={id}>{t('filter.from')}</label>
          <DateInput id={id} plans min={dateIn(now.value)} value={from} onChange={setFrom} />
          <span class="small faint">{t('teams.fromHint')}</span>
        </div>
      )}
      <div class="buttons">
        <button type="submit" class="primary" disabled={!isChanged || action.busy}>
          {t('act.save')}
        </button>
        {isChanged && (
          <button type="button" onClick={() => setShifts(before)}>
            {t('unsaved.discard')}
          </button>
        )}
      </div>
    </form>
  );
}

/** The hours that a team has from a date on, or on some dates; each can be taken back. */
export function DatedHours({ dated }: { dated: readonly Schedule[] }) {
  const action = useAction(['availability', 'appointments']);
  return (
    <>
      {action.failure && <Failed failure={action.failure} />}
      {dated.map((schedule) => (
        <section key={schedule.id} class="dated" aria-label={nameOf(schedule)}>
          <h3>
            {schedule.to === null
              ? t('schedules.noEnd', { from: dayOf(schedule.from!) })
              : t('schedules.fromTo', { from: dayOf(schedule.from!), to: dayOf(schedule.to) })}
          </h3>
          {schedule.closed ? <p>{t('teams.hoursNone')}</p> : <WeekBars shifts={schedule.weekly ?? []} />}
          {may('removeSchedule') && (
            <div class="buttons">
              <button
                type="button"
                class="small"
                disabled={action.busy}
                onClick={() => void action.run(() => saveSchedule({ kind: 'remove', schedule }))}
              >
                {t('teams.takeBack')}
                <span class="unseen">: {nameOf(schedule)}</span>
              </button>
            </div>
          )}
        </section>
      ))}
    </>
  );
}
