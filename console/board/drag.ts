import { direction } from '../language.ts';
import { instant, MINUTE, type Span, type Visit } from './day.ts';
import { drop, type Goal, giveUp, goal, outcome, picked, pickUp } from './moves.ts';

/**
 * Dragging with the pointer, and moving with the keyboard. What follows the pointer is moved by transforms, once a frame;
 * the rows are drawn anew only when another start comes under it.
 */

export type DragContext = {
  scroller: HTMLElement;
  /** What is scrolled: everything is measured from its corner. */
  content: HTMLElement;
  /** Follows the pointer. */
  ghost: HTMLElement;
  /** Shows where the visit would go. */
  marker: HTMLElement;
  /** As it is at the moment. */
  day: () => { hours: Span; midnight: number; grid: number; visits: readonly Visit[] };
  mayMove: (visit: Visit) => boolean;
  open: (visit: Visit) => void;
};

/** Pixels that a pointer moves before that is dragging. */
const THRESHOLD = 4;
/** How long a finger rests before it drags and no longer scrolls. */
const LONG_PRESS = 350;
/** Pixels from an edge at which the board scrolls, and how far in one frame. */
const EDGE = 48;
const SCROLL = 14;

type Row = { teamId: string; top: number; bottom: number };
type Measures = { rows: Row[]; trackStart: number; trackWidth: number; isRtl: boolean };

function measure(content: HTMLElement): Measures {
  const origin = content.getBoundingClientRect();
  const rows = [...content.querySelectorAll<HTMLElement>('.lane[data-team]')].map((lane): Row => {
    const { top, bottom } = lane.getBoundingClientRect();
    return { teamId: lane.dataset.team!, top: top - origin.top, bottom: bottom - origin.top };
  });
  const track = content.querySelector('.axis .track')!.getBoundingClientRect();
  return {
    rows,
    trackStart: track.left - origin.left,
    trackWidth: track.width,
    isRtl: direction() === 'rtl',
  };
}

