/**
 * The only source of "now", and the calendar of the business: Asia/Riyadh, UTC+3 the whole year (section 1).
 *
 * Instants are epoch milliseconds, calendar dates `YYYY-MM-DD`, times of day minutes after midnight.
 * The conversions are arithmetic because Riyadh has no daylight saving time; `clock.test.ts` compares them
 * with Temporal's own Asia/Riyadh over the whole supported range.
 */

/** Epoch milliseconds. */
export type Instant = number;
/** `YYYY-MM-DD`, a Riyadh calendar date. */
export type CalendarDate = string;
/** Minutes after Riyadh midnight; 1440 and more mean the next day. */
export type Minutes = number;

export type Clock = {
  /** Business time: real time by the database's clock. A sandbox may be ahead of it. */
  now(): Instant;
  /** Business time minus real time, in milliseconds. */
  offset(): number;
};

/** A clock that follows the database's instead of the machine's. */
export type DatabaseClock = Clock & {
  /** The machine's time. */
  machine(): Instant;
  /** The database's clock minus the machine's, in milliseconds; 0 until it is known. */
  skew(): number;
  setSkew(milliseconds: number): void;
};

/** Real time plus an offset that can be set (milliseconds). */
export type SandboxClock = Clock & {
  /** Throws RangeError below zero and above MAX_AHEAD, so that time stays within the range of Date. */
  setOffset(milliseconds: number): void;
};

export const SECOND = 1_000;
export const MINUTE = 60_000;
export const HOUR = 60 * MINUTE;
export const DAY = 24 * HOUR;
const RIYADH_OFFSET = 3 * HOUR;
/** The business's time zone by its IANA name. */
export const TIME_ZONE = 'Asia/Riyadh';

/** The maximum offset of a sandbox: 10 years of 365 days. */
export const MAX_AHEAD = 3650 * DAY;

export const systemClock: Clock = { now: () => Date.now(), offset: () => 0 };

/** Sessions and links are not business: their times are real, also in a sandbox whose clock is ahead. */
export const realTime = (clock: Clock): Instant => clock.now() - clock.offset();

/** Real time by the database's clock: the machine's, corrected by the measured skew (a test passes a wrong one). */
export function databaseClock(machine: () => Instant = systemClock.now): DatabaseClock {
  let skew = 0;
  return {
    now: () => machine() + skew,
    offset: () => 0,
    machine,
    skew: () => skew,
    setSkew(milliseconds) {
      skew = milliseconds;
    },
  };
}

/** A clock that runs with real time, ahead of it by a set offset (sandbox deployments). */
export function sandboxClock(machine?: () => Instant): SandboxClock & DatabaseClock {
  const real = databaseClock(machine);
  let offset = 0;
  return {
    ...real,
    now: () => real.now() + offset,
    offset: () => offset,
    setOffset(milliseconds) {
      if (!(milliseconds >= 0 && milliseconds <= MAX_AHEAD)) throw new RangeError('not an offset');
      offset = milliseconds;
    },
  };
}

/** Whether it follows the database's clock. */
export function isDatabaseClock(clock: Clock): clock is DatabaseClock {
  return 'setSkew' in clock;
}

/**
 * The skew, given that the database's clock read `now` at some time between `from` and `until` of the machine's. The
 * known one stays until a measurement excludes it: responses are delayed by more than clocks drift.
 */
export function skewFrom(
  known: number,
  { now, from, until }: Record<'now' | 'from' | 'until', Instant>,
): number {
  // Each of the three is truncated to whole milliseconds.
  const [least, most] = [now - until - 1, now - from + 1];
  return known >= least && known <= most ? known : Math.round((least + most) / 2);
}

/** Whether it can be moved. */
export function isSandboxClock(clock: Clock): clock is SandboxClock {
  return 'setOffset' in clock;
}

/** A clock that only moves when advanced (tests). */
export function manualClock(
  start: Instant,
): Clock & { advance(milliseconds: number): void; set(now: Instant): void } {
  let now = start;
  return {
    now: () => now,
    offset: () => 0,
    advance: (milliseconds) => {
      now += milliseconds;
    },
    set: (instant) => {
      now = instant;
    },
  };
}

const DATE = /^(\d{4})-(\d{2})-(\d{2})$/;
const TIME = /^([01]\d|2[0-3]):([0-5]\d)(?::([0-5]\d))?$/;

/** Whether it is a calendar date of the years 2000 to 2100. */
export function isCalendarDate(text: string): boolean {
  const parts = DATE.exec(text);
  if (!parts) return false;
  const [year, month, day] = [Number(parts[1]), Number(parts[2]), Number(parts[3])];
  if (year < 2000 || year > 2100 || month < 1 || month > 12 || day < 1) return false;
  return day <= new Date(Date.UTC(year, month, 0)).getUTCDate();
}

/** Whether it is `HH:MM` or `HH:MM:SS`, 24-hour. */
export function isTimeOfDay(text: string): boolean {
  return TIME.test(text);
}

