/** Between what is typed into fields and what the service takes. */

/** The lines of a text, without empty ones. */
export const linesOf = (text: string): string[] =>
  text
    .split(/[\n,]/)
    .map((line) => line.trim())
    .filter((line) => line !== '');

const ARABIC_DIGITS = /[٠-٩]/g;

/** The digits 0 to 9 and a point in the place of the Arabic ones. */
export const westernDigits = (text: string): string =>
  text.replace(ARABIC_DIGITS, (digit) => String(digit.charCodeAt(0) - 0x660)).replaceAll('٫', '.');

const PAIR = String.raw`(-?\d{1,3}(?:\.\d+)?)`;
/** The pin in a link of a map is meant before the middle of what it shows, and that before any two numbers. */
const COORDINATES = [
  new RegExp(`!3d${PAIR}!4d${PAIR}`),
  new RegExp(`@${PAIR},${PAIR}`),
  new RegExp(String.raw`(?:^|[^\d.])${PAIR}(?:\s*(?:,|،|%2C)\s*|\s+)${PAIR}(?!\d|\.\d)`),
];

/** Latitude and longitude in a text, which may be a link of a map; null: there are none. */
export function coordinatesOf(text: string): { latitude: string; longitude: string } | null {
  const typed = westernDigits(text.trim());
  for (const form of COORDINATES) {
    const [, latitude, longitude] = form.exec(typed) ?? [];
    if (latitude !== undefined && longitude !== undefined) return { latitude, longitude };
  }
  return null;
}

const DAY = 24 * 60;

const minutesOf = (time: string): number => Number(time.slice(0, 2)) * 60 + Number(time.slice(3, 5));

/** From a time of day (`HH:MM`) to another, which may be on the next day. */
export const minutesBetween = (start: string, end: string): number =>
  (minutesOf(end) - minutesOf(start) + DAY) % DAY;

/** A time of day some minutes later, which may be on the next day. */
export function timeAfter(time: string, minutes: number): string {
  const end = (minutesOf(time) + minutes) % DAY;
  return `${String(Math.floor(end / 60)).padStart(2, '0')}:${String(end % 60).padStart(2, '0')}`;
}

/** A number as typed, also with Arabic digits; nothing when empty. What is no number goes as it is, so that the service refuses it by name. */
export function numberOf(text: string): number | undefined {
  const typed = westernDigits(text.trim());
  if (typed === '') return undefined;
  return Number.isNaN(Number(typed)) ? (typed as unknown as number) : Number(typed);
}

/** The same where there must be one: nothing goes as null, so that the service refuses it by name. */
export const requiredNumber = (text: string): number => numberOf(text) ?? (null as unknown as number);
