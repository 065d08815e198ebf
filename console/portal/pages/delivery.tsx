import { dateTime, number } from '../../format.ts';
import { t } from '../../language.ts';
import { AttemptList } from '../../parts/attempt-list.tsx';
import { Badge, eventName } from '../../parts/badge.tsx';
import { Copied } from '../../parts/copy-button.tsx';
import type { PageProps } from '../../parts/current-page.tsx';
import { DeliveryActions } from '../../parts/delivery-actions.tsx';
import { Facts } from '../../parts/facts.tsx';
import { Loaded } from '../../parts/failed.tsx';
import { Linked } from '../../parts/linked.tsx';
import { Page, Section } from '../../parts/page.tsx';
import { href } from '../../router.ts';
import { call } from '../api.ts';
import type { PortalAttempt, PortalDeliveryDetail } from '../contract.ts';
import { p } from '../language.ts';
import { useQuery } from '../query.ts';
import { SignatureCheck } from '../signature-check.tsx';
import { PORTAL_TEXTS } from '../texts.ts';
import { may } from '../visitor.ts';

/** One delivery: its error, its attempts with request headers and response, and its signature. */
export default function DeliveryPage({ params: { id = '' } }: PageProps) {
  const query = useQuery('getDelivery', { id }, ['deliveries']);
  const delivery = query.answer?.data;
  return (
    <Page
      title={
        delivery === undefined
          ? p('nav.deliveries')
          : t('delivery.title', { event: eventName(delivery.event) })
      }
      about={delivery && <Badge kind="delivery" state={delivery.status} />}
    >
      <Loaded query={query}>{({ data }) => <Shown delivery={data} />}</Loaded>
    </Page>
  );
}

/** The meaning of an attempt's error, and the remedy; null: there is no text. */
function meaningOf(error: string): string | null {
  const key = `why.${error}`;
  return key in PORTAL_TEXTS ? p(key as 'why.TIMEOUT') : null;
}

function Shown({ delivery }: { delivery: PortalDeliveryDetail }) {
  const { id, status, error, url, bookingId, eventId, nextRetryAt, createdAt, attempts, body } = delivery;
  const location = attempts.at(-1)?.location;
  return (
    <>
      {error !== null && (
        <div class="failed">
          <h2>{p('delivery.why')}</h2>
          {location === undefined ? (
            <p>{meaningOf(error)}</p>
          ) : (
            <p>
              {p('why.REDIRECT')}{' '}
              <bdi>
                <code>{location}</code>
              </bdi>
            </p>
          )}
          <p class="small">
            {t('hooks.error')} <code>{error}</code>
          </p>
        </div>
      )}
      <DeliveryActions
        status={status}
        retry={may('retryDelivery') ? () => call('retryDelivery', { id }) : null}
        replay={may('replayDelivery') ? () => call('replayDelivery', { id }) : null}
      />
      <Section title={t('booking.facts')}>
        <Facts
          facts={[
            {
              label: p('delivery.url'),
              value: url === null ? p('delivery.removed') : <code>{url}</code>,
            },
            {
              label: t('field.bookingId'),
              value: may('getBooking') ? (
                <Linked address={`/bookings/${bookingId}`} text={bookingId} code />
              ) : (
                <code>{bookingId}</code>
              ),
            },
            { label: t('field.created'), value: dateTime(createdAt) },
            delivery.replay > 0 && { label: t('delivery.isReplay'), value: number(delivery.replay) },
            nextRetryAt !== null && { label: t('delivery.next'), value: dateTime(nextRetryAt) },
            {
              label: t('delivery.event'),
              value: (
                <>
                  <Copied text={eventId} />{' '}
                  <a class="small" href={href('/deliveries', { eventId })}>
                    {t('delivery.ofEvent')}
                  </a>
                </>
              ),
            },
            {
              label: t('field.id'),
              value: <Copied text={id} />,
            },
          ]}
        />
      </Section>
      <Section title={t('delivery.attempts')}>
        <AttemptList attempts={attempts} more={headersOf} />
        <details>
          <summary>{p('delivery.body')}</summary>
          <pre>{body}</pre>
        </details>
      </Section>
      <SignatureCheck attempts={attempts} body={body} />
    </>
  );
}

function headersOf({ headers }: PortalAttempt) {
  if (headers.length === 0) return null;
  return (
    <details>
      <summary>{p('delivery.sent')}</summary>
      <pre>{headers.map(({ name, value }) => `${name}: ${value}`).join('\n')}</pre>
    </details>
  );
}
