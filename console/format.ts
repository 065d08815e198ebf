import { language } from './language.ts';

/** Times, numbers and money in Riyadh's zone, whatever the browser's zone is. */

/** Gregorian with Latin digits in both languages, as the API has them. */
const LOCALES = { en: 'en-GB', ar: 'ar-SA-u-ca-gregory-nu-latn' };
const ZONE = 'Asia/Riyadh';

const made = new Map<string, Intl.DateTimeFormat | Intl.NumberFormat | Intl.RelativeTimeFormat>();

/** Formats are expensive to construct, so they are cached. */
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

/**
 * `07:00–13:00`, with spaces if the ends have some. In Arabic from right to left whatever is around it: digits have no
 * direction of their own.
 */
export function fromTo(from: string, to: string): string {
  if (language.value === 'ar') return `\u2067${from} – ${to}\u2069`;
  return from.includes(' ') ? `${from} – ${to}` : `${from}–${to}`;
}

const longDay = dated('longDay', { weekday: 'short', day: 'numeric', month: 'short', year: 'numeric' });

/** `Sun, 22 Nov 2026` of a calendar date (`YYYY-MM-DD`; a time after it is ignored). */
export const dayOf = (date: string): string => longDay(`${date.slice(0, 10)}T12:00:00+03:00`);

const HIJRI = { calendar: 'islamic-umalqura' } as const;
const hijriLong = dated('hijriLong', { ...HIJRI, day: 'numeric', month: 'long', year: 'numeric' });
const hijriShort = dated('hijriShort', { ...HIJRI, day: 'numeric' });
const hijriMonth = dated('hijriMonth', { ...HIJRI, month: 'long' });

/** `1 Ramadan 1448 AH` of a calendar date. */
export const hijriOf = (date: string): string => hijriLong(`${date}T12:00:00+03:00`);

/** The day of the Hijri month; on its first day the name of the month. */
export function hijriDayOf(date: string): string {
  const noon = `${date}T12:00:00+03:00`;
  return hijriPartsOf(date).day === 1 ? hijriMonth(noon) : hijriShort(noon);
}

const HIJRI_PARTS = new Intl.DateTimeFormat('en-u-ca-islamic-umalqura-nu-latn', {
  timeZone: ZONE,
  year: 'numeric',
  month: 'numeric',
  day: 'numeric',
});

/** Year, month and day of a calendar date in the Hijri calendar. */
export function hijriPartsOf(date: string): { year: number; month: number; day: number } {
  const parts = HIJRI_PARTS.formatToParts(new Date(`${date}T12:00:00+03:00`));
  const numberOf = (type: string): number => Number(parts.find((part) => part.type === type)!.value);
  return { year: numberOf('year'), month: numberOf('month'), day: numberOf('day') };
}

/** The calendar date in Riyadh at an instant: `2026-11-22`. */
export function dateIn(at: number): string {
  return new Date(at + 3 * 3_600_000).toISOString().slice(0, 10);
}

/** The range of dates that pages accept, which excludes half-typed years. */
export const FIRST_DATE = '2000-01-01';
export const LAST_DATE = '2099-12-31';

/** Whether the text is a calendar date in that range. */
export function isDate(text: string): boolean {
  if (!/^20\d\d-\d\d-\d\d$/.test(text)) return false;
  const at = Date.parse(`${text}T00:00:00Z`);
  // Date.parse reads February 31 as March 3.
  return !Number.isNaN(at) && new Date(at).toISOString().startsWith(text);
}

/** The date some days later, or earlier. */
export function addDays(date: string, days: number): string {
  return new Date(Date.parse(`${date}T00:00:00Z`) + days * 86_400_000).toISOString().slice(0, 10);
}

/** The value of an `<input type="datetime-local">`, in Riyadh's time, as an instant with its offset. */
export const instantOf = (local: string): string => (local === '' ? '' : `${local.slice(0, 16)}:00+03:00`);

/** An instant as the value of an `<input type="datetime-local">`. */
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

/** `87%` of a share between 0 and 1. */
export const percent = (share: number): string =>
  kept('percent', (locale) => new Intl.NumberFormat(locale, { style: 'percent' })).format(share);
