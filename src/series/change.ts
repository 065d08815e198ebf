import { earlierTeam } from '../availability/earlier-team.ts';
import type { PlanCache } from '../availability/plan.ts';
import { dateOf, type Instant, secondsOfDay, timeOf } from '../base/clock.ts';
import { ApiError, orNotFound } from '../base/errors.ts';
import { type ChangePlainly, PARTNER } from '../bookings/change.ts';
import type { LockedBooking } from '../bookings/change-queries.ts';
import { quoteOf } from '../bookings/fees.ts';
import type { Quoted } from '../bookings/quote-view.ts';
import { updateBooking } from '../bookings/update.ts';
import type { Tx } from '../db/connection.ts';
import { sealedAfter } from './access.ts';
import { DAYS_AHEAD, type PlaceDeps, rollSeries } from './place.ts';
import {
  type FoundSeries,
  findSeries,
  listVisits,
  saveSeries,
  saveVisit,
  seriesRows,
  type VisitRow,
} from './queries.ts';
import { hasEnded } from './refusals.ts';
import { isOver, isPaused, type Place, placeOf, startOf, withTerms } from './rules.ts';
import type { ChangeSeries } from './schema.ts';
import { isLive, type SeriesKey, type SeriesRecord } from './withdraw.ts';

/** The result of a change for a visit that is placed, or that of its preview. */
export type Moved = Place & {
  bookingId: string;
  outcome: 'MOVED' | 'STAYS';
  /** Why it stays: the code or reason of the refusal; null: it moved. */
  reason: string | null;
  quoted: Quoted | null;
};

type ChangeDeps = PlaceDeps & { plans: PlanCache; change: ChangePlainly };

/**
 * Changes a series from an index on: what was placed before it, and whatever was moved by itself, stays. Visits that are placed
 * are moved one by one, each in a transaction of its own and for `maxFee` (SAR) at most; what cannot be moved stays. Sent
 * again, it moves those that are left. Throws RESOURCE_NOT_FOUND, INVALID_TRANSITION (it has ended) and VALIDATION_ERROR.
 */
export async function changeSeries(
  deps: ChangeDeps,
  now: Instant,
  { key, by, input, record }: { key: SeriesKey; by: string; input: ChangeSeries; record?: SeriesRecord },
): Promise<Moved[]> {
  const { db, sealer } = deps;
  const { fromIndex, startAt, weekday, sameCrew, preview = false } = input;
  const known = await orNotFound(findSeries(db, key), 'Series');
  const earlier = await earlierTeam(db, known.partner_id, input);
  const wanted = (series: FoundSeries): FoundSeries => ({
    ...series,
    terms: [
      ...withTerms(series, fromIndex, {
        ...(startAt !== undefined && { start: secondsOfDay(startAt) / 60 }),
        ...(weekday !== undefined && { weekday }),
        ...(sameCrew !== undefined && { sameCrew }),
      }),
    ],
  });
  if (preview) return moveVisits(deps, now, { series: wanted(known), by, input });
  const series = await db.transaction(async (tx) => {
    await seriesRows.lock(tx, known.id);
    const before = (await findSeries(tx, key))!;
    if (before.status === 'ENDED' && before.reason !== 'OVER') throw hasEnded(before);
    const after = wanted(before);
    const today = dateOf(now);
    for (const visit of await listVisits(tx, [known.id])) {
      if (visit.state !== 'UNPLACED' || visit.index < fromIndex || visit.date < today) continue;
      const place = placeOf(after, visit.index);
      // One whose new time is past waits at its old one.
      if (place.date < today) continue;
      // Not tried at its new time yet.
      const open = {
        state: 'UNPLACED' as const,
        booking_id: null,
        reason: visit.reason,
        today: '2000-01-01',
      };
      await saveVisit(tx, known.id, place, open);
    }
    const access = sealedAfter(sealer, before, input);
    const next = placeOf(after, before.next_index);
    const isOtherTime = JSON.stringify(timesIn(after)) !== JSON.stringify(timesIn(before));
    await saveSeries(tx, now, known.id, {
      ...{ terms: after.terms, version: before.version + 1, next_date: next.date },
      ...(before.status === 'ENDED' && !isOver(after, next) && { status: 'ACTIVE', reason: null }),
      // The next that is moved, or placed, tells of it.
      ...(isOtherTime && { told_with: null, known_before: false }),
      ...(earlier !== undefined && { team_id: earlier }),
      ...(input.notes !== undefined && { notes: input.notes }),
      ...(access !== undefined && { access }),
    });
    await record?.(tx, before);
    return { ...after, version: before.version + 1 };
  });
  const moved = await moveVisits(deps, now, { series, by, input });
  await rollSeries(deps, now, known.id);
  return moved;
}

