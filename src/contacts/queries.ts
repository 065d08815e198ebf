import { type Instant, toUtcIso } from '../clock.ts';
import type { Queryable, Tx } from '../platform/db.ts';
import type { AddressFields } from './rules.ts';

export type ContactRow = { id: string; name: string; phone: string; created_at: Instant };

export type AddressRow = {
  id: string;
  latitude: string | null;
  longitude: string | null;
  city_name: string | null;
  district_name: string | null;
  street_name: string | null;
};

/**
 * Finds the partner's contact with this phone or creates it, and locks it until the end of the transaction,
 * so that simultaneous calls for one customer take turns over the addresses.
 */
export async function upsertContact(
  tx: Tx,
  now: Instant,
  contact: { partnerId: string; phone: string; name: string; utmSource: string },
): Promise<ContactRow & { is_new: boolean }> {
  const rows = await tx.rows<ContactRow & { is_new: boolean }>({
    name: 'upsert-contact',
    // A fresh row has no xmax; the update that changes nothing is what takes the lock.
    text: `
      insert into contacts (partner_id, phone, name, utm_source, created_at) values ($1, $2, $3, $4, $5)
      on conflict on constraint contacts_partner_phone_key do update set phone = excluded.phone
      returning id, name, phone, created_at, xmax = 0 as is_new`,
    values: [contact.partnerId, contact.phone, contact.name, contact.utmSource, toUtcIso(now)],
  });
  return rows[0]!;
}

/** The contact's address at these coordinates (equal to 6 decimals); empty texts of it are filled in. */
export async function matchByCoordinates(
  tx: Tx,
  contactId: string,
  address: AddressFields,
): Promise<string | null> {
  const row = await tx.first<{ id: string }>({
    name: 'match-address-coordinates',
    text: `
      update addresses set city_name = coalesce(city_name, $4), district_name = coalesce(district_name, $5),
        street_name = coalesce(street_name, $6)
      where contact_id = $1 and round(latitude, 6) = round($2::numeric, 6)
        and round(longitude, 6) = round($3::numeric, 6)
      returning id`,
    values: [
      contactId,
      address.coordinates?.latitude ?? null,
      address.coordinates?.longitude ?? null,
      address.cityName,
      address.districtName,
      address.streetName,
    ],
  });
  return row?.id ?? null;
}

/** The contact's oldest address with these texts, whatever their case. */
export async function matchByTexts(
  tx: Tx,
  contactId: string,
  address: AddressFields,
): Promise<string | null> {
  const row = await tx.first<{ id: string }>({
    name: 'match-address-texts',
    text: `
      select id from addresses
      where contact_id = $1 and lower(coalesce(city_name, '')) = lower(coalesce($2, ''))
        and lower(coalesce(district_name, '')) = lower(coalesce($3, ''))
        and lower(coalesce(street_name, '')) = lower(coalesce($4, ''))
      order by created_at, id limit 1`,
    values: [contactId, address.cityName, address.districtName, address.streetName],
  });
  return row?.id ?? null;
}

export async function insertAddress(
  tx: Tx,
  now: Instant,
  contactId: string,
  address: AddressFields,
): Promise<string> {
  const rows = await tx.rows<{ id: string }>({
    name: 'insert-address',
    text: `
      insert into addresses (contact_id, partner_id, latitude, longitude, city_name, district_name, street_name, created_at)
      select id, partner_id, $2, $3, $4, $5, $6, $7 from contacts where id = $1 returning id`,
    values: [
      contactId,
      address.coordinates?.latitude ?? null,
      address.coordinates?.longitude ?? null,
      address.cityName,
      address.districtName,
      address.streetName,
      toUtcIso(now),
    ],
  });
  return rows[0]!.id;
}

export function findContact(db: Queryable, partnerId: string, contactId: string): Promise<ContactRow | null> {
  return db.first<ContactRow>({
    text: 'select id, name, phone, created_at from contacts where id = $1 and partner_id = $2',
    values: [contactId, partnerId],
  });
}

export function listAddresses(db: Queryable, contactId: string): Promise<AddressRow[]> {
  return db.rows<AddressRow>({
    text: `
      select id, latitude, longitude, city_name, district_name, street_name from addresses
      where contact_id = $1 order by created_at, id`,
    values: [contactId],
  });
}
