import { effect, signal } from '@preact/signals';
import { type Operations, ROUTES } from './contract.ts';

/** The session of the console. The token lives in this tab only. */

/** `console.token`, `portal.token` */
const STORAGE_KEY = `${(document.documentElement.dataset.base ?? '/console').slice(1)}.token`;

export type Role = 'viewer' | 'dispatcher' | 'admin';
export type Me = { role: Role; name: string | null };

const ROLES: readonly Role[] = ['viewer', 'dispatcher', 'admin'];

export const token = signal<string | null>(sessionStorage.getItem(STORAGE_KEY));

/** null: not loaded yet. */
export const me = signal<Me | null>(null);

/** Grows with each new token: data of the previous one is loaded again. */
export const visit = signal(0);

export const isSandbox = document.documentElement.dataset.deployment === 'sandbox';

export function signIn(given: string): void {
  sessionStorage.setItem(STORAGE_KEY, given);
  me.value = null;
  token.value = given;
  visit.value++;
}

/** Whether the last token was refused. */
export const refused = signal(false);

const leavers = new Set<() => void>();

/** Calls the listener before a person signs out, while requests are still accepted. */
export function onSignOut(listener: () => void): void {
  leavers.add(listener);
}

/** Shows the question for a token over the page, which keeps its state. */
export function signOut({ isRefused = false } = {}): void {
  if (!isRefused) for (const leave of leavers) leave();
  sessionStorage.removeItem(STORAGE_KEY);
  refused.value = isRefused;
  token.value = null;
}

/** Ends this visit, whose token was refused, unless a new one has started since. */
export function refuse(asked: number): void {
  if (asked === visit.peek()) signOut({ isRefused: true });
}

/** Takes a token out of the fragment (`#token=…`), which no server sees, and out of the address. */
export function takeTokenFromAddress(): void {
  const given = new URLSearchParams(location.hash.slice(1)).get('token');
  if (given === null) return;
  history.replaceState(null, '', location.pathname + location.search);
  if (given !== '') signIn(given);
}

/** The previous token's role applies until the new one is known, so that edits stay. */
const level = signal(-1);
effect(() => {
  if (me.value !== null) level.value = ROLES.indexOf(me.value.role);
});

/** Whether the role may call the operation. For display; the server decides. */
export const may = (operation: keyof Operations): boolean =>
  level.value >= ROLES.indexOf(ROUTES[operation].role);

/** The service's time minus the browser's, in milliseconds. */
let ahead = 0;

/** The service's time, which a sandbox may have moved; updated periodically. */
export const now = signal(Date.now());

export function setNow(time: number): void {
  ahead = time - Date.now();
  now.value = time;
}

/** Updates `now` while the page is open. */
export function followTime(): void {
  setInterval(() => {
    now.value = Date.now() + ahead;
  }, 15_000);
}
