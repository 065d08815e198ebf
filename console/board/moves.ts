import { computed, signal } from '@preact/signals';
import { call } from '../api.ts';
import type { Failure } from '../calls.ts';
import { changed, onChange } from '../changes.ts';
import type { Appointment, Placements } from '../contract.ts';
import { dateIn, dayOf } from '../format.ts';
import { nameOf, t } from '../language.ts';
import { versionAfterSteps } from '../parts/status-steps.tsx';
import { toast } from '../parts/toasts.tsx';
import type { ForCustomer } from '../parts/whose-decision.tsx';
import { asFailure } from '../query.ts';
import { CLOSED, MOVABLE } from '../states.ts';
import { clockTime, instant, type Override, type Visit } from './day.ts';

/** Moving a visit: the picked visit, its drop target, its placements, and the result. */

/** The fields of a visit for a move. */
export type MovableVisit = Pick<
  Visit,
  'id' | 'name' | 'version' | 'status' | 'isAssigned' | 'teamId' | 'startsAt' | 'endsAt' | 'busyUntil'
>;

export type Goal = { teamId: string; start: number };

export type Picked = { visit: Visit; by: 'pointer' | 'keyboard' };

export const picked = signal<Picked | null>(null);
/** The drop target; null: there is none. */
export const goal = signal<Goal | null>(null);
export const goalStart = computed(() => goal.value?.start ?? null);
/** Placements of the picked visit; null: not loaded yet. */
export const placements = signal<Placements | null>(null);

/** Local changes that the loaded board lacks. */
export const overrides = signal<ReadonlyMap<string, Override>>(new Map());

/** The result of a failed move. */
export type Outcome =
  | { is: 'refused'; visit: MovableVisit; to: Goal; how: How; failure: Failure }
  | { is: 'stale'; visit: MovableVisit; to: Goal; how: How; current: Appointment };
export const outcome = signal<Outcome | null>(null);

/** Text for screen readers. */
export const announcement = signal('');

let stopLoading = (): void => {};

