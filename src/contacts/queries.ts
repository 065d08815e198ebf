import type { Instant } from '../clock.ts';
import type { Queryable } from '../db/connection.ts';
import {
  boolean,
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

const tables = tablesOf<{ contacts: ContactTable; addresses: AddressTable }>();

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

/**
 * Finds the partner's contact with this phone or creates it, and so its address unless that is null. An address is the
 * same when its coordinates are equal to 6 decimals (empty texts of it are then filled in), and without coordinates when
 * its texts are, whatever their case: the oldest such. One statement; simultaneous calls for one customer take turns
 * (migrations/0026_contact_in_one_statement.sql).
 */
export async function findOrInsertContact(
  db: Queryable,
  now: Instant,
  contact: { partnerId: string; phone: string; name: string; utmSource: string },
  address: AddressFields | null,
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

export function findContact(db: Queryable, partnerId: string, contactId: string): Promise<ContactRow | null> {
  const query = tables.selectFrom('contacts').selectAll();
  return firstOf(db, query.where('id', '=', contactId).where('partner_id', '=', partnerId));
}

/** The contact's addresses, oldest first. */
export function listAddresses(db: Queryable, contactId: string): Promise<AddressRow[]> {
  const query = tables.selectFrom('addresses').selectAll().where('contact_id', '=', contactId);
  return rowsOf(db, query.orderBy('created_at').orderBy('id'));
}
