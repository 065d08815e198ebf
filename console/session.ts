import { effect, signal } from '@preact/signals';
import { type Operations, ROLES, ROUTES } from './contract.ts';

/** The session: in the console by the cookie of a session, in the portal by a token that lives in this tab only. */

const BASE = document.documentElement.dataset.base ?? '/console';
/** The cookie is not readable: this key tells all tabs whether there is one. */
const usesCookie = BASE === '/console';
/** `console.session`, `portal.token` */
const STORAGE_KEY = usesCookie ? 'console.session' : `${BASE.slice(1)}.token`;
const storage = usesCookie ? localStorage : sessionStorage;

export type Role = (typeof ROLES)[number];
export type Me = { role: Role; name: string | null };

/** null: not signed in. The bearer token of the portal, or the id of the console's session. */
export const token = signal<string | null>(storage.getItem(STORAGE_KEY));

/** The header of a request; the browser adds a cookie itself. */
export const authorization = (): Record<string, string> =>
  usesCookie ? {} : { authorization: `Bearer ${token.peek() ?? ''}` };

/** null: not loaded yet. */
export const me = signal<Me | null>(null);

/** Grows with each new token: data of the previous one is loaded again. */
export const visit = signal(0);

export const isSandbox = document.documentElement.dataset.deployment === 'sandbox';

export function signIn(given: string): void {
  storage.setItem(STORAGE_KEY, given);
  refused.value = false;
  me.value = null;
  token.value = given;
  visit.value++;
}

/** Whether the last token or session was refused. */
export const refused = signal(false);

const leavers = new Set<() => Promise<void>>();

/** Calls the listener before a person signs out, while requests are still accepted. */
export function onSignOut(listener: () => Promise<void>): void {
  leavers.add(listener);
}

/** The time that signing out waits for requests (milliseconds): during an outage not for ever. */
const LEAVING = 3_000;

/** Calls the listeners of onSignOut; resolves when they are done. */
export async function beforeSignOut(): Promise<void> {
  const done = Promise.allSettled([...leavers].map((leave) => leave()));
  await Promise.race([done, new Promise((resolve) => setTimeout(resolve, LEAVING))]);
}

/** Shows the question for a token. After a refusal it is over the page, which keeps its state. */
export function signOut({ isRefused = false } = {}): void {
  storage.removeItem(STORAGE_KEY);
  refused.value = isRefused;
  token.value = null;
}

/** Ends this visit, whose token was refused, unless a new one has started since. */
export function refuse(asked: number): void {
  if (asked === visit.peek()) signOut({ isRefused: true });
}

/** Follows signing in and out in the console's other tabs. */
export function followOtherTabs(): void {
  addEventListener('storage', ({ key, newValue }) => {
    if (key !== STORAGE_KEY || newValue === token.peek()) return;
    if (newValue !== null) signIn(newValue);
    else signOut({ isRefused: true });
  });
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
