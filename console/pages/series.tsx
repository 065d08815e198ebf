import { call } from '../api.ts';
import type { OperatorSeries } from '../contract.ts';
import { nameOf, t } from '../language.ts';
import { usePartnerOptions } from '../options.ts';
import { partnerColumn } from '../parts/columns.tsx';
import type { PageProps } from '../parts/current-page.tsx';
import { Loaded } from '../parts/failed.tsx';
import { given, SelectFilter } from '../parts/filters.tsx';
import { Linked } from '../parts/linked.tsx';
import { Page } from '../parts/page.tsx';
import { PagedTable } from '../parts/paged-table.tsx';
import { reasonOptions } from '../parts/reason-options.ts';
import { SeriesFilters, seriesTable, TOPICS } from '../parts/series-parts.tsx';
import { SeriesShown } from '../parts/series-visits.tsx';
import type { Column } from '../parts/table.tsx';
import { useAll, useQuery } from '../query.ts';
import { may } from '../session.ts';
import { VisitTabs } from './visits.tsx';

const who = (): Column<OperatorSeries>[] => [
  {
    name: 'customer',
    label: t('field.customer'),
    cell: ({ contactId, contactName }) => <Linked address={`/customers/${contactId}`} text={contactName} />,
  },
  partnerColumn(),
  {
    name: 'service',
    label: t('field.service'),
    cell: ({ serviceName: name, serviceNameAr: nameAr }) => <bdi>{nameOf({ name, nameAr })}</bdi>,
  },
  {
    name: 'team',
    label: t('field.team'),
    cell: ({ sameCrew, crewName: name, crewNameAr: nameAr }) =>
      sameCrew && name !== null ? <bdi>{nameOf({ name, nameAr })}</bdi> : t('series.anyCrew'),
  },
];

/** Series of all partners, or one of them. */
export default function SeriesPage({ params: { id } }: PageProps) {
  return id === undefined ? <List /> : <One seriesId={id} />;
}

function List() {
  const query = useQuery(
    'listSeries',
    { query: given('partnerId', 'status', 'unplaced', 'page') as never },
    TOPICS,
  );
  return (
    <Page title={t('nav.visits')}>
      <VisitTabs chosen="weekly" />
      <SeriesFilters>
        <SelectFilter name="partnerId" label={t('field.partner')} options={usePartnerOptions()} />
      </SeriesFilters>
      <PagedTable query={query} {...seriesTable(who())} />
    </Page>
  );
}

const useReasons = () =>
  reasonOptions(useAll('listCancellationReasons', { query: { isActive: 'true' } }).answer);
const api = { call, may, useReasons };

function One({ seriesId }: { seriesId: string }) {
  const query = useQuery('getSeries', { seriesId }, TOPICS);
  const name = query.answer?.data.contactName;
  return (
    <Page title={name === undefined ? t('series.title') : t('series.of', { name })}>
      <Loaded query={query}>{({ data }) => <SeriesShown series={data} who={who()} {...api} />}</Loaded>
    </Page>
  );
}
