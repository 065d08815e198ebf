import type { WebhookDelivery } from '../contract.ts';
import { dateTime, number } from '../format.ts';
import { t } from '../language.ts';
import { usePartnerOptions } from '../options.ts';
import { Badge, eventName, eventOptions, stateOptions } from '../parts/badge.tsx';
import { CsvButton } from '../parts/csv-button.tsx';
import { Loaded } from '../parts/failed.tsx';
import { Filters, given, SelectFilter, TextFilter } from '../parts/filters.tsx';
import { Page } from '../parts/page.tsx';
import { type Column, Pager, Table } from '../parts/table.tsx';
import { useQuery } from '../query.ts';
import { href, place } from '../router.ts';

const columns = (): Column<WebhookDelivery>[] => [
  {
    name: 'event',
    label: t('delivery.event'),
    cell: ({ id, event }) => <a href={href(`/deliveries/${id}`)}>{eventName(event)}</a>,
  },
  { name: 'createdAt', sorts: 'DESC', label: t('field.when'), cell: ({ createdAt }) => dateTime(createdAt) },
  {
    name: 'status',
    label: t('field.status'),
    cell: ({ status }) => <Badge kind="delivery" state={status} />,
  },
  { name: 'partner', label: t('field.partner'), cell: ({ partnerName }) => <bdi>{partnerName}</bdi> },
  {
    name: 'last',
    label: t('delivery.last'),
    cell: ({ statusCode, error }) => <code>{error ?? statusCode ?? '–'}</code>,
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
      <Loaded query={query}>
        {({ data, meta }) => (
          <>
            <Table
              label={t('nav.deliveries')}
              columns={columns()}
              rows={data}
              id={({ id }) => id}
              empty={place.value.query.size > 0 ? t('delivery.empty') : t('delivery.none')}
            />
            <Pager meta={meta}>
              <CsvButton operation="listDeliveries" takes={takes} />
            </Pager>
          </>
        )}
      </Loaded>
    </Page>
  );
}
