import { changed, TOPICS } from '../changes.ts';
import { token } from '../session.ts';

const EVERY = 15_000;

/** What is shown is loaded anew four times a minute, while somebody can see it. */
export function refreshOften(): void {
  setInterval(() => {
    if (token.peek() !== null && !document.hidden) changed(TOPICS);
  }, EVERY);
}
