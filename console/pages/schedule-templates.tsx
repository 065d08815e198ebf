import { useState } from 'preact/hooks';
import { dateIn, dayOf, hijriOf, hijriPartsOf } from '../format.ts';
import { nameOf, t } from '../language.ts';
import { Dialog } from '../parts/dialog.tsx';
import { Loaded } from '../parts/failed.tsx';
import { Table } from '../parts/table.tsx';
import { useQuery } from '../query.ts';
import { now } from '../session.ts';
import { type Draft, templateDraft } from './schedule-draft.ts';

/** The years of the service's templates. */
const YEARS = [1448, 1449, 1450, 1451, 1452];

/** The seasons and holidays of a Hijri year, to start a schedule from. */
export function TemplatesDialog({
  onChoose,
  onClose,
}: {
  onChoose: (draft: Draft) => void;
  onClose: () => void;
}) {
  const { year: current } = hijriPartsOf(dateIn(now.value));
  const [year, setYear] = useState(YEARS.includes(current) ? current : YEARS[0]!);
  const query = useQuery('listScheduleTemplates', { query: { year } });
  return (
    <Dialog title={t('schedules.fromTemplate')} onClose={onClose} wide>
      <p>{t('schedules.templateAbout')}</p>
      <div class="field">
        <label>
          {t('schedules.hijriYear')}{' '}
          <select value={year} onChange={(event) => setYear(Number(event.currentTarget.value))}>
            {YEARS.map((one) => (
              <option key={one} value={one}>
                {one}
              </option>
            ))}
          </select>
        </label>
      </div>
      <Loaded query={query}>
        {({ data }) => (
          <Table
            label={t('schedules.fromTemplate')}
            rows={data}
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
        )}
      </Loaded>
    </Dialog>
  );
}

const Day = ({ date }: { date: string }) => (
  <>
    {dayOf(date)}
    <div class="small faint">{hijriOf(date)}</div>
  </>
);
