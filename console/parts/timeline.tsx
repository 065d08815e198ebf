import type { ComponentChildren } from 'preact';
import { exactTime } from '../format.ts';

export type Moment = {
  key: string;
  /** ISO 8601. */
  at: string;
  tone?: 'good' | 'bad' | 'notice';
  title: ComponentChildren;
  body?: ComponentChildren;
};

/** Moments, in the given order. */
export function Timeline({ moments }: { moments: readonly Moment[] }) {
  return (
    <ol class="timeline">
      {moments.map(({ key, at, tone, title, body }) => (
        <li key={key} data-tone={tone}>
          <time dateTime={at}>{exactTime(at)}</time>
          <div>
            <p>{title}</p>
            {body}
          </div>
        </li>
      ))}
    </ol>
  );
}