/** Begins to listen. Returns what ends that. */
export function followHands(context: DragContext): () => void {
  const { scroller, content, ghost, marker, day, mayMove, open } = context;
  const ended = new AbortController();
  const { signal } = ended;
  let measures: Measures | null = null;
  let isDragging = false;
  let wasDragged = false;

  const visitOf = (target: EventTarget | null): Visit | undefined => {
    const id = target instanceof Element ? target.closest<HTMLElement>('.visit')?.dataset.visit : undefined;
    return id === undefined ? undefined : day().visits.find((visit) => visit.id === id);
  };

  // Where things are

  const widthOf = (visit: Visit): number => {
    const { from, until } = day().hours;
    return ((instant(visit.endsAt) - instant(visit.startsAt)) / (until - from)) * measures!.trackWidth;
  };

  /** The left edge of a visit of that width which begins at a time. */
  function leftOf(start: number, width: number): number {
    const { from, until } = day().hours;
    const { trackStart, trackWidth, isRtl } = measures!;
    const along = ((start - from) / (until - from)) * trackWidth;
    return isRtl ? trackStart + trackWidth - along - width : trackStart + along;
  }

  function startAt(left: number, width: number): number {
    const { hours, midnight, grid } = day();
    const { trackStart, trackWidth, isRtl } = measures!;
    const along = isRtl ? trackStart + trackWidth - left - width : left - trackStart;
    const exact = hours.from + (along / trackWidth) * (hours.until - hours.from);
    return clamped(midnight + Math.round((exact - midnight) / grid) * grid);
  }

  const clamped = (start: number): number => {
    const { hours, grid } = day();
    return Math.min(Math.max(start, hours.from), hours.until - grid);
  };

  const place = (element: HTMLElement, left: number, top: number): void => {
    element.style.transform = `translate(${left.toFixed(1)}px, ${top.toFixed(1)}px)`;
  };

  function show(to: Goal | null): void {
    const held = picked.peek();
    const row = measures?.rows.find(({ teamId }) => teamId === to?.teamId);
    marker.hidden = held === null || row === undefined;
    if (held === null || row === undefined || to === null) return;
    const width = widthOf(held.visit);
    marker.style.width = `${width}px`;
    marker.style.height = `${row.bottom - row.top}px`;
    place(marker, leftOf(to.start, width), row.top);
  }

  function aimAt(to: Goal | null): void {
    const before = goal.peek();
    if (before?.teamId === to?.teamId && before?.start === to?.start) return;
    goal.value = to;
    show(to);
  }

  // The pointer

  let pointer = { x: 0, y: 0 };
  let grabbed = { x: 0, y: 0 };
  let frame = 0;

  function onFrame(): void {
    frame = 0;
    if (!isDragging) return;
    const isScrolled = scrollAtEdges();
    const origin = content.getBoundingClientRect();
    const held = picked.peek()!;
    const [left, top] = [pointer.x - origin.left - grabbed.x, pointer.y - origin.top - grabbed.y];
    place(ghost, left, top);
    const middle = pointer.y - origin.top;
    const row = measures!.rows.find((one) => one.top <= middle && middle < one.bottom);
    aimAt(row === undefined ? null : { teamId: row.teamId, start: startAt(left, widthOf(held.visit)) });
    if (isScrolled) frame = requestAnimationFrame(onFrame);
  }

  /** Whether there was something to scroll. */
  function scrollAtEdges(): boolean {
    const box = scroller.getBoundingClientRect();
    const towards = (at: number, from: number, until: number): number =>
      at < from + EDGE ? -SCROLL : at > until - EDGE ? SCROLL : 0;
    const [before, beforeTop] = [scroller.scrollLeft, scroller.scrollTop];
    scroller.scrollBy(towards(pointer.x, box.left, box.right), towards(pointer.y, box.top, box.bottom));
    return scroller.scrollLeft !== before || scroller.scrollTop !== beforeTop;
  }

  function beginDrag(block: HTMLElement, visit: Visit, id: number): void {
    measures = measure(content);
    const origin = content.getBoundingClientRect();
    const box = block.getBoundingClientRect();
    grabbed = { x: pointer.x - box.left, y: pointer.y - box.top };
    isDragging = true;
    wasDragged = true;
    content.setPointerCapture(id);
    ghost.replaceChildren(...[...block.childNodes].map((node) => node.cloneNode(true)));
    ghost.className = `${block.className} ghost`;
    ghost.style.width = `${box.width}px`;
    ghost.style.height = `${box.height}px`;
    place(ghost, box.left - origin.left, box.top - origin.top);
    ghost.hidden = false;
    pickUp(visit, 'pointer');
    show(goal.peek());
  }

  function endDrag(isDropped: boolean): void {
    if (!isDragging) return;
    isDragging = false;
    cancelAnimationFrame(frame);
    frame = 0;
    ghost.hidden = true;
    marker.hidden = true;
    if (isDropped && goal.peek() !== null) drop();
    else giveUp();
  }

  content.addEventListener(
    'pointerdown',
    (event) => {
      wasDragged = false;
      const visit = visitOf(event.target);
      if (event.button !== 0 || visit === undefined || !mayMove(visit) || picked.peek() !== null) return;
      const block = (event.target as Element).closest<HTMLElement>('.visit')!;
      const begun = { x: event.clientX, y: event.clientY };
      pointer = begun;
      const waiting = new AbortController();
      const until = AbortSignal.any([waiting.signal, signal]);
      const begin = (): void => {
        waiting.abort();
        beginDrag(block, visit, event.pointerId);
      };
      const timer = event.pointerType === 'touch' ? setTimeout(begin, LONG_PRESS) : undefined;
      waiting.signal.addEventListener('abort', () => clearTimeout(timer));
      addEventListener(
        'pointermove',
        (move) => {
          pointer = { x: move.clientX, y: move.clientY };
          if (Math.hypot(pointer.x - begun.x, pointer.y - begun.y) < THRESHOLD) return;
          if (timer === undefined) begin();
          // A finger that moves at once scrolls.
          else waiting.abort();
        },
        { signal: until },
      );
      for (const name of ['pointerup', 'pointercancel'] as const)
        addEventListener(name, () => waiting.abort(), { signal: until });
    },
    { signal },
  );
  content.addEventListener(
    'pointermove',
    (event) => {
      if (!isDragging) return;
      pointer = { x: event.clientX, y: event.clientY };
      if (frame === 0) frame = requestAnimationFrame(onFrame);
    },
    { signal },
  );
  content.addEventListener(
    'pointerup',
    () => {
      if (isDragging && frame !== 0) onFrame();
      endDrag(true);
    },
    { signal },
  );
  content.addEventListener('pointercancel', () => endDrag(false), { signal });
  content.addEventListener('touchmove', (event) => isDragging && event.preventDefault(), {
    signal,
    passive: false,
  });
  content.addEventListener('contextmenu', (event) => isDragging && event.preventDefault(), { signal });
  content.addEventListener(
    'click',
    (event) => {
      const visit = visitOf(event.target);
      if (visit !== undefined && !wasDragged && picked.peek() === null) open(visit);
      wasDragged = false;
    },
    { signal },
  );

  // The keyboard

  const STEPS: Record<string, [rows: number, starts: number]> = {
    ArrowUp: [-1, 0],
    ArrowDown: [1, 0],
    ArrowLeft: [0, -1],
    ArrowRight: [0, 1],
  };

  function step(rows: number, starts: number): void {
    const to = goal.peek()!;
    const { grid } = day();
    const all = measures!.rows;
    const index = all.findIndex(({ teamId }) => teamId === to.teamId);
    const row = all[Math.min(Math.max(index + rows, 0), all.length - 1)]!;
    const along = measures!.isRtl ? -starts : starts;
    aimAt({ teamId: row.teamId, start: clamped(to.start + along * grid) });
    marker.scrollIntoView({ block: 'nearest', inline: 'nearest' });
  }

  function stopKeyboard(isDropped: boolean): void {
    marker.hidden = true;
    if (isDropped) drop();
    else giveUp();
  }

  document.addEventListener(
    'keydown',
    (event) => {
      if (event.ctrlKey || event.metaKey || event.altKey || outcome.peek() !== null) return;
      if (isDragging) {
        if (event.key !== 'Escape') return;
        event.preventDefault();
        return endDrag(false);
      }
      const held = picked.peek();
      if (held !== null) {
        const arrows = STEPS[event.key];
        if (arrows !== undefined) step(...arrows);
        else if (event.key === 'Enter') stopKeyboard(true);
        else if (event.key === 'Escape' || event.key === 'Tab') stopKeyboard(false);
        else return;
        if (event.key !== 'Tab') event.preventDefault();
        return;
      }
      const visit = visitOf(event.target);
      const arrows = STEPS[event.key];
      if (visit === undefined || arrows === undefined || !mayMove(visit)) return;
      event.preventDefault();
      measures = measure(content);
      pickUp(visit, 'keyboard');
      show(goal.peek());
      step(...arrows);
    },
    { signal },
  );

  return () => {
    ended.abort();
    cancelAnimationFrame(frame);
    giveUp();
  };
}

/** The starts that visits snap to. */
export const gridOf = (minutes: readonly number[]): number => Math.min(...minutes, 60) * MINUTE;
