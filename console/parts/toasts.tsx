import { signal } from '@preact/signals';
import { t } from '../language.ts';

/** Short messages of success, which disappear. Errors are shown at their form or page. */

type Toast = { id: number; text: string; undo?: () => void; undoText?: string };

const toasts = signal<readonly Toast[]>([]);
let lastId = 0;
const TOAST_MS = 6_000;
/** Messages with Undo stay longer. */
const UNDO_TOAST_MS = 30_000;

export function toast(text: string, { undo, undoText }: { undo?: () => void; undoText?: string } = {}): void {
  const id = ++lastId;
  toasts.value = [...toasts.value, { id, text, ...(undo && { undo }), ...(undoText && { undoText }) }];
  setTimeout(() => dismiss(id), undo ? UNDO_TOAST_MS : TOAST_MS);
}

function dismiss(id: number): void {
  toasts.value = toasts.value.filter((one) => one.id !== id);
}

export function Toasts() {
  return (
    <div class="toasts" role="status">
      {toasts.value.map(({ id, text, undo, undoText }) => (
        <p key={id}>
          <bdi>{text}</bdi>
          {undo && (
            <button
              type="button"
              class="quiet"
              onClick={() => {
                dismiss(id);
                undo();
              }}
            >
              {undoText}
            </button>
          )}
          <button type="button" class="quiet" aria-label={t('act.dismiss')} onClick={() => dismiss(id)}>
            ✕
          </button>
        </p>
      ))}
    </div>
  );
}
