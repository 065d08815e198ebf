import { useState } from 'preact/hooks';
import { dateIn, dateTime, dayOf, number } from '../format.ts';
import { nameOf, t } from '../language.ts';
import { Dialog } from '../parts/dialog.tsx';
import { Failed } from '../parts/failed.tsx';
import { Table } from '../parts/table.tsx';
import { toast } from '../parts/toasts.tsx';
import { useAction } from '../query.ts';
import { href } from '../router.ts';
import { may } from '../session.ts';
import { type Effects, type ScheduleEdit, send } from './schedule-form.ts';

/** The effects of a change on sold visits and hours before it is saved; afterwards the visits to move. */
export function SchedulePreview({
  edit,
  effects,
  onSaved,
  onClose,
}: {
  edit: ScheduleEdit;
  effects: Effects;
  onSaved: () => void;
  onClose: () => void;
}) {
  const [saved, setSaved] = useState<Effects | null>(null);
  const action = useAction(['availability', 'appointments']);
  const isRemoval = edit.kind === 'remove';
  async function save(): Promise<void> {
    await action.run(async () => {
      const done = await send(edit, false);
      toast(t(isRemoval ? 'act.removed' : 'act.saved'));
      if (done.appointments.total === 0) onSaved();
      else setSaved(done);
    });
  }
  const title =
    saved !== null
      ? t('schedules.savedTitle')
      : isRemoval
        ? t('schedules.removeTitle', { name: nameOf(edit.schedule) })
        : t('schedules.previewTitle');
  return (
    <Dialog title={title} onClose={saved === null ? onClose : onSaved} busy={action.busy} wide>
      {action.failure && <Failed failure={action.failure} />}
      <FallOut appointments={(saved ?? effects).appointments} isSaved={saved !== null} />
      {saved === null && <Hours rows={effects.hours} />}
      <div class="buttons">
        {saved === null && (
          <button
            type="button"
            class={isRemoval ? 'danger' : 'primary'}
            disabled={action.busy}
            onClick={() => void save()}
          >
            {t(isRemoval ? 'act.remove' : 'act.save')}
          </button>
        )}
        {saved !== null && (
          <a class="button primary" href={moveAll(saved.appointments)}>
            {t('outside.move')}
          </a>
        )}
        <button type="button" disabled={action.busy} onClick={saved === null ? onClose : onSaved}>
          {t('act.cancel')}
        </button>
      </div>
    </Dialog>
  );
}

type Visits = Effects['appointments'];

/** The page from which all of them are moved. */
function moveAll({ days }: Visits): string {
  const dates = days.map(({ date }) => date).sort();
  return href('/outside', { fromDate: dates[0], toDate: dates.at(-1) });
}

const dateOf = ({ startsAt }: Visits['rows'][number]): string => dateIn(Date.parse(startsAt));

function FallOut({
  appointments: { total, days, rows },
  isSaved,
}: {
  appointments: Visits;
  isSaved: boolean;
}) {
  const countOf = (zoneId: string, date: string): number =>
    days.find((day) => day.zoneId === zoneId && day.date === date)?.appointments ?? 0;
  return (
    <>
      <h3>
        {t('schedules.fallOut')}: {number(total)}
      </h3>
      {total > 0 && <p>{t('schedules.fallOutAbout')}</p>}
      <Table
        label={t('schedules.fallOut')}
        rows={rows}
        id={({ appointmentId }) => appointmentId}
        empty={t('schedules.noFallOut')}
        group={{
          of: (row) => `${row.zone.id} ${dateOf(row)}`,
          head: ([first]) => (
            <>
              <bdi>{nameOf(first!.zone)}</bdi> · {dayOf(dateOf(first!))}:{' '}
              {number(countOf(first!.zone.id, dateOf(first!)))}
            </>
          ),
        }}
        columns={[
          {
            name: 'booking',
            label: t('field.tracking'),
            cell: ({ bookingId, trackingReference }) => (
              <a href={href(`/bookings/${bookingId}`)} target={isSaved ? undefined : '_blank'}>
                <bdi>{trackingReference}</bdi>
              </a>
            ),
          },
          { name: 'when', label: t('field.when'), cell: ({ startsAt }) => dateTime(startsAt) },
          {
            name: 'customer',
            label: t('field.customer'),
            cell: ({ contact }) => (
              <>
                <bdi>{contact.name}</bdi>{' '}
                <a href={`tel:${contact.phone}`} dir="ltr">
                  {contact.phone}
                </a>
              </>
            ),
          },
          {
            name: 'team',
            label: t('field.team'),
            cell: (row) => (
              <>
                <bdi>{nameOf(row.team)}</bdi>{' '}
                {isSaved && may('reassignAppointments') && (
                  <a href={href('/away', { teamId: row.team.id, date: dateOf(row) })}>
                    {t('schedules.reassign')}
                  </a>
                )}
              </>
            ),
          },
        ]}
      />
    </>
  );
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
