import { type Expression, type RawBuilder, sql } from 'kysely';
import { bookingsAtPlace } from '../contacts/queries.ts';
import type { Queryable } from '../db/connection.ts';
import { hasPart, rowsOf, tablesOf } from '../db/tables.ts';
import type { SearchTerms } from './search-rules.ts';

/** The search of the list of bookings. */

const tables = tablesOf<Record<never, never>>();

/** Bookings that are found by name, phone, district and street: enough to narrow a list down, whatever is typed. */
const MAX_FOUND = 10_000;
/** More are at one place: the newest of all, or of a list's period. */
const MAX_AT_PLACE = 50_000;
const MIN_PLACE = 3;

/**
 * A condition over a row `b` of bookings. References are compared in the list; what stands in other tables is looked
 * up before: joined by `or`, PostgreSQL would read all bookings. `visits`: the bookings that the list is about.
 */
export async function searchCondition(
  db: Queryable,
  wanted: SearchTerms,
  visits: Expression<{ booking_id: string }> | null,
): Promise<RawBuilder<boolean>> {
  const hasReference = hasPart('b.external_reference', wanted.spellings);
  const ids = [...(wanted.id === null ? [] : [wanted.id]), ...(await findElsewhere(db, wanted, visits))];
  if (ids.length === 0) return hasReference;
  return sql<boolean>`(b.id = any (${ids}::uuid[]) or ${hasReference})`;
}

async function findElsewhere(
  db: Queryable,
  wanted: SearchTerms,
  visits: Expression<{ booking_id: string }> | null,
): Promise<string[]> {
  const ways = [...byTracking(wanted), ...byCustomer(wanted), ...byPlace(wanted, visits)];
  if (ways.length === 0) return [];
  const found = sql<{ id: string }>`(${sql.join(ways, sql` union `)})`.as('found');
  const query = tables
    .selectFrom(found)
    .select('found.id')
    .limit(MAX_FOUND + MAX_AT_PLACE);
  return (await rowsOf(db, query)).map(({ id }) => id);
}

function byTracking({ trackingReference, trackingStart }: SearchTerms): RawBuilder<unknown>[] {
  const names = [trackingReference, trackingStart].filter((name) => name !== null);
  if (names.length === 0) return [];
  return [sql`select booking_id as id from appointments where name = any (${names}::text[])`];
}

/** By the phone of the customer, its beginning or its end; else by words of the name. */
function byCustomer({ phone, words, id }: SearchTerms): RawBuilder<unknown>[] {
  const bookingsOf = (found: RawBuilder<unknown>) => sql`
    (select id from bookings where contact_id = any (array(select c.id from contacts c where ${found}))
      order by created_at desc limit ${MAX_FOUND})`;
  if (phone !== null) {
    const backwards = [...phone.end].reverse().join('');
    const byEnd = bookingsOf(sql`reverse(c.phone) like ${`${backwards}%`}`);
    return phone.start === null ? [byEnd] : [bookingsOf(sql`c.phone like ${`${phone.start}%`}`), byEnd];
  }
  if (words === null || id !== null) return [];
  // As contacts_folded_words_idx has it.
  return [
    bookingsOf(
      sql`to_tsvector('simple', search_plain(c.name) || ' ' || search_fold(c.name)) @@ to_tsquery('simple', ${words})`,
    ),
  ];
}

/** By short address; by district and street, which have no numbers, unlike references. */
function byPlace(
  { commonWord, text, shortAddress }: SearchTerms,
  visits: Expression<{ booking_id: string }> | null,
): RawBuilder<unknown>[] {
  if (shortAddress !== null)
    return [
      sql`(select b.id from addresses d join bookings b on b.contact_id = d.contact_id and b.address_id = d.id
        where d.short_address = ${shortAddress} order by b.created_at desc limit ${MAX_AT_PLACE})`,
    ];
  if (commonWord === null || text.length < MIN_PLACE) return [];
  const isListed = visits === null ? sql`true` : sql`b.id in (${visits})`;
  return [
    sql`(select b.id from ${bookingsAtPlace(text)} where ${isListed}
      order by b.created_at desc limit ${MAX_AT_PLACE})`,
  ];
}
