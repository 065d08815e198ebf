import { useComputed } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { Grid } from '../board/grid.tsx';
import { hitSteps } from '../board/hits.ts';
import { isList } from '../board/narrow.ts';
import { addDays, dateIn } from '../format.ts';
import { language, t } from '../language.ts';
import { useZoneOptions } from '../options.ts';
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
  const typed = query.get('q')?.trim() ?? '';
  useEffect(() => {
    hitSteps.value = 0;
  }, [typed]);
  return (
    <Page
      title={t('nav.board')}
      about={<Day date={date} />}
      actions={
        <>
          <a class="button" href={dateLink(addDays(date, -1))} rel="prev">
            <span aria-hidden="true">{language.value === 'ar' ? '→' : '←'}</span> {t('board.previousDay')}
          </a>
          <a class="button" href={dateLink(null)} aria-current={date === today ? 'date' : undefined}>
            {t('nav.today')}
          </a>
          <a class="button" href={dateLink(addDays(date, 1))} rel="next">
            {t('board.nextDay')} <span aria-hidden="true">{language.value === 'ar' ? '←' : '→'}</span>
          </a>
          <a class="button" href={href('/sheets', { date, zoneId })}>
            {t('sheets.printDay')}
          </a>
          {may('createBookingForPartner') && (
            <a class="button" href={href('/bookings/new', { date: date < today ? null : date })}>
              {t('nav.newBooking')}
            </a>
          )}
        </>
      }
    >
      <search class="filters" aria-label={t('filter.title')} onKeyDown={goToNextHit}>
        <DateFilter name="date" label={t('board.date')} value={date} />
        <SelectFilter name="zoneId" label={t('field.zone')} options={zones} />
        <TextFilter name="q" label={t('filter.search')} hint={t('board.findHint')} wide />
        {!isList.value && (
          <p class="field check">
            <input
              id="whole-day"
              type="checkbox"
              checked={query.get('hours') === '24'}
              onChange={(event) => setQuery({ hours: event.currentTarget.checked ? 24 : null })}
            />
            <label for="whole-day">{t('board.wholeDay')}</label>
          </p>
        )}
      </search>
      <Loaded query={board}>
        {({ data }) =>
          data.teams.length === 0 ? (
            <p class="empty">
              {t('board.empty')} <a href={href('/teams')}>{t('nav.teams')}</a>
            </p>
          ) : (
            <Grid
              board={data}
              isWhole={query.get('hours') === '24'}
              typed={typed}
              opened={query.get('appointment')}
            />
          )
        }
      </Loaded>
    </Page>
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
