import type { Payment } from '../contract.ts';
import { t } from '../language.ts';
import { usePartnerOptions } from '../options.ts';
import { Badge, stateOptions } from '../parts/badge.tsx';
import { createdColumn, moneyColumn, partnerColumn } from '../parts/columns.tsx';
import { CsvButton } from '../parts/csv-button.tsx';
import { DateFilter, Filters, given, SelectFilter, TextFilter } from '../parts/filters.tsx';
import { Linked } from '../parts/linked.tsx';
import { Page } from '../parts/page.tsx';
import { PagedTable } from '../parts/paged-table.tsx';
import type { Column } from '../parts/table.tsx';
import { useQuery } from '../query.ts';
import { place } from '../router.ts';

const columns = (): Column<Payment>[] => [
  {
    name: 'trackingReference',
    label: t('field.tracking'),
    cell: ({ id, trackingReference }) => <Linked address={`/payments/${id}`} text={trackingReference} />,
  },
  createdColumn(),
  {
    name: 'status',
    sorts: true,
    label: t('field.status'),
    cell: ({ status }) => <Badge kind="link" state={status} />,
  },
  {
    name: 'refund',
    label: t('payment.refundColumn'),
    cell: ({ refund }) => (refund === null ? '–' : <Badge kind="refund" state={refund.status} />),
  },
  partnerColumn(),
  { ...moneyColumn('amount', t('field.amount')), sorts: true },
];

/** Payment links and refunds. */
export default function Payments() {
  const filters = given(
    'search',
    'status',
    'refundStatus',
    'partnerId',
    'fromDate',
    'toDate',
    'late',
    'unsent',
    'sortBy',
    'sortOrder',
    'page',
  );
  const takes = { query: filters as never };
  const query = useQuery('listPayments', takes, ['payments']);
  return (
    <Page title={t('nav.payments')}>
      <Filters>
        <TextFilter name="search" label={t('filter.search')} hint={t('payment.search')} ltr />
        <SelectFilter name="status" label={t('field.status')} options={stateOptions('link')} />
        <SelectFilter
          name="refundStatus"
          label={t('payment.refundColumn')}
          options={stateOptions('refund')}
        />
        <SelectFilter
          name="late"
          label={t('payment.late')}
          options={[
            { value: 'true', label: t('field.yes') },
            { value: 'false', label: t('field.no') },
          ]}
        />
        <SelectFilter
          name="unsent"
          label={t('payment.unsent')}
          options={[
            { value: 'make', label: t('payment.unsent.make') },
            { value: 'send', label: t('payment.unsent.send') },
          ]}
        />
        <SelectFilter name="partnerId" label={t('field.partner')} options={usePartnerOptions()} />
        <DateFilter name="fromDate" label={t('filter.from')} />
        <DateFilter name="toDate" label={t('filter.to')} />
      </Filters>
      <PagedTable
        query={query}
        label={t('nav.payments')}
        columns={columns()}
        id={({ id }) => id}
        empty={place.value.query.size > 0 ? t('payment.empty') : t('payment.none')}
      >
        <CsvButton operation="listPayments" takes={takes} />
      </PagedTable>
    </Page>
  );
}
