import { useEffect, useState } from 'preact/hooks';
import { Dialog } from '../parts/dialog.tsx';
import { Failed } from '../parts/failed.tsx';
import { useAction } from '../query.ts';
import { refused } from '../session.ts';
import { p } from './language.ts';
import { enter, onLink } from './visitor.ts';

/** Asks for a key in a dialog over the page, which keeps its state; a link in the address signs in without it. */
export function SignIn() {
  const [key, setKey] = useState('');
  const [hadSession] = useState(refused.peek());
  const action = useAction([]);
  useEffect(() => onLink((link) => void action.run(() => enter({ link }))), []);
  return (
    <Dialog title={p('enter.title')} lasting>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          if (key.trim() !== '') void action.run(() => enter({ key: key.trim() }));
        }}
      >
        {action.failure !== null ? (
          <Failed failure={action.failure} />
        ) : (
          hadSession && (
            <p class="failed" role="alert">
              {p('enter.ended')}
            </p>
          )
        )}
        <p>{p('enter.how')}</p>
        <p class="field">
          <label for="key">{p('enter.key')}</label>
          <input
            id="key"
            type="password"
            autoComplete="off"
            dir="ltr"
            required
            value={key}
            onInput={(event) => setKey(event.currentTarget.value)}
          />
        </p>
        <p class="small faint">{p('enter.kept')}</p>
        <div class="buttons">
          <button type="submit" class="primary" disabled={action.busy}>
            {p('enter.enter')}
          </button>
        </div>
      </form>
    </Dialog>
  );
}
