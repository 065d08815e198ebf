import { useState } from 'preact/hooks';
import { call } from '../api.ts';
import type { Team, TimeOff } from '../contract.ts';
import { addDays, dateIn, dateTime, instantOf, isDate, localOf, monthOf, number } from '../format.ts';
import { t } from '../language.ts';
import { useAction, useAll } from '../query.ts';
import { href, place, setQuery } from '../router.ts';
import { may, now } from '../session.ts';
import { previewed } from './change-preview.tsx';
import { Dialog } from './dialog.tsx';
import { Failed, Loaded } from './failed.tsx';
import { Form, TextField, useForm } from './fields.tsx';
import { ask } from './questions.tsx';
import { Table } from './table.tsx';
import { toast } from './toasts.tsx';
import { WEEK } from './week-bars.tsx';
import { WeekHead } from './week-head.tsx';

/** A team's time off in a month, and the appointments in conflict with it. */
export function TimeOffMonth({ team }: { team: Team }) {
  const today = dateIn(now.value);
  const given = place.value.query.get('month') ?? '';
  const month = isDate(`${given}-01`) ? given : today.slice(0, 7);
  const query = useAll('listTimeOff', { id: team.id, query: {} }, ['availability', 'appointments']);
  const [adding, setAdding] = useState<string | null>(null);
  const weeks = weeksOf(month);
  const [from, until] = [weeks[0]![0]!, addDays(weeks.at(-1)![6]!, 1)];
  const isOn = ({ startsAt, endsAt }: TimeOff, date: string): boolean =>
    Date.parse(startsAt) < startOf(addDays(date, 1)) && Date.parse(endsAt) > startOf(date);
  return (
    <>
      <div class="heading">
        <h3>{monthOf(month)}</h3>
        <div class="actions">
          <button type="button" onClick={() => setQuery({ month: monthAfter(month, -1) })}>
            {t('teams.previousMonth')}
          </button>
          <button type="button" onClick={() => setQuery({ month: monthAfter(month, 1) })}>
            {t('teams.nextMonth')}
          </button>
          {may('createTimeOff') && (
            <button type="button" class="primary" onClick={() => setAdding(today)}>
              {t('teams.addTimeOff')}
            </button>
          )}
        </div>
      </div>
      <Loaded query={query}>
        {(all) => {
          const shown = all.filter(
            ({ startsAt, endsAt }) =>
              Date.parse(startsAt) < startOf(until) && Date.parse(endsAt) > startOf(from),
          );
          return (
            <>
              <table class="month" aria-label={t('teams.calendar')}>
                <WeekHead />
                <tbody>
                  {weeks.map((week) => (
                    <tr key={week[0]}>
                      {week.map((date) => {
                        const off = shown.filter((one) => isOn(one, date));
                        return (
                          <td
                            key={date}
                            class={`${date.startsWith(month) ? '' : 'other'} ${off.length > 0 ? 'is-off' : ''}`}
                            aria-current={date === today ? 'date' : undefined}
                          >
                            {number(Number(date.slice(8)))}
                            {off.map(({ id, reason }) => (
                              <span key={id} class="reason">
                                <bdi>{reason || t('cannot.timeOff')}</bdi>
                              </span>
                            ))}
                          </td>
                        );
                      })}
                    </tr>
                  ))}
                </tbody>
              </table>
              <List team={team} rows={shown} />
            </>
          );
        }}
      </Loaded>
      {adding !== null && <AddTimeOff team={team} date={adding} onClose={() => setAdding(null)} />}
    </>
  );
}

const startOf = (date: string): number => Date.parse(`${date}T00:00:00+03:00`);

/** The month (`YYYY-MM`) some months later, or earlier. */
export const monthAfter = (month: string, months: number): string => {
  const [year, number] = month.split('-').map(Number);
  return new Date(Date.UTC(year!, number! - 1 + months, 1)).toISOString().slice(0, 7);
};

/** The weeks of a month, Sunday to Saturday. */
export function weeksOf(month: string): string[][] {
  const first = `${month}-01`;
  const weeks: string[][] = [];
  let date = addDays(first, -new Date(`${first}T00:00:00Z`).getUTCDay());
  do {
    weeks.push(WEEK.map((_day, index) => addDays(date, index)));
    date = addDays(date, 7);
  } while (date.startsWith(month));
  return weeks;
}

function List({ team, rows }: { team: Team; rows: readonly TimeOff[] }) {
  const action = useAction(['availability']);
  async function remove({ id }: TimeOff): Promise<void> {
    const answer = await ask({ title: t('teams.removeTimeOff'), confirm: t('act.remove'), danger: true });
    if (answer === null) return;
    const worked = await action.run(() => call('removeTimeOff', { id: team.id, timeOffId: id }));
    if (worked) toast(t('act.removed'));
  }
  return (
    <>
      {action.failure && <Failed failure={action.failure} />}
      <Table
        label={t('teams.timeOff')}
        rows={rows}
        id={({ id }) => id}
        empty={t('teams.noTimeOff')}
        columns={[
          { name: 'from', label: t('filter.from'), cell: ({ startsAt }) => dateTime(startsAt) },
          { name: 'until', label: t('filter.to'), cell: ({ endsAt }) => dateTime(endsAt) },
          { name: 'reason', label: t('field.reason'), cell: ({ reason }) => <bdi>{reason}</bdi> },
          {
            name: 'appointments',
            label: t('teams.affected'),
            cell: ({ startsAt, endsAt, appointments }) => (
              <>
                {number(appointments.length)}{' '}
                {appointments.length > 0 && may('reassignAppointments') && (
                  <a
                    href={href('/away', {
                      teamId: team.id,
                      from: localOf(Date.parse(startsAt)),
                      to: localOf(Date.parse(endsAt)),
                    })}
                  >
                    {t('teams.reassign')}
                  </a>
                )}
              </>
            ),
          },
          {
            name: 'actions',
            label: t('act.remove'),
            cell: (row) =>
              may('removeTimeOff') && (
                <button type="button" class="small" disabled={action.busy} onClick={() => void remove(row)}>
                  {t('act.remove')}
                </button>
              ),
          },
        ]}
      />
    </>
  );
}

function AddTimeOff({ team, date, onClose }: { team: Team; date: string; onClose: () => void }) {
  const form = useForm({ startsAt: `${date}T00:00`, endsAt: `${addDays(date, 1)}T00:00`, reason: '' }, [
    'availability',
    'appointments',
  ]);
  return (
    <Dialog title={t('teams.addTimeOff')} onClose={onClose}>
      <Form
        form={form}
        submit={t('act.add')}
        onClose={onClose}
        onDone={onClose}
        send={async ({ startsAt, endsAt, reason }) => {
          const body = {
            startsAt: instantOf(startsAt),
            endsAt: instantOf(endsAt),
            ...(reason.trim() !== '' && { reason }),
          };
          await previewed(async (query) => (await call('createTimeOff', { id: team.id, query, body })).data);
        }}
      >
        <TextField form={form} name="startsAt" type="datetime-local" label={t('filter.from')} required />
        <TextField form={form} name="endsAt" type="datetime-local" label={t('filter.to')} required />
        <TextField form={form} name="reason" label={t('field.reason')} />
      </Form>
    </Dialog>
  );
}
