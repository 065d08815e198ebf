import type { CreateScheduleRequest, Schedule, ScheduleTemplate } from '../contract.ts';
import { addDays, hijriPartsOf } from '../format.ts';
import { requiredNumber } from '../values.ts';

/** The form of a schedule: from the schedule or a template, and back to a body. Pure. */

export type BreakRow = { weekdays: readonly number[]; startAt: string; endAt: string };
type Yearly = NonNullable<Schedule['yearly']>;

/** A schedule as the form has it. A yearly one has the dates of its next year, before they are moved. */
export type Draft = {
  values: {
    nameEn: string;
    nameAr: string;
    from: string;
    to: string;
    repeat: string;
    scope: string;
    zoneIds: readonly string[];
    teamIds: readonly string[];
    hours: string;
    priority: string;
  };
  shifts: readonly NonNullable<Schedule['weekly']>[number][];
  breaks: readonly BreakRow[];
};

export function emptyDraft(from = '', to = ''): Draft {
  return {
    values: {
      nameEn: '',
      nameAr: '',
      from,
      to,
      repeat: 'once',
      scope: 'all',
      zoneIds: [],
      teamIds: [],
      hours: 'closed',
      priority: '10',
    },
    shifts: [],
    breaks: [],
  };
}

const hoursOf = ({ closed, weekly }: Pick<Schedule, 'closed' | 'weekly'>): string =>
  closed ? 'closed' : weekly === null ? 'own' : 'weekly';

export function templateDraft(template: ScheduleTemplate): Draft {
  const { nameEn, nameAr, from, to, weekly, breaks, priority } = template;
  const draft = emptyDraft(from, to);
  return {
    values: { ...draft.values, nameEn, nameAr, hours: hoursOf(template), priority: String(priority) },
    shifts: weekly ?? [],
    breaks: breaks.map((pause) => ({ ...pause, weekdays: [] })),
  };
}

/** The template's hours by day or in the evening. */
export const shiftsOf = ({ weekly }: ScheduleTemplate, part: 'day' | 'night') =>
  (weekly ?? []).filter(({ startAt }) => startAt >= '18:00' === (part === 'night'));

/** Its schedules when some teams work by night, and all others by day. Theirs is first and outranks the other. */
export function apartDrafts(template: ScheduleTemplate, byNight: readonly string[]): Draft[] {
  const draft = { ...templateDraft(template), shifts: shiftsOf(template, 'day') };
  if (byNight.length === 0) return [draft];
  const values = {
    ...draft.values,
    nameEn: `${template.nameEn}, night`,
    nameAr: `${template.nameAr}، ليلًا`,
    scope: 'teams',
    teamIds: byNight,
    priority: String(template.priority + 1),
  };
  return [{ ...draft, values, shifts: shiftsOf(template, 'night') }, draft];
}

export function draftOf(schedule: Schedule, today: string): Draft {
  const { nameEn, nameAr, yearly, zoneIds, teamIds, weekly, breaks, priority } = schedule;
  const { from, to } = yearly === null ? schedule : unmoved(yearly, nextPeriod(schedule, today));
  return {
    values: {
      nameEn,
      nameAr,
      from: from ?? '',
      to: to ?? '',
      repeat: yearly?.calendar ?? 'once',
      scope: teamIds !== null ? 'teams' : zoneIds !== null ? 'zones' : 'all',
      zoneIds: zoneIds ?? [],
      teamIds: teamIds ?? [],
      hours: hoursOf(schedule),
      priority: String(priority),
    },
    shifts: weekly ?? [],
    breaks: breaks.map(({ weekdays = [], ...times }) => ({ ...times, weekdays })),
  };
}

type Period = Schedule['periods'][number];

/** The current period or the next one; after the last one, the last. */
export function nextPeriod({ periods }: Pick<Schedule, 'periods'>, today: string): Period {
  return periods.find(({ to }) => to === null || to >= today) ?? periods.at(-1)!;
}

const partsOf = (calendar: Yearly['calendar'], date: string) => {
  if (calendar === 'islamic-umalqura') return hijriPartsOf(date);
  const [year, month, day] = date.split('-').map(Number);
  return { year: year!, month: month!, day: day! };
};

/** The shift of the period from its date in the calendar, and its year. */
function moveOf({ calendar, shifts }: Yearly, { from }: Period): { year: number; days: number } {
  return (
    shifts.find(({ year, days }) => partsOf(calendar, addDays(from, -days)).year === year) ?? {
      year: partsOf(calendar, from).year,
      days: 0,
    }
  );
}

function unmoved(yearly: Yearly, period: Period): Period {
  const { days } = moveOf(yearly, period);
  return { from: addDays(period.from, -days), to: period.to && addDays(period.to, -days) };
}

/** Moves the dates by some days; of a yearly schedule those of its current or next year. */
export function moved(schedule: Schedule, days: number, today: string): Partial<CreateScheduleRequest> {
  const { yearly, from, to } = schedule;
  if (yearly === null) {
    return { from: addDays(from!, days), to: to && addDays(to, days) };
  }
  const before = moveOf(yearly, nextPeriod(schedule, today));
  const after = { year: before.year, days: before.days + days };
  const others = yearly.shifts.filter(({ year }) => year !== before.year);
  const shifts = after.days === 0 ? others : [...others, after];
  return { yearly: { ...yearly, shifts } };
}

const daysBetween = (from: string, to: string): number =>
  (Date.parse(to) - Date.parse(from)) / 86_400_000 + 1;

/** Whether it is a yearly schedule without both of its days. */
export const lacksDays = ({ values: { repeat, from, to } }: Draft): boolean =>
  repeat !== 'once' && (from === '' || to === '');

/** The body of the form, which lacks no days. */
export function bodyOf({ values, shifts, breaks }: Draft, schedule?: Schedule): CreateScheduleRequest {
  const { nameEn, nameAr, from, to, repeat, scope, zoneIds, teamIds, hours, priority } = values;
  const isYearly = repeat !== 'once';
  const calendar = repeat as Yearly['calendar'];
  const known = schedule?.yearly?.calendar === repeat ? schedule.yearly.shifts : [];
  const yearly = (): Yearly => {
    const { month, day } = partsOf(calendar, from);
    return { calendar, month, day, days: daysBetween(from, to), shifts: known };
  };
  return {
    nameEn,
    nameAr,
    from: isYearly ? null : from,
    to: isYearly || to === '' ? null : to,
    yearly: isYearly ? yearly() : null,
    zoneIds: scope === 'zones' ? [...zoneIds] : null,
    teamIds: scope === 'teams' ? [...teamIds] : null,
    closed: hours === 'closed',
    weekly: hours === 'weekly' ? [...shifts] : null,
    breaks: breaks.map(({ weekdays, ...times }) => ({
      ...times,
      ...(weekdays.length > 0 && { weekdays: [...weekdays] }),
    })),
    priority: requiredNumber(priority),
  };
}
