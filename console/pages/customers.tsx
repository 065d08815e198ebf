import type { ListedCustomer } from '../contract.ts';
import { dateTime } from '../format.ts';
import { customerName, t } from '../language.ts';
import { partnerColumn } from '../parts/columns.tsx';
import { Filters, given, TextFilter } from '../parts/filters.tsx';
import { Page } from '../parts/page.tsx';
import { PagedTable } from '../parts/paged-table.tsx';
import { MIN_LENGTH } from '../parts/palette.tsx';
import { Phone } from '../parts/phone.tsx';
import type { Column } from '../parts/table.tsx';
import { useQuery } from '../query.ts';
import { href } from '../router.ts';

const columns = (): Column<ListedCustomer>[] => [
  {
    name: 'name',
    label: t('field.customer'),
    cell: (customer) => (
      <a href={href(`/customers/${customer.id}`)}>
        <bdi>{customerName(customer)}</bdi>
      </a>
    ),
  },
  { name: 'phone', label: t('field.phone'), cell: (customer) => <Phone contact={customer} /> },
  partnerColumn(),
  { name: 'createdAt', label: t('customer.since'), cell: ({ createdAt }) => dateTime(createdAt) },
];

/** Customers of all partners, the latest first. */
export default function Customers() {
  const { search, ...page } = given('search', 'page');
  const isSearched = search !== undefined && search.length >= MIN_LENGTH;
  const filters = { ...page, ...(isSearched && { search }) } as never;
  const query = useQuery('listCustomers', { query: filters }, ['bookings']);
  return (
    <Page title={t('nav.customers')}>
      <Filters>
        <TextFilter name="search" label={t('filter.search')} hint={t('customer.search')} wide />
      </Filters>
      <PagedTable
        query={query}
        label={t('nav.customers')}
        columns={columns()}
        id={({ id }) => id}
        empty={t(isSearched ? 'customer.notFound' : 'customer.none')}
      />
    </Page>
  );
}
