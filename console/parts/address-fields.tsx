import { t } from '../language.ts';
import { type FormState, TextField } from './fields.tsx';

export const ADDRESS_FIELDS = [
  'cityName',
  'districtName',
  'streetName',
  'buildingNumber',
  'unit',
  'floor',
  'postalCode',
  'shortAddress',
  'directions',
] as const;

/** The texts of an address. `prefix`: of their names in the form. */
export function AddressFields({ form, prefix = '' }: { form: object; prefix?: string }) {
  const fields = form as FormState<Record<string, string>>;
  const field = (name: (typeof ADDRESS_FIELDS)[number]) => ({ form: fields, name: prefix + name });
  return (
    <>
      <TextField {...field('cityName')} label={t('new.city')} />
      <TextField {...field('districtName')} label={t('new.district')} />
      <TextField {...field('streetName')} label={t('new.street')} />
      <TextField {...field('buildingNumber')} label={t('address.buildingField')} />
      <TextField {...field('unit')} label={t('address.unitField')} hint={t('address.unitHint')} />
      <TextField {...field('floor')} label={t('address.floorField')} />
      <TextField {...field('postalCode')} label={t('address.postalCode')} ltr />
      <TextField
        {...field('shortAddress')}
        label={t('address.shortAddress')}
        hint={t('address.shortHint')}
        ltr
      />
      <TextField {...field('directions')} label={t('address.directions')} />
    </>
  );
}
