import { type Instant, MOST_AHEAD } from '../clock.ts';
import { validationError } from '../errors.ts';
import { type Actor, audit } from '../platform/audit.ts';
import type { Db } from '../platform/db.ts';
import { addOffset, clearOffset } from './clock-queries.ts';

const TARGET = 'clock:sandbox';

/**
 * Moves the stored business clock forward; processes follow as they look at the database (versions.ts).
 * Throws VALIDATION_ERROR when it would then be more than 10 years ahead.
 */
export function advanceClock(db: Db, now: Instant, actor: Actor, seconds: number): Promise<void> {
  return db.transaction(async (tx) => {
    const after = await addOffset(tx, seconds, MOST_AHEAD / 1000);
    if (after === null) throw validationError(['seconds must not take the clock more than 10 years ahead']);
    await audit(tx, now, {
      actor,
      action: 'clock.advance',
      target: TARGET,
      before: { offsetSeconds: after - seconds },
      after: { offsetSeconds: after },
    });
  });
}

/** Returns the stored business clock to real time; nothing new, nothing done. */
export function resetClock(db: Db, now: Instant, actor: Actor): Promise<void> {
  return db.transaction(async (tx) => {
    const before = await clearOffset(tx);
    if (before === 0) return;
    await audit(tx, now, {
      actor,
      action: 'clock.reset',
      target: TARGET,
      before: { offsetSeconds: before },
      after: { offsetSeconds: 0 },
    });
  });
}
