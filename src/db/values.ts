import pg from 'pg';

/** Parsers of database values. */
export const types = new pg.TypeOverrides();
types.setTypeParser(pg.types.builtins.INT8, Number);
types.setTypeParser(pg.types.builtins.DATE, (value) => value);
types.setTypeParser(pg.types.builtins.TIMESTAMPTZ, parseTimestamp);

const UTC_SECONDS = 'YYYY-MM-DD HH:MM:SS+00'.length;

/** Epoch milliseconds of PostgreSQL's `2026-11-21 12:00:00.123+00`, whatever the session's time zone. */
export function parseTimestamp(value: string): number {
  // A fast path for whole seconds in UTC, the form of starts and ends of appointments. Date.UTC reads the year 50 as
  // 1950.
  if (value.length === UTC_SECONDS && value.endsWith('+00') && !value.startsWith('00')) {
    return Date.UTC(
      twoDigits(value, 0) * 100 + twoDigits(value, 2),
      twoDigits(value, 5) - 1,
      twoDigits(value, 8),
      twoDigits(value, 11),
      twoDigits(value, 14),
      twoDigits(value, 17),
    );
  }
  const parts = /^(\d{4,}-\d\d-\d\d) (\d\d:\d\d:\d\d(?:\.\d+)?)([+-]\d\d)(?::?(\d\d))?$/.exec(value);
  if (!parts) throw new RangeError(`timestamp out of the supported range`);
  return Date.parse(`${parts[1]}T${parts[2]}${parts[3]}:${parts[4] ?? '00'}`);
}

function twoDigits(text: string, at: number): number {
  return (text.charCodeAt(at) - 48) * 10 + text.charCodeAt(at + 1) - 48;
}
