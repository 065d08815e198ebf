import { earlierTeam, keepsTeam, type Preference } from '../availability/earlier-team.ts';
import type { PlanCache } from '../availability/plan.ts';
import type { SlotProblem } from '../availability/rules.ts';
import { loadSlotContext, locationOf, type SlotContext } from '../availability/slots.ts';
import { type CalendarDate, DAY, type Instant, MINUTE } from '../base/clock.ts';
import { type ApiError, notFound, orNotFound } from '../base/errors.ts';
import { newId } from '../base/ids.ts';
import { toSar } from '../base/money.ts';
import { findContact } from '../contacts/queries.ts';
import { type Actor, audit } from '../db/audit.ts';
import { type Db, isDbError, type Tx } from '../db/connection.ts';
import { percentOf } from '../policies/rules.ts';
import { type ChosenTeams, claimSlot } from './claim.ts';
import type { BookingAccount } from './create.ts';
import {
  countOtherHolds,
  type Extension,
  extendHoldRow,
  findHold,
  findReferenced,
  forgetHolds,
  freeReference,
  type HoldRow,
  insertHold,
  lockHolder,
  releaseHoldRow,
  repeatHoldRow,
  sweepHoldRows,
} from './hold-queries.ts';
import { heldTooLong, holdConsumed, holdEnded, limitReached, referenceTaken } from './hold-refusals.ts';
import { HOLD_SECONDS, holdStatus, MAX_HELD_SECONDS, maxPlaceHolds } from './hold-rules.ts';
import { auditedHold, type HoldView, holdView } from './hold-view.ts';
import { paymentUnavailable, periodOf, slotRefused } from './slot.ts';

export type HoldInput = Preference & {
  /** Or coordinates, before there is a customer. */
  addressId?: string;
  latitude?: string;
  longitude?: string;
  serviceId: string;
  date: CalendarDate;
  timeslot: { startAt: string; endAt: string };
  seconds?: number;
  contactId?: string;
  reference?: string;
};

/** Terms of a sandbox's simulated customer: another duration, a part of the price, another limit. */
export type HoldTerms = { seconds?: number; percentOfPrice?: number; maxHolds?: number };

/** `keepsTeam`: whether its team is that of `preferTeamOf`, if that was asked for. */
export type MadeHold = HoldView & { keepsTeam?: boolean };

/** Runs in the transaction of the hold; an error rolls it back. */
export type RecordHold = (tx: Tx, hold: MadeHold) => Promise<void>;

export type HoldDeps = { db: Db; plans: PlanCache };
export type HoldWanted = { partner: BookingAccount; input: HoldInput; terms?: HoldTerms };
export type MakeHold = (
  deps: HoldDeps,
  now: Instant,
  wanted: HoldWanted,
  record?: RecordHold,
) => Promise<MadeHold>;

/**
 * Holds a slot with its price for a while, in place of the customer's other hold for the service; asked for again, the same slot
 * is the same hold with the later end. The customer is the contact of the address. At coordinates there is none: such a hold
 * replaces no other, and is the same one by its reference. Throws as createBooking does, CONFLICT (reference) and HOLD_LIMIT_REACHED.
 */
export async function makeHold(...request: Parameters<MakeHold>): Promise<MadeHold> {
  try {
    return await holdSlot(...request);
  } catch (error) {
    // Two at once with one reference.
    throw isDbError(error, 'uniqueViolation', 'holds_reference_key') ? referenceTaken(null) : error;
  }
}

