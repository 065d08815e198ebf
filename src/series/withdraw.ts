import { dateOf, type Instant } from '../base/clock.ts';
import { orNotFound, validationError } from '../base/errors.ts';
import { retryOnConflict } from '../bookings/attempts.ts';
import { cancellationOf, withKnownReason } from '../bookings/cancel.ts';
import { PARTNER } from '../bookings/change.ts';
import { type Change, type LockedBooking, lockBooking, saveBookings } from '../bookings/change-queries.ts';
import { assertFee, quoteOf } from '../bookings/fees.ts';
import type { Quoted } from '../bookings/quote-view.ts';
import { CLOSED_BOOKINGS, movability } from '../bookings/rules.ts';
import type { Db, Tx } from '../db/connection.ts';
import { unlessPreview } from '../db/preview.ts';
import { customerReasonsAmong, isActiveReason } from '../reasons/queries.ts';
import { unknownReason } from '../reasons/reasons.ts';
import { nextOf } from './next.ts';
import {
  type FoundSeries,
  findSeries,
  listVisits,
  saveSeries,
  saveVisit,
  seriesRows,
  type VisitRow,
} from './queries.ts';
import { hasBegun } from './refusals.ts';
import type { Place } from './rules.ts';

/** Runs in the transaction of a change, with the series before it. */
export type SeriesRecord = (tx: Tx, before: FoundSeries) => Promise<void>;

/** Whose series it is (`partnerId` null: of any, for the operator), and who changes it. */
export type SeriesKey = { id: string; partnerId: string | null };

/** Terms of the cancellation of visits that are placed; each costs `maxFee` (SAR) at most. */
export type Cancelling = {
  reasonId?: string | undefined;
  notes?: string | undefined;
  maxFee?: number | undefined;
  preview?: boolean | undefined;
};

/** A date that ends, with the fee of its booking (halalas; null: it had none, or the fee is decided later). */
export type Withdrawn = Place & { bookingId: string | null; quoted: Quoted | null };

type Wanted = {
  key: SeriesKey;
  by: string;
  cancelling: Cancelling;
  /** The places that end; also those of no row yet. */
  which(series: FoundSeries, visits: readonly VisitRow[]): readonly Place[];
  /** Other changes of the series. */
  change?(series: FoundSeries): Partial<FoundSeries>;
  /** Runs in the transaction. */
  record?: SeriesRecord | undefined;
};

/**
 * Ends dates of a series, all or none: those that are placed are cancelled by the rules and fees of cancelling, the others are
 * skipped. Throws RESOURCE_NOT_FOUND, VALIDATION_ERROR (a reason is needed, or unknown), BOOKING_NOT_EDITABLE (a visit has
 * begun) and FEE_CHANGED.
 */
export async function withdraw(
  db: Db,
  now: Instant,
  { key, by, cancelling, which, change, record }: Wanted,
): Promise<Withdrawn[]> {
  const today = dateOf(now);
  const { reasonId, notes, maxFee, preview = false } = cancelling;
  const attempt = () =>
    unlessPreview(db, preview, async (tx) => {
      await orNotFound(seriesRows.lock(tx, key.id), 'Series');
      const series = await orNotFound(findSeries(tx, key), 'Series');
      const visits = await listVisits(tx, [series.id]);
      const places = which(series, visits);
      const rowOf = (index: number): VisitRow | undefined => visits.find((visit) => visit.index === index);
      const placed = places.filter(({ index }) => isLive(rowOf(index)));
      if (placed.length > 0) await assertReason(tx, reasonId, { preview, by });
      const saves: (Change & { now: Instant })[] = [];
      const withdrawn: Withdrawn[] = [];
      for (const place of places) {
        const row = rowOf(place.index);
        const bookingId = isLive(row) ? row!.booking_id! : null;
        if (bookingId === null) {
          withdrawn.push({ ...place, bookingId, quoted: null });
          continue;
        }
        const booking = (await lockBooking(tx, null, bookingId))!;
        if (CLOSED_BOOKINGS.includes(booking.status)) continue;
        assertNotBegun(booking, place);
        const quoted = by === PARTNER ? quoteOf('cancel', booking, now) : null;
        if (!preview) assertFee(booking, 'cancel', quoted, maxFee);
        const cancellation = {
          reasonId: reasonId ?? NO_REASON,
          ...(notes !== undefined && { notes }),
          quoted,
        };
        saves.push({ ...cancellationOf(booking, now, cancellation, by).change, now });
        withdrawn.push({ ...place, bookingId, quoted });
      }
      if (preview) return withdrawn;
      if (saves.length > 0) await saveBookings(tx, saves);
      const [told] = withdrawn.filter(({ bookingId }) => bookingId !== null);
      for (const { bookingId, quoted: _, ...place } of withdrawn) {
        // The customer is told of the first of them alone.
        const is_known = told === undefined || place.index === told.index;
        await saveVisit(tx, series.id, place, {
          today,
          state: 'SKIPPED',
          booking_id: bookingId,
          reason: null,
          is_known,
        });
      }
      const changed = change?.(series) ?? {};
      const after = { ...series, ...changed };
      await saveSeries(tx, now, series.id, {
        version: series.version + 1,
        ...changed,
        ...(await nextOf(tx, after)),
      });
      await record?.(tx, series);
      return withdrawn;
    });
  const withdrawn = await withKnownReason(retryOnConflict(attempt, () => false));
  if (withdrawn === null) throw new Error('a change of a series lost against others every time');
  return withdrawn;
}

export const isLive = (row: VisitRow | undefined): boolean =>
  row?.state === 'PLACED' && !CLOSED_BOOKINGS.includes(row.status!);

/** Of a preview, which needs none and is rolled back. */
const NO_REASON = '00000000-0000-0000-0000-000000000000';

/** Operators give any active reason, partners a customer-facing one. */
async function assertReason(
  tx: Tx,
  reasonId: string | undefined,
  { preview, by }: { preview: boolean; by: string },
): Promise<void> {
  if (reasonId === undefined && preview) return;
  if (reasonId === undefined)
    throw validationError(['reasonId must be given: visits that are placed are cancelled']);
  const isKnown =
    by === PARTNER
      ? (await customerReasonsAmong(tx, [reasonId])).has(reasonId.toLowerCase())
      : await isActiveReason(tx, reasonId);
  if (!isKnown) throw unknownReason();
}

function assertNotBegun({ status, appointment_status }: LockedBooking, { index }: Place): void {
  if (movability(appointment_status) === 'begun')
    throw hasBegun(index, { status, appointmentStatus: appointment_status });
}
