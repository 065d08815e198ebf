import { type Clock, DAY, realTime } from '../base/clock.ts';
import type { Db } from '../db/connection.ts';
import { deleteEndedLinks } from './queries.ts';
import { deleteSteps } from './visit-queries.ts';

/** Milliseconds for which steps are kept, and links that have ended. */
const RETENTION = 90 * DAY;

/** Deletes old steps, and old links that have ended with the sessions of their telephones. */
export async function forgetCrews(db: Db, clock: Clock): Promise<void> {
  await deleteSteps(db, clock.now() - RETENTION);
  await deleteEndedLinks(db, realTime(clock) - RETENTION);
}
