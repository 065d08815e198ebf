import { createHash } from 'node:crypto';
import { earlierTeam, keepsTeam, type Preference } from '../availability/earlier-team.ts';
import type { PlanCache } from '../availability/plan.ts';
import type { SlotProblem } from '../availability/rules.ts';
import { loadSlotContext, type SlotContext, type SlotQuery } from '../availability/slots.ts';
import type { Period } from '../availability/sold.ts';
import { canonicalJson } from '../base/canonical-json.ts';
import { type CalendarDate, DAY, type Instant, MINUTE, toRiyadhIso } from '../base/clock.ts';
import { ApiError, type ErrorDetails, notFound } from '../base/errors.ts';
import { newId } from '../base/ids.ts';
import { findContact } from '../contacts/queries.ts';
import { type Db, isDbError, type Tx } from '../db/connection.ts';
import { currentHistory } from '../db/histories.ts';
import type { Sealer } from '../db/sealing.ts';
import { columnsGiven, type Given } from '../http/fields.ts';
import type { PaymentResponsibility } from '../partners/rules.ts';
import { gatherChanges } from '../runtime/gather.ts';
import { type AccessInput, hasAccess, saveAccess } from './access.ts';
import { type ChosenTeams, claimSlot } from './claim.ts';
import { type Booked, type CreatedColumns, insertBookings, type NewBooking } from './create-queries.ts';
import { findDisplacedHold, findHold, type HoldRow } from './hold-queries.ts';
import { holdConsumed, holdMismatch } from './hold-refusals.ts';
import {
  differencesFrom,
  type HeldSlotWanted,
  holdStatus,
  isMoreExpensive,
  isPriceKept,
} from './hold-rules.ts';
import { type BookingRow, findMade } from './queries.ts';
import { initialState } from './rules.ts';
import {
  type CreationProblem,
  duplicateReference,
  paymentUnavailable,
  periodOf,
  slotRefused,
} from './slot.ts';
import { BOOKINGS } from './table.ts';
import { type BookingView, bookingView } from './view.ts';

export type CreateBookingInput = Given<typeof BOOKINGS> &
  Preference & {
    contactId: string;
    addressId: string;
    serviceId: string;
    date: CalendarDate;
    timeslot: { startAt: string; endAt: string };
    /** The hold that the booking takes, with its price. */
    holdId?: string;
  };

export type BookingAccount = {
  id: string;
  paymentResponsibility: PaymentResponsibility;
  hasGateway: boolean;
};

/** Terms of a booking that its partner did not send: a series' or the operator's. */
export type Agreed = {
  /** Allows a start inside the service's minimum notice. */
  ignoresNotice?: boolean;
  /** Days by which the service's horizon is further away. */
  daysAhead?: number;
  /** Asked first, in their order; others come when none is free. */
  teamIds?: readonly string[];
  series?: { id: string; index: number };
  /** Runs first in the transaction of the creation, before a team is claimed; an error ends it. */
  begin?: ((tx: Tx) => Promise<void>) | undefined;
};

type CreationRequest = { partner: BookingAccount; input: CreateBookingInput; agreed?: Agreed };

type BookingToInsert = NewBooking & BookingRow;

/** Inserts a booking with one of its teams. TAKEN: none is free. STALE: the catalogue or its hold has changed. */
export type InsertBooking = (booking: BookingToInsert) => Promise<Booked>;

/** Bookings of one statement, and statements at once, at the most. */
const SHARED = { maxKeys: 32, maxRunning: 2 };

/** Inserts bookings; those that arrive together share a statement. */
export function createBookingInserts(db: Db): InsertBooking {
  return gatherChanges<BookingToInsert, Booked>(
    db,
    async (bookings) => {
      if (bookings.length === 1) return asOutcomes(await insertBookings(db, bookings));
      const apart = partitionTeams(bookings);
      const together = bookings.flatMap((booking, index) =>
        apart[index]!.length === 0 ? [] : { ...booking, teamIds: apart[index]! },
      );
      const booked = await insertBookings(db, together);
      let next = 0;
      // Without one of the few teams, or with nothing left to ask for: alone, with all its teams.
      return apart.map((teamIds) => {
        const found = teamIds.length === 0 ? null : booked[next++]!;
        return found === null || found.outcome === 'TAKEN' ? null : () => found;
      });
    },
    SHARED,
  );
}

const asOutcomes = (booked: readonly Booked[]) => booked.map((one) => () => one);

/** Teams that a booking asks for in a shared statement. */
const TEAMS_ASKED = 4;

