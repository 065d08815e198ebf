import type { Instant } from '../clock.ts';
import { notFound, validationError } from '../errors.ts';
import type { Db, Queryable } from '../platform/db.ts';
import {
  type AddressRow,
  type ContactRow,
  findContact,
  insertAddress,
  listAddresses,
  matchByCoordinates,
  matchByTexts,
  upsertContact,
} from './queries.ts';
import { type AddressInput, addressOf, coordinateFaults, normalizePhone } from './rules.ts';

export type FoundContact = ContactRow & { is_new: boolean; address_id: string | null };

/**
 * Section 4.1: finds the partner's contact by phone or creates it, and its address when any address field
 * was sent. Finding renames nothing. Throws VALIDATION_ERROR for coordinates out of range.
 */
export async function findOrCreateContact(
  db: Db,
  now: Instant,
  partner: { id: string; name: string },
  input: AddressInput & { phone: string; name: string },
): Promise<FoundContact> {
  const faults = coordinateFaults(input);
  if (faults.length > 0) throw validationError(faults);
  const phone = normalizePhone(input.phone);
  if (phone === null) throw validationError(['phone must be a valid phone number']);
  const address = addressOf(input);

  return db.transaction(async (tx) => {
    const contact = await upsertContact(tx, now, {
      partnerId: partner.id,
      phone,
      name: input.name.trim(),
      utmSource: partner.name,
    });
    if (address === null) return { ...contact, address_id: null };
    const match = address.coordinates === null ? matchByTexts : matchByCoordinates;
    const addressId =
      (await match(tx, contact.id, address)) ?? (await insertAddress(tx, now, contact.id, address));
    return { ...contact, address_id: addressId };
  });
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
