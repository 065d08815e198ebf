import type { Instant } from '../base/clock.ts';
import { orNotFound, validationError } from '../base/errors.ts';
import type { Db, Queryable, Tx } from '../db/connection.ts';
import { gatherChanges } from '../runtime/gather.ts';
import {
  type ContactToInsert,
  findContact,
  insertContacts,
  listAddresses,
  lockContact,
  type MadeContact,
  saveAddress,
  updateContact,
} from './queries.ts';
import { type AddressInput, addressOf, coordinateFaults, normalizePhone } from './rules.ts';
import type { AddressRow, ContactLanguage, KnownContact } from './table.ts';

export type FoundContact = MadeContact & { is_new: boolean };

type Partner = { id: string; name: string };
type ContactInput = AddressInput & { phone: string; name: string; language?: ContactLanguage };

/**
 * Section 4.1: finds the partner's contact by phone or creates it, and its address when any address field was sent. An
 * existing contact is not renamed; it gets the language. Simultaneous calls for one customer are serialized. Throws VALIDATION_ERROR for
 * coordinates out of range.
 */
export async function findOrCreateContact(
  db: Db | Tx,
  now: Instant,
  partner: Partner,
  input: ContactInput,
): Promise<FoundContact> {
  const wanted = toInsert(now, partner, input);
  const [made] = await insertContacts(db, [wanted]);
  return foundOrKnown(db, wanted, made!);
}

/** Contacts of one statement, and statements at once, at the most. */
const SHARED = { maxKeys: 32, maxRunning: 2 };

/** `findOrCreateContact`; new ones that arrive together share a statement. */
export function createContactFinder(
  db: Db,
): (now: Instant, partner: Partner, input: ContactInput) => Promise<FoundContact> {
  const insert = gatherChanges(
    db,
    async (contacts: readonly ContactToInsert[]) =>
      (await insertContacts(db, contacts)).map((made) => () => made),
    SHARED,
  );
  return async (now, partner, input) => {
    const wanted = toInsert(now, partner, input);
    return foundOrKnown(db, wanted, await insert(wanted));
  };
}

function toInsert(now: Instant, partner: Partner, input: ContactInput): ContactToInsert {
  const faults = coordinateFaults(input, Object.keys(input));
  if (faults.length > 0) throw validationError(faults);
  const phone = normalizePhone(input.phone);
  if (phone === null) throw validationError(['phone must be a valid phone number']);
  const { id: partnerId, name: utmSource } = partner;
  const { name, language = null } = input;
  return { partnerId, phone, name: name.trim(), utmSource, language, now, address: addressOf(input) };
}

/** `made` null: the partner has a contact with this phone. */
async function foundOrKnown(
  db: Db | Tx,
  wanted: ContactToInsert,
  made: MadeContact | null,
): Promise<FoundContact> {
  const { partnerId, phone, language, address, now } = wanted;
  if (made !== null) return { ...made, is_new: true };
  const find = async (tx: Tx): Promise<FoundContact> => {
    const contact = await lockContact(tx, partnerId, phone);
    // It was erased since the statement that met it.
    if (contact === null) return findAgain(tx);
    const owner = { id: contact.id, partnerId };
    if (language !== null) await updateContact(tx, contact.id, { language });
    const addressId = address === null ? null : await saveAddress(tx, now, owner, address);
    return { ...contact, is_new: false, address_id: addressId };
  };
  const findAgain = async (tx: Tx): Promise<FoundContact> =>
    foundOrKnown(tx, wanted, (await insertContacts(tx, [wanted]))[0]!);
  return 'transaction' in db ? db.transaction(find, phone) : find(db);
}

/** Section 4.14: the partner's contact with its addresses, oldest first. Throws RESOURCE_NOT_FOUND. */
export async function readContact(
  db: Queryable,
  partnerId: string,
  contactId: string,
): Promise<{ contact: KnownContact; addresses: AddressRow[] }> {
  const contact = await orNotFound(findContact(db, partnerId, contactId), 'Contact');
  return { contact, addresses: await listAddresses(db, contact.id) };
}
