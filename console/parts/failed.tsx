import type { ComponentChildren } from 'preact';
import type { Failure } from '../calls.ts';
import { type PlainKey, t } from '../language.ts';
import type { Query } from '../query.ts';
import { CopyButton } from './copy-button.tsx';

/** The service's message; for a missing role, a text of the console. */
function messageOf(failure: Failure): string {
  const { role, tokenRole } = failure.details;
  if (failure.status === 403 && role && tokenRole)
    return t('error.role', { needed: roleName(role), has: roleName(tokenRole) });
  return isStale(failure) ? t('error.stale409') : failure.message;
}

/** Whether the version was outdated. */
const isStale = (failure: Failure | null): boolean => failure?.details.reason === 'STALE';

const ROLE_NAMES: Record<string, PlainKey> = {
  viewer: 'role.viewer',
  dispatcher: 'role.dispatcher',
  admin: 'role.admin',
};

function roleName(role: string): string {
  const key = ROLE_NAMES[role];
  return key === undefined ? role : t(key);
}

/** An error: message, hints, code, request id, and Retry where it may help. */
export function Failed({ failure, retry }: { failure: Failure; retry?: () => void }) {
  const { hints = [], message = [] } = failure.details;
  const lines = [...message.filter((line) => line !== failure.message), ...hints];
  return (
    <div class="failed" role="alert">
      <p>
        <strong>{t('error.title')}</strong> <bdi>{messageOf(failure)}</bdi>
      </p>
      {lines.length > 0 && (
        <ul>
          {lines.map((line) => (
            <li key={line}>
              <bdi>{line}</bdi>
            </li>
          ))}
        </ul>
      )}
      <p class="small">
        {t('error.code')} <code>{failure.code}</code>
        {failure.requestId !== null && (
          <>
            {' · '}
            {t('error.request')} <code>{failure.requestId}</code> <CopyButton text={failure.requestId} />
          </>
        )}
      </p>
      {retry && failure.status !== 403 && (
        <button type="button" onClick={retry}>
          {t('error.retry')}
        </button>
      )}
    </div>
  );
}

/** The answer of a query. The old answer stays during a load, and with a note after a failed one. */
export function Loaded<T>({
  query,
  children,
}: {
  query: Query<T>;
  children: (answer: T) => ComponentChildren;
}) {
  const { answer, failure, reload } = query;
  if (answer === undefined) {
    if (failure !== null && failure.status !== 401) return <Failed failure={failure} retry={reload} />;
    return <div class="loading" role="status" aria-label={t('app.loading')} />;
  }
  return (
    <>
      {failure !== null && failure.status !== 401 && (
        <div class="stale">
          <p>{t('error.stale')}</p>
          <Failed failure={failure} retry={reload} />
        </div>
      )}
      {children(answer)}
    </>
  );
}
