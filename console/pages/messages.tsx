import { type FoundMessage, MESSAGE_STATUSES } from '../contract.ts';
import { dateTime } from '../format.ts';
import { t } from '../language.ts';
import { usePartnerOptions } from '../options.ts';
import { bookingColumn } from '../parts/columns.tsx';
import { CsvButton } from '../parts/csv-button.tsx';
import { Filters, given, SelectFilter } from '../parts/filters.tsx';
import { Page } from '../parts/page.tsx';
import { PagedTable } from '../parts/paged-table.tsx';
import type { Column } from '../parts/table.tsx';
import { useQuery } from '../query.ts';

const columns = (): Column<FoundMessage>[] => [
  { name: 'at', label: t('field.when'), cell: ({ at }) => dateTime(at) },
  bookingColumn(),
  { name: 'visitAt', label: t('messages.visitAt'), cell: ({ visitAt }) => dateTime(visitAt) },
  { name: 'partner', label: t('field.partner'), cell: ({ partner }) => <bdi>{partner.name}</bdi> },
  { name: 'kind', label: t('messages.message'), cell: ({ kind }) => t(`customers.${kind}`) },
  {
    name: 'status',
    label: t('field.status'),
    cell: ({ status, reason }) =>
      status === 'DROPPED' ? (
        t(`customers.not.${reason as 'MOVED'}`)
      ) : (
        <>
          {t(`customers.${status}`)} {reason !== null && <bdi class="faint">{reason}</bdi>}
        </>
      ),
  },
];

/** Messages to customers of all bookings. */
export default function Messages() {
  const takes = { query: given('status', 'partnerId', 'withinHours', 'page') as never };
  const query = useQuery('listMessages', takes, ['bookings', 'appointments']);
  return (
    <Page title={t('nav.messages')} about={t('messages.about')}>
      <Filters>
        <SelectFilter
          name="status"
          label={t('field.status')}
          options={MESSAGE_STATUSES.map((value) => ({
            value,
            label: t(value === 'DROPPED' ? 'messages.DROPPED' : `customers.${value}`),
          }))}
        />
        <SelectFilter name="partnerId" label={t('field.partner')} options={usePartnerOptions()} />
        <SelectFilter
          name="withinHours"
          label={t('messages.ended')}
          options={[{ value: '24', label: t('steps.lastDay') }]}
        />
      </Filters>
      <PagedTable
        query={query}
        label={t('nav.messages')}
        columns={columns()}
        id={({ id }) => id}
        empty={t('messages.none')}
      >
        <CsvButton operation="listMessages" takes={takes} />
      </PagedTable>
    </Page>
  );
}
