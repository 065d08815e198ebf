import { t } from '../../language.ts';
import { eventOptions, stateOptions } from '../../parts/badge.tsx';
import { Filters, given, SelectFilter, TextFilter } from '../../parts/filters.tsx';
import { Page } from '../../parts/page.tsx';
import { PagedTable } from '../../parts/paged-table.tsx';
import { place } from '../../router.ts';
import { deliveryColumns } from '../delivery-columns.tsx';
import { p } from '../language.ts';
import { useQuery } from '../query.ts';

const FILTERS = [
  'status',
  'event',
  'subscriptionId',
  'bookingId',
  'eventId',
  'failingWithinHours',
  'page',
] as const;

/** The partner's deliveries. */
export default function Deliveries() {
  const subscriptions = useQuery('listSubscriptions', {}, ['deliveries']);
  const query = useQuery('listDeliveries', { query: given(...FILTERS) as never }, ['deliveries']);
  return (
    <Page title={p('nav.deliveries')}>
      <Filters>
        <SelectFilter name="status" label={t('field.status')} options={stateOptions('delivery')} />
        <SelectFilter name="event" label={t('delivery.event')} options={eventOptions()} />
        <SelectFilter
          name="subscriptionId"
          label={t('delivery.subscription')}
          options={(subscriptions.answer?.data ?? []).map(({ id, url }) => ({ value: id, label: url }))}
        />
        <SelectFilter
          name="failingWithinHours"
          label={t('today.attention')}
          options={[{ value: '24', label: t('today.deliveriesFailing') }]}
        />
        <TextFilter name="bookingId" label={t('field.bookingId')} ltr />
      </Filters>
      <PagedTable
        query={query}
        label={p('nav.deliveries')}
        columns={deliveryColumns()}
        id={({ id }) => id}
        empty={place.value.query.size > 0 ? p('deliveries.empty') : p('deliveries.none')}
      />
    </Page>
  );
}
