import { useId, useRef, useState } from 'preact/hooks';
import { instant } from '../board/day.ts';
import { type Goal, type MovableVisit, moveTo } from '../board/moves.ts';
import {
  heldText,
  type Placements,
  type PlacementTeam,
  ranked,
  reasonText,
  startOf,
} from '../board/placements.ts';
import { dateIn, number } from '../format.ts';
import { nameOf, t } from '../language.ts';
import { useQuery } from '../query.ts';
import { now } from '../session.ts';
import { DateInput } from './date-input.tsx';
import { Dialog } from './dialog.tsx';
import { Loaded } from './failed.tsx';
import { ask } from './questions.tsx';
import { useWhoseDecision } from './whose-decision.tsx';

/** Moves a visit to another team, time or date. */
export function MoveDialog({
  visit,
  bookingId,
  onClose,
}: {
  visit: MovableVisit;
  bookingId: string;
  onClose: () => void;
}) {
  return (
    <Dialog title={t('move.title', { name: visit.name })} onClose={onClose}>
      <MovePlaces visit={visit} bookingId={bookingId} onDone={onClose} />
    </Dialog>
  );
}

/** Where a visit can be moved to, and whose decision that is. */
export function MovePlaces({
  visit,
  bookingId,
  onDone,
}: {
  visit: MovableVisit;
  bookingId: string;
  onDone: () => void;
}) {
  // The version that was shown: a later change is a conflict.
  const [seen] = useState(visit);
  const { given, choice } = useWhoseDecision(bookingId, 'reschedule');
  return (
    <>
      {choice}
      <Places
        visit={visit}
        act={t('board.move')}
        onChoose={(goal, reason) => {
          onDone();
          void moveTo(seen, goal, { ...given, ...(reason !== undefined && { reason }) });
        }}
      />
    </>
  );
}

/**
 * Placements on a date, best first; on request also those against the rules, each with the reason. `act` is what choosing one
 * does. `reason`: why against the rules.
 */
export function Places({
  visit,
  act,
  onChoose,
}: {
  visit: Pick<MovableVisit, 'id' | 'startsAt'>;
  act: string;
  onChoose: (goal: Goal, reason?: string) => void;
}) {
  const [date, setDate] = useState(dateIn(Math.max(instant(visit.startsAt), now.peek())));
  const [isForced, setForced] = useState(false);
  const id = useId();
  const places = useQuery('listPlacements', date === '' ? null : { id: visit.id, query: { date } }, [
    'appointments',
    'availability',
  ]);
  async function choose(teamId: string, start: number, broken: string | null): Promise<void> {
    if (broken === null) return onChoose({ teamId, start });
    const reason = await ask({
      title: t('board.forceTitle'),
      text: t('board.forceText', { reason: reasonText(broken) }),
      reason: t('field.reason'),
      confirm: t('board.force'),
      danger: true,
    });
    if (reason) onChoose({ teamId, start }, reason);
  }
  return (
    <section class="places" aria-label={act}>
      <p class="field">
        <label for={`${id}-date`}>{t('board.date')}</label>
        <DateInput id={`${id}-date`} plans value={date} onChange={setDate} />
      </p>
      <div class="field check">
        <input
          id={`${id}-force`}
          type="checkbox"
          checked={isForced}
          onChange={(event) => setForced(event.currentTarget.checked)}
        />
        <label for={`${id}-force`}>{t('move.breaks')}</label>
      </div>
      <Loaded query={places}>
        {({ data }) => (
          <Teams
            key={data.date}
            act={act}
            data={data}
            isForced={isForced}
            choose={(team, start, broken) => void choose(team, start, broken)}
          />
        )}
      </Loaded>
    </section>
  );
}

type Choose = (teamId: string, start: number, broken: string | null) => void;

function Teams({
  act,
  data,
  isForced,
  choose,
}: {
  act: string;
  data: Placements;
  isForced: boolean;
  choose: Choose;
}) {
  const first = useRef<string[]>([]);
  const free = inOrder(first.current, ranked(data));
  first.current = free.map(({ id }) => id);
  const others = data.teams.filter(({ rank }) => rank === null);
  return (
    <>
      {free.length === 0 && <p class="empty">{t('board.noPlaces')}</p>}
      <ul class="place-list">
        {(isForced ? data.teams : free).map((team) => (
          <li key={team.id}>
            <Place
              act={act}
              starts={startsOf(data, team, isForced)}
              team={team}
              choose={(startAt, broken) => choose(team.id, startOf(data, startAt), broken)}
            />
          </li>
        ))}
        {!isForced &&
          others.map((team) => (
            <li key={team.id} class="faint small">
              <bdi>{nameOf(team)}</bdi>:{' '}
              {team.reason === null ? t('board.noneFree') : reasonText(team.reason)}
            </li>
          ))}
      </ul>
    </>
  );
}

/** The teams in the order in which the reader has seen them, new ones last: none moves away under a pointer. */
function inOrder<T extends { id: string }>(seen: readonly string[], teams: readonly T[]): T[] {
  const place = ({ id }: T): number => (seen.includes(id) ? seen.indexOf(id) : seen.length);
  return teams.toSorted((a, b) => place(a) - place(b));
}

/** `broken`: the rule against it; null: it is free. */
type Start = { startAt: string; broken: string | null; held: string; detourKm: number };

function startsOf(data: Placements, { slots, reason }: PlacementTeam, isForced: boolean): Start[] {
  return slots.flatMap((slot, index) => {
    const broken = slot.reason ?? reason ?? data.starts[index]?.problem ?? null;
    return broken === null || isForced
      ? [{ startAt: slot.startAt, broken, held: heldText(slot.holds), detourKm: slot.detourKm ?? 0 }]
      : [];
  });
}

function Place({
  act,
  starts,
  team,
  choose,
}: {
  act: string;
  starts: readonly Start[];
  team: PlacementTeam;
  choose: (startAt: string, broken: string | null) => void;
}) {
  const { best, keepsTeam, usedMinutes } = team;
  const name = nameOf(team);
  const [chosen, setChosen] = useState<string | null>(null);
  const possible = starts.filter(({ broken }) => broken !== 'BUSY');
  const first = best?.startAt ?? possible[0]?.startAt;
  const start = possible.find(({ startAt }) => startAt === (chosen ?? first));
  return (
    <div class="place">
      <span>
        <bdi>{name}</bdi>{' '}
        <span class="faint small">
          {[
            keepsTeam ? t('board.keepsTeam') : '',
            start !== undefined && start.detourKm > 0
              ? t('board.detour', { km: number(start.detourKm) })
              : '',
            t('board.used', { hours: number(Math.round(usedMinutes / 6) / 10) }),
          ]
            .filter(Boolean)
            .join(' · ')}
        </span>
      </span>
      <select
        aria-label={t('board.startOf', { team: name })}
        value={start?.startAt ?? ''}
        disabled={possible.length === 0}
        onChange={(event) => setChosen(event.currentTarget.value)}
      >
        {starts.map(({ startAt, broken, held }) => (
          <option key={startAt} value={startAt} disabled={broken === 'BUSY'}>
            {[startAt, broken === null ? held : reasonText(broken)].filter(Boolean).join(' – ')}
          </option>
        ))}
      </select>
      <button
        type="button"
        class={start !== undefined && start.broken !== null ? 'danger' : undefined}
        disabled={start === undefined}
        onClick={() => start !== undefined && choose(start.startAt, start.broken)}
      >
        {act}
        <span class="unseen">
          {' '}
          <bdi>{name}</bdi>
        </span>
      </button>
    </div>
  );
}
