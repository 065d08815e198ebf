import { useEffect, useRef, useState } from 'preact/hooks';
import type { Failure } from '../calls.ts';
import { language, type PlainKey, setLanguage, t } from '../language.ts';
import { useAction } from '../query.ts';
import { refused } from '../session.ts';
import { enter, givenLink, wrongToken } from '../signing-in.ts';
import { Dialog } from './dialog.tsx';
import { Failed } from './failed.tsx';

/** The page that signs in, without menu and data. */
export function SignInPage() {
  useEffect(() => {
    document.title = t('app.title', { page: t('signIn.title') });
  }, [language.value]);
  return (
    <main id="main" class="sign-in">
      <p class="sign-in-top">
        <strong>{t('app.name')}</strong>
        <button
          type="button"
          class="quiet"
          lang={language.value === 'ar' ? 'en' : 'ar'}
          onClick={() => setLanguage(language.value === 'ar' ? 'en' : 'ar')}
        >
          {t('app.otherLanguage')}
        </button>
      </p>
      <h1>{t('signIn.title')}</h1>
      <SignInForm isAgain={false} />
    </main>
  );
}

/** Asks again in a dialog over the page, which keeps its state: the session has ended during work. */
export function SignInAgain() {
  return (
    <Dialog title={t('signIn.again')} lasting>
      <SignInForm isAgain />
    </Dialog>
  );
}

function SignInForm({ isAgain }: { isAgain: boolean }) {
  const [given, setGiven] = useState('');
  const action = useAction([]);
  const link = givenLink.value;
  const field = useRef<HTMLInputElement>(null);
  // Not with `autofocus`, which a dialog moves.
  useEffect(() => field.current?.focus(), [link === null]);
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        const by = link === null ? { token: given.trim() } : { link };
        if (link !== null || given.trim() !== '') void action.run(() => enter(by));
      }}
    >
      {action.failure !== null ? (
        <SignInFailed failure={action.failure} isLink={link !== null} />
      ) : (
        (refused.value || wrongToken.value) && (
          <p class="failed" role="alert">
            {t(wrongToken.value ? 'signIn.wrongToken' : isAgain ? 'signIn.endedHere' : 'signIn.ended')}
          </p>
        )
      )}
      {link !== null ? (
        <p>{t('signIn.byLink')}</p>
      ) : (
        <>
          <p>{t('signIn.how')}</p>
          <p class="field">
            <label for="token">{t('token.field')}</label>
            <input
              ref={field}
              id="token"
              type="password"
              autoComplete="current-password"
              dir="ltr"
              required
              value={given}
              onInput={(event) => setGiven(event.currentTarget.value)}
            />
          </p>
        </>
      )}
      <div class="buttons">
        <button type="submit" class="primary" disabled={action.busy}>
          {t('signIn.title')}
        </button>
        {link !== null && (
          <button
            type="button"
            onClick={() => {
              action.clear();
              givenLink.value = null;
            }}
          >
            {t('signIn.useToken')}
          </button>
        )}
      </div>
      <p class="small faint">{t('signIn.who')}</p>
    </form>
  );
}

/** A refusal of what was entered, in words for its reader; other failures as everywhere. */
function SignInFailed({ failure, isLink }: { failure: Failure; isLink: boolean }) {
  const wrong: PlainKey = isLink ? 'signIn.wrongLink' : 'signIn.wrongToken';
  if (failure.code !== 'UNAUTHORIZED') return <Failed failure={failure} />;
  return (
    <p class="failed" role="alert">
      {t(failure.status === 0 ? 'signIn.noCookie' : wrong)}
    </p>
  );
}
