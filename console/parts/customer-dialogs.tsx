import type { ComponentChildren } from 'preact';
import type { Address } from '../contract.ts';
import { t } from '../language.ts';
import { ADDRESS_FIELDS, AddressFields } from './address-fields.tsx';
import { Dialog } from './dialog.tsx';
import { EditDialog } from './edit-dialog.tsx';
import { Form, TextField, useForm } from './fields.tsx';
import { toast } from './toasts.tsx';

/** Corrections of a customer's name and addresses, and her erasure, of the console and the portal. */

type Texts = Omit<{ [Field in keyof Address]: string | null }, 'id' | 'latitude' | 'longitude'>;

export function NameDialog({
  name,
  send,
  onClose,
}: {
  name: string;
  send: (body: { name?: string }) => Promise<unknown>;
  onClose: () => void;
}) {
  const form = useForm({ name }, ['bookings']);
  return (
    <EditDialog
      title={t('address.correctName')}
      form={form}
      onClose={onClose}
      send={(values) => send(form.changed(values))}
    >
      <TextField form={form} name="name" label={t('field.customer')} required />
    </EditDialog>
  );
}

/** Texts alone: for another place another address is registered. */
export function AddressDialog({
  address,
  send,
  onClose,
}: {
  address: Address;
  send: (body: Partial<Texts>) => Promise<unknown>;
  onClose: () => void;
}) {
  const form = useForm(Object.fromEntries(ADDRESS_FIELDS.map((field) => [field, address[field] ?? ''])), [
    'bookings',
  ]);
  return (
    <EditDialog
      title={t('address.correct')}
      form={form}
      onClose={onClose}
      send={(values) => send(form.changed(values))}
    >
      <div class="columns">
        <AddressFields form={form} />
      </div>
    </EditDialog>
  );
}

/** Asks why, and erases. `bookingLink` shows one of the open bookings for which it is refused. */
export function EraseDialog({
  send,
  bookingLink,
  onDone,
  onClose,
}: {
  send: (body: { reason: string }) => Promise<unknown>;
  bookingLink: (id: string) => ComponentChildren;
  onDone?: () => void;
  onClose: () => void;
}) {
  const form = useForm({ reason: '' }, ['bookings']);
  const open = form.failure?.details.bookings ?? [];
  return (
    <Dialog title={t('erase.title')} onClose={onClose}>
      <p>{t('erase.about')}</p>
      <Form
        form={form}
        submit={t('erase.submit')}
        danger
        onClose={onClose}
        onDone={() => {
          toast(t('erase.done'));
          onClose();
          onDone?.();
        }}
        send={send}
      >
        {open.length > 0 && (
          <ul class="plain-list" aria-label={t('erase.open')}>
            {open.map((id) => (
              <li key={id}>{bookingLink(id)}</li>
            ))}
          </ul>
        )}
        <TextField
          form={form}
          name="reason"
          label={t('field.reason')}
          hint={t('erase.reasonHint')}
          rows={3}
          required
        />
      </Form>
    </Dialog>
  );
}
