import { archiveClosed } from '../src/archive/archive.ts';
import { DAY } from '../src/base/clock.ts';
import type { TestService } from './harness.ts';

/** The archive of closed bookings. */

/** Tables that refer to bookings, directly or not, and lose their rows within four months, in the order of deletion. */
const FORGOTTEN = [
  'webhook_pending',
  'webhook_deliveries',
  'event_places',
  'unplaced_events',
  'events',
  'customer_messages',
  'booking_access',
  'simulator_runs',
  'holds',
] as const;

/** Deletes what retention deletes within four months: a booking with any of it stays. */
export async function forget(
  { deps }: TestService,
  except?: 'customer_messages' | 'booking_access' | 'simulator_runs' | 'holds',
): Promise<void> {
  for (const table of FORGOTTEN)
    if (table !== except)
      await deps.db.rows({
        text: `delete from ${table} ${table === 'holds' ? 'where booking_id is not null' : ''}`,
      });
}

/** Moves closed bookings to the archive as months later, and returns their number. */
export async function archive(service: TestService): Promise<number> {
  await forget(service);
  const later = service.deps.clock.now() + 200 * DAY;
  return archiveClosed({ db: service.deps.db, clock: { ...service.deps.clock, now: () => later } }, 4);
}

/** Where the booking is. */
export async function placeOf({ deps }: TestService, bookingId: string): Promise<'here' | 'archive' | null> {
  const found = await deps.db.rows<{ place: 'here' | 'archive' }>({
    text: `
      select 'here' as place from bookings where id = $1
      union all select 'archive' from archived_bookings where id = $1`,
    values: [bookingId],
  });
  if (found.length > 1) throw new Error('the booking is in both places');
  return found[0]?.place ?? null;
}
