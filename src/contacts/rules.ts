import { isPossiblePhoneNumber, parsePhoneNumberFromString } from 'libphonenumber-js/max';

/**
 * The number in E.164 (`+966501234567`), or null when it is not a possible Saudi number in international
 * `+966` format without spaces (section 4.1). A trunk zero after the country code is dropped.
 */
export function normalizePhone(phone: string): string | null {
  // libphonenumber alone would accept spaces, letters and extensions.
  if (!/^\+966\d{5,14}$/.test(phone)) return null;
  const parsed = parsePhoneNumberFromString(phone);
  if (parsed === undefined || parsed.countryCallingCode !== '966' || !isPossiblePhoneNumber(parsed.number))
    return null;
  return parsed.number;
}

/** The E.164 number that may have been meant by what is not one, or null: `050 123 4567`, `00966501234567`. */
export function guessPhone(text: string): string | null {
  const digits = text.slice(0, 40).replaceAll(/[\s().+-]/g, '');
  if (!/^\d{9,16}$/.test(digits)) return null;
  return normalizePhone(`+966${digits.replace(/^(?:00)?966/, '').replace(/^0/, '')}`);
}

const DECIMAL = /^[+-]?(?:\d+(?:\.\d+)?|\.\d+)$/;

/** Does the text hold a decimal number from -limit to limit? Exponents and spaces are refused. */
export function isCoordinate(text: string, limit: 90 | 180): boolean {
  return text.length <= 40 && DECIMAL.test(text) && Math.abs(Number(text)) <= limit;
}

export type AddressInput = {
  latitude?: string;
  longitude?: string;
  cityName?: string;
  districtName?: string;
  streetName?: string;
};

/** An address as it is matched and stored: texts trimmed, blanks absent, coordinates both or neither. */
export type AddressFields = {
  coordinates: { latitude: string; longitude: string } | null;
  cityName: string | null;
  districtName: string | null;
  streetName: string | null;
};

/** The address in the input; null when no address field says anything. A lone coordinate is ignored (4.1). */
export function addressOf(input: AddressInput): AddressFields | null {
  const { latitude, longitude } = input;
  const text = (value: string | undefined): string | null => value?.trim() || null;
  const fields: AddressFields = {
    coordinates: latitude !== undefined && longitude !== undefined ? { latitude, longitude } : null,
    cityName: text(input.cityName),
    districtName: text(input.districtName),
    streetName: text(input.streetName),
  };
  return Object.values(fields).every((value) => value === null) ? null : fields;
}

/** Faults of the coordinates, looked at only when both were sent. */
export function coordinateFaults({ latitude, longitude }: AddressInput): string[] {
  if (latitude === undefined || longitude === undefined) return [];
  const faults: string[] = [];
  if (!isCoordinate(latitude, 90)) faults.push('latitude must be a latitude string');
  if (!isCoordinate(longitude, 180)) faults.push('longitude must be a longitude string');
  return faults;
}
