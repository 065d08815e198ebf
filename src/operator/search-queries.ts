import { sql } from 'kysely';
import type { AppointmentStatus, BookingStatus } from '../bookings/rules.ts';
import type { BookingTable } from '../bookings/table.ts';
import { bookingsAtPlace } from '../contacts/queries.ts';
import { ERASED_NAME } from '../contacts/table.ts';
import type { Queryable } from '../db/connection.ts';
import { AS_PEOPLE_SORT } from '../db/pages.ts';
import { type Column, first, hotStatement, pg, type Row, rows } from '../db/statement.ts';
import { hasPart, rowsOf, tablesOf } from '../db/tables.ts';
import type { SearchTerms } from '../dispatch/search-rules.ts';

const tables = tablesOf<{ bookings: BookingTable }>();

/** The kind of a match: the whole text, a prefix, a part, or of a customer that matches. */
export type Match = 'exact' | 'start' | 'part' | 'customer';

const MATCH = `(array['exact', 'start', 'part', 'customer'])[rank + 1] as match`;
/** Candidates that are ranked: two letters are the prefix of thousands of names. */
const CANDIDATES = 200;
/**
 * The newest customers are searched first, and the index of words only if they do not suffice: for common words it
 * collects all matches before it returns one.
 */
const NEWEST = 300;

/** Sorts after every text with the prefix, byte by byte: no character is greater. */
const LAST = '\u{10ffff}';
/**
 * Whether the column starts with the text. As a range and not by `like`, whose pattern a generic plan cannot turn into
 * one: it would read the whole table.
 */
const startsWith = (column: string, text: string): string =>
  `${column} ~>=~ ${text} and ${column} ~<~ (${text} || '${LAST}')`;

/**
 * A value by a subselect. PostgreSQL keeps a generic plan only when a plan for the values does not seem cheaper, and
 * with most of them null it would: then it would plan each search.
 */
const given = (type: Column<unknown>, name: string): string => `(select :${name}::${type.type})`;

/** The name has all the words, each by its prefix. As contacts_folded_words_idx has it. */
const HAS_WORDS = `to_tsvector('simple', search_plain(name) || ' ' || search_fold(name)) @@ (select to_tsquery('simple', :words))`;
const isShort = (table: string): string => `(select count(*) from ${table}) < ${given(pg.bigint, 'limit')}`;

export const SEARCH_BOOKINGS = hotStatement({
  name: 'search-bookings',
  takes: {
    id: pg.nullable(pg.uuid),
    trackingReference: pg.nullable(pg.text),
    trackingStart: pg.nullable(pg.text),
    spellings: pg.texts,
    withPart: pg.uuids,
    contactIds: pg.uuids,
    limit: pg.bigint,
  },
  returns: {
    id: pg.uuid,
    appointment_id: pg.uuid,
    tracking_reference: pg.text,
    external_reference: pg.nullable(pg.text),
    status: pg.typed<BookingStatus>(pg.text),
    appointment_status: pg.typed<AppointmentStatus>(pg.text),
    starts_at: pg.timestamptz,
    contact_name: pg.text,
    partner_name: pg.text,
    match: pg.typed<Match>(pg.text),
  },
  text: `
    with found as (
      select id as booking_id, 0 as rank from bookings where id = ${given(pg.uuid, 'id')}
      union all select booking_id, 0 from appointments where id = ${given(pg.uuid, 'id')}
      union all select booking_id, 0 from payments where id = ${given(pg.uuid, 'id')}
      union all select booking_id, 0 from webhook_deliveries where id = ${given(pg.uuid, 'id')}
      union all select booking_id, 0 from appointments where name = ${given(pg.text, 'trackingReference')}
      union all (select booking_id, 1 from appointments where ${startsWith('name', given(pg.text, 'trackingStart'))}
        order by name using ~<~ limit ${CANDIDATES})
      union all select found.* from unnest((select :spellings::text[])) as wanted cross join lateral (
        select id, case when lower(external_reference) = wanted then 0 else 1 end from bookings
        where external_reference is not null and ${startsWith('lower(external_reference)', 'wanted')}
        order by lower(external_reference) using ~<~ limit ${CANDIDATES}) as found
      union all select id, 2 from unnest(${given(pg.uuids, 'withPart')}) as id
      union all (select id, 3 from bookings where contact_id = any (${given(pg.uuids, 'contactIds')}::uuid[])
        order by created_at desc limit ${CANDIDATES})
    ), ranked as (
      select booking_id, min(rank) as rank from found group by booking_id
    ), best as (
      select rank, a.* from ranked
      -- By their keys, however few rows there are when the plan is made.
      cross join lateral (select * from appointments where booking_id = ranked.booking_id offset 0) a
      order by rank, a.starts_at desc, a.booking_id limit ${given(pg.bigint, 'limit')}
    )
    select b.id, a.id as appointment_id, a.name as tracking_reference, b.external_reference, b.status,
      a.status as appointment_status, a.starts_at, c.name as contact_name, p.name as partner_name, ${MATCH}
    from best a
    cross join lateral (select * from bookings where id = a.booking_id offset 0) b
    cross join lateral (select name from contacts where id = b.contact_id offset 0) c
    cross join lateral (select name from partners where id = b.partner_id offset 0) p
    order by rank, a.starts_at desc, b.id`,
});

