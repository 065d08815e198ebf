import { exactTime, number } from '../format.ts';
import { t } from '../language.ts';
import { useQuery } from '../query.ts';
import { Loaded } from './failed.tsx';

/** Each attempt of a delivery, with what came back, and what was sent. */
export function DeliveryAttempts({ id }: { id: string }) {
  const query = useQuery('getDelivery', { id }, ['deliveries']);
  return (
    <Loaded query={query}>
      {({ data: { attempts, payload } }) => (
        <div class="stale">
          {attempts.length === 0 && <p class="faint">{t('delivery.noAttempts')}</p>}
          <ol class="timeline">
            {attempts.map(({ attemptedAt, durationMs, statusCode, error, responseBody }, index) => (
              <li key={attemptedAt} data-tone={error === null ? 'good' : 'bad'}>
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
                  {responseBody !== '' && (
                    <details>
                      <summary>{t('delivery.answer')}</summary>
                      <pre>{responseBody}</pre>
                    </details>
                  )}
                </div>
              </li>
            ))}
          </ol>
          <details>
            <summary>{t('delivery.payload')}</summary>
            <pre>{JSON.stringify(payload, null, 2)}</pre>
          </details>
        </div>
      )}
    </Loaded>
  );
}
