import { useComputed } from '@preact/signals';
import { useEffect, useMemo } from 'preact/hooks';
import { Grid } from '../board/grid.tsx';
import { hitSteps } from '../board/hits.ts';
import { isList } from '../board/narrow.ts';
import { type BoardFilter, filterOf } from '../board/shown.ts';
import { Strip, useAttention } from '../board/strip.tsx';
import { concernsByVisit, PLANNED } from '../board/trouble.ts';
import { ZoomButtons } from '../board/zoom.tsx';
import { addDays, dateIn } from '../format.ts';
import { language, type PlainKey, t } from '../language.ts';
import { useZoneOptions } from '../options.ts';
import { stateOptions } from '../parts/badge.tsx';
import { Loaded } from '../parts/failed.tsx';
import { DateFilter, SelectFilter, TextFilter } from '../parts/filters.tsx';
import { Day, Page } from '../parts/page.tsx';
import { useQuery } from '../query.ts';
import { dateOfAddress, href, place, setQuery } from '../router.ts';
import { may, now } from '../session.ts';

const TOPICS = ['appointments', 'bookings', 'payments', 'availability', 'catalogue', 'clock'] as const;

/** The board of a day. */
export default function BoardPage() {
  const { query } = place.value;
  const today = useComputed(() => dateIn(now.value)).value;
  const date = dateOfAddress('date') ?? today;
  const zoneId = query.get('zoneId') || undefined;
  const board = useQuery('getBoard', { query: { date, ...(zoneId && { zoneId }) } }, TOPICS);
  const zones = useZoneOptions();
  useEffect(() => {
    hitSteps.value = 0;
  }, [query.get('q')]);
  const attention = useAttention();
  const troubles = useMemo(() => concernsByVisit(attention.answer?.data), [attention.answer]);
  const filter = filterOf(query, board.answer?.data.teams.length ?? 0);
  return (
    <Page
      title={t('nav.board')}
      about={<Day date={date} />}
      actions={
        <>
          <a class="button" href={dateLink(addDays(date, -1))} rel="prev">
            <span aria-hidden="true">{language.value === 'ar' ? '→' : '←'}</span>
            <span class="unseen">{t('board.previousDay')}</span>
          </a>
          <a class="button" href={dateLink(null)} aria-current={date === today ? 'date' : undefined}>
            {t('nav.today')}
          </a>
          <a class="button" href={dateLink(addDays(date, 1))} rel="next">
            <span aria-hidden="true">{language.value === 'ar' ? '←' : '→'}</span>
            <span class="unseen">{t('board.nextDay')}</span>
          </a>
          <search class="board-filters" aria-label={t('filter.title')} onKeyDown={goToNextHit}>
            <DateFilter name="date" label={t('board.date')} value={date} />
            <SelectFilter name="zoneId" label={t('field.zone')} options={zones} isInline />
            <SelectFilter
              name="status"
              label={t('field.status')}
              options={stateOptions('appointment')}
              isInline
            />
            <SelectFilter
              name="trouble"
              label={t('today.attention')}
              options={[
                { value: 'any', label: t('today.attention') },
                ...PLANNED.map((concern) => ({ value: concern, label: t(`strip.${concern}`) })),
              ]}
              isInline
            />
            <TextFilter name="q" label={t('filter.search')} hint={t('board.findHint')} wide />
          </search>
          <View filter={filter} print={href('/sheets', { date, zoneId })} />
          {may('createBookingForPartner') && (
            <a class="button" href={href('/bookings/new', { date: date < today ? null : date })}>
              {t('nav.newBooking')}
            </a>
          )}
        </>
      }
    >
      <Strip query={attention} isBoard />
      <Loaded query={board}>
        {({ data }) =>
          data.teams.length === 0 ? (
            <p class="empty">
              {t('board.empty')} <a href={href('/teams')}>{t('nav.teams')}</a>
            </p>
          ) : (
            <Grid board={data} filter={filter} troubles={troubles} opened={query.get('appointment')} />
          )
        }
      </Loaded>
    </Page>
  );
}

/** Settings of the view: zoom, rows and hours; and the sheets for the crews. */
function View({ filter, print }: { filter: BoardFilter; print: string }) {
  const box = (text: PlainKey, isOn: boolean, name: string, values: [on: string, off: string | null]) => (
    <label>
      <input
        type="checkbox"
        checked={isOn}
        onChange={({ currentTarget: { checked } }) => setQuery({ [name]: values[checked ? 0 : 1] })}
      />{' '}
      {t(text)}
    </label>
  );
  return (
    <>
      <button type="button" class="view-button" popovertarget="board-view">
        {t('board.view')} <span aria-hidden="true">▾</span>
      </button>
      <div id="board-view" class="menu-popover end" popover="auto">
        {!isList.value && (
          <>
            <ZoomButtons />
            {box('board.wholeDay', filter.isWhole, 'hours', ['24', null])}
            {box('board.compact', filter.isCompact, 'rows', ['compact', 'tall'])}
          </>
        )}
        {box('board.troubleFirst', filter.isTroubleFirst, 'first', ['trouble', null])}
        <a href={print}>{t('sheets.printDay')}</a>
      </div>
    </>
  );
}

/** The board of another date, with the same filters. */
function dateLink(date: string | null): string {
  const { query, path } = place.value;
  return href(path, { ...Object.fromEntries(query), appointment: null, date });
}

/** Enter in the search shows the next hit, with Shift the one before. */
function goToNextHit(event: KeyboardEvent): void {
  if (event.key !== 'Enter' || (event.target as HTMLInputElement).type !== 'search') return;
  event.preventDefault();
  hitSteps.value += event.shiftKey ? -1 : 1;
}
