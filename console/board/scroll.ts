import { useEffect, useLayoutEffect, useRef } from 'preact/hooks';
import type { Board } from '../contract.ts';
import { direction } from '../language.ts';
import { now } from '../session.ts';
import { firstShifts, HOUR, type Span, type Visit } from './day.ts';

/** The scroll position of the board. */

type Scroller = { current: HTMLDivElement | null };

const sign = (): number => (direction() === 'rtl' ? -1 : 1);

/** Opens at the current hour, on another day at the first shifts. */
export function useFirstScroll(scroller: Scroller, board: Board, { from, until }: Span): void {
  useLayoutEffect(() => {
    const element = scroller.current;
    if (element === null) return;
    const time = now.peek();
    const wanted = from <= time && time < until ? time - 2 * HOUR : (firstShifts(board) ?? from) - HOUR / 2;
    const hours = element.querySelector<HTMLElement>('.axis .track')!.clientWidth;
    element.scrollLeft = sign() * Math.max(0, ((wanted - from) / (until - from)) * hours);
  }, [board.date]);
}

/** Keeps the time in the middle where it is when the zoom changes. */
export function useKeptCentre(scroller: Scroller, zoom: number): void {
  const last = useRef({ zoom, centre: 0 });
  const element = scroller.current;
  // Before the new width is laid out.
  if (element !== null && last.current.zoom !== zoom) {
    const { scrollLeft, clientWidth, scrollWidth } = element;
    last.current = { zoom, centre: (Math.abs(scrollLeft) + clientWidth / 2) / scrollWidth };
  }
  useLayoutEffect(() => {
    const { centre } = last.current;
    const { current } = scroller;
    if (current === null || centre === 0) return;
    current.scrollLeft = sign() * (centre * current.scrollWidth - current.clientWidth / 2);
  }, [zoom]);
}

/** Scrolls the hit into the middle, in both directions, when the search goes on to it. */
export function useHitShown(id: string | null, search: string): void {
  useEffect(() => {
    if (id === null) return;
    document.getElementById(`visit-${id}`)?.scrollIntoView({ block: 'center', inline: 'center' });
  }, [id !== null, search]);
}

/** Keeps the focus on a visit that moved to another row. */
export function useFocusKept(content: Scroller, visits: readonly Visit[]): void {
  const last = useRef<string | null>(null);
  useEffect(() => {
    const remember = (event: FocusEvent): void => {
      last.current = (event.target as HTMLElement).dataset.visit ?? null;
    };
    const element = content.current;
    element?.addEventListener('focusin', remember);
    return () => element?.removeEventListener('focusin', remember);
  }, []);
  useEffect(() => {
    if (document.activeElement !== document.body || last.current === null) return;
    document.getElementById(`visit-${last.current}`)?.focus({ preventScroll: true });
  }, [visits]);
}
