import { t } from '../language.ts';
import type { Lateness } from './lateness.ts';

/** The lateness of a visit in words. */

/** `41 min`, `2 h 20 min`. */
export const durationText = (minutes: number): string =>
  minutes < 60
    ? t('day.minutes', { minutes })
    : t('day.hours', { hours: Math.floor(minutes / 60), minutes: minutes % 60 });

export const latenessText = ({ is, minutes }: Lateness): string =>
  t(is === 'late' ? 'day.late' : 'day.over', { time: durationText(minutes) });

export function LateBadge({ lateness }: { lateness: Lateness }) {
  return <span class="badge bad">{latenessText(lateness)}</span>;
}
