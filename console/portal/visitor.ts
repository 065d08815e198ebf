import { effect, signal, untracked } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { onChange } from '../changes.ts';
import { setNow, signIn, signOut, token, visit } from '../session.ts';
import { call, type Operation } from './api.ts';
import { type PortalMe, ROUTES } from './contract.ts';

/** Who uses the portal; null: not known yet. */
export const visitor = signal<PortalMe | null>(null);

/** Whether the session may call the operation. The server decides; this is for what is shown. */
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

/** Ends the session, here even when the service does not answer. */
export async function leave(): Promise<void> {
  await call('signOut', {}).catch(() => {});
  visitor.value = null;
  signOut();
}

/** The link that was opened and not used yet; null: there is none. */
const link = signal<string | null>(null);

/**
 * Takes the token of a link out of the fragment (`#link=…`), which no server sees, and out of the address. Whoever was
 * signed in here before is not any more.
 */
export function takeLinkFromAddress(): void {
  const given = new URLSearchParams(location.hash.slice(1)).get('link');
  if (given === null || given === '') return;
  history.replaceState(null, '', location.pathname + location.search);
  link.value = given;
  signOut();
}

/** Calls with each link that is opened, once. Returns how to stop. */
export const onLink = (use: (link: string) => void): (() => void) =>
  effect(() => {
    const opened = link.value;
    if (opened === null) return;
    link.value = null;
    untracked(() => use(opened));
  });

/** Learns who is signed in, and the service's time; again as often as the page is loaded anew. */
export function useVisitor(): void {
  const bearer = token.value;
  const visited = visit.value;
  useEffect(() => {
    if (bearer === null) return;
    const ended = new AbortController();
    const learn = (): void => {
      call('getMe', {}, { signal: ended.signal })
        .then(({ data }) => {
          if (ended.signal.aborted) return;
          visitor.value = data;
          setNow(Date.parse(data.now));
        })
        // Whatever the page itself asks for tells of it.
        .catch(() => {});
    };
    learn();
    const stop = onChange(['partners'], learn);
    return () => {
      stop();
      ended.abort();
    };
  }, [bearer, visited]);
}
