import type { Instant } from '../base/clock.ts';
import { orNotFound, validationError } from '../base/errors.ts';
import type { Db, Queryable, Tx } from '../db/connection.ts';
import { findContact, insertContact, listAddresses, lockContact, saveAddress } from './queries.ts';
import { type AddressInput, addressOf, coordinateFaults, normalizePhone } from './rules.ts';
import type { AddressRow, ContactRow } from './table.ts';

export type FoundContact = Pick<ContactRow, 'id' | 'name' | 'phone' | 'created_at'> & {
  is_new: boolean;
  address_id: string | null;
};

/**
 * Section 4.1: finds the partner's contact by phone or creates it, and its address when any address field was sent. An
 * existing contact is not renamed. Simultaneous calls for one customer are serialized. Throws VALIDATION_ERROR for
 * coordinates out of range.
 */
export async function findOrCreateContact(
  db: Db | Tx,
  now: Instant,
  partner: { id: string; name: string },
  input: AddressInput & { phone: string; name: string },
): Promise<FoundContact> {
  const faults = coordinateFaults(input, Object.keys(input));
  if (faults.length > 0) throw validationError(faults);
  const phone = normalizePhone(input.phone);
  if (phone === null) throw validationError(['phone must be a valid phone number']);
  const address = addressOf(input);
  const wanted = { partnerId: partner.id, phone, name: input.name.trim(), utmSource: partner.name };
  const made = await insertContact(db, now, wanted, address);
  if (made !== null) return { ...made.contact, is_new: true, address_id: made.addressId };
  const find = async (tx: Tx): Promise<FoundContact> => {
    const contact = await orNotFound(lockContact(tx, partner.id, phone), 'Contact');
    const owner = { id: contact.id, partnerId: partner.id };
    const addressId = address === null ? null : await saveAddress(tx, now, owner, address);
    return { ...contact, is_new: false, address_id: addressId };
  };
  return 'transaction' in db ? db.transaction(find, phone) : find(db);
}

/** Section 4.14: the partner's contact with its addresses, oldest first. Throws RESOURCE_NOT_FOUND. */
export async function readContact(
  db: Queryable,
  partnerId: string,
  contactId: string,
): Promise<{ contact: ContactRow; addresses: AddressRow[] }> {
  const contact = await orNotFound(findContact(db, partnerId, contactId), 'Contact');
  return { contact, addresses: await listAddresses(db, contact.id) };
}
