import { computed, signal } from '@preact/signals';
import { call } from '../api.ts';
import type { Failure } from '../calls.ts';
import { changed, onChange } from '../changes.ts';
import type { Appointment, Placements } from '../contract.ts';
import { dateIn } from '../format.ts';
import { t } from '../language.ts';
import { toast } from '../parts/toasts.tsx';
import { asFailure } from '../query.ts';
import { CLOSED, MOVABLE } from '../states.ts';
import { clockTime, instant, type Override, type Visit } from './day.ts';

/** Moving a visit: what is picked up, where it would go, what the service says of that, and what becomes of it. */

export type Goal = { teamId: string; start: number };

export type Picked = { visit: Visit; by: 'pointer' | 'keyboard' };

export const picked = signal<Picked | null>(null);
/** Where it would be dropped; null: nowhere. */
export const goal = signal<Goal | null>(null);
export const goalStart = computed(() => goal.value?.start ?? null);
/** Of what is picked up; null: not known yet. */
export const placements = signal<Placements | null>(null);

/** Just changed, and not in the loaded board yet. */
export const overrides = signal<ReadonlyMap<string, Override>>(new Map());

/** What a move came to, when it did not work. */
export type Outcome =
  | { is: 'refused'; visit: Visit; to: Goal; failure: Failure }
  | { is: 'stale'; visit: Visit; to: Goal; current: Appointment };
export const outcome = signal<Outcome | null>(null);

/** Said to those who do not see the board. */
export const announcement = signal('');

let stopLoading = (): void => {};

export function pickUp(visit: Visit, by: Picked['by']): void {
  picked.value = { visit, by };
  goal.value = { teamId: visit.teamId, start: instant(visit.startsAt) };
  placements.value = null;
  let ended = new AbortController();
  const load = (): void => {
    // What was asked before is older.
    ended.abort();
    ended = new AbortController();
    const { signal } = ended;
    call('listPlacements', { id: visit.id, query: { date: dateIn(instant(visit.startsAt)) } }, { signal })
      .then(({ data }) => {
        if (!signal.aborted) placements.value = data;
      })
      // The rows then say nothing, and the service decides when it is dropped.
      .catch(() => {});
  };
  stopLoading();
  load();
  const stop = onChange(['appointments', 'availability'], load);
  stopLoading = () => {
    stop();
    ended.abort();
  };
}

export function giveUp(): void {
  stopLoading();
  picked.value = null;
  goal.value = null;
  placements.value = null;
}

/** Ends the move where it is. */
export function drop(): void {
  const [held, to] = [picked.peek(), goal.peek()];
  giveUp();
  if (held === null || to === null) return;
  const { visit } = held;
  if (visit.isAssigned && to.teamId === visit.teamId && to.start === instant(visit.startsAt)) return;
  void moveTo(visit, to);
}

type How = { reason?: string; isUndo?: boolean };

/** Moves of one visit that the service has not answered. */
type Moves = {
  count: number;
  last: Promise<unknown>;
  /** As the service has it, and what the board is to show of that when the last one is answered. */
  visit: Visit;
  known: Override | undefined;
};
const underWay = new Map<string, Moves>();

/**
 * Moves a visit; with a reason against the rules. Resolves to whether it was moved. While an earlier move has no answer
 * it waits for that, and goes on from it; what became of a move that another one follows is not told.
 */
export function moveTo(visit: Visit, to: Goal, how: How = {}): Promise<boolean> {
  outcome.value = null;
  const moves = underWay.get(visit.id) ?? {
    count: 0,
    last: Promise.resolve(),
    visit,
    known: overrides.peek().get(visit.id),
  };
  underWay.set(visit.id, moves);
  moves.count++;
  override(visit.id, {
    version: moves.visit.version,
    teamId: to.teamId,
    from: to.start,
    isAssigned: true,
  });
  const moved = moves.last.then(() => makeMove(moves, to, how));
  moves.last = moved;
  return moved;
}

async function makeMove(moves: Moves, to: Goal, { reason, isUndo = false }: How): Promise<boolean> {
  const { visit } = moves;
  const end = to.start + instant(visit.endsAt) - instant(visit.startsAt);
  try {
    const { data } = await call(
      'updateAppointment',
      {
        id: visit.id,
        body: {
          teamId: to.teamId,
          date: dateIn(to.start),
          timeslot: { startAt: clockTime(to.start), endAt: clockTime(end) },
          ...(visit.status === 'New' && { status: 'Scheduled' as const }),
          ...(reason !== undefined && { force: true, reason }),
        },
      },
      { ifMatch: visit.version },
    );
    moves.visit = asAnswered(visit, data);
    // With its version, so that it can be moved again before the board is loaded anew.
    moves.known = {
      version: data.version,
      teamId: data.team.id,
      from: instant(data.startsAt),
      isAssigned: data.status !== 'New',
    };
    changed(['appointments', 'bookings', 'audit']);
    if (moves.count === 1) tellOf(visit, data, isUndo);
    return true;
  } catch (error) {
    const failure = asFailure(error);
    const current = failure.details.current as Appointment | undefined;
    if (moves.count === 1) {
      outcome.value =
        failure.status === 409 && current !== undefined
          ? { is: 'stale', visit, to, current }
          : { is: 'refused', visit, to, failure };
    }
    if (failure.status === 409) changed(['appointments']);
    return false;
  } finally {
    moves.count--;
    const shown = overrides.peek().get(visit.id);
    if (moves.count === 0) {
      underWay.delete(visit.id);
      override(visit.id, moves.known);
      // Where the next one leads, also once the board knows of this one.
    } else if (shown !== undefined) override(visit.id, { ...shown, version: moves.visit.version });
  }
}

/** The visit with what an answer says of it. */
export const asAnswered = (
  visit: Visit,
  { version, status, team, startsAt, endsAt }: Appointment,
): Visit => ({
  ...visit,
  version,
  status,
  isAssigned: status !== 'New',
  teamId: team.id,
  startsAt,
  endsAt,
  busyUntil: new Date(instant(endsAt) + instant(visit.busyUntil) - instant(visit.endsAt)).toISOString(),
});

function tellOf(before: Visit, after: Appointment, isUndo: boolean): void {
  const values = { name: after.name, team: after.team.name, time: after.timeslot.startAt };
  const text = t(isUndo ? 'board.undone' : 'board.moved', values);
  announcement.value = text;
  // One that was not assigned cannot become so again.
  if (isUndo || before.status === 'New') {
    toast(text);
    return;
  }
  const moved = { ...before, version: after.version, startsAt: after.startsAt, endsAt: after.endsAt };
  const back = { teamId: before.teamId, start: instant(before.startsAt) };
  toast(text, {
    undoText: t('board.undo'),
    undo: () => void moveTo(moved, back, { reason: t('board.undoReason'), isUndo: true }),
  });
}

function override(id: string, changed: Override | undefined): void {
  const all = new Map(overrides.peek());
  if (changed === undefined) all.delete(id);
  else all.set(id, changed);
  overrides.value = all;
}

/** Whether it can be picked up; the service decides in any case. */
export const isMovable = ({ status, booking }: Visit): boolean =>
  MOVABLE.includes(status) && !CLOSED.includes(booking.status);
