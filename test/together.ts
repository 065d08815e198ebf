import { createBookingChanges } from '../src/bookings/change-seen.ts';
import { type CreateBookingInput, createBooking } from '../src/bookings/create.ts';
import type { KnownBookings } from '../src/bookings/known-bookings.ts';
import { type Booker, createBooker } from '../src/bookings/queries.ts';
import type { BookingView } from '../src/bookings/view.ts';
import type { Db } from '../src/db/connection.ts';
import { WORLD_DATE, type World } from './fixtures.ts';
import type { TestService } from './harness.ts';

/**
 * Requests that arrive together, made certain: over HTTP it depends on the sockets who shares a statement with whom. Use
 * cases that are called in one turn of the event loop do.
 */

/** Creations that are all decided, and `onDecided` is told so, before the first is written. */
export async function bookTogether(
  { deps: { plans, clock } }: TestService,
  db: Db,
  inputs: readonly { world: World; input?: Partial<CreateBookingInput> }[],
  onDecided: () => unknown = () => {},
): Promise<PromiseSettledResult<BookingView>[]> {
  const share = createBooker(db);
  let missing = inputs.length;
  const { promise: all, resolve: decided } = Promise.withResolvers<void>();
  const book: Booker = async (now, booking) => {
    if (--missing === 0) {
      onDecided();
      decided();
    }
    await all;
    return share(now, booking);
  };
  return Promise.allSettled(
    inputs.map(({ world, input }) => {
      const { partnerId: id, contactId, addressId, serviceId } = world;
      const partner = { id, paymentResponsibility: 'PARTNER' as const, hasGateway: true };
      const timeslot = { startAt: '10:00', endAt: '12:00' };
      const wanted = { contactId, addressId, serviceId, date: WORLD_DATE, timeslot, ...input };
      return createBooking(db, plans, clock.now(), partner, wanted, undefined, book);
    }),
  );
}

/** Changes that are decided in one turn and saved in the next; `known`: what is remembered of the bookings. */
export function changeTogether<T>(
  db: Db,
  changes: readonly ((on: ReturnType<typeof createBookingChanges>) => Promise<T>)[],
  known?: KnownBookings,
): Promise<PromiseSettledResult<T>[]> {
  const on = createBookingChanges(db, known);
  return Promise.allSettled(changes.map((change) => change(on)));
}

/** The database, and the names of the statements and transactions that are asked of it. */
export function listening(db: Db): { db: Db; names: (string | undefined)[] } {
  const names: (string | undefined)[] = [];
  return {
    names,
    db: {
      ...db,
      rows: (statement) => {
        names.push(statement.name);
        return db.rows(statement);
      },
      first: (statement) => {
        names.push(statement.name);
        return db.first(statement);
      },
      transaction: (work, key) => {
        names.push('transaction');
        return db.transaction(work, key);
      },
    },
  };
}
