import { useSignalEffect } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import type { Board } from '../contract.ts';
import { number } from '../format.ts';
import { language, nameById, t } from '../language.ts';
import { DecisionDialog } from '../parts/decision-dialog.tsx';
import { useAll } from '../query.ts';
import { setQuery } from '../router.ts';
import { may } from '../session.ts';
import { ChooseAll, ChosenBar, clearChosen, onVisitKey, toggleChosen } from './chosen.tsx';
import {
  HOUR,
  hoursOf,
  instant,
  lanesByZone,
  packed,
  type Span,
  type Visit,
  withOverrides,
  type ZoneLanes,
} from './day.ts';
import { DelayDialog } from './delay.tsx';
import { addDragListeners, gridOf } from './drag.ts';
import { Announcer, GhostCard, MarkerText } from './drag-card.tsx';
import { type Hits, hitAt, hitSteps, hitsOf } from './hits.ts';
import { type Hold, HoldDialog } from './holds.tsx';
import { Axis, TeamLane, Unassigned, useNowLine, Zone } from './lane.tsx';
import { isMovable, overrides, picked } from './moves.ts';
import { isList } from './narrow.ts';
import { OutcomeDialog } from './outcome.tsx';
import { useFirstScroll, useFocusKept, useHitShown, useKeptCentre } from './scroll.ts';
import { arranged, type BoardFilter, outsideOf, passOf, shortestOf, type Troubles } from './shown.ts';
import { useEachMinute } from './strip.tsx';
import { TeamList } from './team-list.tsx';
import { current as stepped } from './trouble.ts';
import { Legend } from './visit-block.tsx';
import { VisitDialog } from './visit-dialog.tsx';
import { zoom } from './zoom.tsx';

/** The hours and rows of a day. */

export type GridProps = {
  board: Board;
  filter: BoardFilter;
  /** Concerns of its visits. */
  troubles: Troubles;
  opened: string | null;
};

const NO_HOLDS: readonly Hold[] = [];

/** The board has at least one team. */
export function Grid({ board, filter, troubles, opened }: GridProps) {
  const { typed, status, trouble, isWhole, isTroubleFirst } = filter;
  const changed = overrides.value;
  const visits = useMemo(() => withOverrides(board.appointments, changed), [board, changed]);
  const all = useMemo(() => lanesByZone(board, visits), [board, visits, language.value]);
  const passes = passOf(filter, troubles);
  const { zones, off } = arranged(
    all,
    status + trouble === '' ? null : passes,
    isTroubleFirst ? { name: t('board.troubleFirst'), has: ({ id }) => troubles.has(id) } : null,
  );
  const [isOffShown, setOffShown] = useState(false);
  const rows = isOffShown ? [...zones, { id: 'off', name: t('list.off'), lanes: off }] : zones;
  const unassigned = useMemo(() => packed(visits.filter(({ isAssigned }) => !isAssigned)), [visits]);
  const found = passes === null ? null : hitsOf(passes, unassigned, zones);
  const current = found === null ? undefined : hitAt(found, hitSteps.value);
  const hits: Hits = { ids: useSame(found), current: current?.id ?? null };
  const working = hoursOf(board, { isWhole });
  const sought = visits.filter(({ id }) => id === stepped.value?.step.visitId || hits.ids?.has(id));
  const isStretched = outsideOf(sought, working).length > 0;
  const { from, until } = isStretched ? hoursOf(board, { isWhole: true }) : working;
  const hours = useMemo(() => ({ from, until }), [from, until]);
  const outside = outsideOf(visits, hours).length;
  const holds = useHolds(board.date);
  const [shown, setShown] = useState<string | null>(opened);
  const shownVisit = visits.find(({ id }) => id === shown);
  useHitShown(current?.id ?? null, [board.date, typed, status, trouble, hitSteps.value].join());
  useEffect(() => clearChosen, [board.date]);
  const chooseAll = <ChooseAll visits={found ?? visits} />;

  return (
    <>
      <p class="unseen" id="board-keys">
        {may('updateAppointment') ? t('board.keysAll') : ''}
      </p>
      <Announcer board={board} />
      <div class="board-tools">
        {isList.value && chooseAll}
        {found !== null && (
          <p class="small" role="status">
            {t('board.found', { count: number(found.length) })}
            {found.length > 1 && ` · ${t('board.nextHit')}`}
          </p>
        )}
      </div>
      {isList.value ? (
        <TeamList
          zones={rows}
          unassigned={unassigned.flat()}
          holds={holds}
          board={board}
          hits={hits}
          open={setShown}
        />
      ) : (
        <Hours
          board={board}
          visits={visits}
          hours={hours}
          zones={rows}
          unassigned={unassigned}
          holds={holds}
          hits={hits}
          open={setShown}
          isCompact={filter.isCompact}
          corner={
            <>
              {chooseAll}
              {outside > 0 && (
                <button type="button" onClick={() => setQuery({ hours: 24 })}>
                  {t('board.outside', { count: number(outside) })}
                </button>
              )}
            </>
          }
        />
      )}
      {off.length > 0 && passes === null && (
        <button
          type="button"
          class="off-teams small"
          aria-expanded={isOffShown}
          onClick={() => setOffShown(!isOffShown)}
        >
          {t('board.off', { count: number(off.length) })}
        </button>
      )}
      <ChosenBar visits={visits} />
      <Legend />
      {shownVisit !== undefined && (
        <VisitDialog
          visit={shownVisit}
          teamName={nameById(board.teams, shownVisit.teamId)}
          team={board.teams.find(({ id }) => id === shownVisit.teamId)}
          onClose={() => setShown(null)}
        />
      )}
      <OutcomeDialog teams={board.teams} />
      <DecisionDialog />
      <HoldDialog />
      <DelayDialog visits={visits} />
    </>
  );
}

