import type { Party } from '../contract.ts';
import { language, t } from '../language.ts';
import { westernDigits } from '../values.ts';
import { type FormState, TextField } from './fields.tsx';

/** Seller or buyer of statements: its text, and its fields in a form. */

/** The number of digits of each; 0: words. */
const FIELDS = {
  legalNameEn: 0,
  legalNameAr: 0,
  vatNumber: 15,
  registrationNumber: 10,
  'address.buildingNumber': 4,
  'address.street': 0,
  'address.district': 0,
  'address.city': 0,
  'address.postalCode': 5,
  'address.additionalNumber': 4,
};
const NAMES = Object.keys(FIELDS) as (keyof typeof FIELDS)[];
const OPTIONAL = ['vatNumber', 'registrationNumber', 'address.additionalNumber'];

export function PartyText({ party }: { party: Party }) {
  const { buildingNumber, street, district, city, postalCode, additionalNumber } = party.address;
  return (
    <>
      <bdi>{language.value === 'ar' ? party.legalNameAr : party.legalNameEn}</bdi>
      <br />
      <bdi>{[`${buildingNumber} ${street}`, district, city].join(', ')}</bdi>{' '}
      <bdi>{[postalCode, additionalNumber].filter(Boolean).join('-')}</bdi>
      {(['vatNumber', 'registrationNumber'] as const).map((name) => (
        <div key={name} class="faint">
          {t(`party.${name}`)} <bdi>{party[name] ?? '–'}</bdi>
        </div>
      ))}
    </>
  );
}

type Values = Record<string, string>;

/** Values of the fields, named as the service names them in messages: `seller.address.city`. */
export function partyValues(prefix: string, party: Party | null): Values {
  const known = { ...party, ...party?.address } as Record<string, string | null>;
  return Object.fromEntries(
    NAMES.map((name) => [`${prefix}.${name}`, known[name.replace('address.', '')] ?? '']),
  );
}

export function partyOf(prefix: string, values: Values): Party {
  const party: { address: object; [name: string]: unknown } = { address: {} };
  for (const name of NAMES) {
    const typed = values[`${prefix}.${name}`]!.trim();
    const text = FIELDS[name] === 0 ? typed : westernDigits(typed);
    const place = name.startsWith('address.') ? party.address : party;
    Object.assign(place, {
      [name.replace('address.', '')]: text === '' && OPTIONAL.includes(name) ? null : text,
    });
  }
  return party as Party;
}

export function PartyFields({ form, prefix }: { form: FormState<Values>; prefix: string }) {
  return (
    <div class="columns">
      {NAMES.map((name) => (
        <TextField
          key={name}
          form={form}
          name={`${prefix}.${name}`}
          label={t(`party.${name}`)}
          hint={FIELDS[name] === 0 ? '' : t('party.digits', { count: FIELDS[name] })}
          required={!OPTIONAL.includes(name)}
          ltr={name === 'legalNameEn' || FIELDS[name] > 0}
          rtl={name === 'legalNameAr'}
        />
      ))}
    </div>
  );
}
