import type { Instant } from '../base/clock.ts';
import { conflict, notFound, orNotFound, validationError } from '../base/errors.ts';
import { newId } from '../base/ids.ts';
import { type Db, isDbError, type Tx } from '../db/connection.ts';
import {
  findAddress,
  findContactOfAny,
  insertAddress,
  isBooked,
  listAddresses,
  lockAddress,
  lockOwner,
  updateAddress,
  updateContact,
} from './queries.ts';
import type { CheckPlace } from './resolver.ts';
import { type AddressInput, coordinateFaults, correctedAddress } from './rules.ts';
import type { AddressRow, ContactLanguage, KnownContact } from './table.ts';

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

/** Changes name and language of the contact (null: not known), and returns it with its addresses. Throws RESOURCE_NOT_FOUND. */
export function correctContact(
  db: Db,
  owned: Owned,
  { name, language }: { name?: string; language?: ContactLanguage | null },
  record?: Record,
): Promise<{ contact: OwnedContact; addresses: AddressRow[] }> {
  return db.transaction(async (tx) => {
    const contact = await contactOf(tx, owned);
    const wanted = {
      name: name?.trim() ?? contact.name,
      language: language === undefined ? contact.language : language,
    };
    const changed = (['name', 'language'] as const).filter((field) => wanted[field] !== contact[field]);
    if (changed.length > 0) {
      await updateContact(tx, contact.id, wanted);
      await record?.(tx, changed);
    }
    return { contact: { ...contact, ...wanted }, addresses: await listAddresses(tx, contact.id) };
  });
}

/**
 * Refuses a correction that no address can have, and looks up its short address: before the transaction, so that nobody waits
 * for the provider. Throws RESOURCE_NOT_FOUND and VALIDATION_ERROR.
 */
export async function checkCorrection(
  { db, checkPlace }: { db: Db; checkPlace: CheckPlace },
  { partnerId, id }: Owned,
  input: AddressCorrection,
): Promise<void> {
  const given = Object.keys(input);
  const coordinates = { latitude: input.latitude ?? undefined, longitude: input.longitude ?? undefined };
  const faults = coordinateFaults(coordinates as AddressInput, given);
  if (given.includes('latitude') !== given.includes('longitude'))
    faults.push('latitude and longitude must be given together');
  if (faults.length > 0) throw validationError(faults);
  if (!['latitude', 'shortAddress'].some((field) => given.includes(field))) return;
  const before = await orNotFound(findAddress(db, partnerId, id), 'Address');
  const { after } = correctedAddress(before, input);
  if (after !== null) await checkPlace({ ...after, shortAddress: after.short_address });
}

/**
 * Changes the given fields of the address; null and blank texts remove one. Another place only while nothing was booked
 * there: the zone and the team of a booking follow from it. Throws RESOURCE_NOT_FOUND, VALIDATION_ERROR and CONFLICT (IN_USE,
 * ADDRESS_EXISTS).
 */
export async function correctAddress(
  deps: { db: Db; checkPlace: CheckPlace },
  { partnerId, id }: Owned,
  input: AddressCorrection,
  record?: Record,
): Promise<AddressRow> {
  await checkCorrection(deps, { partnerId, id }, input);
  return deps.db
    .transaction(async (tx) => {
      await orNotFound(lockOwner(tx, id), 'Address');
      const before = await orNotFound(lockAddress(tx, partnerId, id), 'Address');
      const { after, changed } = correctedOrThrow(before, input);
      if (changed.length === 0) return before;
      if (isElsewhere(changed) && (await isBooked(tx, before)))
        throw conflict('IN_USE', 'The address has bookings: register another one for another place');
      await updateAddress(tx, after);
      await record?.(tx, changed);
      return after;
    })
    .catch(addressExists);
}

/** The texts that only help to find a door: with another one it is the same address. */
const HELPS = ['floor', 'postalCode', 'directions'];
const isElsewhere = (changed: readonly string[]): boolean =>
  changed.includes('latitude') || changed.includes('longitude');

/**
 * The address of a locked booking with the fields corrected, and which were. Another door is a new address when other bookings
 * are of the old one: they keep theirs. Throws RESOURCE_NOT_FOUND, VALIDATION_ERROR and CONFLICT (ADDRESS_EXISTS).
 */
export async function correctAddressOf(
  tx: Tx,
  now: Instant,
  booking: { id: string; partner_id: string; contact_id: string },
  { id, input }: { id: string; input: AddressCorrection },
): Promise<{ address: AddressRow; changed: string[]; isElsewhere: boolean }> {
  const before = await orNotFound(lockAddress(tx, booking.partner_id, id), 'Address');
  if (before.contact_id !== booking.contact_id) throw notFound('Address');
  const { after, changed } = correctedOrThrow(before, input);
  const isOtherDoor = changed.some((field) => !HELPS.includes(field));
  const isNew = isOtherDoor && (await isBooked(tx, before, booking.id));
  const address = isNew ? { ...after, id: newId(now), created_at: now } : after;
  if (changed.length > 0) await (isNew ? insertAddress : updateAddress)(tx, address).catch(addressExists);
  return { address, changed, isElsewhere: isElsewhere(changed) };
}

function correctedOrThrow(before: AddressRow, input: AddressCorrection) {
  const { after, changed } = correctedAddress(before, input);
  if (after === null) throw validationError(['at least one field of the address must stay']);
  return { after, changed };
}

function addressExists(error: unknown): never {
  if (isDbError(error, 'uniqueViolation', 'addresses_door_key'))
    throw conflict('ADDRESS_EXISTS', 'The customer has this address already');
  throw error;
}
