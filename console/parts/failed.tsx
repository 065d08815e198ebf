import type { ComponentChildren } from 'preact';
import type { Failure } from '../calls.ts';
import { failureText, failureTitle, faultTexts, isOfNoPage } from '../failure-text.ts';
import { t } from '../language.ts';
import type { Query } from '../query.ts';
import { Copied } from './copy-button.tsx';

/**
 * A failure: what did not work, why, what the service said, and Retry where it may help. `faults` are the validation
 * messages to list, if others stand at their fields.
 */
export function Failed({
  failure,
  title = failureTitle(failure),
  faults = failure.details.message ?? [],
  retry,
}: {
  failure: Failure;
  title?: string;
  faults?: readonly string[];
  retry?: () => void;
}) {
  const text = failureText(failure);
  const lines = isOfNoPage(failure)
    ? []
    : faultTexts(faults, failure.isWorded).filter((line) => line !== text);
  return (
    <div class="failed" role="alert">
      <p>
        <strong>{title}.</strong> {text}
      </p>
      {lines.length > 0 && (
        <ul>
          {lines.map((line) => (
            <li key={line}>{line}</li>
          ))}
        </ul>
      )}
      {failure.route !== null || !failure.isWorded ? <Details failure={failure} /> : null}
      {retry && failure.status !== 403 && (
        <button type="button" onClick={retry}>
          {t('error.retry')}
        </button>
      )}
    </div>
  );
}

/** The message of the service, for support. */
function Details({ failure: { code, message, isWorded, requestId, details } }: { failure: Failure }) {
  const said = isWorded ? [] : [message, ...(details.message ?? []), ...(details.hints ?? [])];
  return (
    <details class="small">
      <summary>{t('failure.details')}</summary>
      {said.length > 0 && (
        <ul lang="en" dir="ltr">
          {[...new Set(said)].map((line) => (
            <li key={line}>{line}</li>
          ))}
        </ul>
      )}
      {t('error.code')} <code>{code}</code>
      {requestId !== null && (
        <>
          {' · '}
          {t('error.request')} <Copied text={requestId} />
        </>
      )}
    </details>
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
