import { conflict, notFound, orNotFound, validationError } from '../base/errors.ts';
import { type Db, isDbError, type Tx } from '../db/connection.ts';
import {
  findAddress,
  findContactOfAny,
  isBooked,
  listAddresses,
  lockAddress,
  lockOwner,
  updateAddress,
  updateContactName,
} from './queries.ts';
import type { CheckPlace } from './resolver.ts';
import { type AddressInput, coordinateFaults, correctedAddress } from './rules.ts';
import type { AddressRow, KnownContact } from './table.ts';

/** Corrections of what is stored about a customer. `partnerId` null: of any partner, for the operator. */
export type Owned = { partnerId: string | null; id: string };

type OwnedContact = KnownContact & { partner_name: string };
export type AddressCorrection = { [Field in keyof AddressInput]?: string | null };
/** Records the change in its transaction. */
type Record = (tx: Tx, changed: string[]) => Promise<void>;

/** The contact. Throws RESOURCE_NOT_FOUND, also when it was erased. */
export async function contactOf(db: Db | Tx, { partnerId, id }: Owned): Promise<OwnedContact> {
  const { phone, ...contact } = await orNotFound(findContactOfAny(db, id), 'Contact');
  if (phone === null || (partnerId !== null && contact.partner_id !== partnerId)) throw notFound('Contact');
  return { ...contact, phone };
}

/** Renames the contact, and returns it with its addresses. Throws RESOURCE_NOT_FOUND. */
export function correctContact(
  db: Db,
  owned: Owned,
  { name }: { name?: string },
  record?: Record,
): Promise<{ contact: OwnedContact; addresses: AddressRow[] }> {
  return db.transaction(async (tx) => {
    const contact = await contactOf(tx, owned);
    const wanted = name?.trim() ?? contact.name;
    if (wanted !== contact.name) {
      await updateContactName(tx, contact.id, wanted);
      await record?.(tx, ['name']);
    }
    return { contact: { ...contact, name: wanted }, addresses: await listAddresses(tx, contact.id) };
  });
}

/**
 * Changes the given fields of the address; null and blank texts remove one. Another place only while nothing was booked
 * there: the zone and the team of a booking follow from it. Throws RESOURCE_NOT_FOUND, VALIDATION_ERROR and CONFLICT (IN_USE,
 * ADDRESS_EXISTS).
 */
export async function correctAddress(
  { db, checkPlace }: { db: Db; checkPlace: CheckPlace },
  { partnerId, id }: Owned,
  input: AddressCorrection,
  record?: Record,
): Promise<AddressRow> {
  const given = Object.keys(input);
  const coordinates = { latitude: input.latitude ?? undefined, longitude: input.longitude ?? undefined };
  const faults = coordinateFaults(coordinates as AddressInput, given);
  if (given.includes('latitude') !== given.includes('longitude'))
    faults.push('latitude and longitude must be given together');
  if (faults.length > 0) throw validationError(faults);
  if (['latitude', 'shortAddress'].some((field) => given.includes(field))) {
    // Before the transaction: nobody waits for the provider's answer.
    const before = await orNotFound(findAddress(db, partnerId, id), 'Address');
    const { after } = correctedAddress(before, input);
    if (after !== null) await checkPlace({ ...after, shortAddress: after.short_address });
  }
  try {
    return await db.transaction(async (tx) => {
      await orNotFound(lockOwner(tx, id), 'Address');
      const before = await orNotFound(lockAddress(tx, partnerId, id), 'Address');
      const { after, changed } = correctedAddress(before, input);
      if (after === null) throw validationError(['at least one field of the address must stay']);
      if (changed.length === 0) return before;
      if (changed.includes('latitude') || changed.includes('longitude')) {
        if (await isBooked(tx, before))
          throw conflict('IN_USE', 'The address has bookings: register another one for another place');
      }
      await updateAddress(tx, after);
      await record?.(tx, changed);
      return after;
    });
  } catch (error) {
    if (isDbError(error, 'uniqueViolation', 'addresses_door_key'))
      throw conflict('ADDRESS_EXISTS', 'The customer has this address already');
    throw error;
  }
}
