import { language } from './language.ts';

/** Times, numbers and money as they are read in Riyadh, whatever the browser's own zone is. */

/** Gregorian and with the digits of the interface, in both languages: what is read out must be what is sent. */
const LOCALES = { en: 'en-GB', ar: 'ar-SA-u-ca-gregory-nu-latn' };
const ZONE = 'Asia/Riyadh';

const made = new Map<string, Intl.DateTimeFormat | Intl.NumberFormat | Intl.RelativeTimeFormat>();

/** Formats are dear to make and are kept. */
function kept<T extends Intl.DateTimeFormat | Intl.NumberFormat | Intl.RelativeTimeFormat>(
  name: string,
  make: (locale: string) => T,
): T {
  const key = `${language.value} ${name}`;
  const known = made.get(key) ?? make(LOCALES[language.value]);
  made.set(key, known);
  return known as T;
}

const dated = (name: string, options: Intl.DateTimeFormatOptions) => (at: string | number) =>
  kept(name, (locale) => new Intl.DateTimeFormat(locale, { timeZone: ZONE, ...options })).format(
    new Date(at),
  );

/** `22 Nov 2026, 10:00`. Takes an ISO 8601 instant or epoch milliseconds, as the others do. */
export const dateTime = dated('dateTime', {
  day: 'numeric',
  month: 'short',
  year: 'numeric',
  hour: '2-digit',
  minute: '2-digit',
  hourCycle: 'h23',
});

/** `22 Nov, 10:00:05`. */
export const exactTime = dated('exactTime', {
  day: 'numeric',
  month: 'short',
  hour: '2-digit',
  minute: '2-digit',
  second: '2-digit',
  hourCycle: 'h23',
});

/** `10:00`. */
export const timeOfDay = dated('timeOfDay', { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' });

const longDay = dated('longDay', { weekday: 'short', day: 'numeric', month: 'short', year: 'numeric' });

/** `Sun, 22 Nov 2026` of a calendar date (`YYYY-MM-DD`, whatever follows is not read). */
export const dayOf = (date: string): string => longDay(`${date.slice(0, 10)}T12:00:00+03:00`);

/** The calendar date in Riyadh at an instant: `2026-11-22`. */
export function dateIn(at: number): string {
  return new Date(at + 3 * 3_600_000).toISOString().slice(0, 10);
}

/** The dates that the pages take: what is half typed has a year before the first, and a slip one after the last. */
export const FIRST_DATE = '2000-01-01';
export const LAST_DATE = '2099-12-31';

/** Whether it is a date of the calendar from the first to the last one. */
export function isDate(text: string): boolean {
  if (!/^20\d\d-\d\d-\d\d$/.test(text)) return false;
  const at = Date.parse(`${text}T00:00:00Z`);
  // February 31 is read as March 3.
  return !Number.isNaN(at) && new Date(at).toISOString().startsWith(text);
}

/** Some days after a calendar date, or before it. */
export function addDays(date: string, days: number): string {
  return new Date(Date.parse(`${date}T00:00:00Z`) + days * 86_400_000).toISOString().slice(0, 10);
}

/** What an `<input type="datetime-local">` has, which is Riyadh's time here, as an instant with its offset. */
export const instantOf = (local: string): string => (local === '' ? '' : `${local.slice(0, 16)}:00+03:00`);

/** An instant as an `<input type="datetime-local">` shows it. */
export const localOf = (at: number): string => new Date(at + 3 * 3_600_000).toISOString().slice(0, 16);

export const number = (value: number): string =>
  kept('number', (locale) => new Intl.NumberFormat(locale)).format(value);

/** `SAR 150.00`. */
export const money = (amount: number): string =>
  kept('money', (locale) => new Intl.NumberFormat(locale, { style: 'currency', currency: 'SAR' })).format(
    amount,
  );

const STEPS: [Intl.RelativeTimeFormatUnit, number][] = [
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
];

/** `in 5 minutes`, `2 hours ago`. */
export function relative(at: string | number, now: number): string {
  const seconds = (new Date(at).getTime() - now) / 1000;
  const [unit, length] = STEPS.find(([, size]) => Math.abs(seconds) >= size) ?? ['minute', 60];
  return kept('relative', (locale) => new Intl.RelativeTimeFormat(locale, { numeric: 'auto' })).format(
    Math.trunc(seconds / length),
    unit,
  );
}

const weekday = dated('weekday', { weekday: 'long' });

/** `Monday` of 1, `Sunday` of 7. */
export const weekdayName = (day: number): string => weekday(Date.UTC(2024, 0, day, 9));

const shortWeekday = dated('shortWeekday', { weekday: 'short' });

/** `Mon` of 1. */
export const shortWeekdayName = (day: number): string => shortWeekday(Date.UTC(2024, 0, day, 9));

const month = dated('month', { month: 'long', year: 'numeric' });

/** `November 2026` of a calendar date or month. */
export const monthOf = (date: string): string => month(`${date.slice(0, 7)}-15T12:00:00+03:00`);

const shortDay = dated('shortDay', { weekday: 'short', day: 'numeric' });

/** `Sun 22` of a calendar date. */
export const shortDayOf = (date: string): string => shortDay(`${date}T12:00:00+03:00`);

/** `87%` of a part of one. */
export const percent = (share: number): string =>
  kept('percent', (locale) => new Intl.NumberFormat(locale, { style: 'percent' })).format(share);