/** Seconds after midnight of `HH:MM` or `HH:MM:SS`. Throws RangeError on anything else. */
export function secondsOfDay(time: string): number {
  const parts = TIME.exec(time);
  if (!parts) throw new RangeError('not a time of day');
  return Number(parts[1]) * 3600 + Number(parts[2]) * 60 + Number(parts[3] ?? 0);
}

/** Memoizes a function, up to a number of results. */
function cached<Key, Value>(maxSize: number, make: (key: Key) => Value): (key: Key) => Value {
  const known = new Map<Key, Value>();
  return (key) => {
    let value = known.get(key);
    if (value === undefined) {
      value = make(key);
      if (known.size >= maxSize) known.clear();
      known.set(key, value);
    }
    return value;
  };
}

const MAX_DATES = 2_000;
const MAX_TEXTS = 20_000;

/** Midnight in Riyadh at the start of the date. */
export const startOfDate: (date: CalendarDate) => Instant = cached(
  MAX_DATES,
  (date) => Date.parse(`${date}T00:00:00Z`) - RIYADH_OFFSET,
);

const dateOfDay = cached(
  MAX_DATES,
  (day: number): CalendarDate => new Date(day * DAY).toISOString().slice(0, 10),
);

/** Days since 1970-01-01, a Thursday. */
const dayOf = (date: CalendarDate): number => (startOfDate(date) + RIYADH_OFFSET) / DAY;

/** The Riyadh calendar date of an instant. */
export function dateOf(instant: Instant): CalendarDate {
  return dateOfDay(Math.floor((instant + RIYADH_OFFSET) / DAY));
}

/** The date a number of days later (or earlier). */
export function addDays(date: CalendarDate, days: number): CalendarDate {
  return dateOfDay(dayOf(date) + days);
}

/** 1 Monday ... 7 Sunday. */
export function weekdayOf(date: CalendarDate): number {
  const sinceThursday = ((dayOf(date) % 7) + 7) % 7;
  return ((sinceThursday + 3) % 7) + 1;
}

function twoDigits(value: number): string {
  return value < 10 ? `0${value}` : `${value}`;
}

const textOfMinute = cached(
  1440,
  (ofDay: Minutes) => `${twoDigits(Math.floor(ofDay / 60))}:${twoDigits(ofDay % 60)}`,
);

/** `HH:MM` of minutes after midnight; wraps at 24 hours. */
export function formatMinutes(minutes: Minutes): string {
  return textOfMinute(minutes % 1440);
}

/** The Riyadh time of day of an instant: `HH:MM`, or `HH:MM:SS` when the seconds are not zero. */
export function timeOf(instant: Instant): string {
  const text = new Date(instant + RIYADH_OFFSET).toISOString();
  return text.slice(17, 19) === '00' ? text.slice(11, 16) : text.slice(11, 19);
}

/** ISO 8601 with Riyadh's offset: `2026-11-22T09:00:00+03:00`. */
export function toRiyadhIso(instant: Instant): string {
  return `${new Date(instant + RIYADH_OFFSET).toISOString().slice(0, 19)}+03:00`;
}

/** The same; null stays null. */
export const riyadhIsoOrNull = (at: Instant | null): string | null => (at === null ? null : toRiyadhIso(at));

/** With milliseconds, if there are any: `2026-11-22T09:00:00.250+03:00`. */
export function toExactRiyadhIso(instant: Instant): string {
  const text = new Date(instant + RIYADH_OFFSET).toISOString();
  return `${text.slice(0, text.endsWith('.000Z') ? 19 : 23)}+03:00`;
}

type RiyadhText = { readonly date: CalendarDate; readonly time: string; readonly iso: string };

/**
 * An instant in Riyadh in three forms: `YYYY-MM-DD`, `HH:MM` (`HH:MM:SS`), ISO 8601 with offset. Cached: starts and
 * ends lie on a grid, so responses consist of few of them.
 */
export const riyadhText: (instant: Instant) => RiyadhText = cached(MAX_TEXTS, (instant) => {
  const text = new Date(instant + RIYADH_OFFSET).toISOString();
  return {
    date: text.slice(0, 10),
    time: text.slice(17, 19) === '00' ? text.slice(11, 16) : text.slice(11, 19),
    iso: `${text.slice(0, 19)}+03:00`,
  };
});

/** ISO 8601 in UTC, for database parameters and log lines. */
export function toUtcIso(instant: Instant): string {
  return new Date(instant).toISOString();
}

/** The date format of HTTP headers: `Mon, 01 Mar 2027 21:00:00 GMT`. */
export function toHttpDate(instant: Instant): string {
  return new Date(instant).toUTCString();
}

const OFFSET_DATE_TIME = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2}(\.\d{1,9})?)?(Z|[+-]\d{2}:\d{2})$/;

/** The instant of an ISO 8601 date and time with offset; null: invalid. */
export function parseOffsetDateTime(text: string): Instant | null {
  if (!OFFSET_DATE_TIME.test(text)) return null;
  try {
    return Temporal.Instant.from(text).epochMilliseconds;
  } catch {
    return null; // the day or the hour does not exist
  }
}
