import { useState } from 'preact/hooks';
import { t } from '../language.ts';
import { refused, signIn } from '../session.ts';
import { Dialog } from './dialog.tsx';

/** Asks for the token in a dialog over the page, which keeps its state. */
export function TokenQuestion() {
  const [given, setGiven] = useState('');
  return (
    <Dialog title={t('token.title')} lasting>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          if (given.trim() !== '') signIn(given.trim());
        }}
      >
        {refused.value && (
          <p class="failed" role="alert">
            {t('token.refused')}
          </p>
        )}
        <p>{t('token.why')}</p>
        <p class="field">
          <label for="token">{t('token.field')}</label>
          <input
            id="token"
            type="password"
            autoComplete="current-password"
            dir="ltr"
            required
            value={given}
            onInput={(event) => setGiven(event.currentTarget.value)}
          />
        </p>
        <div class="buttons">
          <button type="submit" class="primary">
            {t('token.enter')}
          </button>
        </div>
      </form>
    </Dialog>
  );
}