export type FoundBooking = Row<typeof SEARCH_BOOKINGS>;

/**
 * Bookings by their id, or that of their appointment, payment or a delivery, by tracking reference and external
 * reference, also by a part of the latter and of district and street (`byPart`), and those of the customers.
 */
export async function findBookings(
  db: Queryable,
  wanted: SearchTerms,
  limit: number,
  { contactIds, byPart = true }: { contactIds: string[]; byPart?: boolean },
): Promise<FoundBooking[]> {
  const { id, trackingReference, trackingStart, spellings } = wanted;
  const withPart = byPart ? [...(await findByPart(db, wanted)), ...(await findByPlace(db, wanted))] : [];
  return rows(db, SEARCH_BOOKINGS, {
    id,
    trackingReference,
    trackingStart,
    spellings,
    withPart,
    contactIds,
    limit,
  });
}

/** The index is of trigrams (docs/decisions/list-and-as-of.md). */
const MIN_PART = 3;

export const IS_REFERENCE = hotStatement({
  name: 'search-whole-reference',
  takes: { spellings: pg.texts },
  returns: { found: pg.boolean },
  text: `
    select exists (
      select from unnest((select :spellings::text[])) as wanted cross join lateral (
        select 1 from bookings where external_reference is not null and lower(external_reference) = wanted limit 1) as whole
    ) as found`,
});

/**
 * The newest bookings with the text anywhere in their external reference. Not when the text is a whole reference: its
 * trigrams are often those of all others, so the search would be slow. Not a hot statement: whether the index or the
 * newest bookings are read depends on the number of matches.
 */
async function findByPart(db: Queryable, { id, text, spellings }: SearchTerms): Promise<string[]> {
  if (id !== null || text.length < MIN_PART) return [];
  if ((await first(db, IS_REFERENCE, { spellings }))?.found) return [];
  const query = tables
    .selectFrom('bookings')
    .select('id')
    .where(hasPart('external_reference', spellings))
    .orderBy('created_at', 'desc')
    .limit(CANDIDATES);
  return (await rowsOf(db, query)).map((row) => row.id);
}

/** The newest bookings at an address whose district or street has the text. */
async function findByPlace(db: Queryable, { commonWord, text }: SearchTerms): Promise<string[]> {
  if (commonWord === null || text.length < MIN_PART) return [];
  const found = sql<{ id: string }>`
    (select b.id from ${bookingsAtPlace(text)} order by b.created_at desc limit ${CANDIDATES})`;
  return (await rowsOf(db, tables.selectFrom(found.as('found')).select('id'))).map((row) => row.id);
}

