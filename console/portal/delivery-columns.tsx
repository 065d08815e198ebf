import { dateTime, number } from '../format.ts';
import { t } from '../language.ts';
import { Badge, eventName } from '../parts/badge.tsx';
import type { Column } from '../parts/table.tsx';
import { href } from '../router.ts';
import type { PortalDelivery } from './contract.ts';
import { p } from './language.ts';

/** The columns of a list of deliveries. */
export const deliveryColumns = (): Column<PortalDelivery>[] => [
  {
    name: 'event',
    label: t('delivery.event'),
    cell: ({ id, event }) => <a href={href(`/deliveries/${id}`)}>{eventName(event)}</a>,
  },
  {
    name: 'url',
    label: p('delivery.url'),
    cell: ({ url }) =>
      url === null ? (
        p('delivery.removed')
      ) : (
        <bdi class="small">
          <code>{url}</code>
        </bdi>
      ),
  },
  { name: 'createdAt', label: t('field.when'), cell: ({ createdAt }) => dateTime(createdAt) },
  {
    name: 'status',
    label: t('field.status'),
    cell: ({ status }) => <Badge kind="delivery" state={status} />,
  },
  {
    name: 'last',
    label: t('delivery.last'),
    cell: ({ statusCode, error }) => (
      <>
        <code>{error ?? statusCode ?? '–'}</code>
        {error !== null && statusCode !== null && (
          <>
            {' '}
            <span class="badge bad">{statusCode}</span>
          </>
        )}
      </>
    ),
  },
  {
    name: 'nextRetryAt',
    label: t('delivery.next'),
    cell: ({ nextRetryAt }) => (nextRetryAt === null ? '–' : dateTime(nextRetryAt)),
  },
  {
    name: 'attemptCount',
    label: t('delivery.attempts'),
    end: true,
    cell: ({ attemptCount }) => number(attemptCount),
  },
];
