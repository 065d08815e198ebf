import { t } from '../../language.ts';
import { Loaded } from '../../parts/failed.tsx';
import { Filters, TextFilter } from '../../parts/filters.tsx';
import { Page } from '../../parts/page.tsx';
import { type Column, Table } from '../../parts/table.tsx';
import { href, place } from '../../router.ts';
import { westernDigits } from '../../values.ts';
import type { ContactDetail } from '../contract.ts';
import { p } from '../language.ts';
import { useQuery } from '../query.ts';

const columns = (): Column<ContactDetail>[] => [
  {
    name: 'name',
    label: t('field.customer'),
    cell: ({ id, name }) => (
      <a href={href(`/customers/${id}`)}>
        <bdi>{name}</bdi>
      </a>
    ),
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
        <Loaded query={query}>
          {({ data }) => (
            <Table
              label={p('nav.customers')}
              columns={columns()}
              rows={data}
              id={({ id }) => id}
              empty={p('customers.none')}
            />
          )}
        </Loaded>
      )}
    </Page>
  );
}
