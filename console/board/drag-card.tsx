import type { Board } from '../contract.ts';
import { fromTo } from '../format.ts';
import { nameById, t } from '../language.ts';
import { clockTime, instant } from './day.ts';
import { announcement, goal, picked, placements } from './moves.ts';
import { verdictOf } from './placements.ts';

/** The label of a visit during a move: on the dragged card, at the marker, and for screen readers. */

const verdictNow = () => {
  const to = goal.value;
  return to && placements.value && verdictOf(placements.value, to.teamId, to.start);
};

/** The dragged card: where the visit would go, and whether it can. */
export function GhostCard({ board }: { board: Board }) {
  const held = picked.value;
  if (held?.by !== 'pointer') return null;
  const { visit } = held;
  const to = goal.value;
  const verdict = verdictNow();
  const start = to?.start ?? instant(visit.startsAt);
  const end = start + instant(visit.endsAt) - instant(visit.startsAt);
  return (
    <>
      <strong>{fromTo(clockTime(start), clockTime(end))}</strong>
      <bdi>{nameById(board.teams, to?.teamId)}</bdi>
      <span class="ghost-verdict" data-is={verdict?.is ?? 'unknown'}>
        {verdict?.text}
      </span>
    </>
  );
}

/** The drop position of a move by keyboard, and whether it is free. */
export function MarkerText() {
  const to = goal.value;
  if (to === null || picked.value?.by !== 'keyboard') return null;
  const verdict = verdictNow();
  return (
    <span class="marker-text" data-is={verdict?.is ?? 'unknown'}>
      <bdi dir="ltr">{clockTime(to.start)}</bdi> {verdict && <bdi>{verdict.text}</bdi>}
    </span>
  );
}

/** Announces the result of moves by keyboard. */
export function Announcer({ board }: { board: Board }) {
  const held = picked.value;
  const to = goal.value;
  let text = announcement.value;
  if (held !== null && to !== null) {
    text = t('board.goal', {
      name: held.visit.name,
      team: nameById(board.teams, to.teamId),
      time: clockTime(to.start),
      verdict: verdictNow()?.text ?? '',
    });
  }
  return (
    <p class="unseen" role="status">
      {text}
    </p>
  );
}
