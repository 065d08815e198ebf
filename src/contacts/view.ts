import { toRiyadhIso } from '../base/clock.ts';
import { viewBy } from '../http/fields.ts';
import type { FoundContact } from './contacts.ts';
import { Address, ContactResult } from './schema.ts';
import type { AddressPlace, AddressRow, ContactRow } from './table.ts';

/** Contact of section 2. */
export const contactResultView = (contact: FoundContact) =>
  viewBy(ContactResult, contact, { isNewContact: contact.is_new });

/** An address; coordinates are texts, unchanged. */
export const addressView = (address: AddressPlace) => viewBy(Address, address);

type Shown<Phone> = { contact: Omit<ContactRow, 'phone'> & { phone: Phone }; addresses: AddressRow[] };

/** A contact with its addresses (section 4.14). */
export function contactDetailView<Phone extends string | null>({ contact, addresses }: Shown<Phone>) {
  return {
    id: contact.id,
    name: contact.name,
    phone: contact.phone,
    language: contact.language,
    messagesStopped: contact.messages_stopped,
    addresses: addresses.map(addressView),
    createdAt: toRiyadhIso(contact.created_at),
  };
}
