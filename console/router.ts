import { effect, signal } from '@preact/signals';
import { pending } from './calls.ts';
import { isDate } from './format.ts';

/** All state worth keeping or sharing is in the address: the path names the page, the query its parameters. */

/** The base path of the page: /console, or /portal. */
const BASE = document.documentElement.dataset.base ?? '/console';

export type Place = { path: string; query: URLSearchParams };

const pathOf = (pathname: string): string => pathname.slice(BASE.length) || '/';

function readPlace(): Place {
  return { path: pathOf(location.pathname), query: new URLSearchParams(location.search) };
}

/** The current path and query. */
export const place = signal(readPlace());

type Values = Record<string, string | number | boolean | null | undefined>;

/** The address of a page; null, undefined and empty parameters are omitted. */
export function href(path: string, query: Values = {}): string {
  const given = new URLSearchParams();
  for (const [name, value] of Object.entries(query))
    if (value !== null && value !== undefined && value !== '') given.set(name, String(value));
  return BASE + (path === '/' ? '' : path) + (given.size === 0 ? '' : `?${given}`);
}

/** The console's page for a list of the API, such as `/operator/bookings?status=failed`. */
export const fromService = (list: string): string => BASE + list.replace(/^\/operator/, '');

/**
 * Guards of unsaved changes, each resolves to whether the page may be left; with the query parameters whose change
 * counts as leaving.
 */
const questions = new Map<() => Promise<boolean>, readonly string[]>();

const stay = (event: BeforeUnloadEvent): void => event.preventDefault();

/**
 * Asks before navigation to another page, or to the same with other `parameters`; closing the tab shows the browser's
 * own question. One of several guards asks. Returns a function that removes the guard.
 */
export function askBeforeLeaving(
  ask: () => Promise<boolean>,
  parameters: readonly string[] = [],
): () => void {
  questions.set(ask, parameters);
  addEventListener('beforeunload', stay);
  return () => {
    questions.delete(ask);
    if (questions.size === 0) removeEventListener('beforeunload', stay);
  };
}

/** Whether the address is another page and a guard asks first; `leave` is called if it agrees. */
function isAsked(address: string, leave: () => void): boolean {
  const { pathname, searchParams } = new URL(address, location.href);
  const { path, query } = place.value;
  const isOther = (parameters: readonly string[]): boolean =>
    pathOf(pathname) !== path || parameters.some((name) => searchParams.get(name) !== query.get(name));
  const [ask] = [...questions].find(([_ask, parameters]) => isOther(parameters)) ?? [];
  if (ask === undefined) return false;
  void ask().then((may) => {
    if (!may) return;
    questions.clear();
    removeEventListener('beforeunload', stay);
    leave();
  });
  return true;
}

/** State of a page when it was left: its scroll position, the board's own, and the selector of the focus. */
type Kept = { top: number; board: [left: number, top: number]; focus: string | null };

let focused: string | null = null;

/** Visits, troubles and links are found again; what has the focus in a dialog is not on the page. */
document.addEventListener('focusin', ({ target }) => {
  if (!(target instanceof HTMLElement) || target.closest('main') === null || target.closest('dialog')) return;
  const link = target.getAttribute('href');
  focused = link === null ? null : `main a[href="${CSS.escape(link)}"]`;
  if (/^(visit|trouble)-/.test(target.id)) focused = `#${target.id}`;
});

function keepPlace(): void {
  const { scrollLeft = 0, scrollTop = 0 } = document.querySelector('.board-scroll') ?? {};
  const kept: Kept = { top: scrollY, board: [scrollLeft, scrollTop], focus: focused };
  history.replaceState({ kept }, '');
}

/** Milliseconds after the last answer for a page to draw its former state, and then to settle. */
const [RETURN_MS, SETTLE_MS] = [10_000, 500];

/** The last return to a page's former place; aborted: it has ended. */
let returning = { ended: AbortSignal.abort(), focus: null as string | null, end: () => {} };

/** Whether the heading of a page that is shown now takes the focus. */
export const headingTakesFocus = (): boolean => returning.ended.aborted || returning.focus === null;

