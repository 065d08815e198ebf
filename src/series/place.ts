import type { PlanCache } from '../availability/plan.ts';
import { loadSlotContext } from '../availability/slots.ts';
import { addDays, type CalendarDate, DAY, dateOf, formatMinutes, type Instant } from '../base/clock.ts';
import { ApiError } from '../base/errors.ts';
import { type Agreed, createBooking, type InsertBooking, withAccess } from '../bookings/create.ts';
import { lockOwner } from '../contacts/queries.ts';
import type { Db, Tx } from '../db/connection.ts';
import type { Sealer } from '../db/sealing.ts';
import { accessOf } from './access.ts';
import { nextOf } from './next.ts';
import {
  dueSeries,
  type FoundSeries,
  findSeries,
  listVisits,
  notePlaced,
  saveSeries,
  saveVisit,
  seriesRows,
  stopSeries,
} from './queries.ts';
import { stopOf } from './refusals.ts';
import { isOver, isPaused, type Place, placeOf, type StopReason, startOf, termsAt } from './rules.ts';
import type { SeriesRow } from './table.ts';
import type { SeriesRecord } from './withdraw.ts';

/** `ignoresNotice`: of the operator's, who books inside the minimum notice. */
export type PlaceDeps = {
  db: Db;
  plans: PlanCache;
  sealer: Sealer;
  insert: InsertBooking;
  ignoresNotice?: boolean;
};

/** The series was changed meanwhile: what was read of it is no longer so. */
export class SeriesChanged extends Error {
  override readonly name = 'SeriesChanged';
}

/** Days by which a date opens to series before it does to others. */
export const DAYS_AHEAD = 1;

/** The last date that visits of the series are placed on. */
const lastDateOf = ({ horizon_days }: FoundSeries, now: Instant): CalendarDate =>
  addDays(dateOf(now), horizon_days + DAYS_AHEAD);

/**
 * Places what the horizon has reached and tries again what could not be placed before today, index by index, each in a
 * transaction of its own: as often as it runs, and in however many processes, an index has one booking.
 */
export async function rollSeries(deps: PlaceDeps, now: Instant, id: string): Promise<void> {
  for (;;) {
    const series = await findSeries(deps.db, { id, partnerId: null });
    if (series === null) return;
    const place = await nextPlace(deps.db, series, now);
    if (place === null) return;
    try {
      if (!(await decide(deps, now, series, place))) return;
    } catch (error) {
      if (!(error instanceof SeriesChanged)) throw error;
    }
  }
}

/** Rolls every series that has something to place. Throws the first error after the others were tried. */
export async function rollAll(deps: PlaceDeps, clock: { now(): Instant }): Promise<void> {
  const failures: unknown[] = [];
  let after: string | null = null;
  do {
    const due: string[] = await dueSeries(deps.db, dateOf(clock.now()), after);
    for (const id of due) await rollSeries(deps, clock.now(), id).catch((error) => failures.push(error));
    after = due.at(-1) ?? null;
  } while (after !== null);
  if (failures.length > 0) throw failures[0];
}

/** The place to decide about: one that waits and was not tried today, else the next of the horizon; null: there is none. */
async function nextPlace(db: Db, series: FoundSeries, now: Instant): Promise<Place | null> {
  if (series.reason === 'CUSTOMER_ERASED') return null;
  const today = dateOf(now);
  const waiting = (await listVisits(db, [series.id])).find(
    ({ state, date, tried_on }) => state === 'UNPLACED' && date >= today && tried_on < today,
  );
  if (waiting !== undefined)
    return { ...placeOf(series, waiting.index), date: waiting.date, start: waiting.start };
  if (series.status === 'ENDED') return null;
  const next = placeOf(series, series.next_index);
  return next.date <= lastDateOf(series, now) || isOver(series, next) ? next : null;
}

/** Whether there may be more to decide. */
async function decide(deps: PlaceDeps, now: Instant, series: FoundSeries, place: Place): Promise<boolean> {
  const { db } = deps;
  const today = dateOf(now);
  const stop = (reason: StopReason): Promise<boolean> =>
    db.transaction(async (tx) => {
      const { status } = await lockUnchanged(tx, series, place.index);
      // A visit of before the end waits on.
      if (status === 'ENDED')
        await saveVisit(tx, series.id, place, { today, state: 'UNPLACED', booking_id: null, reason });
      else await stopSeries(tx, now, series.id, { reason, today });
      return status === 'ENDED';
    });
  const isBeyondEnd = isOver(series, place);
  if (isBeyondEnd && place.index === series.next_index) return stop('OVER');
  const stopped = stopOf(series);
  if (stopped !== null) return stop(stopped);
  if (isBeyondEnd || isPaused(series, place.date)) {
    await db.transaction(async (tx) => {
      await lockUnchanged(tx, series, place.index);
      await saveVisit(tx, series.id, place, { today, state: 'SKIPPED', booking_id: null, reason: null });
      await goOn(tx, now, series);
    });
    return true;
  }
  const outcome = await placeVisit(deps, now, series, { place });
  return outcome === 'PLACED' || outcome === 'UNPLACED' ? true : stop(outcome);
}

type Outcome = 'PLACED' | 'UNPLACED' | StopReason;

