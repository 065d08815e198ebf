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

/** Moves a visit; with a reason against the rules. Resolves to whether it was moved. */
export async function moveTo(visit: Visit, to: Goal, { reason, isUndo = false }: How = {}): Promise<boolean> {
  outcome.value = null;
  const end = to.start + instant(visit.endsAt) - instant(visit.startsAt);
  const known = overrides.peek().get(visit.id);
  override(visit.id, { version: visit.version, teamId: to.teamId, from: to.start, isAssigned: true });
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
    // With its version, so that it can be moved again before the board is loaded anew.
    override(visit.id, {
      version: data.version,
      teamId: data.team.id,
      from: instant(data.startsAt),
      isAssigned: data.status !== 'New',
    });
    changed(['appointments', 'bookings', 'audit']);
    tellOf(visit, data, isUndo);
    return true;
  } catch (error) {
    override(visit.id, known);
    const failure = asFailure(error);
    const current = failure.details.current as Appointment | undefined;
    outcome.value =
      failure.status === 409 && current !== undefined
        ? { is: 'stale', visit, to, current }
        : { is: 'refused', visit, to, failure };
    if (failure.status === 409) changed(['appointments']);
    return false;
  }
}

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