export function pickUp(visit: Visit, by: Picked['by']): void {
  picked.value = { visit, by };
  goal.value = { teamId: visit.teamId, start: instant(visit.startsAt) };
  placements.value = null;
  let ended = new AbortController();
  const load = (): void => {
    // Aborts the earlier request.
    ended.abort();
    ended = new AbortController();
    const { signal } = ended;
    call('listPlacements', { id: visit.id, query: { date: dateIn(instant(visit.startsAt)) } }, { signal })
      .then(({ data }) => {
        if (!signal.aborted) placements.value = data;
      })
      // Without placements the rows are neutral, and the service decides on the drop.
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

/** Drops the visit at its target. */
export function drop(): void {
  const [held, to] = [picked.peek(), goal.peek()];
  giveUp();
  if (held === null || to === null) return;
  const { visit } = held;
  if (visit.isAssigned && to.teamId === visit.teamId && to.start === instant(visit.startsAt)) return;
  void moveTo(visit, to);
}

export type How = ForCustomer & {
  reason?: string;
  isUndo?: boolean;
  /** Holds that may end for it. */
  displaceHolds?: string[];
};

/** Pending moves of one visit. */
type Moves = {
  count: number;
  last: Promise<unknown>;
  /** The visit as the service has it, and the override to restore when the last move fails. */
  visit: MovableVisit;
  known: Override | undefined;
};
const underWay = new Map<string, Moves>();

/**
 * Moves a visit; `reason` forces it against the rules. Resolves to whether it was moved. Moves of one visit are sent
 * one after the other, each with the version that the one before it returned; only the last one reports its result.
 */
export function moveTo(visit: MovableVisit, to: Goal, how: How = {}): Promise<boolean> {
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

async function makeMove(moves: Moves, to: Goal, how: How): Promise<boolean> {
  const { visit } = moves;
  const { reason, isUndo = false, ...forCustomer } = how;
  const end = to.start + instant(visit.endsAt) - instant(visit.startsAt);
  try {
    const takes = {
      id: visit.id,
      body: {
        teamId: to.teamId,
        date: dateIn(to.start),
        timeslot: { startAt: clockTime(to.start), endAt: clockTime(end) },
        ...(visit.status === 'New' && { status: 'Scheduled' as const }),
        ...(reason !== undefined && { force: true, reason }),
        ...forCustomer,
      },
    };
    // Steps of it that can still be undone are sent first.
    const ifMatch = await versionAfterSteps(visit);
    const { data } = await onceOnline(visit, () => call('updateAppointment', takes, { ifMatch }));
    moves.visit = withResponse(visit, data);
    // With its version, so that it can be moved again before the board is reloaded.
    moves.known = {
      version: data.version,
      teamId: data.team.id,
      from: instant(data.startsAt),
      isAssigned: data.status !== 'New',
    };
    changed(['appointments', 'bookings', 'audit']);
    if (moves.count === 1) showMoved(visit, data, how);
    return true;
  } catch (error) {
    const failure = asFailure(error);
    const current = failure.details.current as Appointment | undefined;
    if (moves.count === 1) {
      outcome.value =
        failure.status === 409 && current !== undefined
          ? { is: 'stale', visit, to, how, current }
          : { is: 'refused', visit, to, how, failure };
    }
    if (failure.status === 409) changed(['appointments']);
    return false;
  } finally {
    moves.count--;
    const shown = overrides.peek().get(visit.id);
    if (moves.count === 0) {
      underWay.delete(visit.id);
      override(visit.id, moves.known);
      // Keeps the target of the next move until the board has it.
    } else if (shown !== undefined) override(visit.id, { ...shown, version: moves.visit.version });
  }
}

/** Sends a move, again when the browser is online again; meanwhile a message says that it waits, as for steps. */
async function onceOnline<T>(visit: MovableVisit, send: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await send();
    } catch (error) {
      if (asFailure(error).status !== 0 || navigator.onLine || !(await isWaitedFor(visit))) throw error;
    }
  }
}

/** Resolves when the browser is online, or to false: it is not sent. */
async function isWaitedFor({ name }: MovableVisit): Promise<boolean> {
  let dismiss = (): void => {};
  const isOnline = await new Promise<boolean>((resolve) => {
    addEventListener('online', () => resolve(true), { once: true });
    dismiss = toast(t('board.waiting', { name }), {
      isFailure: true,
      acts: [{ text: t('step.giveUp'), run: () => resolve(false) }],
    });
  });
  dismiss();
  return isOnline;
}

/** The visit, updated from a response. */
export const withResponse = (
  visit: MovableVisit,
  { version, status, team, startsAt, endsAt }: Appointment,
): MovableVisit => ({
  ...visit,
  version,
  status,
  isAssigned: status !== 'New',
  teamId: team.id,
  startsAt,
  endsAt,
  busyUntil: new Date(instant(endsAt) + instant(visit.busyUntil) - instant(visit.endsAt)).toISOString(),
});

function showMoved(before: MovableVisit, after: Appointment, { isUndo, onBehalfOf }: How): void {
  const isSameDay = dateIn(instant(before.startsAt)) === dateIn(instant(after.startsAt));
  const { startAt } = after.timeslot;
  const time = isSameDay ? startAt : `${dayOf(after.date)} ${startAt}`;
  const values = { name: after.name, team: nameOf(after.team), time };
  const text = t(isUndo ? 'board.undone' : 'board.moved', values);
  announcement.value = text;
  // An undo cannot restore the state New, and takes no fee back.
  if (isUndo || before.status === 'New' || onBehalfOf !== undefined) {
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

/** Whether the visit can be picked up. For display; the service decides. */
export const isMovable = ({ status, booking }: Visit): boolean =>
  MOVABLE.includes(status) && !CLOSED.includes(booking.status);
