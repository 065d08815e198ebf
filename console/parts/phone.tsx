import type { ComponentChildren } from 'preact';
import { useRef, useState } from 'preact/hooks';
import { call } from '../api.ts';
import { t } from '../language.ts';
import { useAction } from '../query.ts';
import { Failed } from './failed.tsx';

/** Whether a phone is masked for this role. */
const isMasked = (phone: string): boolean => phone.includes('•');

/** Calls a phone, and writes to it by WhatsApp; of a masked one nothing is linked. */
export function PhoneLinks({ phone }: { phone: string | null }) {
  if (phone === null || isMasked(phone)) return phone && <bdi dir="ltr">{phone}</bdi>;
  return (
    <>
      <a href={`tel:${phone}`}>
        <bdi dir="ltr">{phone}</bdi>
      </a>{' '}
      <a class="small" href={`https://wa.me/${phone.slice(1)}`} target="_blank" rel="noreferrer">
        WhatsApp
      </a>
    </>
  );
}

const callable = (phone: string) => <PhoneLinks phone={phone} />;

/** The phone of a team's crew. */
export const TeamPhone = ({ team }: { team: { id: string; phone: string | null } }) => (
  <Phone contact={team} reveal="revealTeamPhone" />
);

/** A phone of a customer or team, by default as a link that calls it; none of an erased one. A masked one has a button that shows it, which is audited. */
export function Phone({
  contact: { id, phone },
  children = callable,
  reveal: operation = 'revealPhone',
}: {
  contact: { id: string; phone: string | null };
  children?: (phone: string) => ComponentChildren;
  reveal?: 'revealPhone' | 'revealTeamPhone';
}) {
  const [revealed, setRevealed] = useState<{ id: string; phone: string } | null>(null);
  const action = useAction([]);
  const element = useRef<HTMLSpanElement>(null);
  if (phone === null) return null;
  if (!isMasked(phone)) return <>{children(phone)}</>;
  const isRevealed = revealed?.id === id;
  async function reveal(): Promise<void> {
    const worked = await action.run(async () => {
      const { data } = await call(operation, { id });
      setRevealed({ id, phone: data.phone ?? '' });
    });
    // The button has gone.
    if (worked) element.current?.focus();
  }
  return (
    <span ref={element} tabIndex={-1}>
      {isRevealed ? (
        children(revealed.phone)
      ) : (
        <>
          <bdi dir="ltr">{phone}</bdi>{' '}
          <button
            type="button"
            class="quiet small"
            aria-label={t('phone.showOf', { phone })}
            disabled={action.busy}
            onClick={() => void reveal()}
          >
            {t('phone.show')}
          </button>
        </>
      )}
      {action.failure && <Failed failure={action.failure} />}
    </span>
  );
}
