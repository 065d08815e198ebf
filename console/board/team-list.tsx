import type { Board, BoardTeam } from '../contract.ts';
import { dateIn, dayOf, fromTo } from '../format.ts';
import { nameOf, t } from '../language.ts';
import { stateName } from '../parts/badge.tsx';
import { statusOf } from '../parts/status-steps.tsx';
import { href } from '../router.ts';
import { clockTime, instant, type Lane, type Visit, type ZoneLanes } from './day.ts';
import type { Hits } from './hits.ts';
import { type Hold, HoldRow, startOfHold } from './holds.tsx';
import { TeamActs } from './lane.tsx';
import { lookOf, placeOf, serviceName, useIsChosen, useLateMinutes, VisitMarks } from './visit-block.tsx';

/** The day as a list for each team, for narrow screens. */

type ListProps = {
  zones: readonly ZoneLanes[];
  unassigned: readonly Visit[];
  holds: ReadonlyMap<string, readonly Hold[]>;
  board: Board;
  hits: Hits;
  open: (id: string) => void;
};

/** A search leaves only its hits. */
export function TeamList({ zones, unassigned, holds, board, hits, open }: ListProps) {
  const midnight = instant(board.from);
  // Of the night before only what is not over at midnight.
  const isShown = ({ id, endsAt }: Visit): boolean =>
    instant(endsAt) > midnight && (hits.ids === null || hits.ids.has(id));
  const rowsOf = (visits: readonly Visit[]): Entry[] =>
    visits.filter(isShown).map((visit) => ({
      at: instant(visit.startsAt),
      row: <VisitRow key={visit.id} visit={visit} midnight={midnight} hits={hits} open={open} />,
    }));
  const searched = hits.ids;
  const waiting = rowsOf(unassigned);
  if (searched?.size === 0) return <p class="empty">{t('list.noHits')}</p>;
  return (
    <div class="team-list">
      {waiting.length > 0 && (
        <section aria-label={t('board.unassigned')}>
          <h2>{t('board.unassigned')}</h2>
          <Entries entries={waiting} />
        </section>
      )}
      {zones.map(({ id, name, lanes }) => {
        const shown = searched === null ? lanes : lanes.filter(({ visits }) => visits.some(isShown));
        if (shown.length === 0) return null;
        return (
          <section key={id} aria-label={name ?? t('board.noZone')}>
            <h2>
              <bdi>{name ?? t('board.noZone')}</bdi>
            </h2>
            {shown.map((lane) => (
              <TeamDay
                key={lane.team.id}
                lane={lane}
                board={board}
                entries={[
                  ...rowsOf(lane.visits),
                  ...(searched === null ? othersOf(lane, board, holds.get(lane.team.id) ?? []) : []),
                ]}
              />
            ))}
          </section>
        );
      })}
    </div>
  );
}

type Entry = { at: number; row: preact.JSX.Element };

/** Time off, and slots that customers hold. */
const othersOf = ({ team }: Lane, board: Board, holds: readonly Hold[]): Entry[] => [
  ...team.timeOff.map(({ id, startsAt, endsAt, reason }) => ({
    at: instant(startsAt),
    row: (
      <li key={id} class="list-off">
        {instant(startsAt) <= instant(board.from) && instant(endsAt) >= instant(board.until) ? (
          t('list.allDay')
        ) : (
          <Times from={startsAt} until={endsAt} />
        )}{' '}
        <bdi>{reason || t('cannot.timeOff')}</bdi>
      </li>
    ),
  })),
  ...holds.map((hold) => ({
    at: startOfHold(hold),
    row: <HoldRow key={hold.holdId} hold={hold} />,
  })),
];

function TeamDay({ lane: { team }, board, entries }: { lane: Lane; board: Board; entries: Entry[] }) {
  const isOff = entries.length === 0 && team.shifts.length === 0;
  return (
    <section class="team-day" data-team={team.id} aria-label={nameOf(team)}>
      <h3>
        <a href={href(`/teams/${team.id}`)}>
          <bdi>{nameOf(team)}</bdi>
        </a>{' '}
        {!team.isActive && <span class="badge bad">{t('teams.inactive')}</span>}
      </h3>
      <p class="small">
        <span class="faint">
          <TeamHours team={team} midnight={instant(board.from)} />
          {entries.length === 0 && !isOff && ` · ${t('list.noVisits')}`}
        </span>
        {!isOff && <TeamActs team={team} date={board.date} />}
      </p>
      {entries.length > 0 && <Entries entries={entries} />}
    </section>
  );
}

/** The shifts that begin on the date, else the rest of the night before. */
function TeamHours({ team: { shifts }, midnight }: { team: BoardTeam; midnight: number }) {
  if (shifts.length === 0) return <>{t('list.off')}</>;
  const own = shifts.filter(({ startsAt }) => instant(startsAt) >= midnight);
  return (own.length > 0 ? own : shifts).map(({ startsAt, endsAt }, index) => (
    <span key={startsAt}>
      {index > 0 && ' · '}
      <Times from={startsAt} until={endsAt} />
    </span>
  ));
}

const Entries = ({ entries }: { entries: readonly Entry[] }) => (
  <ul>{entries.toSorted((one, other) => one.at - other.at).map(({ row }) => row)}</ul>
);

const Times = ({ from, until }: { from: string; until: string }) => (
  <bdi>{fromTo(clockTime(instant(from)), clockTime(instant(until)))}</bdi>
);

type RowProps = Pick<ListProps, 'hits' | 'open'> & { visit: Visit; midnight: number };

function VisitRow({ visit, midnight, hits, open }: RowProps) {
  const status = statusOf(visit);
  const minutes = useLateMinutes(visit, status);
  const isChosen = useIsChosen(visit.id);
  const [look, sign] = lookOf(status);
  return (
    <li>
      <button
        type="button"
        id={`visit-${visit.id}`}
        class={`visit ${look} ${minutes > 0 ? 'is-late' : ''}`}
        data-hit={hits.current === visit.id ? '' : undefined}
        data-chosen={isChosen ? '' : undefined}
        onClick={() => open(visit.id)}
      >
        <span class="visit-head">
          <span aria-hidden="true">{sign}</span>{' '}
          {instant(visit.startsAt) < midnight && dayOf(dateIn(instant(visit.startsAt)))}{' '}
          <Times from={visit.startsAt} until={visit.endsAt} /> {stateName('appointment', status)}
          {isChosen && <span class="unseen">, {t('board.isChosen')}</span>}{' '}
          <VisitMarks visit={visit} minutes={minutes} />
        </span>
        <bdi>{placeOf(visit)}</bdi>
        <bdi>{serviceName(visit)}</bdi>
      </button>
    </li>
  );
}
