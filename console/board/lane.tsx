import { effect, useComputed } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { useEffect, useId, useRef } from 'preact/hooks';
import { nameOf, t } from '../language.ts';
import { place as placeMenu } from '../parts/act-menu.tsx';
import { CREW_PAGE } from '../parts/crew-links.tsx';
import { href } from '../router.ts';
import { may, now } from '../session.ts';
import {
  clockTime,
  HOUR,
  hoursIn,
  instant,
  type Lane,
  placed,
  type Span,
  type Visit,
  type ZoneLanes,
} from './day.ts';
import { delayed } from './delay.tsx';
import type { Hits } from './hits.ts';
import { HeldBlock, type Hold } from './holds.tsx';
import { goalStart, picked, placements } from './moves.ts';
import { freeSpans, startOf, UNKNOWN, verdictOf } from './placements.ts';
import { VisitBlock } from './visit-block.tsx';

/** Rows of the board. */

export function TeamLane({
  lane: { team, visits, unassigned },
  zone,
  holds,
  hours,
  grid,
  date,
  hits,
}: {
  lane: Lane;
  /** The zone's name in its first row, for compact rows. */
  zone: string | null;
  /** Slots of the team that customers hold. */
  holds: readonly Hold[];
  hours: Span;
  grid: number;
  date: string;
  hits: Hits;
}) {
  return (
    <fieldset class="lane" data-team={team.id} aria-label={nameOf(team)}>
      <div class="lane-label">
        <div class="team">
          <a href={href(`/teams/${team.id}`)} draggable={false}>
            <bdi>{nameOf(team)}</bdi>
          </a>{' '}
          {!team.isActive && <span class="badge bad">{t('teams.inactive')}</span>}
        </div>
        {zone !== null && (
          <span class="zone-mark" aria-hidden="true">
            <bdi>{zone}</bdi>
          </span>
        )}
        <TeamVerdict teamId={team.id} />
        <LaneActs team={team} date={date} />
      </div>
      <div class="track">
        {team.shifts.map((shift) => (
          <Period key={shift.startsAt} of={shift} hours={hours} class="shift" />
        ))}
        {team.timeOff.map((off) => (
          <Period key={off.id} of={off} hours={hours} class="off" text={off.reason || t('cannot.timeOff')} />
        ))}
        {unassigned.map((visit) => (
          <Period key={visit.id} of={visit} hours={hours} class="hold" text={visit.name} />
        ))}
        <FreeSpans teamId={team.id} hours={hours} grid={grid} />
        {holds.map((hold) => (
          <HeldBlock key={hold.holdId} hold={hold} hours={hours} />
        ))}
        {visits.map((visit) => (
          <VisitBlock key={visit.id} visit={visit} hours={hours} hits={hits} />
        ))}
      </div>
    </fieldset>
  );
}

/** In compact rows a menu, else beside each other. */
function LaneActs(props: { team: Lane['team']; date: string }) {
  const id = useId();
  const opener = useRef<HTMLButtonElement>(null);
  return (
    <>
      <button
        ref={opener}
        type="button"
        class="acts-button away"
        popovertarget={id}
        aria-label={`${t('act.actions')}: ${nameOf(props.team)}`}
      >
        <span aria-hidden="true">⋯</span>
      </button>
      <div
        id={id}
        class="lane-acts"
        popover="auto"
        onToggle={({ currentTarget, newState }) => {
          if (newState === 'open') placeMenu(currentTarget, opener.current!);
        }}
      >
        <TeamActs {...props} />
      </div>
    </>
  );
}

