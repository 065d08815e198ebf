import { changed, TOPICS } from '../changes.ts';
import { token } from '../session.ts';

const EVERY = 15_000;

/** Reloads periodically while the page is visible. */
export function refreshOften(): void {
  setInterval(() => {
    if (token.peek() !== null && !document.hidden) changed(TOPICS);
  }, EVERY);
}
