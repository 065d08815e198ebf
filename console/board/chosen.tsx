import { signal } from '@preact/signals';
import type { BoardAppointment } from '../contract.ts';
import { number } from '../format.ts';
import { t } from '../language.ts';
import { stateName } from '../parts/badge.tsx';
import { type StepVisit, statusOf, stepsOf, takeSteps } from '../parts/status-steps.tsx';
import { may } from '../session.ts';
import { statusesIn } from '../states.ts';
import type { Visit } from './day.ts';

/** Status steps of several chosen visits at once, and of one by its keys. */

type Status = BoardAppointment['status'];

/** The ids of the chosen visits. */
export const chosen = signal<ReadonlySet<string>>(new Set());

export function toggleChosen({ id }: Pick<Visit, 'id'>): void {
  const all = new Set(chosen.peek());
  if (!all.delete(id)) all.add(id);
  chosen.value = all;
}

export const clearChosen = (): void => {
  if (chosen.peek().size > 0) chosen.value = new Set();
};

const stepVisitOf = ({ booking, ...visit }: Visit): StepVisit => ({
  ...visit,
  status: statusOf(visit),
  bookingId: booking.id,
  bookingStatus: booking.status,
});

/** The order of a visit's way; the place of each is its key, from 1 on. What cannot be done asks for a reason first. */
const STEPS: readonly Status[] = statusesIn('planned', 'arriving', 'working', 'done').filter(
  (status) => status !== 'New',
);

function takeStep(visits: readonly Visit[], to: Status): void {
  const able = visits.map(stepVisitOf).filter((visit) => stepsOf(visit).includes(to));
  takeSteps(able.map((visit) => ({ visit, to })));
}

/** The handler of keys for the focused visit, or the chosen ones; returns whether it used the key. */
export function onVisitKey(key: string, visit: Visit, visits: readonly Visit[]): boolean {
  if (!may('updateAppointment')) return false;
  if (key.toLowerCase() === 'x') {
    toggleChosen(visit);
    return true;
  }
  if (key === 'Escape' && chosen.peek().size > 0) {
    clearChosen();
    return true;
  }
  const given = STEPS[Number(key) - 1];
  const to =
    key.toLowerCase() === 's' ? stepsOf(stepVisitOf(visit)).find((step) => STEPS.includes(step)) : given;
  if (to === undefined) return false;
  const all = visits.filter(({ id }) => chosen.peek().has(id));
  takeStep(all.length > 0 ? all : [visit], to);
  clearChosen();
  return true;
}

/** Chooses all visits of a status. */
export function ChooseAll({ visits }: { visits: readonly Visit[] }) {
  const counts = new Map<Status, number>();
  for (const visit of visits) {
    const status = statusOf(visit);
    if (stepsOf(stepVisitOf(visit)).length > 0) counts.set(status, (counts.get(status) ?? 0) + 1);
  }
  if (!may('updateAppointment') || counts.size === 0) return null;
  return (
    <select
      aria-label={t('board.choose')}
      value=""
      onChange={({ currentTarget }) => {
        const status = currentTarget.value;
        currentTarget.value = '';
        chosen.value = new Set(visits.filter((visit) => statusOf(visit) === status).map(({ id }) => id));
      }}
    >
      <option value="">{t('board.choose')}</option>
      {(['New', ...STEPS] as const)
        .filter((status) => counts.has(status))
        .map((status) => (
          <option key={status} value={status}>
            {t('board.allOf', {
              status: stateName('appointment', status),
              count: number(counts.get(status)!),
            })}
          </option>
        ))}
    </select>
  );
}

/** The steps that chosen visits can take, with the number of those that can. */
export function ChosenBar({ visits }: { visits: readonly Visit[] }) {
  const all = visits.filter(({ id }) => chosen.value.has(id));
  if (all.length === 0) return null;
  return (
    <section class="chosen-bar" aria-label={t('board.chosen', { count: number(all.length) })}>
      <strong>{t('board.chosen', { count: number(all.length) })}</strong>
      {STEPS.map((to) => {
        const able = all.filter((visit) => stepsOf(stepVisitOf(visit)).includes(to));
        if (able.length === 0) return null;
        return (
          <button
            key={to}
            type="button"
            onClick={() => {
              takeStep(able, to);
              clearChosen();
            }}
          >
            {t('board.setTo', { status: stateName('appointment', to), count: number(able.length) })}
          </button>
        );
      })}
      <button type="button" class="quiet" onClick={clearChosen}>
        {t('board.clearChosen')}
      </button>
    </section>
  );
}
