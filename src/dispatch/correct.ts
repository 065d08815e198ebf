import type { Instant } from '../base/clock.ts';
import { ApiError, conflict, notFound, orNotFound, validationError } from '../base/errors.ts';
import { saveAccess } from '../bookings/access.ts';
import { findToChange, type LockedBooking, lockBooking, saveBooking } from '../bookings/change-queries.ts';
import { CLOSED_BOOKINGS, MOVABLE_BY_OPERATOR, statusesIn } from '../bookings/rules.ts';
import { checkCorrection, correctAddressOf } from '../contacts/corrections.ts';
import { lockOwner } from '../contacts/queries.ts';
import type { CheckPlace } from '../contacts/resolver.ts';
import { type Actor, audit } from '../db/audit.ts';
import type { Db, Tx } from '../db/connection.ts';
import type { Sealer } from '../db/sealing.ts';
import type { WantedVersions } from '../http/if-match.ts';
import { findZones } from './queries.ts';
import type { CorrectBooking } from './schema.ts';
import { assertBookingWanted } from './version.ts';

type Correction = { bookingId: string; correction: CorrectBooking; wanted: WantedVersions };

/**
 * Corrects notes, access and address of a sold booking, with an audit row of the fields' names: price, fees, policy, time and
 * team stay, and there is no event. Without a difference nothing is written. Throws RESOURCE_NOT_FOUND (also of an erased
 * customer), VALIDATION_ERROR, BOOKING_NOT_EDITABLE and CONFLICT (version, OTHER_ZONE, ADDRESS_EXISTS).
 */
export async function correctBooking(
  { db, sealer, checkPlace }: { db: Db; sealer: Sealer; checkPlace: CheckPlace },
  now: Instant,
  actor: Actor,
  { bookingId, correction: sent, wanted }: Correction,
): Promise<void> {
  const correction = inOneForm(sent);
  const key = { partnerId: null, bookingId };
  let addressId: string | undefined;
  if (correction.address !== undefined) {
    const { address_id } = await orNotFound(findToChange(db, key), 'Booking');
    addressId = correction.addressId ?? address_id;
    await checkCorrection({ db, checkPlace }, { partnerId: null, id: addressId }, correction.address);
  }
  await db.transaction(async (tx) => {
    // Before the booking, as an erasure does: a new address waits for its customer.
    if (addressId !== undefined) await lockOwner(tx, addressId);
    const booking = await orNotFound(lockBooking(tx, null, bookingId), 'Booking');
    await assertBookingWanted(tx, wanted, booking);
    assertCorrectable(booking, correction);
    const place = await correctPlace(tx, now, booking, correction);
    const access = await saveAccess(tx, sealer, booking.id, correction);
    const notes = correction.notes === undefined ? booking.notes : correction.notes?.trim() || null;
    const fields = [...(notes === booking.notes ? [] : ['notes']), ...access, ...place.changed];
    if (fields.length === 0) return;
    const after = { ...booking, notes, address_id: place.addressId };
    await saveBooking(tx, now, { after, events: [], by: actor });
    await audit(tx, now, {
      actor,
      action: 'booking.correct',
      target: `booking:${booking.id}`,
      // Without personal data: the audit log is never erased.
      before: { addressId: booking.address_id },
      after: { addressId: place.addressId, fields },
    });
  }, bookingId);
}

/** `address.id` as `addressId`. */
function inOneForm({ address, ...rest }: CorrectBooking): CorrectBooking {
  if (address === undefined) return rest;
  const { id, ...fields } = address;
  return { ...rest, ...(id !== undefined && { addressId: id }), address: fields };
}

/** Texts until the work is done, the address until it begins. */
function assertCorrectable(booking: LockedBooking, { addressId, address }: CorrectBooking): void {
  if (booking.is_erased) throw notFound('Contact');
  const { status, appointment_status: appointmentStatus } = booking;
  const isPlace = addressId !== undefined || address !== undefined;
  const open = isPlace ? MOVABLE_BY_OPERATOR : statusesIn('planned', 'arriving', 'working');
  if (!CLOSED_BOOKINGS.includes(status) && open.includes(appointmentStatus)) return;
  const message = isPlace
    ? 'The address can be corrected until the work begins'
    : 'The booking can be corrected until the work is done';
  throw new ApiError('BOOKING_NOT_EDITABLE', message, { status, appointmentStatus });
}

/** The address after the correction, which must be in the zone of the visit: its team was sold for that one. */
async function correctPlace(
  tx: Tx,
  now: Instant,
  booking: LockedBooking,
  { addressId: wantedId, address: input = {} }: CorrectBooking,
): Promise<{ addressId: string; changed: string[] }> {
  const id = wantedId?.toLowerCase() ?? booking.address_id;
  const isOther = id !== booking.address_id;
  if (!isOther && Object.keys(input).length === 0) return { addressId: id, changed: [] };
  const { address, changed, isElsewhere } = await correctAddressOf(tx, now, booking, { id, input });
  if (isOther || isElsewhere) {
    const { latitude, longitude } = address;
    if (latitude === null || longitude === null)
      throw validationError(['addressId must belong to an address with coordinates']);
    const { zone, addressZone } = await findZones(tx, booking.zone_id, { latitude, longitude });
    if (addressZone?.id !== booking.zone_id)
      throw conflict('OTHER_ZONE', 'The address is in another zone than the visit', { zone, addressZone });
  }
  return { addressId: address.id, changed: isOther ? ['addressId', ...changed] : changed };
}
