import type { WebhookDelivery } from '../contract.ts';
import { dateTime } from '../format.ts';
import { t } from '../language.ts';
import { href } from '../router.ts';
import { Badge, eventName } from './badge.tsx';
import { numberColumn } from './columns.tsx';
import type { Column } from './table.tsx';

type Delivery = Pick<
  WebhookDelivery,
  'id' | 'event' | 'createdAt' | 'status' | 'error' | 'statusCode' | 'nextRetryAt' | 'attemptCount'
>;

/** The columns that the operator's list of deliveries and that of the portal have in common. */
export function deliveryColumns<Row extends Delivery>() {
  return {
    event: {
      name: 'event',
      label: t('delivery.event'),
      cell: ({ id, event }) => <a href={href(`/deliveries/${id}`)}>{eventName(event)}</a>,
    },
    createdAt: { name: 'createdAt', label: t('field.when'), cell: ({ createdAt }) => dateTime(createdAt) },
    status: {
      name: 'status',
      label: t('field.status'),
      cell: ({ status }) => <Badge kind="delivery" state={status} />,
    },
    last: {
      name: 'last',
      label: t('delivery.last'),
      cell: ({ statusCode, error }) => <code>{error ?? statusCode ?? '–'}</code>,
    },
    nextRetryAt: {
      name: 'nextRetryAt',
      label: t('delivery.next'),
      cell: ({ nextRetryAt }) => (nextRetryAt === null ? '–' : dateTime(nextRetryAt)),
    },
    attemptCount: numberColumn('attemptCount', t('delivery.attempts')),
  } satisfies Record<string, Column<Row>>;
}
