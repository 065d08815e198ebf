import type { ComponentChildren } from 'preact';
import { useId, useLayoutEffect, useRef } from 'preact/hooks';
import { t } from '../language.ts';
import { openDialogs, Toasts } from './toasts.tsx';

/**
 * A modal dialog, open while it is rendered. Focuses its first field; Escape closes it and restores the focus. With
 * `lasting` only its content can close it; while `busy` nothing can.
 */
export function Dialog({
  title,
  onClose,
  lasting = false,
  busy = false,
  wide = false,
  children,
}: {
  title: string;
  onClose?: () => void;
  lasting?: boolean;
  busy?: boolean;
  wide?: boolean;
  children: ComponentChildren;
}) {
  const element = useRef<HTMLDialogElement>(null);
  const id = useId();
  // Not after the next frame: until then keys would go to the page below.
  useLayoutEffect(() => {
    const before = document.activeElement;
    const dialog = element.current!;
    dialog.showModal();
    openDialogs.value = [...openDialogs.peek(), id];
    // The browser has focused the close button.
    dialog.querySelector<HTMLElement>(':is(input, select, textarea):enabled')?.focus();
    return () => {
      openDialogs.value = openDialogs.peek().filter((other) => other !== id);
      // While it is open, the page below takes no focus.
      dialog.close();
      if (before instanceof HTMLElement && before.isConnected) before.focus();
    };
  }, []);
  return (
    <dialog
      ref={element}
      aria-labelledby={id}
      class={wide ? 'wide' : undefined}
      onKeyDown={(event) => {
        // A second Escape would close it even if `cancel` is prevented.
        if ((lasting || busy) && event.key === 'Escape') event.preventDefault();
      }}
      onCancel={(event) => {
        event.preventDefault();
        if (!lasting && !busy) onClose?.();
      }}
    >
      <div class="heading">
        <h2 id={id}>{title}</h2>
        {!lasting && (
          <button
            type="button"
            class="quiet"
            aria-label={t('act.cancel')}
            disabled={busy}
            onClick={() => onClose?.()}
          >
            ✕
          </button>
        )}
      </div>
      {children}
      <Toasts dialog={id} />
    </dialog>
  );
}
