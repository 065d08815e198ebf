import { useComputed } from '@preact/signals';
import { direction, language, t } from '../language.ts';
import { stateName, toneOf } from '../parts/badge.tsx';
import { href } from '../router.ts';
import { may } from '../session.ts';
import { clockTime, instant, type Lane, placed, type Span, type Visit } from './day.ts';
import { goalStart, picked, placements } from './moves.ts';
import { freeSpans, startOf, UNKNOWN, verdictOf } from './placements.ts';

/** Rows of the board and their visits. */

export const serviceName = ({ service }: Visit): string =>
  language.value === 'ar' ? service.nameAr : service.nameEn;

/** A sign for each state: colour alone must not convey it. */
const SIGNS: Record<string, string> = {
  New: '?',
  Scheduled: '○',
  Confirmed: '●',
  'In The Way': '→',
  'In The location': '⌂',
  'In Progress': '▶',
  Finished: '✓',
  Completed: '✔',
  'Cannot Complete': '✕',
};

export const STATES_WITH_SIGN = Object.keys(SIGNS);

/** Arrows point in the reading direction. */
const MIRRORED: Record<string, string> = { '→': '←', '▶': '◀' };

export function signOf(status: string): string {
  const sign = SIGNS[status] ?? '';
  return direction() === 'rtl' ? (MIRRORED[sign] ?? sign) : sign;
}

export function TeamLane({
  lane: { team, visits, unassigned },
  hours,
  grid,
  date,
  dims,
}: {
  lane: Lane;
  hours: Span;
  grid: number;
  date: string;
  dims: (visit: Visit) => boolean;
}) {
  return (
    <fieldset class="lane" data-team={team.id} aria-label={team.name}>
      <div class="lane-label">
        <div class="team">
          <a href={href(`/teams/${team.id}`)} draggable={false}>
            <bdi>{team.name}</bdi>
          </a>{' '}
          {!team.isActive && <span class="badge bad">{t('teams.inactive')}</span>}
        </div>
        <TeamVerdict teamId={team.id} />
        {may('createTimeOff') && (
          <a class="away small" href={href('/away', { teamId: team.id, date })} draggable={false}>
            {t('board.away')}
            <span class="unseen">
              {' '}
              <bdi>{team.name}</bdi>
            </span>
          </a>
        )}
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
        {visits.map((visit) => (
          <VisitBlock key={visit.id} visit={visit} hours={hours} isDim={dims(visit)} />
        ))}
      </div>
    </fieldset>
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

export function VisitBlock({ visit, hours, isDim }: { visit: Visit; hours: Span; isDim: boolean }) {
  const [from, until] = [instant(visit.startsAt), instant(visit.endsAt)];
  const at = placed(hours, from, until);
  if (at === null) return null;
  const buffer = placed(hours, until, instant(visit.busyUntil));
  const times = `${clockTime(from)}–${clockTime(until)}`;
  const { status, booking } = visit;
  const rest = [
    visit.name,
    times,
    visit.contact.name,
    stateName('appointment', status),
    stateName('paymentStatus', booking.paymentStatus),
  ].join(', ');
  const mark = [from < hours.from ? 'from-before' : '', until > hours.until ? 'goes-on' : ''].join(' ');
  return (
    <>
      {visit.isAssigned && buffer !== null && (
        <span class="buffer" style={{ insetInlineStart: buffer.start, inlineSize: buffer.size }} />
      )}
      <button
        type="button"
        id={`visit-${visit.id}`}
        data-visit={visit.id}
        class={`visit ${toneOf('appointment', status)} ${mark}`}
        data-dim={isDim ? '' : undefined}
        aria-describedby="board-keys"
        title={[serviceName(visit), visit.partner.name, rest].join(', ')}
        style={{ insetInlineStart: at.start, inlineSize: at.size }}
      >
        <span class="visit-head">
          <span class="sign">{signOf(status)}</span> <bdi dir="ltr">{clockTime(from)}</bdi>{' '}
          {booking.paymentStatus === 'PENDING' && <span class="due">SAR</span>}
        </span>
        <bdi class="visit-line">{serviceName(visit)}</bdi>
        <bdi class="visit-line">{visit.partner.name}</bdi>
        <span class="unseen">{rest}</span>
      </button>
    </>
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
