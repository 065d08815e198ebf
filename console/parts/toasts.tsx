import { signal } from '@preact/signals';
import { t } from '../language.ts';

/** Short messages, which disappear; and failures of what was begun on a page that may be left by now, which stay. */

type ToastAct = { text: string; run: () => void };
type ToastOptions = {
  undo?: (() => void) | undefined;
  undoText?: string;
  /** Buttons, each dismisses the message. */
  acts?: readonly ToastAct[];
  /** Milliseconds until it disappears. */
  lasts?: number;
  /** A failure: it is read out at once and stays until it is dismissed. */
  isFailure?: boolean;
};
type Toast = { id: number; text: string; acts: readonly ToastAct[]; isFailure: boolean };

/** The ids of open dialogs, the topmost last. */
export const openDialogs = signal<readonly string[]>([]);

const toasts = signal<readonly Toast[]>([]);
let lastId = 0;
const TOAST_MS = 6_000;
/** Messages with Undo stay longer. */
const UNDO_TOAST_MS = 30_000;

/** Shows a message; returns a function that dismisses it. */
export function toast(text: string, options: ToastOptions = {}): () => void {
  const { undo, undoText = t('board.undo'), acts = [], isFailure = false } = options;
  const { lasts = undo ? UNDO_TOAST_MS : TOAST_MS } = options;
  const id = ++lastId;
  const all = undo === undefined ? acts : [{ text: undoText, run: undo }, ...acts];
  toasts.value = [...toasts.value, { id, text, acts: all, isFailure }];
  if (!isFailure) setTimeout(() => dismiss(id), lasts);
  return () => dismiss(id);
}

function dismiss(id: number): void {
  toasts.value = toasts.value.filter((one) => one.id !== id);
}

/** The messages, in the topmost dialog if there is one: what is outside of it cannot be used. */
export function Toasts({ dialog = null }: { dialog?: string | null }) {
  const shown = (openDialogs.value.at(-1) ?? null) === dialog ? toasts.value : [];
  return (
    <div class="toasts" role="status">
      {shown.map(({ id, text, acts, isFailure }) => (
        <p key={id} role={isFailure ? 'alert' : undefined} class={isFailure ? 'failure' : undefined}>
          <bdi>{text}</bdi>
          {acts.map((act) => (
            <button
              key={act.text}
              type="button"
              class="quiet"
              onClick={() => {
                dismiss(id);
                act.run();
              }}
            >
              {act.text}
            </button>
          ))}
          <button type="button" class="quiet" aria-label={t('act.dismiss')} onClick={() => dismiss(id)}>
            ✕
          </button>
        </p>
      ))}
    </div>
  );
}
