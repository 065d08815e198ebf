import { useState } from 'preact/hooks';
import type { Schedule } from '../contract.ts';
import { dateIn, dayOf, hijriOf, number } from '../format.ts';
import { nameOf, t } from '../language.ts';
import { useTeamOptions, useZoneOptions } from '../options.ts';
import { Failed, Loaded } from '../parts/failed.tsx';
import type { Option } from '../parts/filters.tsx';
import { Page, Section } from '../parts/page.tsx';
import type { ScheduleEdit } from '../parts/schedule-form.ts';
import { saveSchedule } from '../parts/schedule-preview.tsx';
import { type Column, Table } from '../parts/table.tsx';
import { WeekBars } from '../parts/week-bars.tsx';
import { useAction, useAll } from '../query.ts';
import { may, now } from '../session.ts';
import { colourOf, ScheduleCalendar } from './schedule-calendar.tsx';
import { ScheduleDialog } from './schedule-dialog.tsx';
import { type Draft, draftOf, emptyDraft, moved, nextPeriod } from './schedule-draft.ts';
import { TemplatesDialog } from './schedule-templates.tsx';

/** `next`: what is edited after it. */
type Editing = { draft: Draft; schedule?: Schedule; next?: readonly Draft[] };

const editingOf = ([draft, ...next]: readonly Draft[] = []): Editing | null =>
  draft ? { draft, next } : null;

/** Hours on certain dates: Ramadan, Eids, holidays, breaks. */
export default function Schedules() {
  const query = useAll('listSchedules', { query: {} }, ['availability']);
  const [isChoosing, setChoosing] = useState(false);
  const [editing, setEditing] = useState<Editing | null>(null);
  return (
    <Page
      title={t('nav.schedules')}
      about={t('schedules.about')}
      actions={
        may('createSchedule') && (
          <>
            <button type="button" onClick={() => setChoosing(true)}>
              {t('schedules.fromTemplate')}
            </button>
            <button type="button" class="primary" onClick={() => setEditing({ draft: emptyDraft() })}>
              {t('schedules.add')}
            </button>
          </>
        )
      }
    >
      <Loaded query={query}>
        {(schedules) => (
          <div class="season-page">
            <Section title={t('schedules.list')}>
              <List
                schedules={schedules}
                onEdit={(schedule) => setEditing({ schedule, draft: draftOf(schedule, today()) })}
              />
            </Section>
            <ScheduleCalendar
              schedules={schedules}
              onChoose={(first, last) => setEditing({ draft: emptyDraft(first, last) })}
            />
          </div>
        )}
      </Loaded>
      {isChoosing && (
        <TemplatesDialog
          onChoose={(drafts) => {
            setChoosing(false);
            setEditing(editingOf(drafts));
          }}
          onClose={() => setChoosing(false)}
        />
      )}
      {editing && (
        <ScheduleDialog
          key={editing.draft.values.nameEn}
          {...editing}
          onSaved={() => setEditing(editingOf(editing.next))}
          onClose={() => setEditing(null)}
        />
      )}
    </Page>
  );
}

const today = (): string => dateIn(now.value);

function List({
  schedules,
  onEdit,
}: {
  schedules: readonly Schedule[];
  onEdit: (schedule: Schedule) => void;
}) {
  const zones = useZoneOptions();
  const teams = useTeamOptions();
  const action = useAction(['availability', 'appointments']);
  const preview = (edit: ScheduleEdit) => () => void action.run(() => saveSchedule(edit));
  const move = (schedule: Schedule, days: number) =>
    preview({ kind: 'update', schedule, body: moved(schedule, days, today()) });
  const actions: Column<Schedule> = {
    name: 'actions',
    label: t('act.actions'),
    cell: (schedule) => (
      <fieldset class="actions" aria-label={nameOf(schedule)} disabled={action.busy}>
        <button type="button" class="small" onClick={() => onEdit(schedule)}>
          {t('act.edit')}
        </button>
        <button type="button" class="small" onClick={move(schedule, -1)}>
          {t('schedules.earlier')}
        </button>
        <button type="button" class="small" onClick={move(schedule, 1)}>
          {t('schedules.later')}
        </button>
        <button type="button" class="small" onClick={preview({ kind: 'remove', schedule })}>
          {t('act.remove')}
        </button>
      </fieldset>
    ),
  };
  return (
    <>
      {action.failure && <Failed failure={action.failure} />}
      <Table
        label={t('schedules.list')}
        rows={schedules}
        id={({ id }) => id}
        empty={t('schedules.none')}
        columns={[
          {
            name: 'name',
            label: t('schedules.name'),
            cell: (schedule) => (
              <>
                <span
                  class="swatch"
                  style={{ background: colourOf(schedules, schedule) }}
                  aria-hidden="true"
                />{' '}
                <bdi>{nameOf(schedule)}</bdi>
              </>
            ),
          },
          { name: 'dates', label: t('schedules.dates'), cell: (schedule) => <Dates schedule={schedule} /> },
          {
            name: 'scope',
            label: t('schedules.scope'),
            cell: ({ zoneIds, teamIds }) =>
              teamIds !== null
                ? namesOf(teamIds, teams)
                : zoneIds !== null
                  ? namesOf(zoneIds, zones)
                  : t('schedules.all'),
          },
          { name: 'hours', label: t('schedules.hours'), cell: (schedule) => <Hours schedule={schedule} /> },
          {
            name: 'priority',
            label: t('schedules.priority'),
            end: true,
            cell: ({ priority }) => number(priority),
          },
          ...(may('updateSchedule') ? [actions] : []),
        ]}
      />
    </>
  );
}

const namesOf = (ids: readonly string[], options: readonly Option[]) =>
  options
    .filter(({ value }) => ids.includes(value))
    .map(({ value, label }) => (
      <div key={value}>
        <bdi>{label}</bdi>
      </div>
    ));

function Dates({ schedule }: { schedule: Schedule }) {
  const { from, to } = nextPeriod(schedule, today());
  const range = (text: (date: string) => string): string =>
    to === null
      ? t('schedules.noEnd', { from: text(from) })
      : from === to
        ? text(from)
        : t('schedules.fromTo', { from: text(from), to: text(to) });
  return (
    <>
      {range(dayOf)}
      <div class="small faint">{range(hijriOf)}</div>
      {schedule.yearly !== null && <span class="badge notice">{t('schedules.yearly')}</span>}
    </>
  );
}

function Hours({ schedule: { closed, weekly, breaks } }: { schedule: Schedule }) {
  return (
    <>
      {closed ? t('schedules.closed') : weekly === null ? t('schedules.own') : <WeekBars shifts={weekly} />}
      {breaks.map(({ startAt, endAt }) => (
        <div key={`${startAt} ${endAt}`} class="small">
          {t('schedules.breaks')}: {t('schedules.fromTo', { from: startAt, to: endAt })}
        </div>
      ))}
    </>
  );
}
