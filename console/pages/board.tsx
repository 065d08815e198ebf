import { useComputed, useSignalEffect } from '@preact/signals';
import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import {
  clockTime,
  HOUR,
  hoursIn,
  hoursOf,
  instant,
  lanesByZone,
  matches,
  packed,
  placed,
  type Span,
  type Visit,
  withOverrides,
} from '../board/day.ts';
import { addDragListeners, gridOf } from '../board/drag.ts';
import { STATES_WITH_SIGN, signOf, TeamLane, VisitBlock } from '../board/lane.tsx';
import { announcement, goal, isMovable, overrides, picked, placements } from '../board/moves.ts';
import { OutcomeDialog } from '../board/outcome.tsx';
import { verdictOf } from '../board/placements.ts';
import { VisitDialog } from '../board/visit-dialog.tsx';
import type { Board } from '../contract.ts';
import { addDays, dateIn, dayOf, number } from '../format.ts';
import { language, t } from '../language.ts';
import { useZoneOptions } from '../options.ts';
import { stateName, toneOf } from '../parts/badge.tsx';
import { Loaded } from '../parts/failed.tsx';
import { DateFilter, SelectFilter, TextFilter } from '../parts/filters.tsx';
import { Page } from '../parts/page.tsx';
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
  return (
    <Page
      title={t('nav.board')}
      about={dayOf(date)}
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
          {may('createBookingForPartner') && (
            <a class="button" href={href('/bookings/new', { date: date < today ? null : date })}>
              {t('nav.newBooking')}
            </a>
          )}
        </>
      }
    >
      <search class="filters" aria-label={t('filter.title')}>
        <DateFilter name="date" label={t('board.date')} value={date} />
        <SelectFilter name="zoneId" label={t('field.zone')} options={zones} />
        <TextFilter name="q" label={t('filter.search')} hint={t('board.findHint')} wide />
        <p class="field check">
          <input
            id="whole-day"
            type="checkbox"
            checked={query.get('hours') === '24'}
            onChange={(event) => setQuery({ hours: event.currentTarget.checked ? 24 : null })}
          />
          <label for="whole-day">{t('board.wholeDay')}</label>
        </p>
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
              typed={query.get('q')?.trim() ?? ''}
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

/** The board has at least one team. */
type GridProps = { board: Board; isWhole: boolean; typed: string; opened: string | null };

function Grid({ board, isWhole, typed, opened }: GridProps) {
  const changed = overrides.value;
  const visits = useMemo(() => withOverrides(board.appointments, changed), [board, changed]);
  const hours = useMemo(() => hoursOf(board, { isWhole }), [board, isWhole]);
  const zones = useMemo(() => lanesByZone(board, visits), [board, visits]);
  const unassigned = useMemo(() => packed(visits.filter(({ isAssigned }) => !isAssigned)), [visits]);
  const grid = gridOf(board.zones.map(({ slotGridMinutes }) => slotGridMinutes));
  const midnight = instant(board.from);
  const dims = (visit: Visit): boolean => typed !== '' && !matches(visit, typed);
  const [shown, setShown] = useState<string | null>(opened);
  const shownVisit = visits.find(({ id }) => id === shown);

  const day = useRef({ hours, midnight, grid, visits });
  day.current = { hours, midnight, grid, visits };
  const [scroller, content, ghost, marker] = [
    useRef<HTMLDivElement>(null),
    useRef<HTMLDivElement>(null),
    useRef<HTMLDivElement>(null),
    useRef<HTMLDivElement>(null),
  ];
  useEffect(
    () =>
      addDragListeners({
        scroller: scroller.current!,
        content: content.current!,
        ghost: ghost.current!,
        marker: marker.current!,
        day: () => day.current,
        mayMove: (visit) => may('updateAppointment') && isMovable(visit),
        open: ({ id }) => setShown(id),
      }),
    [],
  );
  useSignalEffect(() => {
    content.current?.toggleAttribute('data-held', picked.value !== null);
  });
  useScrollToNow(scroller, hours, board.date);
  useFocusKept(content, visits);

  return (
    <>
      <p class="unseen" id="board-keys">
        {may('updateAppointment') ? t('board.keys') : ''}
      </p>
      <Announcer board={board} />
      {typed !== '' && (
        <p class="small" role="status">
          {t('board.found', { count: number(visits.filter((visit) => !dims(visit)).length) })}
        </p>
      )}
      <section
        class="board-scroll"
        ref={scroller}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable with the keyboard
        tabIndex={0}
        aria-label={t('nav.board')}
      >
        <div class="board" ref={content} style={{ '--hours': String((hours.until - hours.from) / HOUR) }}>
          <div class="axis">
            <div class="lane-label" />
            <div class="track" aria-hidden="true">
              {hoursIn(hours).map((hour) => (
                <span
                  key={hour}
                  class="hour"
                  style={{ insetInlineStart: placed(hours, hour, hour + HOUR)!.start }}
                >
                  <bdi>{clockTime(hour)}</bdi>
                </span>
              ))}
            </div>
          </div>
          {unassigned.length > 0 && (
            <section class="zone unassigned" aria-label={t('board.unassigned')}>
              <h2>{t('board.unassigned')}</h2>
              {unassigned.map((row) => (
                <div key={row[0]!.id} class="lane">
                  <div class="lane-label" />
                  <div class="track">
                    {row.map((visit) => (
                      <VisitBlock key={visit.id} visit={visit} hours={hours} isDim={dims(visit)} />
                    ))}
                  </div>
                </div>
              ))}
            </section>
          )}
          {zones.map(({ id, name, lanes }) => (
            <section key={id} class="zone" aria-label={name ?? t('board.noZone')}>
              <h2>
                <bdi>{name ?? t('board.noZone')}</bdi>
              </h2>
              {lanes.map((lane) => (
                <TeamLane
                  key={lane.team.id}
                  lane={lane}
                  hours={hours}
                  grid={grid}
                  date={board.date}
                  dims={dims}
                />
              ))}
            </section>
          ))}
          <NowLine hours={hours} />
          <div class="marker" ref={marker} hidden aria-hidden="true">
            <MarkerText />
          </div>
          <div class="ghost" ref={ghost} hidden aria-hidden="true" />
        </div>
      </section>
      <Legend />
      {shownVisit !== undefined && (
        <VisitDialog
          visit={shownVisit}
          teamName={board.teams.find(({ id }) => id === shownVisit.teamId)?.name ?? ''}
          onClose={() => setShown(null)}
        />
      )}
      <OutcomeDialog teams={board.teams} />
    </>
  );
}

