import { addDays, type CalendarDate } from '../base/clock.ts';

/** The Umm al-Qura calendar, by ICU's tables: computed, so that the sighted moon may differ by a day. */

export type HijriDate = { year: number; month: number; day: number };

const FORMAT = new Intl.DateTimeFormat('en-u-ca-islamic-umalqura-nu-latn', {
  timeZone: 'UTC',
  year: 'numeric',
  month: 'numeric',
  day: 'numeric',
});

/** The Hijri date of a Gregorian one. */
export function hijriOf(date: CalendarDate): HijriDate {
  const parts = FORMAT.formatToParts(Date.parse(`${date}T00:00:00Z`));
  const partOf = (type: 'year' | 'month' | 'day'): number =>
    Number(parts.find((part) => part.type === type)!.value);
  return { year: partOf('year'), month: partOf('month'), day: partOf('day') };
}

/** The first Gregorian date from `from` on that has this Hijri month and day (30: the last of a shorter month too). */
export function nextHijri(from: CalendarDate, { month, day }: Omit<HijriDate, 'year'>): CalendarDate {
  // A Hijri year has 354 or 355 days.
  for (let date = from, days = 0; days <= 385; days++, date = addDays(date, 1)) {
    const found = hijriOf(date);
    if (found.month !== month) continue;
    if (found.day === day) return date;
    if (day === 30 && found.day === 29 && hijriOf(addDays(date, 1)).month !== month) return date;
  }
  throw new RangeError(`no Hijri date has month ${month} and day ${day}`);
}

/** The Gregorian date of a Hijri one. */
export function fromHijri({ year, month, day }: HijriDate): CalendarDate {
  // 1 Muharram of 1 AH was in July 622; a mean Hijri year has 354.367 days.
  const near = Math.floor((year - 1) * 354.36667 + (month - 1) * 29.53 + day) - 3;
  const start = new Date(Date.UTC(622, 6, 19) + near * 86_400_000).toISOString().slice(0, 10);
  for (let date = addDays(start, -5), days = 0; days < 20; days++, date = addDays(date, 1)) {
    const found = hijriOf(date);
    if (found.year === year && found.month === month && found.day === day) return date;
  }
  throw new RangeError(`there is no Hijri date ${year}-${month}-${day}`);
}
