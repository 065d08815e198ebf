import { parsePhoneNumberFromString } from 'libphonenumber-js/max';
import { withAsciiDigits } from '../base/text.ts';
import type { Rule } from '../http/validation.ts';
import {
  ADDRESS_TEXTS,
  type AddressRow,
  type AddressText,
  type AddressTexts,
  forAddressTexts,
} from './table.ts';

/** Independent of the version of the library's tables: operators get new prefixes. */
const MOBILE = /^\+9665\d{8}$/;

/**
 * The number in E.164 (`+966501234567`), or null when it is not a valid Saudi number in international `+966` format
 * without spaces (section 4.1). All zeros after the country code are dropped, so that the function is idempotent.
 */
export function normalizePhone(phone: string): string | null {
  // libphonenumber alone would accept spaces, letters and extensions.
  const digits = /^\+966(\d{5,14})$/.exec(phone)?.[1];
  if (digits === undefined) return null;
  const number = `+966${digits.replace(/^0+/, '')}`;
  if (MOBILE.test(number)) return number;
  const parsed = parsePhoneNumberFromString(number);
  return parsed?.number === number && parsed.country === 'SA' && parsed.isValid() ? number : null;
}

/** Characters between digits in typed or copied numbers: blanks, dashes, brackets, marks of the writing direction. */
const STRAY = /[\s().+/_\u2212\p{Pd}\p{Cf}]/gu;
const ARABIC_DIGIT = /[\u0660-\u0669\u06f0-\u06f9]/g;

/**
 * The E.164 number that an invalid text probably means, or null: `050 123 4567`, `00966501234567`, `٠٥٠١٢٣٤٥٦٧`, a
 * copied one with marks around it.
 */
export function guessPhone(text: string): string | null {
  const digits = text
    .slice(0, 100)
    .normalize('NFKC')
    .replaceAll(ARABIC_DIGIT, (digit) => String(digit.charCodeAt(0) % 16))
    .replaceAll(STRAY, '')
    .replace(/^tel:/i, '');
  if (!/^\d{9,16}$/.test(digits)) return null;
  return normalizePhone(`+966${digits.replace(/^0{0,2}966/, '').replace(/^0+/, '')}`);
}

/** The short address that the text means, as it is stored, or null: `rrrd 2929`, `RRRD-٢٩٢٩`. */
export function guessShortAddress(text: string): string | null {
  const meant = withAsciiDigits(text.slice(0, 100).normalize('NFKC')).replaceAll(STRAY, '').toUpperCase();
  return /^[A-Z]{4}\d{4}$/.test(meant) ? meant : null;
}

/** The number with its country code and last three digits alone: `+966••••••567`. */
export const maskedPhone = (phone: string): string =>
  phone.slice(0, 4) + phone.slice(-3).padStart(phone.length - 4, '•');

/** The number of a customer of the demo data, of five zones and ten customers in each. It may exist. */
export const demoPhone = (zone: 1 | 2 | 3 | 4 | 5, customer: number): string =>
  `+96650${zone}00010${customer}`;

/** Whether demoPhone returns it. No message is ever sent there. */
export const isDemoPhone = (phone: string): boolean => /^\+96650[1-5]00010\d$/.test(phone);

const DECIMAL = /^[+-]?(?:\d+(?:\.\d+)?|\.\d+)$/;

/** Whether the text is a decimal number from -limit to limit. Exponents and spaces are refused. */
export function isCoordinate(text: string, limit: 90 | 180): boolean {
  // `.5` is returned as `0.5`.
  const { length } = text.replace(/^([+-]?)\./, '$10.');
  return length <= 40 && DECIMAL.test(text) && Math.abs(Number(text)) <= limit;
}

export type AddressInput = { latitude?: string; longitude?: string } & { [Text in AddressText]?: string };

/** An address as it is matched and stored: texts trimmed, blank ones absent, coordinates both or neither. */
export type AddressFields = AddressTexts<string | null> & {
  coordinates: { latitude: string; longitude: string } | null;
};

/** Returns the address of the input; null when all address fields are empty. A lone coordinate is ignored (4.1). */
export function addressOf(input: AddressInput): AddressFields | null {
  const { latitude, longitude } = input;
  const fields: AddressFields = {
    coordinates: latitude !== undefined && longitude !== undefined ? { latitude, longitude } : null,
    ...forAddressTexts((text) => storedText(text, input[text])),
  };
  return Object.values(fields).every((value) => value === null) ? null : fields;
}

/** The address after a correction, null when nothing of it stays, and the fields that differ. */
export function correctedAddress(
  before: AddressRow,
  input: { [Field in keyof AddressInput]?: string | null },
): { after: AddressRow | null; changed: string[] } {
  const after = { ...before };
  if (input.latitude != null && input.longitude != null)
    Object.assign(after, { latitude: input.latitude, longitude: input.longitude });
  const isOther = (one: string | null, other: string | null) =>
    one === null || other === null ? one !== other : Number(one) !== Number(other);
  const moved = (['latitude', 'longitude'] as const).filter((each) => isOther(before[each], after[each]));
  const renamed = Object.entries(ADDRESS_TEXTS).flatMap(([field, column]) => {
    const text = input[field as AddressText];
    if (text !== undefined) after[column] = storedText(field as AddressText, text ?? undefined);
    return after[column] === before[column] ? [] : [field];
  });
  const isEmpty =
    after.latitude === null && Object.values(ADDRESS_TEXTS).every((column) => after[column] === null);
  return { after: isEmpty ? null : after, changed: [...moved, ...renamed] };
}

/** Trimmed, null when it is blank; short addresses in capitals. */
function storedText(text: AddressText, value: string | undefined): string | null {
  const trimmed = value?.trim() || null;
  return text === 'shortAddress' && trimmed !== null ? trimmed.toUpperCase() : trimmed;
}

/** Messages about the coordinates, only when both were sent; `given` also names those that are no texts. */
export function coordinateFaults({ latitude, longitude }: AddressInput, given: readonly string[]): string[] {
  if (!given.includes('latitude') || !given.includes('longitude')) return [];
  const faults: string[] = [];
  if (latitude !== undefined && !isCoordinate(latitude, 90)) faults.push(`latitude ${LATITUDE.message}`);
  if (longitude !== undefined && !isCoordinate(longitude, 180)) faults.push(`longitude ${LONGITUDE.message}`);
  return faults;
}

/** A blank text is an absent one. */
export const SHORT_ADDRESS: Rule<string> = {
  check: (text) => /^\s*(?:[a-z]{4}\d{4})?\s*$/i.test(text),
  message: 'must be four letters and four digits, such as RRRD2929',
};
export const POSTAL_CODE: Rule<string> = {
  check: (text) => /^\s*(?:\d{5})?\s*$/.test(text),
  message: 'must be five digits',
};

export const LATITUDE: Rule<string> = {
  check: (text) => isCoordinate(text, 90),
  message: 'must be a latitude string',
};
export const LONGITUDE: Rule<string> = {
  check: (text) => isCoordinate(text, 180),
  message: 'must be a longitude string',
};

/** E.164 of a number as people type it. Throws RangeError. */
export function readPhone(text: string): string {
  const phone = normalizePhone(text) ?? guessPhone(text);
  if (phone !== null) return phone;
  throw new RangeError('must be a Saudi number, such as 0501234567, in a cell of the format Text');
}
