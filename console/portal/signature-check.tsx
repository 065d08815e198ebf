import { useState } from 'preact/hooks';
import { Facts } from '../parts/facts.tsx';
import { Section } from '../parts/page.tsx';
import type { PortalAttempt } from './contract.ts';
import { p } from './language.ts';
import { checkSignature, type Verdict } from './signature.ts';

/** Explains the signature of a delivery, and verifies the last attempt with a secret that stays in the browser. */
export function SignatureCheck({ attempts, body }: { attempts: readonly PortalAttempt[]; body: string }) {
  const [secret, setSecret] = useState('');
  const [verdict, setVerdict] = useState<Verdict | null>(null);
  const signed = attempts.findLast(({ headers }) => headers.length > 0);
  const header = (wanted: string): string | null =>
    signed?.headers.find(({ name }) => name === wanted)?.value ?? null;
  const [timestamp, signature] = [header('x-service-timestamp'), header('x-service-signature')];
  if (timestamp === null || signature === null) return null;
  const sent = { timestamp, signature, next: header('x-service-signature-next'), body };
  return (
    <Section title={p('sign.title')}>
      <p>{p('sign.how')}</p>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          void checkSignature(secret.trim(), sent).then(setVerdict);
        }}
      >
        <p class="field">
          <label for="secret">{p('sign.secret')}</label>
          <input
            id="secret"
            type="password"
            autoComplete="off"
            dir="ltr"
            required
            placeholder="whsec_…"
            value={secret}
            onInput={(event) => {
              setSecret(event.currentTarget.value);
              setVerdict(null);
            }}
          />
          <span class="small faint">{p('sign.local')}</span>
        </p>
        <div class="buttons">
          <button type="submit">{p('sign.check')}</button>
        </div>
      </form>
      {verdict !== null && (
        <div class={verdict.matches === null ? 'failed' : 'secret'} role="status">
          <p>
            {p(
              verdict.matches === null
                ? 'sign.differs'
                : verdict.matches === 'next'
                  ? 'sign.matchesNext'
                  : 'sign.matches',
            )}
          </p>
          <Facts
            facts={[
              { label: p('sign.expected'), value: <code>{verdict.expected}</code> },
              { label: p('sign.wasSent'), value: <code>{signature}</code> },
            ]}
          />
        </div>
      )}
    </Section>
  );
}
