import type { Selectable } from 'kysely';
import { col, made, type TableOf } from '../db/columns.ts';
import { pg } from '../db/statement.ts';

/** The name of an erased contact, and what stands for a text about it that cannot be absent. */
export const ERASED_NAME = 'Erased';

export const CONTACT_LANGUAGES = ['ar', 'en'] as const;
export type ContactLanguage = (typeof CONTACT_LANGUAGES)[number];
/** Of the page behind the link in a message. */
export const STOPPED_BY = ['STOP', 'NOT_ME'] as const;
export type StoppedBy = (typeof STOPPED_BY)[number];

/** `create`: a creation writes the column. */
export const CONTACTS = {
  id: col(pg.uuid, { made: 'default', in: ['create'] }),
  partner_id: col(pg.uuid, { in: ['create'] }),
  /** E.164; the contact's identity within the partner. null: it was erased. */
  phone: col(pg.nullable(pg.text), { in: ['create'], personal: { holds: 'PHONE', erased: 'null' } }),
  name: col(pg.text, { in: ['create'], personal: { holds: 'NAME', erased: `'${ERASED_NAME}'` } }),
  utm_source: col(pg.text, { in: ['create'] }),
  /** Of messages and pages; null: not known. */
  language: col(pg.typed<ContactLanguage | null>(pg.nullable(pg.text)), { in: ['create'] }),
  /** Whether the customer wants no messages, or the number is another person's. */
  messages_stopped: made(pg.typed<StoppedBy | null>(pg.nullable(pg.text))),
  created_at: col(pg.timestamptz, { in: ['create'] }),
  /** The entry of the register with which it was erased. */
  erasure_id: made(pg.nullable(pg.uuid)),
};
export type ContactTable = TableOf<typeof CONTACTS>;

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
/** A value for each text, made from its field and column. */
export const forAddressTexts = <Value>(
  make: (text: AddressText, column: (typeof ADDRESS_TEXTS)[AddressText]) => Value,
): AddressTexts<Value> =>
  Object.fromEntries(
    Object.entries(ADDRESS_TEXTS).map(([text, column]) => [text, make(text as AddressText, column)]),
  ) as AddressTexts<Value>;

const HOME = { holds: 'PLACE', ends: 'by the slice' } as const;
const homeText = col(pg.nullable(pg.text), { personal: HOME });

/** A place. Degrees are exact decimals; null, both: location unknown. */
export const PLACE = {
  latitude: col(pg.nullable(pg.numeric), { personal: HOME }),
  longitude: col(pg.nullable(pg.numeric), { personal: HOME }),
  ...(Object.fromEntries(Object.values(ADDRESS_TEXTS).map((column) => [column, homeText])) as Record<
    (typeof ADDRESS_TEXTS)[AddressText],
    typeof homeText
  >),
};
/** The columns of a place, of addresses `d`. */
export const PLACE_COLUMNS = Object.keys(PLACE).map((name) => `d.${name}`) as `d.${keyof typeof PLACE}`[];

export const ADDRESSES = {
  id: made(pg.uuid),
  contact_id: pg.uuid,
  partner_id: pg.uuid,
  ...PLACE,
  created_at: pg.timestamptz,
};
export type AddressTable = TableOf<typeof ADDRESSES>;

export type ContactRow = Selectable<ContactTable>;
/** A contact that was not erased. */
export type KnownContact = ContactRow & { phone: string };
export type AddressRow = Selectable<AddressTable>;
/** The location of an address. */
export type AddressPlace = Pick<AddressRow, 'id' | keyof typeof PLACE>;