/**
 * Books the visit at its place, or notes why it cannot be booked. At a time that was chosen for it: or throws why, and changes
 * nothing.
 */
export async function placeVisit(
  deps: PlaceDeps,
  now: Instant,
  series: FoundSeries,
  { place, chosen, record }: { place: Place; chosen?: Pick<Place, 'date' | 'start'>; record?: SeriesRecord },
): Promise<Outcome> {
  const { date, start } = chosen ?? place;
  const tells = startOf({ date, start }) === startOf(place);
  const { db, plans, sealer, insert } = deps;
  const today = dateOf(now);
  const query = { partnerId: series.partner_id, addressId: series.address_id, serviceId: series.service_id };
  let replacesCrew = false;
  try {
    const context = await loadSlotContext(db, plans, query, null);
    const crews = termsAt(series, place.index).sameCrew ? await crewsOf(db, series) : [];
    // A crew that no longer does such visits there gives way to the one that comes now.
    replacesCrew =
      series.team_id !== null && context.place?.teams.every(({ id }) => id !== series.team_id) === true;
    const agreed: Agreed = {
      ignoresNotice: deps.ignoresNotice === true,
      daysAhead: DAYS_AHEAD,
      teamIds: crews,
      series: { id: series.id, index: place.index },
      async begin(tx) {
        // As an erasure does: first the customer.
        await lockOwner(tx, series.address_id);
        await lockUnchanged(tx, series, place.index);
      },
    };
    const account = { id: series.partner_id, paymentResponsibility: 'PARTNER' as const, hasGateway: true };
    const input = {
      contactId: series.contact_id,
      addressId: series.address_id,
      serviceId: series.service_id,
      date,
      timeslot: timesOf({ start }, context.service.durationMinutes),
      ...(series.notes !== null && { notes: series.notes }),
    };
    await createBooking(
      { db, plans, insert },
      now,
      { partner: account, input, agreed },
      withAccess(sealer, accessOf(sealer, series), async (tx, { bookingId }) => {
        await saveVisit(tx, series.id, place, {
          ...{ today, state: 'PLACED', booking_id: bookingId, reason: null },
          // At another time, before the series was told, it has a message of its own.
          is_known: tells || series.told_with !== null || series.known_before,
        });
        const isTold = tells && !series.known_before;
        await notePlaced(tx, now, { id: series.id, bookingId, replacesCrew, tells: isTold });
        await goOn(tx, now, series);
        await record?.(tx, series);
      }),
    );
    return 'PLACED';
  } catch (error) {
    if (chosen !== undefined) throw error;
    const reason = reasonOf(error);
    if (reason.stop !== undefined) return reason.stop;
    await db.transaction(async (tx) => {
      await lockUnchanged(tx, series, place.index);
      await saveVisit(tx, series.id, place, {
        today,
        state: 'UNPLACED',
        booking_id: null,
        reason: reason.unplaced,
      });
      await goOn(tx, now, series);
    });
    return 'UNPLACED';
  }
}

/** Why a visit is not placed, or why the series places none. Throws other errors. */
export function reasonOf(error: unknown): { unplaced: string; stop?: never } | { stop: StopReason } {
  if (!(error instanceof ApiError)) throw error;
  const { code, details } = error;
  if (code === 'BOOKING_CREATION_FAILED') return { unplaced: String(details.reason) };
  if (code === 'RESOURCE_NOT_FOUND' && details.resource === 'contact') return { stop: 'CUSTOMER_ERASED' };
  if (code === 'RESOURCE_NOT_FOUND' || code === 'SERVICE_NOT_ALLOWED' || code === 'VALIDATION_ERROR')
    return { stop: 'SERVICE_NOT_AVAILABLE' };
  throw error;
}

const timesOf = ({ start }: Pick<Place, 'start'>, minutes: number): { startAt: string; endAt: string } => ({
  startAt: formatMinutes(start),
  endAt: formatMinutes((start + minutes) % (DAY / 60_000)),
});

/** The crew of the series, then that of its last visit. */
async function crewsOf(db: Db, { id, team_id }: FoundSeries): Promise<string[]> {
  const last = (await listVisits(db, [id])).findLast((visit) => visit.team_id !== null);
  return [team_id, last?.team_id].flatMap((one) => one ?? []);
}

/** Locks the series. Throws SeriesChanged when it is not what was read, or the index has a booking. */
async function lockUnchanged(tx: Tx, { id, version }: FoundSeries, index: number): Promise<SeriesRow> {
  const locked = await seriesRows.lock(tx, id);
  if (locked === null || locked.version !== version) throw new SeriesChanged();
  const known = (await listVisits(tx, [id])).find((visit) => visit.index === index);
  if (known?.state === 'PLACED' || (known === undefined && index !== locked.next_index))
    throw new SeriesChanged();
  return locked;
}

/** Goes on after an index that was decided about; a series that was stopped is so no longer. */
async function goOn(tx: Tx, now: Instant, series: FoundSeries): Promise<void> {
  await saveSeries(tx, now, series.id, {
    ...(series.status !== 'ENDED' && { status: 'ACTIVE', reason: null }),
    ...(await nextOf(tx, series)),
  });
}
