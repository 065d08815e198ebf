import type { Generated, Selectable } from 'kysely';
import type { Timestamp } from '../db/tables.ts';

export type ContactTable = {
  id: Generated<string>;
  partner_id: string;
  /** E.164; the contact's identity within the partner. */
  phone: string;
  name: string;
  utm_source: string;
  created_at: Timestamp;
};

export type AddressTable = {
  id: Generated<string>;
  contact_id: string;
  partner_id: string;
  /** Degrees, exact decimals; null, like the longitude: location unknown. */
  latitude: string | null;
  longitude: string | null;
  city_name: string | null;
  district_name: string | null;
  street_name: string | null;
  created_at: Timestamp;
};

export type ContactRow = Selectable<ContactTable>;
export type AddressRow = Selectable<AddressTable>;
/** The texts of an address. */
export type AddressPlace = Pick<
  AddressRow,
  'id' | 'latitude' | 'longitude' | 'city_name' | 'district_name' | 'street_name'
>;
