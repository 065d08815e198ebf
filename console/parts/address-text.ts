import type { Address } from '../contract.ts';
import { language, t } from '../language.ts';

/** The address on one line, the door first; null: it has no texts. Directions are shown apart. */
export function addressText(address: Omit<Address, 'id'>): string | null {
  const { unit, floor, buildingNumber, streetName, districtName, cityName, postalCode, shortAddress } =
    address;
  const parts = [
    unit && t('address.unit', { unit }),
    floor && t('address.floor', { floor }),
    buildingNumber && t('address.building', { number: buildingNumber }),
    streetName,
    districtName,
    [cityName, postalCode].filter(Boolean).join(' '),
    shortAddress,
  ].filter(Boolean);
  if (parts.length === 0) return null;
  // Latin text keeps its own punctuation.
  const isArabic = language.value === 'ar' && parts.some((part) => /\p{Script=Arabic}/u.test(part ?? ''));
  return parts.join(isArabic ? '، ' : ', ');
}