/**
 * The first few teams of each booking, none of which two bookings of a day ask for: a statement does not see what it
 * inserts itself. They choose in turns; one that comes too late has none.
 */
export function partitionTeams(
  bookings: readonly Pick<NewBooking, 'service_date' | 'teamIds'>[],
): string[][] {
  const asked = new Set<string>();
  const apart: string[][] = bookings.map(() => []);
  for (let turn = 0; turn < TEAMS_ASKED; turn++) {
    for (const [index, { service_date, teamIds }] of bookings.entries()) {
      const teamId = teamIds.find((id) => !asked.has(`${service_date} ${id}`));
      if (teamId === undefined) continue;
      asked.add(`${service_date} ${teamId}`);
      apart[index]!.push(teamId);
    }
  }
  return apart;
}

/** `keepsTeam`: whether its team is that of `preferTeamOf`, if that was asked for. */
export type CreatedBooking = BookingView & { keepsTeam?: boolean };

/** Runs in the transaction of the creation; an error rolls the booking back. */
export type RecordBooking = (tx: Tx, booking: CreatedBooking) => Promise<void>;

/**
 * Section 4.5: books the slot and returns the Booking. An error leaves nothing behind. Throws
 * RESOURCE_NOT_FOUND (contact, address, service, hold, earlier booking), VALIDATION_ERROR (address without coordinates),
 * SERVICE_NOT_ALLOWED, HOLD_MISMATCH, HOLD_CONSUMED, DUPLICATE_EXTERNAL_REFERENCE and, with reason and alternatives,
 * BOOKING_CREATION_FAILED.
 */
export async function createBooking(
  deps: { db: Db; plans: PlanCache; insert: InsertBooking },
  now: Instant,
  wanted: CreationRequest,
  record?: RecordBooking,
): Promise<CreatedBooking> {
  const { db, plans } = deps;
  const { partner, input, agreed = {} } = wanted;
  const { ignoresNotice = false, daysAhead = 0 } = agreed;
  const { addressId, serviceId } = input;
  const query: SlotQuery = { partnerId: partner.id, addressId, serviceId, ignoresNotice, daysAhead };
  const period = periodOf(input.date, input.timeslot);
  const earlier = await earlierTeam(db, partner.id, input);
  const canCollect = partner.paymentResponsibility === 'PARTNER' || partner.hasGateway;

  async function refusal(
    { hold }: CreationContext,
    problem: SlotProblem | 'PRICE_CHANGED',
    details: ErrorDetails = {},
  ): Promise<ApiError> {
    if (!canCollect) return paymentUnavailable();
    const refuse = (reason: CreationProblem, more: ErrorDetails) =>
      slotRefused(deps, now, query, { wanted: period.startsAt, reason, details: more });
    if (problem === 'PRICE_CHANGED') return refuse(problem, details);
    // As it is by now: it may have been lost to the very change that took the slot.
    const latest = await (hold === null
      ? findDisplacedHold(db, now, { ...input, ...period })
      : findHold(db, partner.id, hold.id));
    return latest === null
      ? refuse(problem, details)
      : refuse(problemOfHold(latest, problem, { period, now }), { ...details, ...keptPrice(latest, now) });
  }

  async function take(
    context: CreationContext,
    { teamIds, ...chosen }: ChosenTeams,
  ): Promise<CreatedBooking | 'TAKEN' | 'STALE'> {
    const { hold } = context;
    if (!canCollect) throw await refusal(context, 'SLOT_UNAVAILABLE');
    const listed = context.priceAt(now);
    const isCheaper = hold !== null && isMoreExpensive(listed, hold.price);
    if (isCheaper && hold.isOver && !isPriceKept(hold, now))
      throw await refusal(context, 'PRICE_CHANGED', { price: Number(listed), currency: 'SAR' });
    // The lower of both.
    const price = isCheaper ? hold.price : listed;
    const row = newRow(now, wanted, { ...context, price });
    const booking: BookingToInsert = {
      ...row,
      zone_id: chosen.zoneId,
      is_hold_over: hold?.isOver ?? false,
      catalogue_version: chosen.catalogueVersion,
      teamIds,
      event_id: newId(now),
      event: 'booking.created',
      payload: bookingView(row),
    };
    return insertWithRecord(deps, booking, { earlier, begin: agreed.begin, record });
  }

  try {
    return await claimSlot(() => loadForCreation({ db, plans }, now, { query, input, period }), {
      period,
      now,
      firstTeams: ({ hold }) => [hold?.team_id ?? earlier, ...(agreed.teamIds ?? [])],
      lastTeam: ({ heldElsewhere }) => heldElsewhere,
      take,
      refusal,
    });
  } catch (error) {
    throw error instanceof ApiError ? ((await findRepeated(db, now, wanted)) ?? error) : error;
  }
}

