import type { Address } from '../contract.ts';
import { t } from '../language.ts';

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
  ].filter((part): part is string => Boolean(part));
  if (parts.length === 0) return null;
  // Latin text keeps its own punctuation.
  return parts
    .map((part, place) => {
      const comma = /\p{Script=Arabic}\P{L}*$/u.test(part) ? '،' : ',';
      return place === parts.length - 1 ? part : part + comma;
    })
    .join(' ');
}