/** Returns to where a page was left, as soon as it is drawn; until somebody does something else. */
function returnTo({ top, board, focus }: Kept): void {
  returning.end();
  const ended = new AbortController();
  returning = { ended: ended.signal, focus, end: () => ended.abort() };
  for (const name of ['wheel', 'pointerdown', 'touchstart', 'keydown'])
    addEventListener(name, () => ended.abort(), { signal: ended.signal, passive: true });
  let until = performance.now() + RETURN_MS;
  requestAnimationFrame(function draw(at): void {
    if (ended.signal.aborted) return;
    document.querySelector('.board-scroll')?.scrollTo(...board);
    scrollTo(0, top);
    const element = focus === null ? document.body : document.querySelector<HTMLElement>(focus);
    if (element !== document.activeElement) element?.focus({ preventScroll: true });
    if (pending.peek() > 0) until = performance.now() + RETURN_MS;
    else if (element !== null && Math.abs(scrollY - top) < 2)
      until = Math.min(until, performance.now() + SETTLE_MS);
    if (at > until) {
      ended.abort();
      if (element === null) document.querySelector<HTMLElement>('main h1')?.focus();
    }
    requestAnimationFrame(draw);
  });
}

/** Goes to an address of `href`; with `replace` without an entry in the history. */
export function go(address: string, { replace = false } = {}): void {
  if (isAsked(address, () => go(address, { replace }))) return;
  if (!replace) keepPlace();
  history[replace ? 'replaceState' : 'pushState'](null, '', address);
  const before = place.value.path;
  place.value = readPlace();
  if (place.value.path === before) return;
  focused = null;
  returning.end();
  scrollTo(0, 0);
}

/** Parameters of the position in a list. */
const PARTS = ['page', 'before'];

/** Changes parameters of the query and keeps the others. A new filter resets the position. */
export function setQuery(changes: Values, { replace = false } = {}): void {
  const query: Values = Object.fromEntries(place.value.query);
  for (const part of PARTS) if (!(part in changes)) delete query[part];
  go(href(place.value.path, { ...query, ...changes }), { replace });
}

/** A date parameter of the query; null: missing or invalid. */
export function dateOfAddress(name: string): string | null {
  const given = place.value.query.get(name);
  return given !== null && isDate(given) ? given : null;
}

/** As the value of an `<input type="datetime-local">`; null: missing or invalid. */
export function timeOfAddress(name: string): string | null {
  const given = place.value.query.get(name) ?? '';
  return isDate(given.slice(0, 10)) && /^T([01]\d|2[0-3]):[0-5]\d(:[\d.]+)?$/.test(given.slice(10))
    ? given
    : null;
}

/** Makes links of the console navigate without a page load. */
export function followLinks(): void {
  let shown = location.href;
  effect(() => {
    if (place.value) shown = location.href;
  });
  addEventListener('popstate', ({ state }) => {
    // The browser has navigated already: restores the address until the question is answered.
    if (isAsked(location.href, () => history.back())) history.pushState(null, '', shown);
    else {
      if (state?.kept) returnTo(state.kept);
      place.value = readPlace();
    }
  });
  addEventListener('pagehide', keepPlace);
  history.scrollRestoration = 'manual';
  if (history.state?.kept) returnTo(history.state.kept);
  document.addEventListener('click', (event) => {
    if (event.defaultPrevented || event.button !== 0) return;
    if (event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
    const link = event.target instanceof Element ? event.target.closest('a') : null;
    if (link === null || link.target !== '' || link.hasAttribute('download')) return;
    const { origin, pathname, href: address, hash } = link;
    if (origin !== location.origin || !(pathname === BASE || pathname.startsWith(`${BASE}/`))) return;
    if (hash !== '') return;
    event.preventDefault();
    go(address);
  });
}

/** The parameters of a pattern such as `/bookings/:id`; null: no match. */
export function match(pattern: string, path: string): Record<string, string> | null {
  const [wanted, given] = [pattern.split('/'), path.replace(/\/+$/, '').split('/')];
  if (path !== '/' && wanted.length !== given.length) return null;
  if (path === '/') return pattern === '/' ? {} : null;
  const found: Record<string, string> = {};
  for (const [index, part] of wanted.entries()) {
    const value = given[index]!;
    if (!part.startsWith(':')) {
      if (part !== value) return null;
    } else {
      try {
        found[part.slice(1)] = decodeURIComponent(value);
      } catch {
        return null;
      }
    }
  }
  return found;
}
