import type { ComponentChildren } from 'preact';
import { useEffect, useId, useRef } from 'preact/hooks';
import { t } from '../language.ts';

/**
 * A dialog over the page, open for as long as it is rendered. It begins at its first field. Escape closes it, and the
 * focus goes back to where it was.
 * With `lasting` only what is in it can end it, and nothing while it is `busy` with what must be seen.
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
  useEffect(() => {
    const before = document.activeElement;
    element.current!.showModal();
    // The browser has chosen the button that closes.
    element.current!.querySelector<HTMLElement>(':is(input, select, textarea):enabled')?.focus();
    return () => {
      if (before instanceof HTMLElement && before.isConnected) before.focus();
    };
  }, []);
  return (
    <dialog
      ref={element}
      aria-labelledby={id}
      class={wide ? 'wide' : undefined}
      onKeyDown={(event) => {
        // A second Escape would close it, whatever becomes of `cancel`.
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
    </dialog>
  );
}