/** The time within which a repeated body is recognised. */
const REPEATABLE = 28 * DAY;

/**
 * The refusal that names the booking which has the reference, or took the hold: before every other one, so that nobody who has the
 * slot is told that it is gone. null: there is none.
 */
async function findRepeated(
  db: Db,
  now: Instant,
  { partner, input }: CreationRequest,
): Promise<ApiError | null> {
  const { externalReference, holdId } = input;
  if (externalReference === undefined && holdId === undefined) return null;
  const made = await findMade(db, partner.id, input);
  if (made === null) return null;
  const sameRequest =
    made.creation_hash?.equals(hashOf(input)) === true && made.created_at > now - REPEATABLE;
  return made.has_reference
    ? duplicateReference(externalReference!, { bookingId: made.id, sameRequest })
    : holdConsumed(made.id, sameRequest);
}

/** Independent of the order of fields. */
const hashOf = (input: CreateBookingInput): Buffer =>
  createHash('sha256').update(canonicalJson(input)).digest();

/** The slot, its price and the hold of a new booking. A hold that is over gives it neither price nor length. */
type CreationContext = SlotContext & {
  hold: (HoldRow & { isOver: boolean }) | null;
  /** The team of the customer's hold of another slot, which may be too close for both: then this booking takes it. */
  heldElsewhere?: string | null;
};

/**
 * Throws RESOURCE_NOT_FOUND, VALIDATION_ERROR (address without coordinates), SERVICE_NOT_ALLOWED, HOLD_CONSUMED and
 * HOLD_MISMATCH.
 */
async function loadForCreation(
  { db, plans }: { db: Db; plans: PlanCache },
  now: Instant,
  { query, input, period }: { query: SlotQuery; input: CreateBookingInput; period: Period },
): Promise<CreationContext> {
  if (input.holdId === undefined) {
    const context = await loadVisible(db, plans, query, input);
    const own = context.ownHoldId === null ? null : await findHold(db, query.partnerId, context.ownHoldId);
    if (own === null || holdStatus(own, now) !== 'HELD') return { ...context, hold: null };
    if (differencesFrom(own, { ...input, period, zoneId: context.zoneId }).length > 0)
      return { ...context, hold: null, heldElsewhere: own.team_id };
    return { ...(await loadKept(own)), hold: { ...own, isOver: false } };
  }
  const found = await findHold(db, query.partnerId, input.holdId);
  const isOver = found !== null && holdStatus(found, now) !== 'HELD';
  // Its row of appointments may be there until the sweep.
  const hold = found && { ...found, zone_id: isOver ? null : found.zone_id };
  const context = await (hold === null || isOver ? loadVisible(db, plans, query, input) : loadKept(hold));
  assertUsable(hold, { ...input, period, zoneId: context.zoneId });
  return { ...context, hold: { ...hold, isOver } };

  /** A hold keeps its length after a change of the catalogue, and its slot inside the notice. */
  function loadKept(kept: HoldRow): Promise<SlotContext> {
    const durationMinutes = lengthOfHold(kept);
    return loadVisible(db, plans, { ...query, durationMinutes, ignoresNotice: true }, input);
  }
}

/** The problem of a slot with a hold that may be over; one that was displaced is booked at another time, too. */
function problemOfHold(
  hold: HoldRow,
  problem: SlotProblem,
  { period: { startsAt, endsAt }, now }: { period: Period; now: Instant },
): CreationProblem {
  if (holdStatus(hold, now) === 'HELD' || hold.starts_at !== startsAt || hold.ends_at !== endsAt)
    return problem;
  return hold.displaced_at === null ? 'HOLD_EXPIRED' : 'HOLD_DISPLACED';
}

/** The hold whose price is kept for other slots, with its end. */
const keptPrice = (hold: HoldRow, now: Instant): ErrorDetails =>
  isPriceKept(hold, now)
    ? {
        holdId: hold.id,
        price: Number(hold.price),
        currency: 'SAR',
        expiresAt: toRiyadhIso(hold.expires_at),
      }
    : {};

/** Throws RESOURCE_NOT_FOUND, HOLD_CONSUMED and HOLD_MISMATCH. */
function assertUsable(hold: HoldRow | null, wanted: HeldSlotWanted): asserts hold is HoldRow {
  if (hold === null) throw notFound('Hold');
  if (hold.booking_id !== null) throw holdConsumed(hold.booking_id);
  const differences = differencesFrom(hold, wanted);
  if (differences.length > 0) throw holdMismatch(differences);
}

