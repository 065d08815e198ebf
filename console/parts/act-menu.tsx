import { useId, useRef } from 'preact/hooks';
import { direction, t } from '../language.ts';

export type Act = { text: string; run: () => void };

/** Acts behind a button with three dots. */
export function ActMenu({ acts }: { acts: readonly Act[] }) {
  const id = useId();
  const opener = useRef<HTMLButtonElement>(null);
  const menu = useRef<HTMLDivElement>(null);
  if (acts.length === 0) return null;
  return (
    <>
      <button ref={opener} type="button" popovertarget={id} aria-label={t('step.others')}>
        <span aria-hidden="true">⋯</span>
      </button>
      <div
        ref={menu}
        id={id}
        class="step-menu"
        popover="auto"
        onToggle={(event) => {
          if (event.newState !== 'open') return;
          place(event.currentTarget, opener.current!);
          event.currentTarget.querySelector('button')?.focus();
        }}
      >
        {acts.map(({ text, run }) => (
          <button
            key={text}
            type="button"
            class="quiet"
            onClick={() => {
              menu.current!.hidePopover();
              run();
            }}
          >
            {text}
          </button>
        ))}
      </div>
    </>
  );
}

/** Puts the menu below its button, or above it, and inside the window. */
export function place(menu: HTMLElement, opener: HTMLElement): void {
  const { top, bottom, left, right } = opener.getBoundingClientRect();
  const { offsetHeight, offsetWidth } = menu;
  const isBelow = bottom + offsetHeight + 4 <= innerHeight;
  const start = direction() === 'rtl' ? right - offsetWidth : left;
  menu.style.top = `${isBelow ? bottom + 4 : top - offsetHeight - 4}px`;
  menu.style.left = `${Math.max(4, Math.min(start, innerWidth - offsetWidth - 4))}px`;
}
