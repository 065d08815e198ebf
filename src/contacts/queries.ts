import { type RawBuilder, sql } from 'kysely';
import { type Instant, toUtcIso } from '../base/clock.ts';
import { newId } from '../base/ids.ts';
import { foldedText } from '../base/text.ts';
import { each, listed } from '../db/columns.ts';
import type { Queryable, Tx } from '../db/connection.ts';
import { first, hotStatement, pg, type Row, type RowOf, rowList, rows } from '../db/statement.ts';
import { firstOf, type NullableTimestamp, rowsOf, tablesOf } from '../db/tables.ts';
import type { AddressFields } from './rules.ts';
import {
  ADDRESS_TEXTS,
  type AddressRow,
  type AddressTable,
  type AddressText,
  CONTACTS,
  type ContactLanguage,
  type ContactRow,
  type ContactTable,
  type KnownContact,
  PLACE,
} from './table.ts';

const tables = tablesOf<{
  contacts: ContactTable;
  addresses: AddressTable;
  partners: { id: string; name: string };
  privacy_requests: { id: string; finished_at: NullableTimestamp };
  bookings: { id: string; partner_id: string; contact_id: string; address_id: string };
}>();

const CONTACT = { id: pg.uuid, name: pg.text, phone: pg.text, created_at: pg.timestamptz };

export type NewContact = {
  partnerId: string;
  phone: string;
  name: string;
  utmSource: string;
  language: ContactLanguage | null;
};

const placeOf = (address: AddressFields | null): RowOf<typeof PLACE> =>
  Object.fromEntries([
    ...(['latitude', 'longitude'] as const).map((degrees) => [
      degrees,
      address?.coordinates?.[degrees] ?? null,
    ]),
    ...Object.entries(ADDRESS_TEXTS).map(([field, column]) => [
      column,
      address?.[field as AddressText] ?? null,
    ]),
  ]);

const NEW_CONTACT = listed(CONTACTS, 'create');
const WANTED = rowList({ ...NEW_CONTACT, phone: pg.text, address_id: pg.nullable(pg.uuid), ...PLACE });

// In the order of their key, so that lists which have the same contacts do not wait for each other.
export const INSERT_CONTACTS = hotStatement({
  name: 'insert-contacts',
  takes: WANTED.takes,
  returns: { id: pg.uuid },
  text: `
    with wanted as materialized (
      select * from ${WANTED.as('w')}
    ), contact as (
      insert into contacts (${each(NEW_CONTACT)})
      select ${each(NEW_CONTACT)} from wanted order by partner_id, phone
      on conflict (partner_id, phone) do nothing
      returning id
    ), address as (
      insert into addresses (id, contact_id, partner_id, created_at, ${each(PLACE)})
      select w.address_id, w.id, w.partner_id, w.created_at, ${each(PLACE, (name) => `w.${name}`)}
      from contact join wanted w using (id) where w.address_id is not null
    )
    select id from contact`,
});

export type ContactToInsert = NewContact & { now: Instant; address: AddressFields | null };

export type MadeContact = Pick<KnownContact, 'id' | 'name' | 'phone' | 'created_at'> & {
  address_id: string | null;
};

/**
 * Creates the contacts, each with its first address if given, and returns them in the order of the list; null: the partner
 * has a contact with this phone, perhaps from earlier in the list.
 */
export async function insertContacts(
  db: Queryable,
  contacts: readonly ContactToInsert[],
): Promise<(MadeContact | null)[]> {
  const made = contacts.map(({ name, phone, language, now, address }) => ({
    id: newId(now),
    name,
    phone,
    language,
    created_at: now,
    address_id: address === null ? null : newId(now),
  }));
  const wanted = made.map((contact, index) => ({
    ...contact,
    partner_id: contacts[index]!.partnerId,
    utm_source: contacts[index]!.utmSource,
    ...placeOf(contacts[index]!.address),
  }));
  const inserted = await rows(db, INSERT_CONTACTS, WANTED.valuesOf(wanted));
  const ids = new Set(inserted.map(({ id }) => id));
  return made.map((contact) => (ids.has(contact.id) ? contact : null));
}

export const LOCK_CONTACT = hotStatement({
  name: 'lock-contact',
  takes: { partnerId: pg.uuid, phone: pg.text },
  returns: CONTACT,
  text: `
    select id, name, phone, created_at from contacts where partner_id = :partnerId and phone = :phone
    for no key update`,
});

/** The partner's contact with this phone, locked until the end of the transaction. */
export function lockContact(
  tx: Tx,
  partnerId: string,
  phone: string,
): Promise<Row<typeof LOCK_CONTACT> | null> {
  return first(tx, LOCK_CONTACT, { partnerId, phone });
}

