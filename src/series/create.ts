import { createHash } from 'node:crypto';
import { earlierTeam } from '../availability/earlier-team.ts';
import { startProblem } from '../availability/rules.ts';
import { candidatesFor, loadSlotContext, type SlotContext } from '../availability/slots.ts';
import { canonicalJson } from '../base/canonical-json.ts';
import {
  addDays,
  type CalendarDate,
  dateOf,
  type Instant,
  MINUTE,
  secondsOfDay,
  startOfDate,
  weekdayOf,
} from '../base/clock.ts';
import { ApiError, notFound, orNotFound } from '../base/errors.ts';
import { newId } from '../base/ids.ts';
import { NOT_AVAILABLE } from '../bookings/hold-routes.ts';
import { slotRefused } from '../bookings/slot.ts';
import { lockOwner } from '../contacts/queries.ts';
import { type Db, isDbError, type Tx } from '../db/connection.ts';
import type { PaymentResponsibility } from '../partners/rules.ts';
import { sealedAfter } from './access.ts';
import { DAYS_AHEAD, type PlaceDeps, rollSeries } from './place.ts';
import { findByReference, seriesRows } from './queries.ts';
import { notForPlatform, referenceTaken } from './refusals.ts';
import { type Place, type Planned, placeOf, placesFrom } from './rules.ts';
import type { CreateSeries } from './schema.ts';

export type SeriesAccount = { id: string; paymentResponsibility: PaymentResponsibility };

/** Of a series that is not made yet. */
export function plannedOf(input: CreateSeries): Planned {
  const { firstDate, startAt, everyWeeks = 1, until, visits, sameCrew = true } = input;
  const start = secondsOfDay(startAt) / 60;
  return {
    first_date: firstDate,
    every_weeks: everyWeeks,
    until_date: until ?? null,
    visits: visits ?? null,
    terms: [{ from: 1, weekday: weekdayOf(firstDate), start, sameCrew }],
    pauses: [],
  };
}

/**
 * Makes a series and places its visits of the horizon; returns its id. One that was cut off in between goes on with the
 * worker. Throws PAYMENT_RESPONSIBILITY_MISMATCH (PLATFORM), RESOURCE_NOT_FOUND (contact, address, service, earlier booking),
 * SERVICE_NOT_ALLOWED, VALIDATION_ERROR, DUPLICATE_EXTERNAL_REFERENCE and, of a first date or start that is never offered,
 * BOOKING_CREATION_FAILED.
 */
export async function createSeries(
  deps: PlaceDeps,
  now: Instant,
  {
    partner,
    input,
    teamId,
    knownBefore = false,
    record,
  }: {
    partner: SeriesAccount;
    input: CreateSeries;
    /** The crew that it begins with. */
    teamId?: string | undefined;
    /** Whether its customer knows of it, and is not told. */
    knownBefore?: boolean;
    record?: (tx: Tx, id: string) => Promise<void>;
  },
): Promise<string> {
  const { db, sealer } = deps;
  await assertRepeatable(db, partner.id, input);
  const planned = plannedOf(input);
  await loadForSeries(deps, now, { partner, input, planned });
  const team_id = teamId ?? (await earlierTeam(db, partner.id, input)) ?? null;
  const id = newId(now);
  const place = placeOf(planned, 1);
  await db
    .transaction(async (tx) => {
      // She is erased before, or with the series.
      await orNotFound(lockOwner(tx, input.addressId), 'Contact');
      await seriesRows.insert(tx, now, {
        id,
        partner_id: partner.id,
        contact_id: input.contactId.toLowerCase(),
        address_id: input.addressId.toLowerCase(),
        service_id: input.serviceId.toLowerCase(),
        external_reference: input.externalReference ?? null,
        creation_hash: hashOf(input),
        ...planned,
        terms: JSON.stringify(planned.terms) as never,
        pauses: '[]' as never,
        team_id,
        known_before: knownBefore,
        notes: input.notes ?? null,
        access: sealedAfter(sealer, { id, access: null }, input) ?? null,
        next_date: place.date,
      });
      await record?.(tx, id);
    })
    .catch(async (error) => {
      if (isDbError(error, 'uniqueViolation', 'series_external_reference_key'))
        await assertRepeatable(db, partner.id, input);
      throw error;
    });
  await rollSeries(deps, now, id);
  return id;
}

/** The places of the horizon and what would come of each, without making anything. Throws as createSeries does. */
export async function previewSeries(
  deps: PlaceDeps,
  now: Instant,
  { partner, input }: { partner: SeriesAccount; input: CreateSeries },
): Promise<{ place: Place; reason: string | null; price: string }[]> {
  const planned = plannedOf(input);
  const { context, until } = await loadForSeries(deps, now, { partner, input, planned });
  const minutes = context.service.durationMinutes;
  return placesFrom(planned, 1, until).map((place) => {
    const startsAt = startOfDate(place.date) + place.start * MINUTE;
    const found = candidatesFor(context, { startsAt, endsAt: startsAt + minutes * MINUTE }, now);
    return { place, reason: found.problem, price: context.priceAt(now) };
  });
}

/** Days: a series may begin long before its first date can be booked. */
const MAX_HORIZON = 3_650;

/** The service at the address with the holds of the horizon. Throws what no date of the series would be placed for. */
async function loadForSeries(
  { db, plans }: Pick<PlaceDeps, 'db' | 'plans'>,
  now: Instant,
  { partner, input, planned }: { partner: SeriesAccount; input: CreateSeries; planned: Planned },
): Promise<{ context: SlotContext; until: CalendarDate }> {
  if (partner.paymentResponsibility === 'PLATFORM') throw notForPlatform();
  const { addressId, serviceId, contactId } = input;
  const query = { partnerId: partner.id, addressId, serviceId, daysAhead: DAYS_AHEAD };
  const today = dateOf(now);
  const first = await loadSlotContext(db, plans, query, null);
  if (first.contactId !== contactId.toLowerCase()) throw notFound('Contact');
  if (first.place === null)
    throw new ApiError(NOT_AVAILABLE.code, NOT_AVAILABLE.message, NOT_AVAILABLE.details);
  const { rules } = first.place;
  const place = placeOf(planned, 1);
  const startsAt = startOfDate(place.date) + place.start * MINUTE;
  const problem = startProblem({ ...rules, horizonDays: MAX_HORIZON }, startsAt / MINUTE, now);
  if (problem !== null && problem !== 'SLOT_INSIDE_NOTICE')
    throw await slotRefused({ db, plans }, now, query, { wanted: startsAt, reason: problem });
  const context = await loadSlotContext(db, plans, query, { from: today, days: rules.horizonDays + 1 });
  return { context, until: addDays(today, rules.horizonDays) };
}

/** Of the body of a creation. */
export const hashOf = (input: CreateSeries): Buffer =>
  createHash('sha256').update(canonicalJson(input)).digest();

/** Throws DUPLICATE_EXTERNAL_REFERENCE with the series that has the reference. */
async function assertRepeatable(db: Db, partnerId: string, input: CreateSeries): Promise<void> {
  const { externalReference } = input;
  if (externalReference === undefined) return;
  const known = await findByReference(db, partnerId, externalReference);
  if (known === null) return;
  const sameRequest = known.creation_hash?.equals(hashOf(input)) === true;
  throw referenceTaken(externalReference, { seriesId: known.id, sameRequest });
}
