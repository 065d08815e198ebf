import { useState } from 'preact/hooks';
import type { Takes } from '../api.ts';
import { changed } from '../changes.ts';
import type { AlternativeSlot, SeriesChange, SeriesVisit } from '../contract.ts';
import { dayOf, money, number, weekdayName } from '../format.ts';
import { listed, t } from '../language.ts';
import type { Series } from '../portal/contract.ts';
import { useAction } from '../query.ts';
import { Alternatives } from './alternatives.tsx';
import { Dialog } from './dialog.tsx';
import { Facts } from './facts.tsx';
import { Failed } from './failed.tsx';
import { CheckField, Form, SelectField, TextField, useForm } from './fields.tsx';
import type { Option } from './filters.tsx';
import { Section } from './page.tsx';
import { ask } from './questions.tsx';
import { comingOf, factsOf, SeriesState, TOPICS, visitColumns, visitTime } from './series-parts.tsx';
import { type Column, Table } from './table.tsx';
import { toast } from './toasts.tsx';
import { WEEK } from './week-bars.tsx';

/** A series and its changes, each previewed first; in the console and the portal. */

const ACTS = ['updateSeries', 'pauseSeries', 'endSeries'] as const;
type Act = (typeof ACTS)[number] | 'skipSeriesVisit';
type Operation = Act | 'placeSeriesVisit';

/** Of skipping there is a preview already. */
type Asked = { act: Act; index: number; changes?: SeriesChange[] };
type Shown<Row> = {
  series: Row;
  may: (operation: Operation) => boolean;
  call: (operation: Operation, takes: Takes<Operation>) => Promise<{ data: Series }>;
  /** Of cancellations. */
  useReasons: () => Option[];
};

/** `who`: for whom it is, and who comes. */
export function SeriesShown<Row extends Series>({ who, ...shown }: Shown<Row> & { who: Column<Row>[] }) {
  const { series, may, call } = shown;
  const [asked, setAsked] = useState<Asked | null>(null);
  const action = useAction(TOPICS);
  const coming = comingOf(series);
  const takesOf = (index: number, body: object) => ({ seriesId: series.seriesId!, index: `${index}`, body });
  const skip = (index: number) =>
    action.run(async () => {
      const { changes = [] } = (await call('skipSeriesVisit', takesOf(index, { preview: true }))).data;
      setAsked({ act: 'skipSeriesVisit', index, changes });
    });
  async function place(index: number, slot?: AlternativeSlot): Promise<void> {
    const title = t('series.choose', { index: number(index) });
    const text = slot && listed(dayOf(slot.date), slot.startAt);
    if (text !== undefined && (await ask({ title, text, confirm: t('new.book') })) === null) return;
    const takes = takesOf(index, slot === undefined ? {} : { date: slot.date, startAt: slot.startAt });
    if (await action.run(() => call('placeSeriesVisit', takes))) toast(t('new.booked'));
    // Its reason may be another one now.
    else changed(TOPICS);
  }
  const actions: Column<SeriesVisit> = {
    name: 'actions',
    label: t('act.actions'),
    cell: (visit) =>
      coming.includes(visit) && (
        <>
          {visit.state === 'UNPLACED' && may('placeSeriesVisit') && (
            <>
              <Alternatives slots={visit.alternatives} choose={(slot) => void place(visit.index, slot)} />
              <button type="button" disabled={action.busy} onClick={() => void place(visit.index)}>
                {t('error.retry')}
              </button>{' '}
            </>
          )}
          {may('skipSeriesVisit') && (
            <button type="button" disabled={action.busy} onClick={() => void skip(visit.index)}>
              {t('series.skipSeriesVisit')}
            </button>
          )}
        </>
      ),
  };
  const isOpen = coming.length > 0 && (series.status !== 'ENDED' || series.reason === 'OVER');
  const acts = ACTS.filter((act) => isOpen && may(act)).map((act) => (
    <button key={act} type="button" onClick={() => setAsked({ act, index: coming[0]!.index })}>
      {t(`series.${act}`)}
    </button>
  ));
  return (
    <>
      <Section title={t('booking.facts')} actions={acts}>
        <Facts facts={factsOf(series, who)} />
      </Section>
      <Section title={t('nav.visits')}>
        {action.failure && <Failed failure={action.failure} />}
        <Table
          label={t('nav.visits')}
          columns={[...visitColumns(), actions]}
          rows={series.dates}
          id={({ index }) => `${index}`}
          empty={t('visits.none')}
        />
      </Section>
      {asked && <ChangeDialog {...shown} asked={asked} onClose={() => setAsked(null)} />}
    </>
  );
}

