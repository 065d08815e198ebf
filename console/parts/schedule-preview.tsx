import { number } from '../format.ts';
import { nameOf, t } from '../language.ts';
import { previewed } from './change-preview.tsx';
import { Gaps } from './gaps.tsx';
import { type Effects, type ScheduleEdit, send } from './schedule-form.ts';
import { Table } from './table.tsx';
import { toast } from './toasts.tsx';

/** Saves the change after a preview of its effects on sold visits and hours. Throws as `previewed`. */
export async function saveSchedule(edit: ScheduleEdit): Promise<void> {
  const isRemoval = edit.kind === 'remove';
  await previewed((told) => send(edit, told), {
    about: ({ hours, longDays, conflicts, laterSeries: later }) => (
      <>
        {(conflicts.ofSeries > 0 || later > 0) && (
          <p>{t('schedules.series', { visits: conflicts.ofSeries, later })}</p>
        )}
        <Gaps
          title={t('schedules.longDays')}
          gaps={longDays.map(({ teamName: name, teamNameAr: nameAr, minutes }) => ({
            text: `${nameOf({ name, nameAr })}: ${number(Math.round(minutes / 6) / 10)}`,
            address: null,
          }))}
        />
        <Hours rows={hours} />
      </>
    ),
    ...(isRemoval && {
      title: t('schedules.removeTitle', { name: nameOf(edit.schedule) }),
      confirm: () => t('act.remove'),
      danger: true,
    }),
  });
  toast(t(isRemoval ? 'act.removed' : 'act.saved'));
}

function Hours({ rows }: { rows: Effects['hours'] }) {
  const hours = (minutes: number): string => number(Math.round(minutes / 6) / 10);
  return (
    <>
      <h3>{t('schedules.freeHours')}</h3>
      <Table
        label={t('schedules.freeHours')}
        rows={rows}
        id={({ zoneId }) => zoneId}
        empty={t('schedules.sameHours')}
        columns={[
          {
            name: 'zone',
            label: t('field.zone'),
            cell: ({ zoneName: name, zoneNameAr: nameAr }) => <bdi>{nameOf({ name, nameAr })}</bdi>,
          },
          {
            name: 'before',
            label: t('schedules.before'),
            end: true,
            cell: ({ minutesBefore }) => hours(minutesBefore),
          },
          {
            name: 'after',
            label: t('schedules.after'),
            end: true,
            cell: ({ minutesAfter }) => hours(minutesAfter),
          },
          {
            name: 'change',
            label: t('schedules.change'),
            end: true,
            cell: ({ minutesBefore, minutesAfter }) => (
              <bdi dir="ltr">{hours(minutesAfter - minutesBefore)}</bdi>
            ),
          },
        ]}
      />
    </>
  );
}
