import { deliveryColumns as commonColumns } from '../parts/delivery-columns.tsx';
import type { Column } from '../parts/table.tsx';
import type { PortalDelivery } from './contract.ts';
import { p } from './language.ts';

/** The columns of a list of deliveries. */
export function deliveryColumns(): Column<PortalDelivery>[] {
  const { event, createdAt, status, last, nextRetryAt, attemptCount } = commonColumns<PortalDelivery>();
  return [
    event,
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
    createdAt,
    status,
    {
      ...last,
      cell: (delivery) => (
        <>
          {last.cell(delivery)}
          {delivery.error !== null && delivery.statusCode !== null && (
            <>
              {' '}
              <span class="badge bad">{delivery.statusCode}</span>
            </>
          )}
        </>
      ),
    },
    nextRetryAt,
    attemptCount,
  ];
}
