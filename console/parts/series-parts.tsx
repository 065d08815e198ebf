import type { ComponentChildren } from 'preact';
import { reasonText } from '../board/placements.ts';
import { SERIES_STATUSES, type SeriesChange, type SeriesVisit } from '../contract.ts';
import { dateIn, dayOf, fromTo, money, number, weekdayName } from '../format.ts';
import { listed, t } from '../language.ts';
import type { Series } from '../portal/contract.ts';
import { href } from '../router.ts';
import { now } from '../session.ts';
import { VisitBadge } from './badge.tsx';
import type { Fact } from './facts.tsx';
import { Filters, SelectFilter } from './filters.tsx';
import { Linked } from './linked.tsx';
import type { Column } from './table.tsx';

/** Parts of the pages of series, in the console and the portal. */

export const TOPICS = ['series', 'bookings', 'appointments', 'availability'] as const;

/** `Every Sunday, 09:00`. */
const timesText = ({ everyWeeks, weekday, startAt }: Series): string =>
  t(`series.every.${everyWeeks}` as 'series.every.1', { day: weekdayName(weekday), time: startAt });

/** Its visits from today on that are not skipped. */
export const comingOf = ({ dates }: Series): SeriesVisit[] =>
  dates.filter(({ date, state }) => date >= dateIn(now.value) && state !== 'SKIPPED');

export const visitTime = (at: { date: string; startAt: string } | undefined) =>
  at && (
    <>
      {dayOf(at.date)} <bdi dir="ltr">{at.startAt}</bdi>
    </>
  );

const isGoing = ({ state, status }: SeriesVisit): boolean => state !== 'UNPLACED' && status !== 'canceled';

type State = Series['status'] | Exclude<SeriesVisit['state'], 'PLACED'> | SeriesChange['outcome'];
const BAD: readonly State[] = ['STOPPED', 'UNPLACED', 'CANCELLED'];

/** A state, and why. */
export const SeriesState = ({ state, reason }: { state: State; reason: string | null }) => (
  <>
    <span class={`badge ${BAD.includes(state) ? 'bad' : ''}`}>{t(`series.${state}`)}</span>{' '}
    {reason !== null && reasonText(reason)}
  </>
);

const statusOf = (series: Series) => {
  const { length } = comingOf(series).filter(({ state }) => state === 'UNPLACED');
  return (
    <>
      <SeriesState state={series.status} reason={null} />{' '}
      {series.reason !== null && <span class="small faint">{t(`series.why.${series.reason}`)}</span>}{' '}
      {length > 0 && <span class="badge bad">{t('series.unplaced', { count: number(length) })}</span>}
    </>
  );
};

export const SeriesFilters = ({ children }: { children?: ComponentChildren }) => (
  <Filters>
    {children}
    <SelectFilter
      name="status"
      label={t('field.status')}
      options={SERIES_STATUSES.map((value) => ({ value, label: t(`series.${value}`) }))}
    />
    <SelectFilter
      name="unplaced"
      label={t('series.UNPLACED')}
      options={[{ value: 'true', label: t('field.yes') }]}
    />
  </Filters>
);

/** A list; `who`: for whom they are, and who comes. */
export const seriesTable = <Row extends Series>(who: Column<Row>[]) => ({
  label: t('series.title'),
  columns: [
    {
      name: 'when',
      label: t('field.when'),
      cell: (row: Row) => <a href={href(`/series/${row.seriesId}`)}>{timesText(row)}</a>,
    },
    ...who,
    { name: 'next', label: t('series.next'), cell: (row: Row) => visitTime(comingOf(row).find(isGoing)) },
    { name: 'status', label: t('field.status'), cell: statusOf },
  ],
  id: ({ seriesId }: Row) => seriesId!,
  empty: t('series.none'),
});

export function factsOf<Row extends Series>(series: Row, who: Column<Row>[]): (Fact | false)[] {
  const { until, visits, pauses } = series;
  const last = visits === null ? t('field.none') : t('series.after', { index: number(visits) });
  return [
    { label: t('field.status'), value: statusOf(series) },
    { label: t('field.when'), value: timesText(series) },
    ...who.map(({ label, cell }) => ({ label, value: cell(series) })),
    { label: t('series.ends'), value: until === null ? last : dayOf(until) },
    pauses.length > 0 && {
      label: t('series.pauses'),
      value: pauses.map(({ from, to }) => <div key={from}>{fromTo(dayOf(from), dayOf(to))}</div>),
    },
  ];
}

export const visitColumns = (): Column<SeriesVisit>[] => [
  { name: 'index', label: '#', cell: ({ index }) => number(index) },
  {
    name: 'when',
    label: t('field.when'),
    cell: (visit) => (
      <>
        {visitTime(visit)} {visit.movedAlone && <span class="small">{t('series.movedAlone')}</span>}
      </>
    ),
  },
  {
    name: 'status',
    label: t('field.status'),
    cell: ({ state, status, appointmentStatus, reason }) =>
      state === 'PLACED' ? (
        <VisitBadge booking={status!} appointment={appointmentStatus ?? 'New'} />
      ) : (
        <SeriesState state={state} reason={reason} />
      ),
  },
  {
    name: 'booking',
    label: t('visits.booking'),
    cell: ({ bookingId, trackingReference, price, keepsTeam }) =>
      bookingId !== null && (
        <>
          <Linked address={`/bookings/${bookingId}`} text={trackingReference!} />{' '}
          {listed(money(price!), ...(keepsTeam === null ? [] : [t(`series.keeps.${keepsTeam}`)]))}
        </>
      ),
  },
];

type OfSeries = { seriesId?: string | null | undefined; seriesIndex?: number | null | undefined };

export const seriesText = ({ seriesIndex }: OfSeries): string =>
  t('series.mark', { index: number(seriesIndex ?? 0) });

/** A sign on a visit of a series, which leads to it. */
export const SeriesMark = ({ visit }: { visit: OfSeries }) =>
  visit.seriesId == null ? null : (
    <a href={href(`/series/${visit.seriesId}`)} title={seriesText(visit)} aria-label={seriesText(visit)}>
      ↻
    </a>
  );

export const seriesFact = (visit: OfSeries): Fact | false =>
  visit.seriesId != null && {
    label: t('series.title'),
    value: <a href={href(`/series/${visit.seriesId}`)}>{seriesText(visit)}</a>,
  };
