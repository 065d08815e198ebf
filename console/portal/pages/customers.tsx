import { t } from '../../language.ts';
import { Filters, TextFilter } from '../../parts/filters.tsx';
import { Linked } from '../../parts/linked.tsx';
import { Page } from '../../parts/page.tsx';
import { PagedTable } from '../../parts/paged-table.tsx';
import type { Column } from '../../parts/table.tsx';
import { place } from '../../router.ts';
import { westernDigits } from '../../values.ts';
import type { ContactDetail } from '../contract.ts';
import { p } from '../language.ts';
import { useQuery } from '../query.ts';

const columns = (): Column<ContactDetail>[] => [
  {
    name: 'name',
    label: t('field.customer'),
    cell: ({ id, name }) => <Linked address={`/customers/${id}`} text={name} />,
  },
  { name: 'phone', label: t('field.phone'), cell: ({ phone }) => <bdi dir="ltr">{phone}</bdi> },
];

/** Of a national number without its zero. */
const MIN_DIGITS = 9;

/** Finds one of the partner's customers by phone. */
export default function Customers() {
  const typed = place.value.query.get('phone') ?? '';
  const phone = westernDigits(typed).replace(/\D/g, '').length < MIN_DIGITS ? null : typed;
  const query = useQuery('findContacts', phone === null ? null : { query: { phone } }, ['bookings']);
  return (
    <Page title={p('nav.customers')} about={p('customers.about')}>
      <Filters>
        <TextFilter name="phone" label={t('field.phone')} ltr />
      </Filters>
      {phone === null ? (
        <p class="empty">{p('customers.enter')}</p>
      ) : (
        <PagedTable
          query={query}
          label={p('nav.customers')}
          columns={columns()}
          id={({ id }) => id}
          empty={p('customers.none')}
        />
      )}
    </Page>
  );
}
