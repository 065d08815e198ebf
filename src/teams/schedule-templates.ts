import { addDays, type CalendarDate } from '../base/clock.ts';
import { fromHijri } from './hijri.ts';

/** Seasons and holidays of Saudi Arabia, as schedules to be confirmed by the operator. Pure. */

export const FIRST_TEMPLATE_YEAR = 1448;
export const LAST_TEMPLATE_YEAR = 1452;

export type ScheduleTemplate = {
  key: 'ramadan' | 'eid-al-fitr' | 'eid-al-adha' | 'national-day' | 'founding-day';
  nameEn: string;
  nameAr: string;
  from: CalendarDate;
  to: CalendarDate;
  closed: boolean;
  weekly: { weekday: number; startAt: string; endAt: string }[] | null;
  breaks: { startAt: string; endAt: string }[];
  priority: number;
};

const EVERY_DAY = [1, 2, 3, 4, 5, 6, 7];

/** The templates of all years, by date. */
export function allTemplates(): ScheduleTemplate[] {
  const years = LAST_TEMPLATE_YEAR - FIRST_TEMPLATE_YEAR + 1;
  return Array.from({ length: years }, (_, index) => templatesOf(FIRST_TEMPLATE_YEAR + index)).flat();
}

/**
 * The templates of a Hijri year, by date. Dates of the moon are computed (Umm al-Qura): the sighted moon may differ by a
 * day. Ramadan has a day and an evening shift around iftar, holidays are closed. Throws RangeError for other years than
 * FIRST_TEMPLATE_YEAR to LAST_TEMPLATE_YEAR.
 */
export function templatesOf(year: number): ScheduleTemplate[] {
  if (year < FIRST_TEMPLATE_YEAR || year > LAST_TEMPLATE_YEAR)
    throw new RangeError(`no templates of ${year}`);
  const eid = fromHijri({ year, month: 10, day: 1 });
  const arafah = fromHijri({ year, month: 12, day: 9 });
  const [first, last] = [
    fromHijri({ year, month: 1, day: 1 }),
    addDays(fromHijri({ year: year + 1, month: 1, day: 1 }), -1),
  ];
  /** The days of the Hijri year that have this Gregorian date: one, none or two. */
  const fixed = (end: string): CalendarDate[] =>
    [Number(first.slice(0, 4)), Number(last.slice(0, 4))]
      .filter((gregorian, index, all) => all.indexOf(gregorian) === index)
      .map((gregorian) => `${gregorian}-${end}`)
      .filter((date) => first <= date && date <= last);
  const closed = { closed: true, weekly: null, breaks: [], priority: 20 };
  const templates: ScheduleTemplate[] = [
    {
      key: 'ramadan',
      nameEn: `Ramadan ${year}`,
      nameAr: `رمضان ${year}`,
      from: fromHijri({ year, month: 9, day: 1 }),
      to: addDays(eid, -1),
      closed: false,
      weekly: EVERY_DAY.flatMap((weekday) => [
        { weekday, startAt: '10:00', endAt: '16:00' },
        { weekday, startAt: '20:00', endAt: '01:00' },
      ]),
      breaks: [],
      priority: 10,
    },
    {
      ...closed,
      key: 'eid-al-fitr',
      nameEn: `Eid al-Fitr ${year}`,
      nameAr: `عيد الفطر ${year}`,
      from: eid,
      to: addDays(eid, 3),
    },
    {
      ...closed,
      key: 'eid-al-adha',
      nameEn: `Eid al-Adha ${year}`,
      nameAr: `عيد الأضحى ${year}`,
      from: arafah,
      to: addDays(arafah, 4),
    },
    ...fixed('09-23').map((date) => ({
      ...closed,
      key: 'national-day' as const,
      nameEn: `National Day ${date.slice(0, 4)}`,
      nameAr: `اليوم الوطني ${date.slice(0, 4)}`,
      from: date,
      to: date,
    })),
    ...fixed('02-22').map((date) => ({
      ...closed,
      key: 'founding-day' as const,
      nameEn: `Founding Day ${date.slice(0, 4)}`,
      nameAr: `يوم التأسيس ${date.slice(0, 4)}`,
      from: date,
      to: date,
    })),
  ];
  return templates.sort((one, other) => (one.from < other.from ? -1 : 1));
}