type Move = { series: FoundSeries; by: string; input: ChangeSeries };

/** Moves visits that are placed, and not at their place, and gives all of them the new notes and ways in. */
async function moveVisits(deps: ChangeDeps, now: Instant, move: Move): Promise<Moved[]> {
  const { series, input } = move;
  const { fromIndex, notes, instructions, accessCode, preview = false } = input;
  const texts = {
    ...(notes !== undefined && { notes }),
    ...(instructions !== undefined && { instructions }),
    ...(accessCode !== undefined && { accessCode }),
  };
  const moved: Moved[] = [];
  for (const visit of await listVisits(deps.db, [series.id])) {
    const { index, starts_at, booking_id: bookingId } = visit;
    if (!isLive(visit) || index < fromIndex || starts_at! < now) continue;
    const isFirst = moved.every(({ outcome }) => outcome !== 'MOVED');
    if (starts_at !== startOf(placeOf(series, index)))
      moved.push(await moveVisit(deps, now, move, { visit, isFirst }));
    if (!preview && Object.keys(texts).length > 0)
      await updateBooking(deps, now, { partnerId: null, bookingId: bookingId! }, texts);
  }
  return moved;
}

const timesIn = ({ terms }: FoundSeries) => terms.map(({ from, weekday, start }) => [from, weekday, start]);

/** Why the visit is not asked to move to its place; null: it is. */
function obstacleTo(series: FoundSeries, visit: VisitRow, place: Place): string | null {
  if (visit.starts_at !== startOf(visit)) return 'MOVED_ALONE';
  return isPaused(series, place.date) ? 'PAUSED' : isOver(series, place) ? 'OVER' : null;
}

/** Weekdays move dates within a week, also those that the series was the first to book. */
const MOVES_AHEAD = DAYS_AHEAD + 6;

/** Rolls a preview back. */
const PREVIEWED = new Error('a preview');

async function moveVisit(
  deps: ChangeDeps,
  now: Instant,
  { series, by, input: { maxFee, preview = false } }: Move,
  { visit, isFirst }: { visit: VisitRow; isFirst: boolean },
): Promise<Moved> {
  const place = placeOf(series, visit.index);
  const bookingId = visit.booking_id!;
  const obstacle = obstacleTo(series, visit, place);
  if (obstacle !== null) return { ...place, bookingId, outcome: 'STAYS', reason: obstacle, quoted: null };
  const at = startOf(place);
  const until = at + (visit.ends_at! - visit.starts_at!);
  let quoted: Quoted | null = null;
  try {
    await updateBooking(
      {
        ...deps,
        ...{ by, daysAhead: MOVES_AHEAD },
        record: async (tx, before) => {
          quoted = by === PARTNER ? quoteOf('reschedule', before, now) : null;
          await assertAsRead(tx, series, visit, before);
          if (preview) throw PREVIEWED;
          await saveVisit(tx, series.id, place, {
            ...{ today: dateOf(now), state: 'PLACED', booking_id: bookingId, reason: null },
          });
          // Its customer is told of the first, and that the others follow.
          if (isFirst) await saveSeries(tx, now, series.id, { told_with: bookingId });
        },
      },
      now,
      { partnerId: series.partner_id, bookingId },
      {
        ...{ date: place.date, timeslot: { startAt: timeOf(at), endAt: timeOf(until) } },
        ...(maxFee !== undefined && { maxFee }),
      },
    );
  } catch (error) {
    if (error !== PREVIEWED)
      return { ...place, bookingId, outcome: 'STAYS', reason: reasonIn(error), quoted: null };
  }
  return { ...place, bookingId, outcome: 'MOVED', reason: null, quoted };
}

/** Throws when the series was changed since, or the visit moved by itself meanwhile. */
async function assertAsRead(
  tx: Tx,
  { id, version }: FoundSeries,
  { index }: VisitRow,
  { starts_at }: LockedBooking,
) {
  const series = await findSeries(tx, { id, partnerId: null });
  const visit = (await listVisits(tx, [id])).find((one) => one.index === index)!;
  const reason = series?.version !== version ? 'STALE' : startOf(visit) !== starts_at ? 'MOVED_ALONE' : null;
  if (reason !== null)
    throw new ApiError('INVALID_TRANSITION', 'The series was changed meanwhile', { reason });
}

function reasonIn(error: unknown): string {
  if (!(error instanceof ApiError)) throw error;
  const { code, details } = error;
  return typeof details.reason === 'string' ? details.reason : code;
}
