import { t } from '../language.ts';
import { delayOf, type Lateness } from './lateness.ts';

/** The lateness of a visit in words. */

/** `41 min`, `2 h 20 min`. */
export const durationText = (minutes: number): string =>
  minutes < 60
    ? t('day.minutes', { minutes })
    : t('day.hours', { hours: Math.floor(minutes / 60), minutes: minutes % 60 });

export const latenessText = ({ is, minutes }: Lateness): string =>
  t(is === 'late' ? 'day.late' : 'day.over', { time: durationText(minutes) });

/** A reported delay in words; 0: on time after all. */
export const delayText = (minutes: number): string =>
  minutes === 0 ? t('day.onTime') : t('day.saidLate', { time: durationText(minutes) });

/** The delay that was reported of a visit, until the team is there. */
export function DelayBadge({ visit }: { visit: Parameters<typeof delayOf>[0] }) {
  const minutes = delayOf(visit);
  return minutes === null ? null : <span class="badge notice">{delayText(minutes)}</span>;
}

export function LateBadge({ lateness }: { lateness: Lateness }) {
  return <span class="badge bad">{latenessText(lateness)}</span>;
}
