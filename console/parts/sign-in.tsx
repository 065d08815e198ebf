import type { Ref } from 'preact';
import { useEffect, useId, useRef, useState } from 'preact/hooks';
import type { Failure } from '../calls.ts';
import { number } from '../format.ts';
import { language, type PlainKey, setLanguage, t } from '../language.ts';
import { useAction } from '../query.ts';
import { refused } from '../session.ts';
import { enter, givenLink, person, wrongToken } from '../signing-in.ts';
import { westernDigits } from '../values.ts';
import { Dialog } from './dialog.tsx';
import { Failed } from './failed.tsx';
import { toast } from './toasts.tsx';

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

/** Changes the PIN of this browser, with the old one. */
export function ChangePin({ onClose }: { onClose: () => void }) {
  return (
    <Dialog title={t('signIn.changePin')} onClose={onClose}>
      <SignInForm
        isAgain
        onChanged={() => {
          toast(t('signIn.pinChanged'));
          onClose();
        }}
      />
    </Dialog>
  );
}

/** `onChanged`: it also replaces the PIN. */
function SignInForm({ isAgain, onChanged }: { isAgain: boolean; onChanged?: () => void }) {
  const [given, setGiven] = useState('');
  const [newPin, setNewPin] = useState('');
  const [usesToken, setUsesToken] = useState(false);
  const action = useAction([]);
  const link = givenLink.value;
  const who = link === null && !usesToken ? person.value : null;
  const hasPin = link !== null || who !== null;
  const field = useRef<HTMLInputElement>(null);
  // Not with `autofocus`, which a dialog moves.
  useEffect(() => field.current?.focus(), [link, who]);
  async function send(): Promise<void> {
    const pins = { pin: given, ...(link !== null && { link }), ...(onChanged && { newPin }) };
    if (await action.run(() => enter(hasPin ? pins : { token: given.trim() }))) onChanged?.();
    else if (hasPin && link === null) setGiven('');
  }
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        if (given.trim() !== '') void send();
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
      <p>
        {t(link !== null ? 'signIn.byLink' : hasPin ? 'signIn.byPin' : 'signIn.how', { name: who ?? '' })}
      </p>
      {hasPin ? (
        <PinField field={field} isNew={link !== null} value={given} onInput={setGiven} />
      ) : (
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
      )}
      {onChanged && <PinField isNew value={newPin} onInput={setNewPin} />}
      <div class="buttons">
        <button type="submit" class="primary" disabled={action.busy}>
          {t(onChanged ? 'act.save' : 'signIn.title')}
        </button>
        {hasPin && !onChanged && (
          <button
            type="button"
            onClick={() => {
              action.clear();
              setGiven('');
              givenLink.value = null;
              setUsesToken(true);
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

type Pin = { isNew: boolean; value: string; onInput: (pin: string) => void; field?: Ref<HTMLInputElement> };

/** Six digits, also Arabic ones; a new PIN is shown while it is chosen. */
function PinField({ isNew, value, onInput, field = null }: Pin) {
  const id = useId();
  return (
    <p class="field">
      <label for={id}>{t(isNew ? 'signIn.newPin' : 'signIn.pin')}</label>
      <input
        ref={field}
        id={id}
        type={(isNew ? 'text' : 'password') as 'text'}
        inputMode="numeric"
        autoComplete={isNew ? 'off' : 'current-password'}
        dir="ltr"
        required
        pattern="[0-9]{6}"
        maxLength={6}
        value={value}
        onInput={(event) => onInput(westernDigits(event.currentTarget.value))}
      />
    </p>
  );
}

/** A refusal of what was entered, in words for its reader; other failures as everywhere. */
function SignInFailed({ failure, isLink }: { failure: Failure; isLink: boolean }) {
  const { code, status, details } = failure;
  const left = details.check === 'pin' ? (details.triesLeft ?? 0) : null;
  let wrong: PlainKey = isLink ? 'signIn.wrongLink' : 'signIn.wrongToken';
  if (status === 0) wrong = 'signIn.noCookie';
  if (code === 'VALIDATION_ERROR') wrong = 'signIn.easyPin';
  else if (code !== 'UNAUTHORIZED') return <Failed failure={failure} />;
  return (
    <p class="failed" role="alert">
      {left === null
        ? t(wrong)
        : left > 0
          ? t('signIn.wrongPin', { left: number(left) })
          : t('signIn.notEnrolled')}
    </p>
  );
}
