/** Conversions between typed text and API values. */

/** The lines of a text, without empty ones. */
export const linesOf = (text: string): string[] =>
  text
    .split(/[\n,]/)
    .map((line) => line.trim())
    .filter((line) => line !== '');

const ARABIC_DIGITS = /[٠-٩۰-۹]/g;

/** Replaces Arabic digits and decimal separators. */
export const westernDigits = (text: string): string =>
  text.replace(ARABIC_DIGITS, (digit) => String(digit.charCodeAt(0) % 16)).replaceAll('٫', '.');

const DAY = 24 * 60;

const minutesOf = (time: string): number => Number(time.slice(0, 2)) * 60 + Number(time.slice(3, 5));

/** Minutes between two times of day (`HH:MM`); the second may be on the next day. */
export const minutesBetween = (start: string, end: string): number =>
  (minutesOf(end) - minutesOf(start) + DAY) % DAY;

/** The time of day some minutes later, which may be on the next day. */
export function timeAfter(time: string, minutes: number): string {
  const end = (minutesOf(time) + minutes) % DAY;
  return `${String(Math.floor(end / 60)).padStart(2, '0')}:${String(end % 60).padStart(2, '0')}`;
}

/**
 * A typed number, also with Arabic digits; undefined if empty. Invalid text is passed on, so that the service reports
 * the field.
 */
export function numberOf(text: string): number | undefined {
  const typed = westernDigits(text.trim());
  if (typed === '') return undefined;
  return Number.isNaN(Number(typed)) ? (typed as unknown as number) : Number(typed);
}

/** The same for a required field: empty is passed on as null, so that the service reports the field. */
export const requiredNumber = (text: string): number => numberOf(text) ?? (null as unknown as number);
