import { useComputed } from '@preact/signals';
import { nameOf, t } from '../language.ts';
import { CREW_PAGE } from '../parts/crew-links.tsx';
import { href } from '../router.ts';
import { may } from '../session.ts';
import { instant, type Lane, placed, type Span } from './day.ts';
import { delayed } from './delay.tsx';
import type { Hits } from './hits.ts';
import { HeldBlock, type Hold } from './holds.tsx';
import { goalStart, picked, placements } from './moves.ts';
import { freeSpans, startOf, UNKNOWN, verdictOf } from './placements.ts';
import { VisitBlock } from './visit-block.tsx';

/** Rows of the board. */

export function TeamLane({
  lane: { team, visits, unassigned },
  holds,
  hours,
  grid,
  date,
  hits,
}: {
  lane: Lane;
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
        <TeamVerdict teamId={team.id} />
        <TeamActs team={team} date={date} />
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
