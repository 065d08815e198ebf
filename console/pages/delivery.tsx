import { call } from '../api.ts';
import type { WebhookDeliveryDetail } from '../contract.ts';
import { dateTime } from '../format.ts';
import { t } from '../language.ts';
import { Badge, eventName } from '../parts/badge.tsx';
import { CopyButton } from '../parts/copy-button.tsx';
import type { PageProps } from '../parts/current-page.tsx';
import { DeliveryAttempts } from '../parts/delivery-attempts.tsx';
import { Facts } from '../parts/facts.tsx';
import { Failed, Loaded } from '../parts/failed.tsx';
import { Page, Section } from '../parts/page.tsx';
import { toast } from '../parts/toasts.tsx';
import { useAction, useQuery } from '../query.ts';
import { href } from '../router.ts';
import { may } from '../session.ts';

/** One delivery, with its attempts and what was sent. */
export default function DeliveryPage({ params: { id = '' } }: PageProps) {
  const query = useQuery('getDelivery', { id }, ['deliveries']);
  const delivery = query.answer?.data;
  return (
    <Page
      title={
        delivery === undefined
          ? t('nav.deliveries')
          : t('delivery.title', { event: eventName(delivery.event) })
      }
      about={delivery && <Badge kind="delivery" state={delivery.status} />}
    >
      <Loaded query={query}>{({ data }) => <Shown delivery={data} />}</Loaded>
    </Page>
  );
}

function Shown({ delivery }: { delivery: WebhookDeliveryDetail }) {
  const action = useAction(['deliveries']);
  const { id, status, partnerId, partnerName, bookingId, subscriptionId, nextRetryAt, createdAt, error } =
    delivery;
  async function retry(): Promise<void> {
    if (await action.run(() => call('retryDelivery', { id }))) toast(t('delivery.retried'));
  }
  return (
    <>
      {status === 'FAILED' && may('retryDelivery') && (
        <div class="buttons">
          <button type="button" class="primary" disabled={action.busy} onClick={() => void retry()}>
            {t('delivery.retry')}
          </button>
        </div>
      )}
      {action.failure && <Failed failure={action.failure} />}
      <Section title={t('booking.facts')}>
        <Facts
          facts={[
            {
              label: t('field.partner'),
              value: (
                <a href={href(`/partners/${partnerId}/webhooks`)}>
                  <bdi>{partnerName}</bdi>
                </a>
              ),
            },
            {
              label: t('field.bookingId'),
              value: (
                <a href={href(`/bookings/${bookingId}`)}>
                  <code>{bookingId}</code>
                </a>
              ),
            },
            {
              label: t('delivery.subscription'),
              value: (
                <a href={href('/deliveries', { subscriptionId })}>
                  <code>{subscriptionId}</code>
                </a>
              ),
            },
            { label: t('field.created'), value: dateTime(createdAt) },
            nextRetryAt !== null && { label: t('delivery.next'), value: dateTime(nextRetryAt) },
            error !== null && { label: t('payment.why'), value: <code>{error}</code> },
            {
              label: t('field.id'),
              value: (
                <>
                  <code>{id}</code> <CopyButton text={id} />
                </>
              ),
            },
          ]}
        />
      </Section>
      <Section title={t('delivery.attempts')}>
        <DeliveryAttempts id={id} />
      </Section>
    </>
  );
}
