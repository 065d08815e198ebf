import { signal } from '@preact/signals';
import { number } from '../format.ts';
import { t } from '../language.ts';

/** The zoom of the board's hours, kept by the browser: 1 fits them into the width. */

const LEVELS = [1, 1.5, 2, 3, 4] as const;
const STORAGE_KEY = 'console.board.zoom';

export const zoom = signal<number>(
  LEVELS.find((level) => String(level) === localStorage.getItem(STORAGE_KEY)) ?? 1,
);

function setZoom(level: number): void {
  localStorage.setItem(STORAGE_KEY, String(level));
  zoom.value = level;
}

export function ZoomButtons() {
  const at = LEVELS.indexOf(zoom.value as (typeof LEVELS)[number]);
  return (
    <fieldset class="zoom" aria-label={t('board.zoom')}>
      <button
        type="button"
        aria-label={t('board.zoomOut')}
        disabled={at === 0}
        onClick={() => setZoom(LEVELS[at - 1]!)}
      >
        −
      </button>
      <button type="button" disabled={at === 0} onClick={() => setZoom(1)}>
        {at === 0 ? t('board.fits') : `${number(zoom.value * 100)} %`}
      </button>
      <button
        type="button"
        aria-label={t('board.zoomIn')}
        disabled={at === LEVELS.length - 1}
        onClick={() => setZoom(LEVELS[at + 1]!)}
      >
        +
      </button>
    </fieldset>
  );
}
