import type { ComponentChildren } from 'preact';
import type { WebhookDeliveryDetail } from '../contract.ts';
import { exactTime, number } from '../format.ts';
import { t } from '../language.ts';

type Attempt = WebhookDeliveryDetail['attempts'][number];

/** A redirect that was not followed, and its target. */
export function Redirect({ location }: { location: string }) {
  return (
    <p>
      {t('delivery.redirect')}{' '}
      <bdi>
        <code>{location}</code>
      </bdi>
    </p>
  );
}

/** Attempts of a delivery with their responses; `more` renders extra details of one. */
export function AttemptList<T extends Attempt>({
  attempts,
  more,
}: {
  attempts: readonly T[];
  more?: (attempt: T) => ComponentChildren;
}) {
  if (attempts.length === 0) return <p class="faint">{t('delivery.noAttempts')}</p>;
  return (
    <ol class="timeline">
      {attempts.map((attempt, index) => {
        const { attemptedAt, durationMs, statusCode, error, responseBody, location } = attempt;
        return (
          <li key={`${index} ${attemptedAt}`} data-tone={error === null ? 'good' : 'bad'}>
            <time dateTime={attemptedAt}>{exactTime(attemptedAt)}</time>
            <div>
              <p>
                {t('delivery.attempt', { number: number(index + 1) })}
                {': '}
                {statusCode === null
                  ? t('delivery.unanswered', { duration: number(durationMs) })
                  : t('delivery.answered', { status: statusCode, duration: number(durationMs) })}{' '}
                {error !== null && <code>{error}</code>}
              </p>
              {location !== undefined && <Redirect location={location} />}
              {responseBody !== '' && (
                // A failure of the last attempt is open at first.
                <details open={error !== null && index === attempts.length - 1}>
                  <summary>{t('delivery.answer')}</summary>
                  <pre>{responseBody}</pre>
                </details>
              )}
              {more?.(attempt)}
            </div>
          </li>
        );
      })}
    </ol>
  );
}