const TEXTS = Object.values(ADDRESS_TEXTS);

/**
 * A statement that finds the contact's oldest address of which `matches` is true, and fills in its empty texts, or adds
 * it.
 */
const saveAddressWhere = (name: string, matches: string) =>
  hotStatement({
    name,
    takes: { id: pg.uuid, contactId: pg.uuid, partnerId: pg.uuid, ...PLACE, now: pg.timestamptz },
    returns: { id: pg.uuid },
    text: `
    with found as materialized (
      select a.id from addresses a where a.contact_id = :contactId and ${matches}
      order by a.created_at, a.id limit 1
    ), filled as (
      update addresses a set ${TEXTS.map((column) => `${column} = coalesce(a.${column}, :${column})`).join(', ')}
      from found
      where a.id = found.id
        and (${TEXTS.map((column) => `a.${column} is null and :${column}::text is not null`).join(' or ')})
    ), made as (
      insert into addresses (id, contact_id, partner_id, created_at, ${each(PLACE)})
      select :id::uuid, :contactId, :partnerId, :now, ${each(PLACE, (column) => `:${column}`)}
      where not exists (select from found)
      returning id
    )
    select id from found union all select id from made`,
  });

/** Case-insensitive, independent of the database's locale. */
const sameText = (one: string, other: string): string =>
  `(lower(${one}) = lower(${other}) or lower(${one} collate "und-x-icu") = lower(${other} collate "und-x-icu"))`;
const sameOrEmpty = (column: string, parameter: string): string =>
  sameText(`coalesce(${column}, '')`, `coalesce(${parameter}::text, '')`);
const noContradiction = (column: string, parameter: string): string =>
  `(${column} is null or ${parameter}::text is null or ${sameText(column, `${parameter}::text`)})`;
/** The texts that tell doors apart. */
const DOOR = (
  ['city_name', 'district_name', 'street_name', 'short_address', 'building_number', 'unit'] as const
).map((column) => [`a.${column}`, `:${column}`] as const);

export const SAVE_LOCATED_ADDRESS = saveAddressWhere(
  'save-located-address',
  `round(a.latitude, 6) = round(:latitude::numeric, 6) and round(a.longitude, 6) = round(:longitude::numeric, 6)
        and ${DOOR.map(([column, parameter]) => noContradiction(column, parameter)).join(' and ')}`,
);

export const SAVE_TEXT_ADDRESS = saveAddressWhere(
  'save-text-address',
  DOOR.map(([column, parameter]) => sameOrEmpty(column, parameter)).join(' and '),
);

/**
 * The id of the locked contact's address, which is added if it does not exist. Addresses are the same when their
 * coordinates are equal to 6 decimals and the texts of their doors do not contradict, and without coordinates when these
 * are equal, case-insensitively: the oldest one counts, and its empty texts are filled in.
 */
export async function saveAddress(
  tx: Tx,
  now: Instant,
  contact: { id: string; partnerId: string },
  address: AddressFields,
): Promise<string> {
  const statement = address.coordinates === null ? SAVE_TEXT_ADDRESS : SAVE_LOCATED_ADDRESS;
  const { id: contactId, partnerId } = contact;
  const values = { id: newId(now), contactId, partnerId, ...placeOf(address), now };
  return (await first(tx, statement, values))!.id;
}

/** The partner's contact; null: the partner has none with this id, or it was erased. */
export function findContact(
  db: Queryable,
  partnerId: string,
  contactId: string,
): Promise<KnownContact | null> {
  const query = tables.selectFrom('contacts').selectAll().where('erasure_id', 'is', null);
  return firstOf(
    db,
    query.where('id', '=', contactId).where('partner_id', '=', partnerId).$narrowType<KnownContact>(),
  );
}

/** The partner's contact with this phone (E.164); null: it has none. */
export function findContactByPhone(
  db: Queryable,
  partnerId: string,
  phone: string,
): Promise<KnownContact | null> {
  const query = tables.selectFrom('contacts').selectAll();
  const found = query.where('partner_id', '=', partnerId).where('phone', '=', phone);
  return firstOf(db, found.$narrowType<KnownContact>());
}

export type ContactOfAny = ContactRow & { partner_name: string; erased_at: Instant | null };

/** A contact of any partner, also an erased one, with the partner's name. */
export function findContactOfAny(db: Queryable, contactId: string): Promise<ContactOfAny | null> {
  const query = tables
    .selectFrom('contacts')
    .innerJoin('partners', 'partners.id', 'contacts.partner_id')
    .leftJoin('privacy_requests', 'privacy_requests.id', 'contacts.erasure_id')
    .selectAll('contacts')
    .select(['partners.name as partner_name', 'privacy_requests.finished_at as erased_at']);
  return firstOf(db, query.where('contacts.id', '=', contactId));
}

