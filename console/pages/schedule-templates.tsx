import { useState } from 'preact/hooks';
import type { ScheduleTemplate } from '../contract.ts';
import { dateIn, dayOf, hijriOf, hijriPartsOf } from '../format.ts';
import { nameOf, t } from '../language.ts';
import { Dialog } from '../parts/dialog.tsx';
import { Loaded } from '../parts/failed.tsx';
import { Table } from '../parts/table.tsx';
import { useQuery } from '../query.ts';
import { now } from '../session.ts';
import { type Draft, templateDraft } from './schedule-draft.ts';

/** The seasons and holidays of a Hijri year, to start a schedule from. */
export function TemplatesDialog({
  onChoose,
  onClose,
}: {
  onChoose: (draft: Draft) => void;
  onClose: () => void;
}) {
  const query = useQuery('listScheduleTemplates', { query: {} });
  return (
    <Dialog title={t('schedules.fromTemplate')} onClose={onClose} wide>
      <p>{t('schedules.templateAbout')}</p>
      <Loaded query={query}>{({ data }) => <Templates all={data} onChoose={onChoose} />}</Loaded>
    </Dialog>
  );
}

const yearOf = ({ from }: ScheduleTemplate): number => hijriPartsOf(from).year;

function Templates({
  all,
  onChoose,
}: {
  all: readonly ScheduleTemplate[];
  onChoose: (draft: Draft) => void;
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
              <button type="button" class="small" onClick={() => onChoose(templateDraft(template))}>
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
