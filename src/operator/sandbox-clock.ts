import { type Instant, MAX_AHEAD } from '../base/clock.ts';
import { validationError } from '../base/errors.ts';
import { type Actor, audit } from '../db/audit.ts';
import type { Db } from '../db/connection.ts';
import { limitDueDates } from '../simulator/due-dates-queries.ts';
import { lockOffset, setOffset } from './clock-queries.ts';

const TARGET = 'clock:sandbox';

/**
 * Moves the stored business clock forward; processes follow with their next poll (versions.ts). Throws VALIDATION_ERROR
 * when it would then be more than 10 years ahead.
 */
export function advanceClock(db: Db, now: Instant, actor: Actor, seconds: number): Promise<void> {
  return db.transaction(async (tx) => {
    const before = await lockOffset(tx);
    const after = before + seconds;
    if (after > MAX_AHEAD / 1000)
      throw validationError(['seconds must not take the clock more than 10 years ahead']);
    await setOffset(tx, after);
    const states = { before: { offsetSeconds: before }, after: { offsetSeconds: after } };
    await audit(tx, now, { actor, action: 'clock.advance', target: TARGET, ...states });
  });
}

/**
 * Returns the stored business clock to real time, and caps due dates that are too far ahead. Without an offset, it does
 * nothing.
 */
export function resetClock(db: Db, now: Instant, realNow: Instant, actor: Actor): Promise<void> {
  return db.transaction(async (tx) => {
    const before = await lockOffset(tx);
    if (before === 0) return;
    await setOffset(tx, 0);
    await limitDueDates(tx, realNow);
    const states = { before: { offsetSeconds: before }, after: { offsetSeconds: 0 } };
    await audit(tx, now, { actor, action: 'clock.reset', target: TARGET, ...states });
  });
}
