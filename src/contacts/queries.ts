import type { Instant } from '../base/clock.ts';
import type { Db, Queryable } from '../db/connection.ts';
import {
  bigint,
  boolean,
  booleans,
  first,
  gappy,
  hotStatement,
  nullable,
  numeric,
  numerics,
  type Row,
  rows,
  text,
  texts,
  timestamps,
  timestamptz,
  uuid,
  uuids,
} from '../db/statement.ts';
import { firstOf, rowsOf, tablesOf } from '../db/tables.ts';
import { gatherWrites } from '../runtime/gather.ts';
import type { AddressFields } from './rules.ts';
import type { AddressRow, AddressTable, ContactRow, ContactTable } from './table.ts';

const tables = tablesOf<{
  contacts: ContactTable;
  addresses: AddressTable;
  partners: { id: string; name: string };
}>();

export const FIND_OR_CREATE_CONTACT = hotStatement({
  name: 'find-or-create-contact',
  takes: {
    partnerId: uuid,
    phone: text,
    name: text,
    utmSource: text,
    hasAddress: boolean,
    latitude: nullable(numeric),
    longitude: nullable(numeric),
    cityName: nullable(text),
    districtName: nullable(text),
    streetName: nullable(text),
    now: timestamptz,
  },
  returns: {
    id: uuid,
    name: text,
    phone: text,
    created_at: timestamptz,
    is_new: boolean,
    address_id: nullable(uuid),
  },
  text: `
    select id, name, phone, created_at, is_new, address_id from find_or_create_contact(
      p_partner_id => :partnerId, p_phone => :phone, p_name => :name, p_utm_source => :utmSource,
      p_has_address => :hasAddress, p_latitude => :latitude, p_longitude => :longitude, p_city_name => :cityName,
      p_district_name => :districtName, p_street_name => :streetName, p_now => :now)`,
});

export type NewContact = {
  contact: { partnerId: string; phone: string; name: string; utmSource: string };
  /** null: none is given. */
  address: AddressFields | null;
};

/**
 * Finds the partner's contact with this phone or creates it, and so its address unless that is null. An address is the
 * same when its coordinates are equal to 6 decimals and its texts do not contradict (empty ones are then filled in), and
 * without coordinates when its texts are equal, whatever their case: the oldest such. One statement; simultaneous calls
 * for one customer take turns (find_or_create_contact in functions.sql).
 */
export async function findOrInsertContact(
  db: Queryable,
  now: Instant,
  { contact, address }: NewContact,
): Promise<Row<typeof FIND_OR_CREATE_CONTACT>> {
  const row = await first(db, FIND_OR_CREATE_CONTACT, {
    ...contact,
    hasAddress: address !== null,
    latitude: address?.coordinates?.latitude ?? null,
    longitude: address?.coordinates?.longitude ?? null,
    cityName: address?.cityName ?? null,
    districtName: address?.districtName ?? null,
    streetName: address?.streetName ?? null,
    now,
  });
  return row!;
}

export const FIND_OR_CREATE_CONTACTS = hotStatement({
  name: 'find-or-create-contacts',
  takes: {
    partnerIds: uuids,
    phones: texts,
    names: texts,
    utmSources: texts,
    haveAddress: booleans,
    latitudes: gappy(numerics),
    longitudes: gappy(numerics),
    cityNames: gappy(texts),
    districtNames: gappy(texts),
    streetNames: gappy(texts),
    times: timestamps,
  },
  returns: { place: bigint, ...FIND_OR_CREATE_CONTACT.returns },
  text: `
    select place, id, name, phone, created_at, is_new, address_id from find_or_create_contacts(
      p_partner_ids => :partnerIds, p_phones => :phones, p_names => :names, p_utm_sources => :utmSources,
      p_have_address => :haveAddress, p_latitudes => :latitudes, p_longitudes => :longitudes,
      p_city_names => :cityNames, p_district_names => :districtNames, p_street_names => :streetNames, p_times => :times)`,
});

type Given = { now: Instant; given: NewContact };
type Found = Row<typeof FIND_OR_CREATE_CONTACT>;

/**
 * findOrInsertContact for several in one statement, no two of them with one phone of one partner
 * (functions.sql).
 */
async function findOrInsertContacts(db: Queryable, items: readonly Given[]): Promise<Found[]> {
  const contacts = items.map(({ given }) => given.contact);
  const addresses = items.map(({ given }) => given.address);
  const found = await rows(db, FIND_OR_CREATE_CONTACTS, {
    partnerIds: contacts.map(({ partnerId }) => partnerId),
    phones: contacts.map(({ phone }) => phone),
    names: contacts.map(({ name }) => name),
    utmSources: contacts.map(({ utmSource }) => utmSource),
    haveAddress: addresses.map((address) => address !== null),
    latitudes: addresses.map((address) => address?.coordinates?.latitude ?? null),
    longitudes: addresses.map((address) => address?.coordinates?.longitude ?? null),
    cityNames: addresses.map((address) => address?.cityName ?? null),
    districtNames: addresses.map((address) => address?.districtName ?? null),
    streetNames: addresses.map((address) => address?.streetName ?? null),
    times: items.map(({ now }) => now),
  });
  const answers = new Array<Found>(items.length);
  for (const { place, ...row } of found) answers[place - 1] = row;
  return answers;
}

export type ContactSaver = (now: Instant, given: NewContact) => Promise<Found>;

/** findOrInsertContact, shared by requests that arrive together. */
export function createContactSaver(db: Db): ContactSaver {
  const save = gatherWrites<Given, Found>({
    one: ({ now, given }) => findOrInsertContact(db, now, given),
    many: (items) => findOrInsertContacts(db, items),
    keyOf: ({ given: { contact } }) => `${contact.partnerId} ${contact.phone}`,
    mayShare: () => !db.isTraced(),
    maxKeys: 32,
    maxRunning: 2,
  });
  return (now, given) => save({ now, given });
}

/** The partner's contact; null: the partner has none of this id. */
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
