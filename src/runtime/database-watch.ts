import { type Clock, isDatabaseClock, skewFrom, systemClock } from '../base/clock.ts';
import type { Db } from '../db/connection.ts';
import { type Health, watchHealth } from '../db/health.ts';
import type { Logger } from './logger.ts';

export type DatabaseWatch = Health & {
  /** The database's clock minus the machine's, in milliseconds. */
  skew(): number;
};

/** A larger skew is logged (milliseconds). */
const MAX_SILENT_SKEW = 1_000;
/** With a larger skew of its machine, a process serves no requests (milliseconds). */
export const MAX_SKEW = 30_000;

/** Watches the database, sets the clock by it, and logs the state of both. */
export function watchDatabase(db: Db, clock: Clock, logger: Logger): DatabaseWatch {
  const skew = (): number => (isDatabaseClock(clock) ? clock.skew() : 0);
  let isOff = false;

  const health = watchHealth(db, {
    machine: isDatabaseClock(clock) ? clock.machine : systemClock.now,
    onBeat(beat) {
      if (!isDatabaseClock(clock)) return;
      clock.setSkew(skewFrom(clock.skew(), beat));
      const wasOff = isOff;
      isOff = Math.abs(clock.skew()) > MAX_SILENT_SKEW;
      if (isOff && !wasOff)
        logger.warn(
          { skewMs: clock.skew() },
          "the machine's clock differs from the database's: set it by NTP",
        );
      if (wasOff && !isOff) logger.info({ skewMs: clock.skew() }, "the machine's clock agrees again");
    },
    onAway(err, milliseconds) {
      const awayMs = Math.round(milliseconds);
      logger.error({ err, awayMs }, 'the database is away: requests are refused until it answers');
    },
    onBack(milliseconds) {
      logger.info({ awayMs: Math.round(milliseconds) }, 'the database answers again');
    },
    onWrites(err) {
      if (err === null) logger.info('the database takes writes again');
      else logger.error({ err }, 'the database takes no writes');
    },
  });
  return { ...health, skew };
}
