import type { ContactTable } from '../contacts/table.ts';
import type { Queryable } from '../db/connection.ts';
import { isOneOf, pageOf, tablesOf } from '../db/tables.ts';
import { searchTermsOf } from '../dispatch/search-rules.ts';
import { paging } from '../http/envelope.ts';
import { findBookings, findContacts } from './search-queries.ts';
import type { CustomersQuery } from './search-schema.ts';

const tables = tablesOf<{
  contacts: ContactTable;
  bookings: { id: string; contact_id: string };
  partners: { id: string; name: string };
}>();

/** More of them are no use: a longer text finds fewer. */
const MAX_FOUND = 100;

/**
 * A page of the customers, the latest first: with a text those that it or their bookings' references match, else all
 * that are not erased. `hidesPhones`: for one who sees phones masked (searchTermsOf).
 */
export async function listCustomers(
  db: Queryable,
  { search, ...page }: CustomersQuery,
  hidesPhones: boolean,
) {
  const customers = tables
    .selectFrom('contacts as c')
    .innerJoin('partners as p', 'p.id', 'c.partner_id')
    .select(['c.id', 'c.name', 'c.phone', 'c.partner_id', 'p.name as partner_name', 'c.created_at'])
    // The ids of contacts begin with the time.
    .orderBy('c.id', 'desc');
  if (search === undefined) return pageOf(db, customers.where('c.erasure_id', 'is', null), paging(page));
  const wanted = searchTermsOf(search, { hidesPhones });
  const ids = (await findContacts(db, wanted, MAX_FOUND)).map(({ id }) => id);
  const bookings = await findBookings(db, wanted, MAX_FOUND, { contactIds: [], byPart: false });
  const ofBookings = tables
    .selectFrom('bookings')
    .select('contact_id')
    .where(
      isOneOf(
        'id',
        bookings.map(({ id }) => id),
      ),
    );
  const found = customers.where(({ or, eb }) => or([isOneOf('c.id', ids), eb('c.id', 'in', ofBookings)]));
  return pageOf(db, found, paging(page));
}
