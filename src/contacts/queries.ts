import type { Instant } from '../base/clock.ts';
import { newId } from '../base/ids.ts';
import type { Queryable, Tx } from '../db/connection.ts';
import {
  first,
  hotStatement,
  nullable,
  numeric,
  type Row,
  text,
  timestamptz,
  uuid,
} from '../db/statement.ts';
import { firstOf, rowsOf, tablesOf } from '../db/tables.ts';
import type { AddressFields } from './rules.ts';
import type { AddressRow, AddressTable, ContactRow, ContactTable } from './table.ts';

const tables = tablesOf<{
  contacts: ContactTable;
  addresses: AddressTable;
  partners: { id: string; name: string };
}>();

const CONTACT = { id: uuid, name: text, phone: text, created_at: timestamptz };

const ADDRESS = {
  latitude: nullable(numeric),
  longitude: nullable(numeric),
  cityName: nullable(text),
  districtName: nullable(text),
  streetName: nullable(text),
};

export type NewContact = { partnerId: string; phone: string; name: string; utmSource: string };

const addressValues = (address: AddressFields | null) => ({
  latitude: address?.coordinates?.latitude ?? null,
  longitude: address?.coordinates?.longitude ?? null,
  cityName: address?.cityName ?? null,
  districtName: address?.districtName ?? null,
  streetName: address?.streetName ?? null,
});

export const INSERT_CONTACT = hotStatement({
  name: 'insert-contact',
  takes: {
    id: uuid,
    partnerId: uuid,
    phone: text,
    name: text,
    utmSource: text,
    addressId: nullable(uuid),
    ...ADDRESS,
    now: timestamptz,
  },
  returns: CONTACT,
  text: `
    with contact as (
      insert into contacts (id, partner_id, phone, name, utm_source, created_at)
      values (:id, :partnerId, :phone, :name, :utmSource, :now)
      on conflict (partner_id, phone) do nothing
      returning id, name, phone, created_at
    ), address as (
      insert into addresses (id, contact_id, partner_id, latitude, longitude, city_name, district_name, street_name,
        created_at)
      select :addressId, id, :partnerId, :latitude, :longitude, :cityName, :districtName, :streetName, :now
      from contact where :addressId::uuid is not null
    )
    select id, name, phone, created_at from contact`,
});

/** Creates the contact, with its first address if given; null: the partner has a contact with this phone. */
export async function insertContact(
  db: Queryable,
  now: Instant,
  contact: NewContact,
  address: AddressFields | null,
): Promise<{ contact: Row<typeof INSERT_CONTACT>; addressId: string | null } | null> {
  const addressId = address === null ? null : newId(now);
  const values = { ...contact, id: newId(now), addressId, ...addressValues(address), now };
  const made = await first(db, INSERT_CONTACT, values);
  return made === null ? null : { contact: made, addressId };
}

export const LOCK_CONTACT = hotStatement({
  name: 'lock-contact',
  takes: { partnerId: uuid, phone: text },
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

/**
 * A statement that finds the contact's oldest address of which `matches` is true, and fills in its empty texts, or adds
 * it.
 */
const saveAddressWhere = (name: string, matches: string) =>
  hotStatement({
    name,
    takes: { id: uuid, contactId: uuid, partnerId: uuid, ...ADDRESS, now: timestamptz },
    returns: { id: uuid },
    text: `
    with found as materialized (
      select a.id from addresses a where a.contact_id = :contactId and ${matches}
      order by a.created_at, a.id limit 1
    ), filled as (
      update addresses a set city_name = coalesce(a.city_name, :cityName),
        district_name = coalesce(a.district_name, :districtName), street_name = coalesce(a.street_name, :streetName)
      from found
      where a.id = found.id and (a.city_name is null and :cityName::text is not null
        or a.district_name is null and :districtName::text is not null
        or a.street_name is null and :streetName::text is not null)
    ), made as (
      insert into addresses (id, contact_id, partner_id, latitude, longitude, city_name, district_name, street_name,
        created_at)
      select :id::uuid, :contactId, :partnerId, :latitude, :longitude, :cityName, :districtName, :streetName, :now
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
const TEXTS = [
  ['a.city_name', ':cityName'],
  ['a.district_name', ':districtName'],
  ['a.street_name', ':streetName'],
] as const;

export const SAVE_LOCATED_ADDRESS = saveAddressWhere(
  'save-located-address',
  `round(a.latitude, 6) = round(:latitude::numeric, 6) and round(a.longitude, 6) = round(:longitude::numeric, 6)
        and ${TEXTS.map(([column, parameter]) => noContradiction(column, parameter)).join(' and ')}`,
);

export const SAVE_TEXT_ADDRESS = saveAddressWhere(
  'save-text-address',
  TEXTS.map(([column, parameter]) => sameOrEmpty(column, parameter)).join(' and '),
);

/**
 * The id of the locked contact's address, which is added if it does not exist. Addresses are the same when their
 * coordinates are equal to 6 decimals and their texts do not contradict (empty ones are then filled in), and without
 * coordinates when their texts are equal, case-insensitively: the oldest one counts.
 */
export async function saveAddress(
  tx: Tx,
  now: Instant,
  contact: { id: string; partnerId: string },
  address: AddressFields,
): Promise<string> {
  const statement = address.coordinates === null ? SAVE_TEXT_ADDRESS : SAVE_LOCATED_ADDRESS;
  const { id: contactId, partnerId } = contact;
  const values = { id: newId(now), contactId, partnerId, ...addressValues(address), now };
  return (await first(tx, statement, values))!.id;
}

/** The partner's contact; null: the partner has none with this id. */
export function findContact(db: Queryable, partnerId: string, contactId: string): Promise<ContactRow | null> {
  const query = tables.selectFrom('contacts').selectAll();
  return firstOf(db, query.where('id', '=', contactId).where('partner_id', '=', partnerId));
}

/** A contact of any partner, with the partner's name. */
export function findContactOfAny(
  db: Queryable,
  contactId: string,
): Promise<(ContactRow & { partner_name: string }) | null> {
  const query = tables
    .selectFrom('contacts')
    .innerJoin('partners', 'partners.id', 'contacts.partner_id')
    .selectAll('contacts')
    .select('partners.name as partner_name');
  return firstOf(db, query.where('contacts.id', '=', contactId));
}

/** The contact's addresses, oldest first. */
export function listAddresses(db: Queryable, contactId: string): Promise<AddressRow[]> {
  const query = tables.selectFrom('addresses').selectAll().where('contact_id', '=', contactId);
  return rowsOf(db, query.orderBy('created_at').orderBy('id'));
}
