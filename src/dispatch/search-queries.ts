import { type RawBuilder, sql } from 'kysely';
import { isAtPlace } from '../contacts/queries.ts';
import type { Queryable } from '../db/connection.ts';
import { hasPart, rowsOf, tablesOf } from '../db/tables.ts';
import { type Wanted, wantedOf } from './search-rules.ts';

/** The search of the list of bookings. */

const tables = tablesOf<Record<never, never>>();

/** Bookings that are found by name, phone, district and street: enough to narrow a list down, whatever is typed. */
const MAX_FOUND = 10_000;
const MIN_PLACE = 3;

/**
 * A condition over a row `b` of bookings. References are compared in the list; what stands in other tables is looked
 * up before: joined by `or`, PostgreSQL would read all bookings.
 */
export async function searchCondition(db: Queryable, search: string): Promise<RawBuilder<boolean>> {
  const wanted = wantedOf(search);
  const hasReference = hasPart('b.external_reference', wanted.text);
  const ids = [...(wanted.id === null ? [] : [wanted.id]), ...(await findElsewhere(db, wanted))];
  if (ids.length === 0) return hasReference;
  return sql<boolean>`(b.id = any (${ids}::uuid[]) or ${hasReference})`;
}

async function findElsewhere(db: Queryable, wanted: Wanted): Promise<string[]> {
  const ways = [...byTracking(wanted), ...byCustomer(wanted), ...byPlace(wanted)];
  if (ways.length === 0) return [];
  const found = sql<{ id: string }>`(${sql.join(ways, sql` union `)})`.as('found');
  const query = tables.selectFrom(found).select('found.id').limit(MAX_FOUND);
  return (await rowsOf(db, query)).map(({ id }) => id);
}

function byTracking({ trackingReference, trackingStart }: Wanted): RawBuilder<unknown>[] {
  const names = [trackingReference, trackingStart].filter((name) => name !== null);
  if (names.length === 0) return [];
  return [sql`select booking_id as id from appointments where name = any (${names}::text[])`];
}

/** By the phone of the customer, its beginning or its end; else by words of the name. */
function byCustomer({ phone, words, id }: Wanted): RawBuilder<unknown>[] {
  const bookingsOf = (found: RawBuilder<unknown>) => sql`
    (select id from bookings where contact_id = any (array(select c.id from contacts c where ${found}))
      order by created_at desc limit ${MAX_FOUND})`;
  if (phone !== null) {
    const backwards = [...phone.end].reverse().join('');
    const byEnd = bookingsOf(sql`reverse(c.phone) like ${`${backwards}%`}`);
    return phone.start === null ? [byEnd] : [bookingsOf(sql`c.phone like ${`${phone.start}%`}`), byEnd];
  }
  if (words === null || id !== null) return [];
  // As contacts_words_idx has it.
  return [
    bookingsOf(
      sql`to_tsvector('simple', search_text(c.name)) @@ to_tsquery('simple', search_text(${words}))`,
    ),
  ];
}

/** By district and street, which have no numbers: a reference does not read the addresses, which have no such index. */
function byPlace({ commonWord, text }: Wanted): RawBuilder<unknown>[] {
  if (commonWord === null || text.length < MIN_PLACE) return [];
  const there = sql`from addresses d where ${isAtPlace('d', text)}`;
  return [
    sql`(select id from bookings
      where contact_id = any (array(select d.contact_id ${there})) and address_id = any (array(select d.id ${there}))
      order by created_at desc limit ${MAX_FOUND})`,
  ];
}
