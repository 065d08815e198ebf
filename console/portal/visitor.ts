import { effect, signal, untracked } from '@preact/signals';
import { useIdentity } from '../query.ts';
import { signIn, signOut } from '../session.ts';
import { call, type Operation } from './api.ts';
import { type PortalMe, ROUTES } from './contract.ts';

/** The signed-in session; null: not loaded yet. */
export const visitor = signal<PortalMe | null>(null);

/** Whether the session may call the operation. For display; the server decides. */
export function may(operation: Operation): boolean {
  const who = visitor.value;
  const { session, permission }: { session: string; permission: string } = ROUTES[operation];
  if (who === null) return false;
  if (session === 'any') return true;
  if (who.limit !== null || (session === 'change' && who.readOnly)) return false;
  return permission === '' || who.permissions.some((held) => held === permission);
}

/** Signs in with a link of the operator or a key. Throws Failure. */
export async function enter(by: { link: string } | { key: string }): Promise<void> {
  const { data } = await call('signIn', { body: by });
  visitor.value = null;
  signIn(data.token);
}

/** Ends the session, locally even if the service does not respond. */
export async function leave(): Promise<void> {
  await call('signOut', {}).catch(() => {});
  visitor.value = null;
  signOut();
}

/** The opened link that is not used yet; null: there is none. */
const link = signal<string | null>(null);

/**
 * Takes the token of a link out of the fragment (`#link=…`), which no server sees, and out of the address. Ends the
 * previous session.
 */
export function takeLinkFromAddress(): void {
  const given = new URLSearchParams(location.hash.slice(1)).get('link');
  if (given === null || given === '') return;
  history.replaceState(null, '', location.pathname + location.search);
  link.value = given;
  signOut();
}

/** Calls `use` once with each opened link. Returns a function that stops this. */
export const onLink = (use: (link: string) => void): (() => void) =>
  effect(() => {
    const opened = link.value;
    if (opened === null) return;
    link.value = null;
    untracked(() => use(opened));
  });

/** Loads the session and the service's time; again with each reload of the page's data. */
export function useVisitor(): void {
  useIdentity(
    (options) => call('getMe', {}, options),
    'partners',
    (who) => {
      visitor.value = who;
    },
  );
}