export const SEARCH_CONTACTS = hotStatement({
  name: 'search-contacts',
  takes: {
    id: pg.nullable(pg.uuid),
    phone: pg.nullable(pg.text),
    phoneStart: pg.nullable(pg.text),
    phoneEnd: pg.nullable(pg.text),
    shortAddress: pg.nullable(pg.text),
    words: pg.nullable(pg.text),
    commonWord: pg.nullable(pg.text),
    name: pg.text,
    limit: pg.bigint,
  },
  returns: {
    id: pg.uuid,
    name: pg.text,
    phone: pg.nullable(pg.text),
    partner_id: pg.uuid,
    partner_name: pg.text,
    match: pg.typed<Match>(pg.text),
  },
  text: `
    with beginning as (
      -- The index has the names and the ids, so that only the best are looked up. Erased customers have one name.
      select id, name, case when search_fold(name) = (select search_fold(:name)) then 0 else 1 end as rank
      from contacts
      where ${given(pg.text, 'words')} is not null and name <> '${ERASED_NAME}'
        and ${startsWith('search_fold(name)', '(select search_fold(:name))')}
      order by search_fold(name) using ~<~ limit ${CANDIDATES}
    ), begun as materialized (
      select id, rank from beginning order by rank, name ${AS_PEOPLE_SORT}, id limit ${given(pg.bigint, 'limit')}
    ), newest as materialized (
      -- Their ids begin with the time; those of old rows are random, and any rows would do.
      select id, name, phone, partner_id from (select * from contacts order by id desc limit ${NEWEST}) as lately
      where ${given(pg.text, 'commonWord')} is not null and erasure_id is null and ${isShort('begun')}
        -- Half of what the words of a name take.
        and strpos(search_fold(name), (select :commonWord::text)) > 0 and ${HAS_WORDS}
      limit ${given(pg.bigint, 'limit')}
    ), found as (
      select id, name, phone, partner_id, 0 as rank from contacts where id = ${given(pg.uuid, 'id')}
      union all (select id, name, phone, partner_id, 0 from contacts where phone = ${given(pg.text, 'phone')}
        limit ${CANDIDATES})
      union all (select id, name, phone, partner_id, 1 from contacts
        where ${startsWith('phone', given(pg.text, 'phoneStart'))} order by phone using ~<~ limit ${CANDIDATES})
      union all (select id, name, phone, partner_id, 2 from contacts
        where ${startsWith('reverse(phone)', given(pg.text, 'phoneEnd'))}
        order by reverse(phone) using ~<~ limit ${CANDIDATES})
      union all (select c.id, c.name, c.phone, c.partner_id, 0 from addresses d join contacts c on c.id = d.contact_id
        where d.short_address = ${given(pg.text, 'shortAddress')} limit ${CANDIDATES})
      union all select c.id, c.name, c.phone, c.partner_id, begun.rank from begun
        cross join lateral (select * from contacts where id = begun.id offset 0) c
      union all select id, name, phone, partner_id, 2 from newest
      union all (select id, name, phone, partner_id, 2 from contacts
        where ${isShort('begun')} and ${isShort('newest')} and erasure_id is null and ${HAS_WORDS}
        limit ${CANDIDATES})
    ), best as (
      select id, name, phone, partner_id, min(rank) as rank from found group by id, name, phone, partner_id
      order by min(rank), name ${AS_PEOPLE_SORT}, id limit ${given(pg.bigint, 'limit')}
    )
    select c.id, c.name, c.phone, c.partner_id, p.name as partner_name, ${MATCH}
    from best c
    cross join lateral (select name from partners where id = c.partner_id offset 0) p
    order by rank, c.name ${AS_PEOPLE_SORT}, c.id`,
});

export type FoundContact = Row<typeof SEARCH_CONTACTS>;

/** Customers by id, phone, short address, and prefixes of the words of their names. */
export function findContacts(
  db: Queryable,
  { id, phone, shortAddress, words, commonWord, text }: SearchTerms,
  limit: number,
): Promise<FoundContact[]> {
  return rows(db, SEARCH_CONTACTS, {
    id,
    phone: phone?.whole ?? null,
    phoneStart: phone?.start ?? null,
    phoneEnd: phone === null ? null : [...phone.end].reverse().join(''),
    shortAddress,
    words,
    commonWord,
    name: text,
    limit,
  });
}

export const SET_UP_KINDS = ['partner', 'team', 'service', 'zone'] as const;
export type SetUpKind = (typeof SET_UP_KINDS)[number];

export const SEARCH_SET_UP = hotStatement({
  name: 'search-set-up',
  takes: { id: pg.nullable(pg.uuid), wanted: pg.text, limit: pg.bigint },
  returns: {
    kind: pg.typed<SetUpKind>(pg.text),
    id: pg.uuid,
    name: pg.text,
    /** null for partners, and where there is none. */
    name_ar: pg.nullable(pg.text),
    /** Whether it is in use; a partner: not suspended. */
    is_active: pg.boolean,
    match: pg.typed<Match>(pg.text),
  },
  text: `
    with given as materialized (
      select nullif(search_fold(:wanted), '') as wanted
    ), known as materialized (
      -- Once for each name: it is most of the time that 500 teams take.
      select kinds.*, search_fold(name) as plain, search_fold(name_ar) as plain_ar
      from (
        select 'partner' as kind, id, name, null as name_ar, status = 'ACTIVE' as is_active from partners
        union all select 'team', id, name, name_ar, is_active from teams
        union all select 'service', id, name, name_ar, is_active from services
        union all select 'zone', id, name, name_ar, is_active from zones
      ) as kinds
    ), ranked as (
      select known.*, case
          when id = :id or wanted in (plain, plain_ar) then 0
          when strpos(plain, wanted) = 1 or strpos(plain_ar, wanted) = 1 then 1
          when strpos(plain, wanted) > 0 or strpos(plain_ar, wanted) > 0 then 2
        end as rank
      from known cross join given
    ), numbered as (
      select *, row_number() over (partition by kind order by rank, name ${AS_PEOPLE_SORT}, id) as place
      from ranked where rank is not null
    )
    select kind, id, name, name_ar, is_active, ${MATCH} from numbered where place <= :limit order by kind, place`,
});

export type FoundSetUp = Row<typeof SEARCH_SET_UP>;

/** Partners, teams, services and zones by id and by a part of a name: few enough for a scan. */
export function findSetUp(db: Queryable, { id, text }: SearchTerms, limit: number): Promise<FoundSetUp[]> {
  return rows(db, SEARCH_SET_UP, { id, wanted: text, limit });
}
