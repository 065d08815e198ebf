import { useState } from 'preact/hooks';
import { call } from '../api.ts';
import type { ChangedTeam, Team } from '../contract.ts';
import { t } from '../language.ts';
import { useAction } from '../query.ts';
import { Failed } from './failed.tsx';
import { toast } from './toasts.tsx';
import { useUnsaved } from './unsaved.ts';
import { type Shift, WeekBars } from './week-bars.tsx';
import { WeekFields } from './week-fields.tsx';

/** Edits a team's shifts; one that ends before it starts ends on the next day. */

const WHOLE = /^\d{2}:\d{2}$/;

export function ShiftsEditor({ team, onSaved }: { team: Team; onSaved: (saved: ChangedTeam) => void }) {
  const [shifts, setShifts] = useState<readonly Shift[]>(team.shifts);
  const action = useAction(['availability']);
  const whole = shifts.filter(({ startAt, endAt }) => WHOLE.test(startAt) && WHOLE.test(endAt));
  const isChanged = JSON.stringify(shifts) !== JSON.stringify(team.shifts);
  useUnsaved(isChanged);
  async function save(): Promise<void> {
    await action.run(async () => {
      const { data } = await call(
        'updateTeam',
        { id: team.id, body: { shifts: [...shifts] } },
        { ifMatch: team.version },
      );
      onSaved(data);
      // Edits made since it was sent stay.
      setShifts((latest) => (latest === shifts ? data.shifts : latest));
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
      <WeekFields shifts={shifts} onChange={setShifts} />
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
