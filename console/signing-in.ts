import { signal } from '@preact/signals';
import { call, type Takes } from './api.ts';
import { Failure } from './calls.ts';
import { t } from './language.ts';
import { ask } from './parts/questions.tsx';
import { beforeSignOut, me, signIn, signOut, token } from './session.ts';

/** Opening and ending the console's session, whose cookie only the server reads. */

/** A link of an administrator that waits for its confirmation; null: none. */
export const givenLink = signal<string | null>(null);

const PERSON_KEY = 'console.person';

/** Whose PIN the browser asks for; null: it is not enrolled. Its cookie is not readable. */
export const person = signal<string | null>(localStorage.getItem(PERSON_KEY));

function setPerson(name: string | null): void {
  person.value = name;
  if (name === null) localStorage.removeItem(PERSON_KEY);
  else localStorage.setItem(PERSON_KEY, name);
}

/** Whether the token of the address was refused. */
export const wrongToken = signal(false);

/**
 * Signs in with a token, with a link, which works once and enrols the browser under the PIN, or with its PIN. Throws
 * Failure, with status 0 and code UNAUTHORIZED when the browser does not keep the cookie.
 */
export async function enter(by: Takes<'openSession'>['body']): Promise<void> {
  const { data } = await call('openSession', { body: by }).catch((error: unknown) => {
    const { check, triesLeft = 0 } = error instanceof Failure ? error.details : {};
    if (check === 'pin' && triesLeft === 0) setPerson(null);
    throw error;
  });
  givenLink.value = null;
  wrongToken.value = false;
  const who = await call('getMe', {}).catch((error: unknown) => {
    if (error instanceof Failure && error.status === 401) throw new Failure(0, 'UNAUTHORIZED', '');
    return null;
  });
  signIn(data.id);
  if (who === null) return;
  me.value = { role: who.data.role, name: who.data.name };
  if (by.pin !== undefined) setPerson(who.data.name);
}

/** Ends the session here and in all tabs, also if the service does not respond. */
export async function leave(): Promise<void> {
  await beforeSignOut();
  const id = token.peek();
  if (id !== null) await call('endSession', { id }).catch(() => {});
  me.value = null;
  signOut();
}

/**
 * Takes a token (`#token=…`) or a link (`#link=…`) out of the fragment, which no server sees, and out of the address. A
 * token signs in, with a question if somebody is signed in; a link waits for its confirmation.
 */
export function takeFromAddress(): void {
  const given = new URLSearchParams(location.hash.slice(1));
  const [bearer, link] = [given.get('token'), given.get('link')];
  if (bearer === null && link === null) return;
  history.replaceState(null, '', location.pathname + location.search);
  if (link) {
    givenLink.value = link;
    me.value = null;
    signOut();
  } else if (bearer) void takeToken(bearer);
}

/** Asks first while somebody is signed in: any page may have the link, and what follows is audited as the token's. */
async function takeToken(bearer: string): Promise<void> {
  if (token.peek() !== null) {
    const question = { title: t('signIn.title'), text: t('signIn.asOther'), confirm: t('signIn.title') };
    if ((await ask(question)) === null) return;
  }
  await enter({ token: bearer }).catch((error: unknown) => {
    wrongToken.value = error instanceof Failure && error.code === 'UNAUTHORIZED';
    me.value = null;
    signOut();
  });
}
