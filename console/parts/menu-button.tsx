import type { ComponentChildren } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { t } from '../language.ts';
import { place } from '../router.ts';

/** The menu of narrow screens, which closes on navigation. */
export function MenuButton({ children }: { children: ComponentChildren }) {
  const menu = useRef<HTMLDivElement>(null);
  // Before the new page's heading gets the focus.
  useLayoutEffect(() => menu.current!.hidePopover(), [place.value]);
  return (
    <>
      <button type="button" class="quiet menu-button" popovertarget="menu" aria-label={t('app.menu')}>
        <span aria-hidden="true">☰</span>
      </button>
      <div ref={menu} id="menu" class="menu-popover" popover="auto">
        <nav aria-label={t('app.menu')}>{children}</nav>
      </div>
    </>
  );
}
