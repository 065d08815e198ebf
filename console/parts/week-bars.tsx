import type { Team } from '../contract.ts';
import { fromTo, weekdayName } from '../format.ts';
import { t } from '../language.ts';

export type Shift = Team['shifts'][number];

/** The days of the week in the Saudi order, Sunday (7) first. */
export const WEEK = [7, 1, 2, 3, 4, 5, 6] as const;

const DAY = 1_440;

const minutesOf = (time: string): number => Number(time.slice(0, 2)) * 60 + Number(time.slice(3, 5));

/** Whether the shift ends on the next day. */
export const isOvernight = ({ startAt, endAt }: Pick<Shift, 'startAt' | 'endAt'>): boolean =>
  minutesOf(endAt) <= minutesOf(startAt);

/** A shift as parts of days: an overnight one has two. */
function partsOf(shift: Shift): { day: number; from: number; until: number }[] {
  const [from, end] = [minutesOf(shift.startAt), minutesOf(shift.endAt)];
  if (!isOvernight(shift)) return [{ day: shift.weekday, from, until: end }];
  const next = shift.weekday === 7 ? 1 : shift.weekday + 1;
  return [{ day: shift.weekday, from, until: DAY }, ...(end > 0 ? [{ day: next, from: 0, until: end }] : [])];
}

/** The shifts of a week: a bar for each day. */
export function WeekBars({ shifts }: { shifts: readonly Shift[] }) {
  const parts = shifts.flatMap(partsOf);
  const text = WEEK.flatMap((day) =>
    shifts
      .filter(({ weekday }) => weekday === day)
      .map(({ startAt, endAt }) => `${weekdayName(day)} ${fromTo(startAt, endAt)}`),
  ).join(', ');
  return (
    <svg class="share-bar week-bars" viewBox="0 0 1440 70" preserveAspectRatio="none" role="img">
      <title>{text === '' ? t('teams.dayOff') : text}</title>
      {WEEK.map((day, index) => (
        <rect key={day} class="of" x={0} y={index * 10 + 1} width={DAY} height={8} />
      ))}
      {parts.map(({ day, from, until }, index) => (
        <rect
          key={index}
          class="is"
          x={from}
          y={WEEK.indexOf(day as 1) * 10 + 1}
          width={until - from}
          height={8}
        />
      ))}
    </svg>
  );
}
