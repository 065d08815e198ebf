import { useState } from 'preact/hooks';
import type { ScheduleTemplate } from '../contract.ts';
import { dateIn, dayOf, hijriOf, hijriPartsOf } from '../format.ts';
import { nameOf, t } from '../language.ts';
import { useTeamOptions } from '../options.ts';
import { Dialog } from '../parts/dialog.tsx';
import { Loaded } from '../parts/failed.tsx';
import { ChoicesField, Form, useForm } from '../parts/fields.tsx';
import { Table } from '../parts/table.tsx';
import { useQuery } from '../query.ts';
import { now } from '../session.ts';
import { apartDrafts, type Draft, shiftsOf, templateDraft } from './schedule-draft.ts';

/** The seasons and holidays of a Hijri year, to start a schedule from. */
export function TemplatesDialog({
  onChoose,
  onClose,
}: {
  /** One after the other. */
  onChoose: (drafts: readonly Draft[]) => void;
  onClose: () => void;
}) {
  const [season, setSeason] = useState<ScheduleTemplate | null>(null);
  const query = useQuery('listScheduleTemplates', { query: {} });
  return (
    <Dialog title={t('schedules.fromTemplate')} onClose={onClose} wide>
      <p>{t('schedules.templateAbout')}</p>
      {season === null ? (
        <Loaded query={query}>
          {({ data }) => (
            <Templates
              all={data.filter(({ to }) => to >= dateIn(now.value))}
              onChoose={(template) =>
                shiftsOf(template, 'night').length > 0
                  ? setSeason(template)
                  : onChoose([templateDraft(template)])
              }
            />
          )}
        </Loaded>
      ) : (
        <DayAndNight
          season={season}
          send={(byNight) => onChoose(apartDrafts(season, byNight))}
          onClose={onClose}
        />
      )}
    </Dialog>
  );
}

type DayAndNightProps = {
  season: ScheduleTemplate;
  send: (byNight: readonly string[]) => void;
  onClose: () => void;
};

/** Which teams work by night; no team works both. */
function DayAndNight({ season, send, onClose }: DayAndNightProps) {
  const form = useForm({ byNight: [] as readonly string[] }, []);
  const [day, night] = (['day', 'night'] as const).map((part) => {
    const { startAt: from, endAt: to } = shiftsOf(season, part)[0]!;
    return t('schedules.fromTo', { from, to });
  });
  return (
    <Form
      form={form}
      submit={t('schedules.continue')}
      onClose={onClose}
      send={async ({ byNight }) => send(byNight)}
    >
      <p>{t('schedules.apart', { name: nameOf(season), day: day!, night: night! })}</p>
      <ChoicesField form={form} name="byNight" label={t('schedules.byNight')} options={useTeamOptions()} />
    </Form>
  );
}

const yearOf = ({ from }: ScheduleTemplate): number => hijriPartsOf(from).year;

function Templates({
  all,
  onChoose,
}: {
  all: readonly ScheduleTemplate[];
  onChoose: (template: ScheduleTemplate) => void;
}) {
  const years = [...new Set(all.map(yearOf))];
  const { year: current } = hijriPartsOf(dateIn(now.value));
  const [year, setYear] = useState(years.includes(current) ? current : years[0]);
  return (
    <>
      <div class="field">
        <label>
          {t('schedules.hijriYear')}{' '}
          <select value={year} onChange={(event) => setYear(Number(event.currentTarget.value))}>
            {years.map((one) => (
              <option key={one} value={one}>
                {one}
              </option>
            ))}
          </select>
        </label>
      </div>
      <Table
        label={t('schedules.fromTemplate')}
        rows={all.filter((template) => yearOf(template) === year)}
        id={({ key, from }) => `${key} ${from}`}
        empty=""
        columns={[
          {
            name: 'name',
            label: t('schedules.name'),
            cell: (template) => <bdi>{nameOf(template)}</bdi>,
          },
          {
            name: 'from',
            label: t('filter.from'),
            cell: ({ from }) => <Day date={from} />,
          },
          { name: 'to', label: t('filter.to'), cell: ({ to }) => <Day date={to} /> },
          {
            name: 'use',
            label: t('schedules.use'),
            cell: (template) => (
              <button type="button" class="small" onClick={() => onChoose(template)}>
                {t('schedules.use')}
                <span class="unseen">: {nameOf(template)}</span>
              </button>
            ),
          },
        ]}
      />
    </>
  );
}

const Day = ({ date }: { date: string }) => (
  <>
    {dayOf(date)}
    <div class="small faint">{hijriOf(date)}</div>
  </>
);
