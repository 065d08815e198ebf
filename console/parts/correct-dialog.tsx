import { useState } from 'preact/hooks';
import { call } from '../api.ts';
import type { BookingDetail, CustomerDetail } from '../contract.ts';
import { t } from '../language.ts';
import { placeIn } from '../place-text.ts';
import { invalid, useQuery } from '../query.ts';
import { may } from '../session.ts';
import { CLOSED, MOVABLE, statusesIn } from '../states.ts';
import { ADDRESS_FIELDS, AddressFields } from './address-fields.tsx';
import { textOf } from './address-list.tsx';
import { Dialog } from './dialog.tsx';
import { EditDialog } from './edit-dialog.tsx';
import { Loaded } from './failed.tsx';
import { CheckField, SelectField, TextField, useForm } from './fields.tsx';
import { PlaceField } from './place-field.tsx';

type Status = BookingDetail['appointment']['status'];

/** Whether anything of a sold booking can be corrected. */
export const isCorrectable = (booking: BookingDetail['status'], visit: Status): boolean =>
  may('correctBooking') &&
  !CLOSED.includes(booking) &&
  statusesIn('planned', 'arriving', 'working').includes(visit);

/** Corrects what the crew needs of a sold booking. */
export function CorrectDialog({ bookingId: id, onClose }: { bookingId: string; onClose: () => void }) {
  const booking = useQuery('getBooking', { id });
  const contactId = booking.answer?.data.contact.id;
  const customer = useQuery('getCustomer', contactId === undefined ? null : { id: contactId });
  if (booking.answer !== null && booking.answer !== undefined && customer.answer)
    return <Opened booking={booking.answer.data} customer={customer.answer.data} onClose={onClose} />;
  return (
    <Dialog title={t('correct.title')} onClose={onClose}>
      <Loaded query={booking}>{() => <Loaded query={customer}>{() => null}</Loaded>}</Loaded>
    </Dialog>
  );
}

function Opened({
  booking,
  customer,
  onClose,
}: {
  booking: BookingDetail;
  customer: CustomerDetail;
  onClose: () => void;
}) {
  // As it was opened: a change by somebody else in the meantime is told.
  const [{ bookingId: id, version, address, notes, appointment }] = useState(booking);
  const texts = Object.fromEntries(ADDRESS_FIELDS.map((field) => [`address.${field}`, address[field] ?? '']));
  const form = useForm(
    {
      notes: notes ?? '',
      instructions: '',
      accessCode: '',
      forget: false,
      addressId: address.id,
      'address.latitude': '',
      ...(texts as Record<`address.${(typeof ADDRESS_FIELDS)[number]}`, string>),
    },
    ['bookings', 'appointments'],
  );
  const { values } = form;
  const choices = customer.addresses.filter((one) => one.id === address.id || one.latitude !== null);
  async function send(): Promise<unknown> {
    const found = placeIn(values['address.latitude']);
    if (values['address.latitude'].trim() !== '' && found?.is !== 'place')
      throw invalid(t('correct.noPlace'));
    const changed = form.changed(values) as Record<string, string>;
    const door = Object.entries(changed).flatMap(([name, value]) =>
      name.startsWith('address.') && name !== 'address.latitude'
        ? [[name.slice(8), value.trim() || null]]
        : [],
    );
    const inside = { ...Object.fromEntries(door), ...(found?.is === 'place' && found.place) };
    const access = (text: string) => text.trim() || (values.forget ? null : undefined);
    const isOther = values.addressId !== address.id;
    const body = {
      ...(changed.notes !== undefined && { notes: values.notes.trim() || null }),
      instructions: access(values.instructions),
      accessCode: access(values.accessCode),
      ...(isOther && { addressId: values.addressId }),
      ...(!isOther && Object.keys(inside).length > 0 && { address: inside }),
    };
    return call('correctBooking', { id, body }, { ifMatch: version });
  }
  return (
    <EditDialog title={t('correct.title')} isNew={false} form={form} onClose={onClose} send={send}>
      <p>{t('correct.about')}</p>
      <TextField form={form} name="notes" label={t('field.notes')} rows={2} />
      <TextField
        form={form}
        name="instructions"
        label={t('address.instructions')}
        hint={t('correct.keeps')}
      />
      <TextField
        form={form}
        name="accessCode"
        label={t('address.accessCode')}
        hint={t('correct.keeps')}
        ltr
      />
      <CheckField form={form} name="forget" label={t('correct.forget')} />
      {MOVABLE.includes(appointment.status) && (
        <>
          <SelectField
            form={form}
            name="addressId"
            label={t('field.address')}
            options={choices.map((one) => ({ value: one.id, label: textOf(one) }))}
          />
          {values.addressId === address.id && (
            <details>
              <summary>{t('correct.place')}</summary>
              <div class="columns">
                <AddressFields form={form} prefix="address." />
              </div>
              <PlaceField form={form} name="address.latitude" short="address.shortAddress" />
            </details>
          )}
        </>
      )}
    </EditDialog>
  );
}
