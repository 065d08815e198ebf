import { direction } from '../language.ts';
import { instant, MINUTE, type Span, type Visit } from './day.ts';
import { drop, type Goal, giveUp, goal, outcome, picked, pickUp } from './moves.ts';

/**
 * Dragging with the pointer, and moving with the keyboard. Transforms move the dragged element once a frame; rows are
 * rendered again only when the start under the pointer changes.
 */

export type DragContext = {
  scroller: HTMLElement;
  /** The scrolled element: positions are relative to its corner. */
  content: HTMLElement;
  /** Follows the pointer. */
  ghost: HTMLElement;
  /** Shows the drop position. */
  marker: HTMLElement;
  /** The current board. */
  day: () => { hours: Span; midnight: number; grid: number; visits: readonly Visit[] };
  mayMove: (visit: Visit) => boolean;
  open: (visit: Visit) => void;
  /** Chooses the visit beside others, or no longer. */
  choose: (visit: Visit) => void;
};

/** Pixels that a pointer moves before a drag starts. */
const THRESHOLD = 4;
/** Delay of a long press, which drags instead of scrolling, in milliseconds. */
const LONG_PRESS = 350;
/** Distance from an edge at which the board scrolls, and the scroll step of a frame, in pixels. */
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

/** Adds the listeners. Returns a function that removes them. */
export function addDragListeners(context: DragContext): () => void {
  const ended = new AbortController();
  const board = createBoard(context);
  const drag = followPointer(context, board, ended.signal);
  followKeyboard(context, board, drag, ended.signal);
  return () => {
    ended.abort();
    drag.stop();
    giveUp();
  };
}

type Board = ReturnType<typeof createBoard>;

