import type { WebhookDelivery } from '../contract.ts';
import { t } from '../language.ts';
import { usePartnerOptions } from '../options.ts';
import { eventOptions, stateOptions } from '../parts/badge.tsx';
import { partnerColumn } from '../parts/columns.tsx';
import { CsvButton } from '../parts/csv-button.tsx';
import { deliveryColumns } from '../parts/delivery-columns.tsx';
import { Filters, given, SelectFilter, TextFilter } from '../parts/filters.tsx';
import { Page } from '../parts/page.tsx';
import { PagedTable } from '../parts/paged-table.tsx';
import type { Column } from '../parts/table.tsx';
import { useQuery } from '../query.ts';
import { place } from '../router.ts';

function columns(): Column<WebhookDelivery>[] {
  const { event, createdAt, status, last, nextRetryAt, attemptCount } = deliveryColumns<WebhookDelivery>();
  return [event, { ...createdAt, sorts: 'DESC' }, status, partnerColumn(), last, nextRetryAt, attemptCount];
}

/** Deliveries of all partners. */
export default function Deliveries() {
  const filters = given(
    'status',
    'event',
    'partnerId',
    'subscriptionId',
    'bookingId',
    'failingWithinHours',
    'sortBy',
    'sortOrder',
    'page',
  );
  const takes = { query: filters as never };
  const query = useQuery('listDeliveries', takes, ['deliveries']);
  return (
    <Page title={t('nav.deliveries')}>
      <Filters>
        <SelectFilter name="status" label={t('field.status')} options={stateOptions('delivery')} />
        <SelectFilter name="event" label={t('delivery.event')} options={eventOptions()} />
        <SelectFilter name="partnerId" label={t('field.partner')} options={usePartnerOptions()} />
        <SelectFilter
          name="failingWithinHours"
          label={t('today.attention')}
          options={[{ value: '24', label: t('today.deliveriesFailing') }]}
        />
        <TextFilter name="bookingId" label={t('field.bookingId')} ltr />
      </Filters>
      <PagedTable
        query={query}
        label={t('nav.deliveries')}
        columns={columns()}
        id={({ id }) => id}
        empty={place.value.query.size > 0 ? t('delivery.empty') : t('delivery.none')}
      >
        <CsvButton operation="listDeliveries" takes={takes} />
      </PagedTable>
    </Page>
  );
}
