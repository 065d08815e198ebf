import type { Generated, Selectable } from 'kysely';
import type { Timestamp } from '../db/tables.ts';

export type ContactTable = {
  id: Generated<string>;
  partner_id: string;
  /** E.164; the contact's identity within the partner. null: it was erased. */
  phone: string | null;
  name: string;
  utm_source: string;
  created_at: Timestamp;
  /** The entry of the register with which it was erased. */
  erasure_id: Generated<string | null>;
};

/** The texts of an address: fields and their columns. */
export const ADDRESS_TEXTS = {
  cityName: 'city_name',
  districtName: 'district_name',
  streetName: 'street_name',
  shortAddress: 'short_address',
  buildingNumber: 'building_number',
  unit: 'unit',
  floor: 'floor',
  postalCode: 'postal_code',
  directions: 'directions',
} as const;
export type AddressText = keyof typeof ADDRESS_TEXTS;
export type AddressTexts<Value> = Record<AddressText, Value>;
type AddressTextColumns = { [Text in AddressText as (typeof ADDRESS_TEXTS)[Text]]: string | null };

/** A value for each text, made from its field and column. */
export const forAddressTexts = <Value>(
  make: (text: AddressText, column: keyof AddressTextColumns) => Value,
): AddressTexts<Value> =>
  Object.fromEntries(
    Object.entries(ADDRESS_TEXTS).map(([text, column]) => [text, make(text as AddressText, column)]),
  ) as AddressTexts<Value>;

/** The columns of a place, of addresses `d`. */
export const PLACE_COLUMNS = [
  'd.latitude',
  'd.longitude',
  'd.city_name',
  'd.district_name',
  'd.street_name',
  'd.short_address',
  'd.building_number',
  'd.unit',
  'd.floor',
  'd.postal_code',
  'd.directions',
] as const;

export type AddressTable = AddressTextColumns & {
  id: Generated<string>;
  contact_id: string;
  partner_id: string;
  /** Degrees, exact decimals; null, like the longitude: location unknown. */
  latitude: string | null;
  longitude: string | null;
  created_at: Timestamp;
};

export type ContactRow = Selectable<ContactTable>;
/** A contact that was not erased. */
export type KnownContact = ContactRow & { phone: string };
export type AddressRow = Selectable<AddressTable>;
/** The location of an address. */
export type AddressPlace = Pick<AddressRow, 'id' | 'latitude' | 'longitude' | keyof AddressTextColumns>;
