import type { FeeStep, Terms } from './rules.ts';

/** A policy in a few sentences, which partners may show to their customers. */

type Words = {
  cancel: string;
  reschedule: string;
  free: string;
  grace(minutes: number): string;
  from(hours: number, fee: string): string;
  percent(percent: number): string;
  amount(sar: number): string;
  afterStart(fee: string): string;
  noShow(fee: string): string;
  moves(most: number): string;
  ours: string;
};

const ENGLISH: Words = {
  cancel: 'Cancelling',
  reschedule: 'Rescheduling',
  free: 'free of charge',
  grace: (minutes) => `Free of charge within ${minutes} ${minutes === 1 ? 'minute' : 'minutes'} of booking.`,
  from: (hours, fee) => `from ${hours} h before the start ${fee}`,
  percent: (percent) => `${percent}% of the price`,
  amount: (sar) => `${sar.toFixed(2)} SAR`,
  afterStart: (fee) => `Once the work has begun, or the team is there at the start: ${fee}.`,
  noShow: (fee) => `If nobody is there: ${fee}.`,
  moves: (most) => `Reschedules allowed: ${most}.`,
  ours: 'Free of charge when we have changed the time.',
};

/** The forms of an Arabic noun; those of one and two need no number. */
type Noun = { one: string; two: string; few: string; many: string; other: string };
const MINUTES: Noun = { one: 'دقيقة واحدة', two: 'دقيقتين', few: 'دقائق', many: 'دقيقة', other: 'دقيقة' };
const HOURS: Noun = { one: 'ساعة واحدة', two: 'ساعتين', few: 'ساعات', many: 'ساعة', other: 'ساعة' };
const PLURALS = new Intl.PluralRules('ar');

/** The number with its noun after a preposition. */
function counted(count: number, noun: Noun): string {
  const form = PLURALS.select(count);
  if (form === 'one' || form === 'two') return noun[form];
  return `${count} ${noun[form === 'zero' ? 'other' : form]}`;
}

const ARABIC: Words = {
  cancel: 'الإلغاء',
  reschedule: 'تغيير الموعد',
  free: 'مجاناً',
  grace: (minutes) => `مجاناً خلال ${counted(minutes, MINUTES)} من الحجز.`,
  from: (hours, fee) => `ابتداءً من ${counted(hours, HOURS)} قبل الموعد ${fee}`,
  percent: (percent) => `${percent}% من السعر`,
  amount: (sar) => `${sar.toFixed(2)} ريال`,
  afterStart: (fee) => `بعد بدء العمل، أو وصول الفريق عند حلول الموعد: ${fee}.`,
  noShow: (fee) => `إذا لم يكن أحد في الموقع: ${fee}.`,
  moves: (most) => `عدد مرات تغيير الموعد المسموح بها: ${most}.`,
  ours: 'مجاناً إذا غيّرنا نحن الموعد.',
};

/** The terms in words, in both languages. */
export function policyTexts(terms: Terms): { textEn: string; textAr: string } {
  return { textEn: textIn(ENGLISH, ', ', terms), textAr: textIn(ARABIC, '، ', terms) };
}

function textIn(words: Words, comma: string, terms: Terms): string {
  const stepText = (step: FeeStep): string =>
    words.from(step.hoursBefore, 'percent' in step ? words.percent(step.percent) : words.amount(step.amount));
  const stepsText = (name: string, steps: readonly FeeStep[]): string =>
    `${name}: ${[...(steps.length === 0 ? [words.free] : []), ...steps.map(stepText)].join(comma)}.`;
  return [
    ...(terms.graceMinutes > 0 ? [words.grace(terms.graceMinutes)] : []),
    stepsText(words.cancel, terms.cancel),
    stepsText(words.reschedule, terms.reschedule),
    words.afterStart(words.percent(terms.afterStartPercent)),
    words.noShow(words.percent(terms.noShowPercent)),
    ...(terms.maxReschedules === null ? [] : [words.moves(terms.maxReschedules)]),
    words.ours,
  ].join(' ');
}