/** Positions on the board since the last `measure`, and the marker of the goal. */
function createBoard({ content, marker, day }: DragContext) {
  let measures: Measures | null = null;

  const visitOf = (target: EventTarget | null): Visit | undefined => {
    const id = target instanceof Element ? target.closest<HTMLElement>('.visit')?.dataset.visit : undefined;
    return id === undefined ? undefined : day().visits.find((visit) => visit.id === id);
  };

  const widthOf = (visit: Visit): number => {
    const { from, until } = day().hours;
    return ((instant(visit.endsAt) - instant(visit.startsAt)) / (until - from)) * measures!.trackWidth;
  };

  /** The left edge for a visit of the width and start. */
  function leftEdge(start: number, width: number): number {
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

  function show(to: Goal | null): void {
    const held = picked.peek();
    const row = measures?.rows.find(({ teamId }) => teamId === to?.teamId);
    marker.hidden = held === null || row === undefined;
    if (held === null || row === undefined || to === null) return;
    const width = widthOf(held.visit);
    marker.style.width = `${width}px`;
    marker.style.height = `${row.bottom - row.top}px`;
    place(marker, leftEdge(to.start, width), row.top);
  }

  function aimAt(to: Goal | null): void {
    const before = goal.peek();
    if (before?.teamId === to?.teamId && before?.start === to?.start) return;
    goal.value = to;
    show(to);
  }

  return {
    measure(): void {
      measures = measure(content);
    },
    visitOf,
    /** Aims at the row under `middle`, and the start of a visit whose left edge is there. */
    aimUnder(left: number, middle: number, visit: Visit): void {
      const row = measures!.rows.find((one) => one.top <= middle && middle < one.bottom);
      aimAt(row === undefined ? null : { teamId: row.teamId, start: startAt(left, widthOf(visit)) });
    },
    /** Aims so many rows further down and so many starts further to the right. */
    aimFurther(rows: number, starts: number): void {
      const to = goal.peek()!;
      const all = measures!.rows;
      const index = all.findIndex(({ teamId }) => teamId === to.teamId);
      const row = all[Math.min(Math.max(index + rows, 0), all.length - 1)]!;
      const along = measures!.isRtl ? -starts : starts;
      aimAt({ teamId: row.teamId, start: clamped(to.start + along * day().grid) });
    },
    showGoal: () => show(goal.peek()),
  };
}

function place(element: HTMLElement, left: number, top: number): void {
  element.style.transform = `translate(${left.toFixed(1)}px, ${top.toFixed(1)}px)`;
}

type Point = { x: number; y: number };

const pointOf = ({ clientX, clientY }: PointerEvent): Point => ({ x: clientX, y: clientY });

// ---------------------------------------------------------------------------
// The pointer

type Drag = ReturnType<typeof followPointer>;

function followPointer(context: DragContext, board: Board, signal: AbortSignal) {
  const { scroller, content, ghost, marker, mayMove, open, choose } = context;
  let isDragging = false;
  let wasDragged = false;
  let pointer: Point = { x: 0, y: 0 };
  let grabbed: Point = { x: 0, y: 0 };
  /** Overhang of the card at the end of the block, in pixels. */
  let beyond = 0;
  let frame = 0;

  function onFrame(): void {
    frame = 0;
    if (!isDragging) return;
    const isScrolled = scrollAtEdges(scroller, pointer);
    const origin = content.getBoundingClientRect();
    const [left, top] = [pointer.x - origin.left - grabbed.x, pointer.y - origin.top - grabbed.y];
    place(ghost, direction() === 'rtl' ? left - beyond : left, top);
    board.aimUnder(left, pointer.y - origin.top, picked.peek()!.visit);
    if (isScrolled) frame = requestAnimationFrame(onFrame);
  }

  function begin(block: HTMLElement, visit: Visit, id: number): void {
    board.measure();
    const box = block.getBoundingClientRect();
    grabbed = { x: pointer.x - box.left, y: pointer.y - box.top };
    isDragging = true;
    wasDragged = true;
    content.setPointerCapture(id);
    pickUp(visit, 'pointer');
    beyond = showGhost(context, block, box);
    board.showGoal();
  }

  function end(isDropped: boolean): void {
    if (!isDragging) return;
    isDragging = false;
    cancelAnimationFrame(frame);
    frame = 0;
    ghost.hidden = true;
    marker.hidden = true;
    if (isDropped && goal.peek() !== null) drop();
    else giveUp();
  }

  const on = <Name extends keyof HTMLElementEventMap>(
    name: Name,
    listener: (event: HTMLElementEventMap[Name]) => void,
    options: AddEventListenerOptions = {},
  ): void => content.addEventListener(name, listener, { ...options, signal });

  on('pointerdown', (event) => {
    wasDragged = false;
    const visit = board.visitOf(event.target);
    if (event.button !== 0 || visit === undefined || !mayMove(visit) || picked.peek() !== null) return;
    const block = (event.target as Element).closest<HTMLElement>('.visit')!;
    pointer = pointOf(event);
    onDragStart(event, signal, {
      moved(to) {
        pointer = to;
      },
      begins: () => begin(block, visit, event.pointerId),
    });
  });
  on('pointermove', (event) => {
    if (!isDragging) return;
    pointer = pointOf(event);
    if (frame === 0) frame = requestAnimationFrame(onFrame);
  });
  on('pointerup', () => {
    if (isDragging && frame !== 0) onFrame();
    end(true);
  });
  on('pointercancel', () => end(false));
  on('touchmove', (event) => isDragging && event.preventDefault(), { passive: false });
  on('contextmenu', (event) => isDragging && event.preventDefault());
  on('click', (event) => {
    const visit = board.visitOf(event.target);
    if (visit !== undefined && !wasDragged && picked.peek() === null) {
      if (event.ctrlKey || event.metaKey || event.shiftKey) choose(visit);
      else open(visit);
    }
    wasDragged = false;
  });

  return { isDragging: () => isDragging, end, stop: () => cancelAnimationFrame(frame) };
}

/** Follows a pointer that was pressed until it is a drag: after a few pixels, or a touch that rests. */
function onDragStart(
  down: PointerEvent,
  signal: AbortSignal,
  { moved, begins }: { moved: (to: Point) => void; begins: () => void },
): void {
  const begun = pointOf(down);
  const waiting = new AbortController();
  const until = AbortSignal.any([waiting.signal, signal]);
  const begin = (): void => {
    waiting.abort();
    begins();
  };
  const timer = down.pointerType === 'touch' ? setTimeout(begin, LONG_PRESS) : undefined;
  waiting.signal.addEventListener('abort', () => clearTimeout(timer));
  addEventListener(
    'pointermove',
    (move) => {
      const at = pointOf(move);
      moved(at);
      if (Math.hypot(at.x - begun.x, at.y - begun.y) < THRESHOLD) return;
      if (timer === undefined) begin();
      // A touch that moves at once scrolls.
      else waiting.abort();
    },
    { signal: until },
  );
  for (const name of ['pointerup', 'pointercancel'] as const)
    addEventListener(name, () => waiting.abort(), { signal: until });
}

/** Returns whether it scrolled. */
function scrollAtEdges(scroller: HTMLElement, pointer: Point): boolean {
  const box = scroller.getBoundingClientRect();
  const towards = (at: number, from: number, until: number): number =>
    at < from + EDGE ? -SCROLL : at > until - EDGE ? SCROLL : 0;
  const [before, beforeTop] = [scroller.scrollLeft, scroller.scrollTop];
  scroller.scrollBy(towards(pointer.x, box.left, box.right), towards(pointer.y, box.top, box.bottom));
  return scroller.scrollLeft !== before || scroller.scrollTop !== beforeTop;
}

/** Shows the card over the block, in its look and at least its size; returns how much wider it is. */
function showGhost({ content, ghost }: DragContext, block: HTMLElement, box: DOMRect): number {
  const origin = content.getBoundingClientRect();
  ghost.className = `${block.className} ghost`;
  ghost.style.minWidth = `${box.width}px`;
  ghost.style.minHeight = `${box.height}px`;
  ghost.hidden = false;
  const beyond = ghost.offsetWidth - box.width;
  const left = box.left - origin.left;
  place(ghost, direction() === 'rtl' ? left - beyond : left, box.top - origin.top);
  return beyond;
}

// ---------------------------------------------------------------------------
// The keyboard

const STEPS: Record<string, [rows: number, starts: number]> = {
  ArrowUp: [-1, 0],
  ArrowDown: [1, 0],
  ArrowLeft: [0, -1],
  ArrowRight: [0, 1],
};

function followKeyboard(
  { marker, mayMove }: DragContext,
  board: Board,
  drag: Pick<Drag, 'isDragging' | 'end'>,
  signal: AbortSignal,
): void {
  function step(rows: number, starts: number): void {
    board.aimFurther(rows, starts);
    marker.scrollIntoView({ block: 'nearest', inline: 'nearest' });
  }

  function end(isDropped: boolean): void {
    marker.hidden = true;
    if (isDropped) drop();
    else giveUp();
  }

  document.addEventListener(
    'keydown',
    (event) => {
      if (event.ctrlKey || event.metaKey || event.altKey || outcome.peek() !== null) return;
      if (drag.isDragging()) {
        if (event.key !== 'Escape') return;
        event.preventDefault();
        return drag.end(false);
      }
      const arrows = STEPS[event.key];
      if (picked.peek() !== null) {
        if (arrows !== undefined) step(...arrows);
        else if (event.key === 'Enter') end(true);
        else if (event.key === 'Escape' || event.key === 'Tab') end(false);
        else return;
        if (event.key !== 'Tab') event.preventDefault();
        return;
      }
      const visit = board.visitOf(event.target);
      if (visit === undefined || arrows === undefined || !mayMove(visit)) return;
      event.preventDefault();
      board.measure();
      pickUp(visit, 'keyboard');
      board.showGoal();
      step(...arrows);
    },
    { signal },
  );
}

/** The grid of starts, in milliseconds. */
export const gridOf = (minutes: readonly number[]): number => Math.min(...minutes, 60) * MINUTE;