/** Links and buttons for a team that runs late or is away. */
export function TeamActs({ team, date }: { team: Lane['team']; date: string }) {
  return (
    <>
      {may('delayTeam') && (
        <button
          type="button"
          class="away small"
          onClick={() => {
            delayed.value = { id: team.id, name: nameOf(team), date };
          }}
        >
          {t('board.runsLate')}
          <span class="unseen">
            {' '}
            <bdi>{nameOf(team)}</bdi>
          </span>
        </button>
      )}{' '}
      {may('createCrewLink') && (
        <a
          class="away small"
          href={href(`/teams/${team.id}`, { do: CREW_PAGE })}
          title={t('crew.title', { team: nameOf(team) })}
          draggable={false}
        >
          <span aria-hidden="true">▦</span>
          <span class="unseen">{t('crew.title', { team: nameOf(team) })}</span>
        </a>
      )}{' '}
      {may('createTimeOff') && (
        <a class="away small" href={href('/away', { teamId: team.id, date })} draggable={false}>
          {t('board.away')}
          <span class="unseen">
            {' '}
            <bdi>{nameOf(team)}</bdi>
          </span>
        </a>
      )}
    </>
  );
}

function Period({
  of,
  hours,
  class: className,
  text,
}: {
  of: { startsAt: string; endsAt: string };
  hours: Span;
  class: string;
  text?: string;
}) {
  const at = placed(hours, instant(of.startsAt), instant(of.endsAt));
  if (at === null) return null;
  return (
    <span class={className} title={text} style={{ insetInlineStart: at.start, inlineSize: at.size }}>
      {text && <bdi>{text}</bdi>}
    </span>
  );
}

/** During a drag: free at the start under the pointer, or why not. Updates without rendering the row again. */
function TeamVerdict({ teamId }: { teamId: string }) {
  const verdict = useComputed(() => {
    if (picked.value === null || placements.value === null || goalStart.value === null) return UNKNOWN;
    return verdictOf(placements.value, teamId, goalStart.value);
  });
  const is = useComputed(() => (picked.value === null ? 'nothing' : verdict.value.is));
  const text = useComputed(() => verdict.value.text);
  const rank = useComputed(() => {
    const found = placements.value?.teams.find(({ id }) => id === teamId)?.rank ?? null;
    return found !== null && found <= 3 ? t('board.rank', { rank: found }) : '';
  });
  return (
    <span class="verdict small" data-is={is}>
      <b class="rank">{rank}</b> <bdi>{text}</bdi>
    </span>
  );
}

/** The team's possible starts, rendered once for each dragged visit. */
function FreeSpans({ teamId, hours, grid }: { teamId: string; hours: Span; grid: number }) {
  const known = placements.value;
  const team = known?.teams.find(({ id }) => id === teamId);
  if (!known || team === undefined) return null;
  const best =
    team.best && placed(hours, startOf(known, team.best.startAt), startOf(known, team.best.startAt) + grid);
  return (
    <>
      {freeSpans(known, team, grid).map(({ from, until }) => {
        const at = placed(hours, from, until);
        return (
          at && (
            <span key={from} class="free-span" style={{ insetInlineStart: at.start, inlineSize: at.size }} />
          )
        );
      })}
      {best && team.rank !== null && team.rank <= 3 && (
        <span class="best" style={{ insetInlineStart: best.start }}>
          ★
        </span>
      )}
    </>
  );
}

export function Axis({ hours, corner }: { hours: Span; corner: ComponentChildren }) {
  return (
    <div class="axis">
      <div class="lane-label">{corner}</div>
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

export function Unassigned({ rows, hours, hits }: { rows: readonly Visit[][]; hours: Span; hits: Hits }) {
  return (
    <section class="zone unassigned" aria-label={t('board.unassigned')}>
      <h2>{t('board.unassigned')}</h2>
      {rows.map((row, index) => (
        <div key={row[0]!.id} class="lane">
          <div class="lane-label">
            <span class="zone-mark" aria-hidden="true">
              {index === 0 && t('board.unassigned')}
            </span>
          </div>
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

export function Zone({
  zone: { name, lanes },
  children,
}: {
  zone: ZoneLanes;
  children: (lane: Lane, index: number) => preact.JSX.Element;
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
export function useNowLine(content: { current: HTMLDivElement | null }, hours: Span): void {
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
