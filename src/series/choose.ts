import { type CalendarDate, type Instant, secondsOfDay } from '../base/clock.ts';
import { ApiError, notFound, orNotFound } from '../base/errors.ts';
import { type PlaceDeps, placeVisit, SeriesChanged } from './place.ts';
import { findSeries, listVisits } from './queries.ts';
import { hasEnded, stopOf, wasPlaced } from './refusals.ts';
import { isOver, placeOf, startOf } from './rules.ts';
import { isLive, type SeriesKey, type SeriesRecord } from './withdraw.ts';

/**
 * Books a visit that could not be placed, or was skipped: at its own time, or at another that was chosen. Throws
 * RESOURCE_NOT_FOUND, INVALID_TRANSITION (it was placed, the series places nothing) and as createBooking does.
 */
export async function choosePlace(
  deps: PlaceDeps,
  now: Instant,
  {
    key,
    index,
    date,
    startAt,
    record,
  }: { key: SeriesKey; index: number; date?: CalendarDate; startAt?: string; record?: SeriesRecord },
): Promise<void> {
  const series = await orNotFound(findSeries(deps.db, key), 'Series');
  const visit = (await listVisits(deps.db, [series.id])).find((one) => one.index === index);
  if (visit === undefined) throw notFound('Visit');
  const own = placeOf(series, index);
  const chosen = {
    date: date ?? own.date,
    start: startAt === undefined ? own.start : secondsOfDay(startAt) / 60,
  };
  if (visit.booking_id !== null) {
    // Sent again.
    if (isLive(visit) && visit.starts_at === startOf(chosen)) return;
    throw wasPlaced({ bookingId: visit.booking_id, status: visit.status });
  }
  if (series.reason === 'CUSTOMER_ERASED' || isOver(series, own)) throw hasEnded(series);
  const reason = stopOf(series);
  if (reason !== null)
    throw new ApiError('INVALID_TRANSITION', 'The series places nothing for now', { reason });
  try {
    await placeVisit(deps, now, series, { place: own, chosen, ...(record && { record }) });
  } catch (error) {
    if (!(error instanceof SeriesChanged)) throw error;
    await choosePlace(deps, now, {
      key,
      index,
      ...(date && { date }),
      ...(startAt && { startAt }),
      ...(record && { record }),
    });
  }
}
