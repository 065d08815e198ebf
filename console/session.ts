import { effect, signal } from '@preact/signals';
import { type Operations, ROUTES } from './contract.ts';

/** Who uses the console. The token is this tab's alone, and is gone with it. */

/** `console.token`, `portal.token` */
const KEPT = `${(document.documentElement.dataset.base ?? '/console').slice(1)}.token`;

export type Role = 'viewer' | 'dispatcher' | 'admin';
export type Me = { role: Role; name: string | null };

const ROLES: readonly Role[] = ['viewer', 'dispatcher', 'admin'];

export const token = signal<string | null>(sessionStorage.getItem(KEPT));

/** null: not known yet. */
export const me = signal<Me | null>(null);

/** Grows with each new token: what was asked with the one before is asked again. */
export const visit = signal(0);

export const isSandbox = document.documentElement.dataset.deployment === 'sandbox';

export function signIn(given: string): void {
  sessionStorage.setItem(KEPT, given);
  me.value = null;
  token.value = given;
  visit.value++;
}

/** Whether the last token was refused. */
export const refused = signal(false);

/** Without a token the page stays as it is, behind the question for one. */
export function signOut({ isRefused = false } = {}): void {
  sessionStorage.removeItem(KEPT);
  refused.value = isRefused;
  token.value = null;
}

/** The token of this visit was refused. One that was given since has nothing to do with it. */
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

/** Until the role of another token is known it is that of the one before, so that what is being edited stays. */
const level = signal(-1);
effect(() => {
  if (me.value !== null) level.value = ROLES.indexOf(me.value.role);
});

/** Whether the role may call the operation. The server decides; this is for what is shown. */
export const may = (operation: keyof Operations): boolean =>
  level.value >= ROLES.indexOf(ROUTES[operation].role);

/** How far the service's time is ahead of the browser's, in milliseconds. */
let ahead = 0;

/** The service's time, which a sandbox may have moved; as of the last quarter of a minute. */
export const now = signal(Date.now());

export function setNow(time: number): void {
  ahead = time - Date.now();
  now.value = time;
}

/** Keeps `now` going for as long as the page is open. */
export function followTime(): void {
  setInterval(() => {
    now.value = Date.now() + ahead;
  }, 15_000);
}
