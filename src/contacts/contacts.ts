import type { Instant } from '../base/clock.ts';
import { notFound, validationError } from '../base/errors.ts';
import type { Queryable } from '../db/connection.ts';
import { type ContactSaver, findContact, findOrInsertContact, listAddresses } from './queries.ts';
import { type AddressInput, addressOf, coordinateFaults, normalizePhone } from './rules.ts';
import type { AddressRow, ContactRow } from './table.ts';

export type FoundContact = Pick<ContactRow, 'id' | 'name' | 'phone' | 'created_at'> & {
  is_new: boolean;
  address_id: string | null;
};

/**
 * Section 4.1: finds the partner's contact by phone or creates it, and its address when any address field
 * was sent. Finding renames nothing. Throws VALIDATION_ERROR for coordinates out of range.
 */
export async function findOrCreateContact(
  db: Queryable,
  now: Instant,
  partner: { id: string; name: string },
  input: AddressInput & { phone: string; name: string },
  save: ContactSaver = (at, given) => findOrInsertContact(db, at, given),
): Promise<FoundContact> {
  const faults = coordinateFaults(input, Object.keys(input));
  if (faults.length > 0) throw validationError(faults);
  const phone = normalizePhone(input.phone);
  if (phone === null) throw validationError(['phone must be a valid phone number']);
  const contact = { partnerId: partner.id, phone, name: input.name.trim(), utmSource: partner.name };
  return save(now, { contact, address: addressOf(input) });
}

/** Section 4.14: the partner's contact with its addresses, oldest first. Throws RESOURCE_NOT_FOUND. */
export async function readContact(
  db: Queryable,
  partnerId: string,
  contactId: string,
): Promise<{ contact: ContactRow; addresses: AddressRow[] }> {
  const contact = await findContact(db, partnerId, contactId);
  if (contact === null) throw notFound('Contact');
  return { contact, addresses: await listAddresses(db, contact.id) };
}