async function holdSlot(
  deps: HoldDeps,
  now: Instant,
  { partner, input, terms = {} }: HoldWanted,
  record?: RecordHold,
): Promise<MadeHold> {
  const { db, plans } = deps;
  const location = locationOf(input);
  const query = { partnerId: partner.id, serviceId: input.serviceId, ...location };
  const period = periodOf(input.date, input.timeslot);
  if (input.contactId !== undefined && (await findContact(db, partner.id, input.contactId)) === null)
    throw notFound('Contact');
  if (partner.paymentResponsibility === 'PLATFORM' && !partner.hasGateway) throw paymentUnavailable();
  const earlier = await earlierTeam(db, partner.id, input);
  // Whole seconds, as the response has it.
  const wantedEnd = now - (now % 1000) + (terms.seconds ?? input.seconds ?? HOLD_SECONDS.usual) * 1000;
  const reference = input.reference ?? null;
  const slot = { ...query, ...period, contactId: input.contactId ?? null, reference };
  const repeat = (on: Db | Tx): Promise<HoldRow | null> =>
    repeatHoldRow(on, now, slot, { until: wantedEnd, most: MAX_HELD_SECONDS });
  const recorded = async (tx: Tx, hold: HoldRow): Promise<MadeHold> => {
    const view = { ...holdView(hold, now), ...(await keepsTeam(tx, hold.id, earlier)) };
    await record?.(tx, view);
    return view;
  };

  async function load(): Promise<SlotContext> {
    const context = await loadSlotContext(db, plans, query, null);
    if (input.contactId !== undefined && input.contactId.toLowerCase() !== context.contactId)
      throw notFound('Address');
    await assertReferenceFree(context.contactId);
    return context;
  }

  async function assertReferenceFree(contactId: string | null): Promise<void> {
    if (reference === null) return;
    const other = await findReferenced(db, now, { ...slot, contactId, reference });
    if (other !== null) throw referenceTaken(other);
  }

  async function take({ contactId, priceAt }: SlotContext, teams: ChosenTeams) {
    const price = priceAt(now);
    const hold: HoldRow = {
      id: newId(now),
      partner_id: partner.id,
      contact_id: contactId,
      address_id: input.addressId?.toLowerCase() ?? null,
      latitude: input.latitude ?? null,
      longitude: input.longitude ?? null,
      reference,
      service_id: input.serviceId.toLowerCase(),
      starts_at: period.startsAt,
      ends_at: period.endsAt,
      price: terms.percentOfPrice === undefined ? price : toSar(percentOf(price, terms.percentOfPrice)),
      expires_at: Math.min(wantedEnd, period.startsAt),
      ended_at: null,
      displaced_at: null,
      booking_id: null,
      policy_id: null,
      team_id: null,
      zone_id: null,
      created_at: now,
    };
    return db.transaction(async (tx) => {
      // In one round trip: the others see what was committed while the lock was waited for.
      const [maxHolds, same, others] = await Promise.all([
        lockHolder(tx, partner.id),
        repeat(tx),
        countOtherHolds(tx, now, hold),
      ]);
      if (same !== null) return recorded(tx, same);
      if (others.total >= (terms.maxHolds ?? maxHolds)) throw limitReached(maxHolds);
      const most = maxPlaceHolds(maxHolds);
      if (contactId === null && others.places >= most) throw limitReached(maxHolds, most);
      const { outcome, policy_id } = await insertHold(tx, now, hold, teams);
      if (outcome !== 'CLAIMED') return outcome;
      return recorded(tx, { ...hold, policy_id });
    });
  }

  if (reference !== null) await freeReference(db, now, partner.id, reference);
  // Also when it could not be held anew: inside the notice, without its team, under another catalogue.
  const same = await repeat(db);
  if (same !== null) return db.transaction((tx) => recorded(tx, same));
  const refusal = (reason: SlotProblem): Promise<ApiError> =>
    slotRefused(deps, now, query, { wanted: period.startsAt, reason });
  return claimSlot(load, {
    period,
    now,
    firstTeams: () => [earlier],
    // A slot that begins this very moment can be booked, but not be held until its start.
    take: async (context, teams) => {
      if (period.startsAt <= now) throw await refusal('SLOT_IN_PAST');
      return take(context, teams);
    },
    refusal: (_context, reason) => refusal(reason),
  });
}

/** Throws RESOURCE_NOT_FOUND. */
export async function readHold(db: Db, now: Instant, partnerId: string, id: string): Promise<HoldView> {
  return holdView(await orNotFound(findHold(db, partnerId, id), 'Hold'), now);
}

/**
 * Moves the expiry of a hold, never forward. Throws RESOURCE_NOT_FOUND, HOLD_CONSUMED, HOLD_ENDED and, beyond MAX_HELD_SECONDS in
 * all or its start, HOLD_LIMIT_REACHED.
 */
export async function extendHold(
  db: Db,
  now: Instant,
  partnerId: string,
  { id, extension }: { id: string; extension: Extension },
): Promise<HoldView> {
  const extended = await extendHoldRow(db, now, { id, partnerId, extension, most: MAX_HELD_SECONDS });
  const hold = await orNotFound(findHold(db, partnerId, id), 'Hold');
  if (extended) return holdView(hold, now);
  const status = holdStatus(hold, now);
  if (hold.booking_id !== null) throw holdConsumed(hold.booking_id);
  if (status !== 'HELD') throw holdEnded(status);
  throw heldTooLong(Math.min(hold.created_at + MAX_HELD_SECONDS * 1000, hold.starts_at));
}

/** Frees the slot; a hold that is over stays as it is. Throws RESOURCE_NOT_FOUND and HOLD_CONSUMED. */
export async function releaseHold(db: Db, now: Instant, partnerId: string, id: string): Promise<HoldRow> {
  await orNotFound(findHold(db, partnerId, id), 'Hold');
  await releaseHoldRow(db, now, id);
  const hold = (await findHold(db, partnerId, id))!;
  if (hold.booking_id !== null) throw holdConsumed(hold.booking_id);
  return hold;
}

/** The same by the operator, with an audit row when it freed the slot. */
export async function releaseHoldForOperator(db: Db, now: Instant, actor: Actor, id: string): Promise<void> {
  await db.transaction(async (tx) => {
    const before = await orNotFound(findHold(tx, null, id), 'Hold');
    if (!(await releaseHoldRow(tx, now, before.id))) {
      const { booking_id: bookingId } = (await findHold(tx, null, id))!;
      if (bookingId !== null) throw holdConsumed(bookingId);
      return;
    }
    await audit(tx, now, {
      actor,
      action: 'hold.release',
      target: `hold:${before.id}`,
      before: auditedHold(before, now),
    });
  });
}

const BATCH = 500;
const RETENTION = 30 * DAY;

/**
 * Ends the holds whose time is over, so that nothing reads them any more, and deletes those of a month ago. After a
 * sandbox's clock went back also those of the time before, which would otherwise last until it comes again.
 */
export async function sweepHolds(db: Db, now: Instant): Promise<void> {
  while ((await sweepHoldRows(db, now, { madeBefore: now + MINUTE, batch: BATCH })) === BATCH);
  await forgetHolds(db, now - RETENTION);
}
