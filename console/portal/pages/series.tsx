import { nameById, t } from '../../language.ts';
import type { PageProps } from '../../parts/current-page.tsx';
import { Loaded } from '../../parts/failed.tsx';
import { given } from '../../parts/filters.tsx';
import { Page } from '../../parts/page.tsx';
import { PagedTable } from '../../parts/paged-table.tsx';
import { reasonOptions } from '../../parts/reason-options.ts';
import { SeriesFilters, seriesTable, TOPICS } from '../../parts/series-parts.tsx';
import { SeriesShown } from '../../parts/series-visits.tsx';
import type { Column } from '../../parts/table.tsx';
import { href } from '../../router.ts';
import { call } from '../api.ts';
import type { Series } from '../contract.ts';
import { p } from '../language.ts';
import { useQuery } from '../query.ts';
import { may } from '../visitor.ts';

function useWho(): Column<Series>[] {
  const services = useQuery('listServices', may('listServices') ? {} : null, ['catalogue']).answer?.data;
  return [
    {
      name: 'customer',
      label: t('field.customer'),
      cell: ({ contactId }) =>
        may('getContact') && <a href={href(`/customers/${contactId}`)}>{p('customers.stored')}</a>,
    },
    {
      name: 'service',
      label: t('field.service'),
      cell: ({ serviceId }) => <bdi>{nameById(services ?? [], serviceId)}</bdi>,
    },
    {
      name: 'reference',
      label: p('bookings.reference'),
      cell: ({ externalReference }) => <bdi>{externalReference ?? '–'}</bdi>,
    },
  ];
}

/** The partner's series, or one of them. */
export default function SeriesPage({ params: { id } }: PageProps) {
  return id === undefined ? <List /> : <One seriesId={id} />;
}

function List() {
  const query = useQuery('listSeries', { query: given('status', 'unplaced', 'page') as never }, TOPICS);
  return (
    <Page title={p('nav.series')}>
      <SeriesFilters />
      <PagedTable query={query} {...seriesTable(useWho())} />
    </Page>
  );
}

const useReasons = () =>
  reasonOptions(useQuery('listCancellationReasons', may('listCancellationReasons') ? {} : null).answer?.data);
const api = { call, may, useReasons };

function One({ seriesId }: { seriesId: string }) {
  const query = useQuery('getSeries', { seriesId }, TOPICS);
  const who = useWho();
  return (
    <Page title={t('series.title')}>
      <Loaded query={query}>{({ data }) => <SeriesShown series={data} who={who} {...api} />}</Loaded>
    </Page>
  );
}