const changeColumns = (): Column<SeriesChange>[] => [
  { name: 'index', label: '#', cell: ({ index }) => number(index) },
  { name: 'when', label: t('field.when'), cell: visitTime },
  { name: 'outcome', label: t('field.status'), cell: (row) => <SeriesState {...row} state={row.outcome} /> },
  { name: 'fee', label: t('fee.label'), end: true, cell: ({ fee }) => (fee === null ? '–' : money(fee)) },
];

const focus = (element: HTMLElement | null): void => element?.focus();

type DialogProps = Shown<Series> & { asked: Asked; onClose: () => void };

/** Asks for a change, says what would come of it, and makes it: no visit costs more than was shown. */
function ChangeDialog({ series, call, useReasons, asked: { act, index, ...asked }, onClose }: DialogProps) {
  const { seriesId, startAt, sameCrew } = series;
  const terms = { fromIndex: `${index}`, weekday: `${series.weekday}`, startAt, sameCrew };
  const form = useForm({ ...terms, from: '', to: '', reasonId: '', cancellationNotes: '' }, TOPICS);
  const [changes, setChanges] = useState(asked.changes);
  const reasons = useReasons();
  const { fromIndex, from, to, reasonId, cancellationNotes: notes, weekday, ...given } = form.values;
  const cancels = changes?.some(({ outcome }) => outcome === 'CANCELLED');
  async function send(): Promise<void> {
    const body = {
      ...(act === 'pauseSeries' && { from, to }),
      ...((act === 'updateSeries' || act === 'endSeries') && { fromIndex: Number(fromIndex) }),
      ...(act === 'updateSeries' && form.changed({ ...given, weekday: Number(weekday) })),
      ...(changes ? { maxFee: Math.max(0, ...changes.map(({ fee }) => fee ?? 0)) } : { preview: true }),
      ...(cancels && { reasonId, ...(notes.trim() !== '' && { cancellationNotes: notes }) }),
    };
    const takes = { seriesId, index: `${index}`, body } as Takes<Operation>;
    const { changes: made = [] } = (await call(act, takes)).data;
    if (changes === undefined) return setChanges(made);
    const countOf = (wanted: string) => number(made.filter(({ outcome }) => outcome === wanted).length);
    const moved = { moved: countOf('MOVED'), stays: countOf('STAYS') };
    toast(act === 'updateSeries' ? t('series.moved', moved) : t('act.saved'));
    onClose();
  }
  return (
    <Dialog title={t(`series.${act}`)} onClose={onClose} wide>
      <Form
        key={changes === undefined ? 'preview' : 'save'}
        form={form}
        submit={changes === undefined ? t('schedules.preview') : t(`series.${act}`)}
        danger={changes !== undefined && act !== 'updateSeries'}
        onClose={changes === undefined || act === 'skipSeriesVisit' ? onClose : () => setChanges(undefined)}
        send={send}
      >
        {changes !== undefined && (
          <>
            <h3 ref={focus} tabIndex={-1}>
              {t('schedules.previewTitle')}
            </h3>
            <Table
              label={t('schedules.previewTitle')}
              columns={changeColumns()}
              rows={changes}
              id={(change) => `${change.index}`}
              empty={t('series.nothing')}
            />
          </>
        )}
        {cancels && (
          <>
            <SelectField form={form} name="reasonId" label={t('field.reason')} required options={reasons} />
            <TextField form={form} name="cancellationNotes" label={t('field.notes')} rows={2} />
          </>
        )}
        {changes === undefined && act === 'pauseSeries' && (
          <>
            <TextField form={form} name="from" label={t('filter.from')} type="date" required />
            <TextField form={form} name="to" label={t('filter.to')} type="date" required />
          </>
        )}
        {changes === undefined && act !== 'pauseSeries' && (
          <SelectField
            form={form}
            name="fromIndex"
            label={t('series.from')}
            options={comingOf(series).map((visit) => ({
              value: `${visit.index}`,
              label: listed(number(visit.index), dayOf(visit.date), visit.startAt),
            }))}
          />
        )}
        {changes === undefined && act === 'updateSeries' && (
          <>
            <SelectField
              form={form}
              name="weekday"
              label={t('series.weekday')}
              options={WEEK.map((day) => ({ value: `${day}`, label: weekdayName(day) }))}
            />
            <TextField form={form} name="startAt" label={t('series.startAt')} type="time" />
            <CheckField form={form} name="sameCrew" label={t('series.sameCrew')} />
          </>
        )}
      </Form>
    </Dialog>
  );
}
