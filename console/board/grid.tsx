import { effect, useSignalEffect } from '@preact/signals';
import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import type { Board } from '../contract.ts';
import { number } from '../format.ts';
import { language, nameById, t } from '../language.ts';
import { DecisionDialog } from '../parts/decision-dialog.tsx';
import { useAll } from '../query.ts';
import { may, now } from '../session.ts';
import { ChooseAll, ChosenBar, clearChosen, onVisitKey, toggleChosen } from './chosen.tsx';
import {
  clockTime,
  HOUR,
  hoursIn,
  hoursOf,
  instant,
  type Lane,
  lanesByZone,
  MINUTE,
  packed,
  placed,
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
import { TeamLane } from './lane.tsx';
import { isMovable, overrides, picked } from './moves.ts';
import { isList } from './narrow.ts';
import { OutcomeDialog } from './outcome.tsx';
import { useFirstScroll, useFocusKept, useHitShown, useKeptCentre } from './scroll.ts';
import { TeamList } from './team-list.tsx';
import { Legend, VisitBlock } from './visit-block.tsx';
import { VisitDialog } from './visit-dialog.tsx';
import { ZoomButtons, zoom } from './zoom.tsx';

/** The hours and rows of a day. */

export type GridProps = { board: Board; isWhole: boolean; typed: string; opened: string | null };

const NO_HOLDS: readonly Hold[] = [];

/** The board has at least one team. */
export function Grid({ board, isWhole, typed, opened }: GridProps) {
  const changed = overrides.value;
  const visits = useMemo(() => withOverrides(board.appointments, changed), [board, changed]);
  const hours = useMemo(() => hoursOf(board, { isWhole }), [board, isWhole]);
  const zones = useMemo(() => lanesByZone(board, visits), [board, visits, language.value]);
  const unassigned = useMemo(() => packed(visits.filter(({ isAssigned }) => !isAssigned)), [visits]);
  const found = useMemo(() => hitsOf(typed, unassigned, zones), [typed, unassigned, zones]);
  const current = hitAt(found, hitSteps.value);
  const hits: Hits = {
    ids: useMemo(() => (typed === '' ? null : new Set(found.map(({ id }) => id))), [typed, found]),
    current: current?.id ?? null,
  };
  const holds = useHolds(board.date);
  const [shown, setShown] = useState<string | null>(opened);
  const shownVisit = visits.find(({ id }) => id === shown);
  useHitShown(current?.id ?? null, `${board.date} ${typed} ${hitSteps.value}`);
  useEffect(() => clearChosen, [board.date]);

  return (
    <>
      <p class="unseen" id="board-keys">
        {may('updateAppointment') ? t('board.keysAll') : ''}
      </p>
      <Announcer board={board} />
      <div class="board-tools">
        {!isList.value && <ZoomButtons />}
        <ChooseAll visits={typed === '' ? visits : found} />
        {typed !== '' && (
          <p class="small" role="status">
            {t('board.found', { count: number(found.length) })}
            {found.length > 1 && ` · ${t('board.nextHit')}`}
          </p>
        )}
      </div>
      {isList.value ? (
        <TeamList
          zones={zones}
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
          zones={zones}
          unassigned={unassigned}
          holds={holds}
          hits={hits}
          open={setShown}
        />
      )}
      <ChosenBar visits={visits} />
      <Legend />
      {shownVisit !== undefined && (
        <VisitDialog
          visit={shownVisit}
          teamName={nameById(board.teams, shownVisit.teamId)}
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

type HoursProps = {
  board: Board;
  visits: readonly Visit[];
  hours: Span;
  zones: readonly ZoneLanes[];
  unassigned: readonly Visit[][];
  holds: ReadonlyMap<string, readonly Hold[]>;
  hits: Hits;
  open: (id: string) => void;
};

/** The hours side by side, a row for each team. */
function Hours({ board, visits, hours, zones, unassigned, holds, hits, open }: HoursProps) {
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
        style={{ '--hours': String((hours.until - hours.from) / HOUR), '--zoom': String(zoom.value) }}
      >
        <Axis hours={hours} />
        {unassigned.length > 0 && <Unassigned rows={unassigned} hours={hours} hits={hits} />}
        {zones.map((zone) => (
          <Zone key={zone.id} zone={zone}>
            {(lane) => (
              <TeamLane
                key={lane.team.id}
                lane={lane}
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
  const reload = useRef(holds.reload);
  reload.current = holds.reload;
  const loadedAt = useRef(now.peek());
  useSignalEffect(() => {
    if (now.value - loadedAt.current < MINUTE) return;
    loadedAt.current = now.value;
    reload.current();
  });
  return useMemo(() => Map.groupBy(holds.answer ?? [], ({ teamId }) => teamId), [holds.answer]);
}

function Axis({ hours }: { hours: Span }) {
  return (
    <div class="axis">
      <div class="lane-label" />
      <div class="track" aria-hidden="true">
        {hoursIn(hours).map((hour) => (
          <span key={hour} class="hour" style={{ insetInlineStart: placed(hours, hour, hour + HOUR)!.start }}>
            <bdi>{clockTime(hour)}</bdi>
          </span>
        ))}
      </div>
    </div>
  );
}

function Unassigned({ rows, hours, hits }: { rows: readonly Visit[][]; hours: Span; hits: Hits }) {
  return (
    <section class="zone unassigned" aria-label={t('board.unassigned')}>
      <h2>{t('board.unassigned')}</h2>
      {rows.map((row) => (
        <div key={row[0]!.id} class="lane">
          <div class="lane-label" />
          <div class="track">
            {row.map((visit) => (
              <VisitBlock key={visit.id} visit={visit} hours={hours} hits={hits} />
            ))}
          </div>
        </div>
      ))}
    </section>
  );
}

function Zone({
  zone: { name, lanes },
  children,
}: {
  zone: ZoneLanes;
  children: (lane: Lane) => preact.JSX.Element;
}) {
  return (
    <section class="zone" aria-label={name ?? t('board.noZone')}>
      <h2>
        <bdi>{name ?? t('board.noZone')}</bdi>
      </h2>
      {lanes.map(children)}
    </section>
  );
}

/** The line of the present, which each row draws below its sticky name. */
function useNowLine(content: { current: HTMLDivElement | null }, hours: Span): void {
  useEffect(
    () =>
      effect(() => {
        const at = now.value < hours.from ? null : placed(hours, now.value, hours.until);
        content.current?.toggleAttribute('data-now', at !== null);
        content.current?.style.setProperty('--now', at?.start ?? null);
      }),
    [hours],
  );
}