/** The contact with an address, locked so that it is not erased meanwhile; null: there is none, or it was. */
export function lockOwner(tx: Tx, addressId: string): Promise<{ id: string } | null> {
  const owner = tables.selectFrom('addresses').select('contact_id').where('id', '=', addressId);
  const query = tables.selectFrom('contacts').select('id').where('id', '=', owner);
  return firstOf(tx, query.where('erasure_id', 'is', null).forKeyShare());
}

/** The contact's addresses, oldest first. */
export function listAddresses(db: Queryable, contactId: string): Promise<AddressRow[]> {
  const query = tables.selectFrom('addresses').selectAll().where('contact_id', '=', contactId);
  return rowsOf(db, query.orderBy('created_at').orderBy('id'));
}

/** Changes the contact; an erased one stays as it is. */
export async function updateContact(
  tx: Tx,
  contactId: string,
  changes: Partial<Pick<ContactRow, 'name' | 'language' | 'messages_stopped'>>,
): Promise<void> {
  const query = tables.updateTable('contacts').set(changes).where('id', '=', contactId);
  await rowsOf(tx, query.where('erasure_id', 'is', null));
}

/** The partner's address, or that of any partner (null); null: there is none. */
export function findAddress(
  db: Queryable,
  partnerId: string | null,
  addressId: string,
): Promise<AddressRow | null> {
  const query = tables.selectFrom('addresses').selectAll().where('id', '=', addressId);
  return firstOf(db, partnerId === null ? query : query.where('partner_id', '=', partnerId));
}

/** The partner's address, or that of any partner (null), locked so that nobody books there meanwhile. */
export function lockAddress(tx: Tx, partnerId: string | null, addressId: string): Promise<AddressRow | null> {
  const query = tables.selectFrom('addresses').selectAll().where('id', '=', addressId).forUpdate();
  return firstOf(tx, partnerId === null ? query : query.where('partner_id', '=', partnerId));
}

/** By the columns of an index of bookings; they have none for addresses. `except`: a booking that does not count. */
export async function isBooked(
  tx: Tx,
  { id, contact_id, partner_id }: Pick<AddressRow, 'id' | 'contact_id' | 'partner_id'>,
  except: string | null = null,
): Promise<boolean> {
  const query = tables.selectFrom('bookings').select('id').where('partner_id', '=', partner_id);
  const there = query.where('contact_id', '=', contact_id).where('address_id', '=', id);
  const others = except === null ? there : there.where('id', '<>', except);
  return (await firstOf(tx, others.limit(1))) !== null;
}

export async function insertAddress(tx: Tx, { created_at: at, ...columns }: AddressRow): Promise<void> {
  const values = { ...columns, created_at: toUtcIso(at) };
  await rowsOf(tx, tables.insertInto('addresses').values(values));
}

/** Saves coordinates and texts. */
export async function updateAddress(
  tx: Tx,
  { id, contact_id: _contact, partner_id: _partner, created_at: _created, ...columns }: AddressRow,
): Promise<void> {
  await rowsOf(tx, tables.updateTable('addresses').set(columns).where('id', '=', id));
}

/** The phone of the customer whose address of the partner it is, with its coordinates; null: there is no such address, or she
 * was erased. */
export function findPhoneAt(
  db: Queryable,
  partnerId: string,
  addressId: string,
): Promise<(Pick<KnownContact, 'phone'> & Pick<AddressRow, 'latitude' | 'longitude'>) | null> {
  const query = tables
    .selectFrom('addresses')
    .innerJoin('contacts', 'contacts.id', 'addresses.contact_id')
    .select(['contacts.phone', 'addresses.latitude', 'addresses.longitude'])
    .where('contacts.erasure_id', 'is', null)
    .$narrowType<{ phone: string }>();
  return firstOf(
    db,
    query.where('addresses.id', '=', addressId).where('addresses.partner_id', '=', partnerId),
  );
}

/**
 * Bookings `b` joined with their addresses `d`, where district or street has the text, in any spelling of Arabic; as
 * addresses_folded_places_idx has it. By all columns of the foreign key: so PostgreSQL knows that each has one address, and
 * reads the index for few matches, and the newest bookings for many.
 */
export function bookingsAtPlace(part: string): RawBuilder<unknown> {
  const pattern = `%${foldedText(part).replaceAll(/[\\%_]/g, '\\$&')}%`;
  return sql`bookings b
    join addresses d on d.id = b.address_id and d.contact_id = b.contact_id and d.partner_id = b.partner_id
      and search_fold(coalesce(d.district_name, '') || ' ' || coalesce(d.street_name, '')) like ${pattern}`;
}
