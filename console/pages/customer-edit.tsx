import { call } from '../api.ts';
import type { Address, CustomerDetail } from '../contract.ts';
import { t } from '../language.ts';
import { EditDialog } from '../parts/edit-dialog.tsx';
import { TextField, useForm } from '../parts/fields.tsx';

/** Corrections of a customer's name and addresses. */

export function NameDialog({ customer, onClose }: { customer: CustomerDetail; onClose: () => void }) {
  const form = useForm({ name: customer.name }, ['bookings']);
  return (
    <EditDialog
      title={t('address.correctName')}
      isNew={false}
      form={form}
      onClose={onClose}
      send={(values) => call('updateCustomer', { id: customer.id, body: form.changed(values) })}
    >
      <TextField form={form} name="name" label={t('field.customer')} required />
    </EditDialog>
  );
}

/** Texts alone: for another place another address is registered. */
export function AddressDialog({ address, onClose }: { address: Address; onClose: () => void }) {
  const form = useForm(
    {
      cityName: address.cityName ?? '',
      districtName: address.districtName ?? '',
      streetName: address.streetName ?? '',
      buildingNumber: address.buildingNumber ?? '',
      unit: address.unit ?? '',
      floor: address.floor ?? '',
      postalCode: address.postalCode ?? '',
      shortAddress: address.shortAddress ?? '',
      directions: address.directions ?? '',
    },
    ['bookings'],
  );
  return (
    <EditDialog
      title={t('address.correct')}
      isNew={false}
      form={form}
      onClose={onClose}
      send={(values) => call('updateCustomerAddress', { id: address.id, body: form.changed(values) })}
    >
      <div class="columns">
        <TextField form={form} name="cityName" label={t('new.city')} />
        <TextField form={form} name="districtName" label={t('new.district')} />
        <TextField form={form} name="streetName" label={t('new.street')} />
        <TextField form={form} name="buildingNumber" label={t('address.buildingField')} />
        <TextField form={form} name="unit" label={t('address.unitField')} hint={t('address.unitHint')} />
        <TextField form={form} name="floor" label={t('address.floorField')} />
        <TextField form={form} name="postalCode" label={t('address.postalCode')} ltr />
        <TextField
          form={form}
          name="shortAddress"
          label={t('address.shortAddress')}
          hint={t('address.shortHint')}
          ltr
        />
        <TextField form={form} name="directions" label={t('address.directions')} />
      </div>
    </EditDialog>
  );
}