/** The start of a drop, and whether it is free. */
function MarkerText() {
  const to = goal.value;
  const verdict = to && placements.value && verdictOf(placements.value, to.teamId, to.start);
  return (
    <span class="marker-text" data-is={verdict?.is ?? 'unknown'}>
      {to && <bdi dir="ltr">{clockTime(to.start)}</bdi>} {verdict && <bdi>{verdict.text}</bdi>}
    </span>
  );
}

/** Announces the result of moves by keyboard. */
function Announcer({ board }: { board: Board }) {
  const held = picked.value;
  const to = goal.value;
  const known = placements.value;
  let text = announcement.value;
  if (held !== null && to !== null) {
    const team = board.teams.find(({ id }) => id === to.teamId)?.name ?? '';
    const verdict = known === null ? '' : verdictOf(known, to.teamId, to.start).text;
    text = t('board.goal', { name: held.visit.name, team, time: clockTime(to.start), verdict });
  }
  return (
    <p class="unseen" role="status">
      {text}
    </p>
  );
}

function NowLine({ hours }: { hours: Span }) {
  const at = placed(hours, now.value, hours.until);
  if (at === null || now.value < hours.from) return null;
  return (
    <div class="now" aria-hidden="true">
      <div style={{ insetInlineStart: at.start }} />
    </div>
  );
}

function Legend() {
  return (
    <ul class="legend small">
      {STATES_WITH_SIGN.map((state) => (
        <li key={state}>
          <span class={`badge ${toneOf('appointment', state)}`} aria-hidden="true">
            {signOf(state)}
          </span>{' '}
          {stateName('appointment', state)}
        </li>
      ))}
      <li>
        <span class="due" aria-hidden="true">
          SAR
        </span>{' '}
        {t('paid.pending')}
      </li>
    </ul>
  );
}

/** Scrolls to the current hour at first. */
function useScrollToNow(
  scroller: { current: HTMLDivElement | null },
  { from, until }: Span,
  date: string,
): void {
  useEffect(() => {
    const element = scroller.current;
    const time = now.peek();
    if (element === null || time < from || time > until) return;
    const hidden = element.scrollWidth - element.clientWidth;
    if (hidden <= 0) return;
    const along = Math.max(0, (time - from - 2 * HOUR) / (until - from)) * element.scrollWidth;
    element.scrollLeft = (language.peek() === 'ar' ? -1 : 1) * Math.min(along, hidden);
  }, [date]);
}

/** Keeps the focus on a visit that moved to another row. */
function useFocusKept(content: { current: HTMLElement | null }, visits: readonly Visit[]): void {
  const last = useRef<string | null>(null);
  useEffect(() => {
    const remember = (event: FocusEvent): void => {
      last.current = (event.target as HTMLElement).dataset.visit ?? null;
    };
    const element = content.current;
    element?.addEventListener('focusin', remember);
    return () => element?.removeEventListener('focusin', remember);
  }, []);
  useEffect(() => {
    if (document.activeElement !== document.body || last.current === null) return;
    document.getElementById(`visit-${last.current}`)?.focus({ preventScroll: true });
  }, [visits]);
}