/** The ids of visits: the same object while they are the same. */
function useSame(visits: readonly Visit[] | null): ReadonlySet<string> | null {
  const ids = visits?.map(({ id }) => id);
  return useMemo(() => (ids === undefined ? null : new Set(ids)), [ids?.join()]);
}

type HoursProps = {
  board: Board;
  visits: readonly Visit[];
  hours: Span;
  zones: readonly ZoneLanes[];
  unassigned: readonly Visit[][];
  holds: ReadonlyMap<string, readonly Hold[]>;
  hits: Hits;
  open: (id: string) => void;
  isCompact: boolean;
  /** Beside the hours, above the teams. */
  corner: ComponentChildren;
};

/** The hours side by side, a row for each team. */
function Hours({ board, visits, hours, zones, unassigned, holds, hits, open, ...look }: HoursProps) {
  const grid = gridOf(board.zones.map(({ slotGridMinutes }) => slotGridMinutes));
  const scroller = useRef<HTMLDivElement>(null);
  const content = useRef<HTMLDivElement>(null);
  const ghost = useRef<HTMLDivElement>(null);
  const marker = useRef<HTMLDivElement>(null);
  const elements = { scroller, content, ghost, marker };
  useDrag(elements, { hours, midnight: instant(board.from), grid, visits }, open);
  useFirstScroll(scroller, board, hours);
  useKeptCentre(scroller, zoom.value);
  useFocusKept(content, visits);
  useNowLine(content, hours);
  return (
    <section
      class="board-scroll"
      ref={scroller}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable with the keyboard
      tabIndex={0}
      aria-label={t('nav.board')}
    >
      <div
        class="board"
        ref={content}
        data-compact={look.isCompact ? '' : undefined}
        style={{
          '--hours': String((hours.until - hours.from) / HOUR),
          '--zoom': String(zoom.value),
          '--shortest': String(shortestOf(visits)),
        }}
      >
        <Axis hours={hours} corner={look.corner} />
        {unassigned.length > 0 && <Unassigned rows={unassigned} hours={hours} hits={hits} />}
        {zones.map((zone) => (
          <Zone key={zone.id} zone={zone}>
            {(lane, index) => (
              <TeamLane
                key={lane.team.id}
                lane={lane}
                zone={index === 0 ? zone.name : null}
                holds={holds.get(lane.team.id) ?? NO_HOLDS}
                hours={hours}
                grid={grid}
                date={board.date}
                hits={hits}
              />
            )}
          </Zone>
        ))}
        <div class="marker" ref={marker} hidden aria-hidden="true">
          <MarkerText />
        </div>
        <div class="ghost" ref={ghost} hidden aria-hidden="true">
          <GhostCard board={board} />
        </div>
      </div>
    </section>
  );
}

type Elements = Record<'scroller' | 'content' | 'ghost' | 'marker', { current: HTMLDivElement | null }>;
type Day = { hours: Span; midnight: number; grid: number; visits: readonly Visit[] };

/** Dragging, and the keys of a focused visit. */
function useDrag(elements: Elements, day: Day, setShown: (id: string) => void): void {
  const { scroller, content, ghost, marker } = elements;
  const latest = useRef(day);
  latest.current = day;
  useEffect(() => {
    const stop = addDragListeners({
      scroller: scroller.current!,
      content: content.current!,
      ghost: ghost.current!,
      marker: marker.current!,
      day: () => latest.current,
      mayMove: (visit) => may('updateAppointment') && isMovable(visit),
      open: ({ id }) => setShown(id),
      choose: (visit) => may('updateAppointment') && toggleChosen(visit),
    });
    const element = content.current!;
    const onKey = (event: KeyboardEvent): void => {
      if (event.ctrlKey || event.metaKey || event.altKey || picked.peek() !== null) return;
      const id = (event.target as HTMLElement).dataset.visit;
      const visit = latest.current.visits.find((one) => one.id === id);
      if (visit !== undefined && onVisitKey(event.key, visit, latest.current.visits)) event.preventDefault();
    };
    element.addEventListener('keydown', onKey);
    return () => {
      stop();
      element.removeEventListener('keydown', onKey);
    };
  }, []);
  useSignalEffect(() => {
    content.current?.toggleAttribute('data-held', picked.value !== null);
  });
}

/** The slots that customers hold on a date, by team. Partners' holds have no event: they are loaded each minute. */
function useHolds(date: string): ReadonlyMap<string, readonly Hold[]> {
  const holds = useAll('listHolds', { query: { date } }, [
    'appointments',
    'bookings',
    'availability',
    'clock',
  ]);
  useEachMinute(holds.reload);
  return useMemo(() => Map.groupBy(holds.answer ?? [], ({ teamId }) => teamId), [holds.answer]);
}
