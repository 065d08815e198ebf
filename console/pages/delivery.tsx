import { call } from '../api.ts';
import type { WebhookDeliveryDetail } from '../contract.ts';
import { dateTime, number } from '../format.ts';
import { t } from '../language.ts';
import { Badge, eventName } from '../parts/badge.tsx';
import { Copied } from '../parts/copy-button.tsx';
import type { PageProps } from '../parts/current-page.tsx';
import { DeliveryActions } from '../parts/delivery-actions.tsx';
import { DeliveryAttempts } from '../parts/delivery-attempts.tsx';
import { Facts } from '../parts/facts.tsx';
import { Loaded } from '../parts/failed.tsx';
import { Linked } from '../parts/linked.tsx';
import { Page, Section } from '../parts/page.tsx';
import { useQuery } from '../query.ts';
import { href } from '../router.ts';
import { may } from '../session.ts';

/** One delivery, with its attempts and body. */
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
  const { id, status, partnerId, partnerName, bookingId, subscriptionId, nextRetryAt, createdAt, error } =
    delivery;
  return (
    <>
      <DeliveryActions
        status={status}
        retry={may('retryDelivery') ? () => call('retryDelivery', { id }) : null}
        replay={may('replayDelivery') ? () => call('replayDelivery', { id }) : null}
      />
      <Section title={t('booking.facts')}>
        <Facts
          facts={[
            {
              label: t('field.partner'),
              value: <Linked address={`/partners/${partnerId}/webhooks`} text={partnerName} />,
            },
            {
              label: t('field.bookingId'),
              value: <Linked address={`/bookings/${bookingId}`} text={bookingId} code />,
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
            delivery.replay > 0 && { label: t('delivery.isReplay'), value: number(delivery.replay) },
            nextRetryAt !== null && { label: t('delivery.next'), value: dateTime(nextRetryAt) },
            error !== null && { label: t('payment.why'), value: <code>{error}</code> },
            {
              label: t('field.id'),
              value: <Copied text={id} />,
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
