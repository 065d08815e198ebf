import type { Instant } from '../base/clock.ts';
import { type ErrorDetails, notFound, orNotFound } from '../base/errors.ts';
import type { Db, Tx } from '../db/connection.ts';
import { customerReasonsAmong } from '../reasons/queries.ts';
import { unknownReason } from '../reasons/reasons.ts';
import { gatherChanges, type Outcome } from '../runtime/gather.ts';
import {
  type BookingKey,
  type Change,
  type LockedBooking,
  lockBooking,
  lockBookings,
  saveBookings,
} from './change-queries.ts';
import type { BookingView } from './view.ts';

export type { BookingKey } from './change-queries.ts';
export type PartnerBookingKey = BookingKey & { partnerId: string };

/** The actor of a partner's changes in the history of a booking. */
export const PARTNER = 'partner';

/**
 * Runs `change` in a transaction of its own that has locked the booking, so changes of one booking run one after the
 * other. Throws RESOURCE_NOT_FOUND, and the errors of `change`.
 */
export function changeBooking<T>(
  db: Db,
  { partnerId, bookingId }: BookingKey,
  change: (tx: Tx, booking: LockedBooking) => Promise<T>,
): Promise<T> {
  return db.transaction(
    async (tx) => change(tx, await orNotFound(lockBooking(tx, partnerId, bookingId), 'Booking')),
    bookingId,
  );
}

/** A change that is decided on the locked booking alone. */
export type PlainChange = {
  key: BookingKey;
  now: Instant;
  /** Refused unless it is an active customer-facing reason. */
  reasonId?: string;
  /** The booking after it, and what to save (null: nothing). Throws the refusal. */
  decide(booking: LockedBooking): Decided;
};

/** `details` of a refusal: that this very request made the change, if so; the network delivered it twice. */
export const sameRequest = (
  { decided_by_request }: LockedBooking,
  requestId: string | undefined,
): ErrorDetails => (requestId !== undefined && decided_by_request === requestId ? { sameRequest: true } : {});

export type Decided = { view: BookingView; change: Change | null };

/**
 * Makes the change and returns the booking after it. Throws VALIDATION_ERROR (unknown reason), RESOURCE_NOT_FOUND, and the
 * refusals of `decide`.
 */
export type ChangePlainly = (change: PlainChange) => Promise<BookingView>;

/** Bookings of one transaction, and transactions at once, at the most. */
const SHARED = { maxKeys: 32, maxRunning: 2 };

/** Plain changes; those that arrive together share a transaction, and one that another transaction has locked does not. */
export function createPlainChanges(db: Db): ChangePlainly {
  return gatherChanges(db, (changes: readonly PlainChange[]) => changeTogether(db, changes), SHARED);
}

function changeTogether(db: Db, changes: readonly PlainChange[]): Promise<Outcome<BookingView>[]> {
  const isAlone = changes.length === 1;
  return db.transaction(
    async (tx) => {
      const [reasons, bookings] = await Promise.all([
        reasonsOf(tx, changes),
        lockBookings(
          tx,
          changes.map(({ key }) => key),
        ),
      ]);
      const saves: (Change & { now: Instant })[] = [];
      const seen = new Set<string>();
      const outcomes = changes.map(({ reasonId, now, decide }, index): Outcome<BookingView> => {
        const booking = bookings[index]!;
        if (reasonId !== undefined && !reasons.has(reasonId.toLowerCase())) return refuse(unknownReason());
        if (booking === null) return isAlone ? refuse(notFound('Booking')) : null;
        // A second change of one booking is decided on what the first has made of it.
        if (seen.has(booking.id)) return null;
        seen.add(booking.id);
        try {
          const { view, change } = decide(booking);
          if (change !== null) saves.push({ ...change, now });
          return () => view;
        } catch (error) {
          return refuse(error);
        }
      });
      if (saves.length > 0) await saveBookings(tx, saves, { commits: true });
      return outcomes;
    },
    isAlone ? changes[0]!.key.bookingId : undefined,
  );
}

const refuse = (error: unknown) => (): never => {
  throw error;
};

/** The customer-facing reasons among those of the changes; in one round trip with the locks. */
async function reasonsOf(tx: Tx, changes: readonly PlainChange[]): Promise<ReadonlySet<string>> {
  const ids = changes.flatMap(({ reasonId }) => reasonId ?? []);
  return ids.length === 0 ? new Set() : customerReasonsAmong(tx, ids);
}
