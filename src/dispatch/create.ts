import { earlierTeam } from '../availability/earlier-team.ts';
import type { PlanCache } from '../availability/plan.ts';
import type { Instant } from '../base/clock.ts';
import { ApiError, conflict, orNotFound } from '../base/errors.ts';
import { createBooking, createBookingInserts, withAccess } from '../bookings/create.ts';
import { attributeFirstEvent } from '../bookings/create-queries.ts';
import { findOrCreateContact } from '../contacts/contacts.ts';
import { type Actor, audit } from '../db/audit.ts';
import type { Db, Tx } from '../db/connection.ts';
import type { Sealer } from '../db/sealing.ts';
import { partnerRows } from '../partners/account-queries.ts';
import type { CreateForPartner } from './schema.ts';

export type CreationForPartner = {
  actor: Actor;
  wanted: CreateForPartner;
  /** Runs in the transaction of the creation; an error rolls the booking back. */
  record?: (tx: Tx, bookingId: string) => Promise<void>;
};

/**
 * The operator books for a customer of a partner: createBooking with its rules, refusals, event and webhooks; the event
 * and an audit row name the operator. With `contact` the customer is found or created first, as the partner would
 * (section 4.1), and stays when the booking is refused. `force` ignores the service's minimum notice, `preferTeamOf` asks
 * for the team of an earlier booking first. Returns the booking's id. Throws RESOURCE_NOT_FOUND (partner, contact,
 * address, service, earlier booking), CONFLICT (the partner is suspended),
 * VALIDATION_ERROR, and the errors of createBooking.
 */
export async function createForPartner(
  { db, plans, sealer, hasGateway }: { db: Db; plans: PlanCache; sealer: Sealer; hasGateway: boolean },
  now: Instant,
  { actor, wanted, record }: CreationForPartner,
): Promise<string> {
  const { partnerId, contact: _contact, force = false, reason, preferTeamOf, ...input } = wanted;
  const partner = await orNotFound(partnerRows.find(db, partnerId), 'Partner');
  if (partner.status !== 'ACTIVE')
    throw conflict('PARTNER_SUSPENDED', 'The partner is suspended: its customers cannot be booked');
  const preferredTeamId = await earlierTeam(db, partner.id, { preferTeamOf });
  const customer = await customerOf(db, now, { actor, partner, wanted });
  const account = {
    id: partner.id,
    paymentResponsibility: partner.payment_responsibility,
    hasGateway,
  };
  const agreed = { ignoresNotice: force, teamIds: preferredTeamId === undefined ? [] : [preferredTeamId] };
  const booked = createBooking(
    { db, plans, insert: createBookingInserts(db) },
    now,
    { partner: account, input: { ...input, ...customer }, agreed },
    withAccess(sealer, input, async (tx, made) => {
      await attributeFirstEvent(tx, made.bookingId, actor);
      await audit(tx, now, {
        actor,
        action: 'booking.create',
        target: `booking:${made.bookingId}`,
        after: {
          ...made,
          partnerId: partner.id,
          ...customer,
          ...(force && { forced: true, forcedBecause: reason }),
        },
      });
      await record?.(tx, made.bookingId);
    }),
  );
  return (await booked.catch(withOperatorsHint)).bookingId;
}

/** Throws the error with hints about the operator's own operations. */
function withOperatorsHint(error: unknown): never {
  if (!(error instanceof ApiError)) throw error;
  if (error.details.reason === 'SLOT_INSIDE_NOTICE') {
    const hints = ['force: true books inside the minimum notice'];
    throw new ApiError(error.code, error.message, { ...error.details, hints });
  }
  if (error.code !== 'DUPLICATE_EXTERNAL_REFERENCE') throw error;
  const reference = encodeURIComponent(String(error.details.externalReference));
  const hints = [`GET /operator/bookings?externalReference=${reference} returns the booking that has it`];
  throw new ApiError(error.code, error.message, { ...error.details, hints });
}

type PartnerName = { id: string; name: string };

async function customerOf(
  db: Db,
  now: Instant,
  { actor, partner, wanted }: Pick<CreationForPartner, 'actor' | 'wanted'> & { partner: PartnerName },
): Promise<{ contactId: string; addressId: string }> {
  const { contact, contactId, addressId } = wanted;
  // The schema's rules demand one of the two.
  if (contact === undefined) return { contactId: contactId!, addressId: addressId! };
  return db.transaction(async (tx) => {
    const found = await findOrCreateContact(tx, now, partner, contact);
    if (found.is_new) {
      const target = `contact:${found.id}`;
      // Without personal data: the audit log is never erased.
      const after = { id: found.id, partnerId: partner.id };
      await audit(tx, now, { actor, action: 'contact.create', target, after });
    }
    return { contactId: found.id, addressId: found.address_id! };
  });
}