const lengthOfHold = ({ starts_at, ends_at }: HoldRow) => (ends_at - starts_at) / MINUTE;

/** Stores how the crew gets in with the booking, then records it. */
export function withAccess(
  sealer: Sealer,
  input: AccessInput,
  record: RecordBooking | undefined,
): RecordBooking | undefined {
  if (!hasAccess(input)) return record;
  return async (tx, booking) => {
    await saveAccess(tx, sealer, booking.bookingId, input);
    await record?.(tx, booking);
  };
}

type NewRow = BookingRow & CreatedColumns;

/** The new booking; the insert gives its appointment a name. */
function newRow(
  now: Instant,
  { partner, input, agreed }: CreationRequest,
  { service, price, hold }: CreationContext & { price: string },
): NewRow {
  const { paymentResponsibility } = partner;
  const state = initialState(paymentResponsibility, Number(price) === 0, service.zeroPriceMeans);
  const period = periodOf(input.date, input.timeslot);
  return {
    id: newId(now),
    partner_id: partner.id,
    payment_responsibility: paymentResponsibility,
    ...columnsGiven(BOOKINGS, input),
    creation_hash: hashOf(input),
    hold_id: hold?.id ?? null,
    series_id: agreed?.series?.id ?? null,
    series_index: agreed?.series?.index ?? null,
    status: state.status,
    payment_status: state.paymentStatus,
    service_date: input.date,
    appointment_id: newId(now),
    appointment_name: '',
    appointment_status: service.assignment === 'deferred' ? 'New' : 'Scheduled',
    starts_at: period.startsAt,
    ends_at: period.endsAt,
    contact_id: input.contactId.toLowerCase(),
    is_erased: false,
    address_id: input.addressId.toLowerCase(),
    service_id: service.id,
    service_name: service.nameEn,
    service_name_ar: service.nameAr,
    amount: price,
    cancellation_reason_id: null,
    cancellation_notes: null,
    cancelled_by: null,
    cancelled_at: null,
    failure_reason: null,
    policy_id: null,
    fees: null,
    cancelled_for: null,
    work_reached: null,
    outcome: null,
    payment: null,
    created_at: now,
    updated_at: now,
  };
}

/** Inserts the booking and runs `record`. STALE: catalogue or hold have changed, the next attempt sees it. */
async function insertWithRecord(
  { db, insert }: { db: Db; insert: InsertBooking },
  booking: BookingToInsert,
  {
    earlier,
    begin,
    record,
  }: { earlier: string | undefined; begin: Agreed['begin']; record: RecordBooking | undefined },
): Promise<CreatedBooking | 'TAKEN' | 'STALE'> {
  const viewOf = ({ outcome, name, policy_id }: Booked): BookingView | 'TAKEN' | 'STALE' =>
    outcome === 'CLAIMED' ? bookingView({ ...booking, appointment_name: name!, policy_id }) : outcome;
  try {
    if (record === undefined && earlier === undefined) return viewOf(await insert(booking));
    return await db.transaction(async (tx) => {
      await begin?.(tx);
      const [booked] = await insertBookings(tx, [booking]);
      const made = viewOf(booked!);
      if (typeof made === 'string') return made;
      const created = { ...made, ...(await keepsTeam(tx, booking.appointment_id, earlier)) };
      await record?.(tx, created);
      return created;
    });
  } catch (error) {
    if (isDbError(error, 'uniqueViolation', 'bookings_external_reference_key'))
      throw duplicateReference(booking.external_reference);
    if (!isDbError(error, 'serialization')) throw error;
    // Commits were lost: a new history must begin before the sequence goes on.
    await currentHistory(db);
    return 'STALE';
  }
}

async function loadVisible(
  db: Db,
  plans: PlanCache,
  query: SlotQuery,
  input: CreateBookingInput,
): Promise<SlotContext> {
  const contact = async () => findContact(db, query.partnerId, input.contactId);
  try {
    // Without the holds of the day: the claim checks them.
    const context = await loadSlotContext(db, plans, query, null);
    if (context.contactId === input.contactId.toLowerCase()) return context;
    throw (await contact()) === null ? notFound('Contact') : notFound('Address');
  } catch (error) {
    // An unknown contact is refused before any other fault.
    if (error instanceof ApiError && (await contact()) === null) throw notFound('Contact');
    throw error;
  }
}
