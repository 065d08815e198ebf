import { dateOf, type Instant, MINUTE, timeOf } from '../base/clock.ts';
import { plainLine } from '../base/text.ts';
import type { Language } from '../http/bilingual-pages.ts';
import type { MessageKind } from '../partners/account-rules.ts';
import { cut } from '../payments/messages.ts';
import type { Fact } from './message-rules.ts';
import texts from './message-texts.json' with { type: 'json' };

type SeriesText = `${'BOOKED' | 'MOVED'}_EVERY_${1 | 2 | 4}` | 'CANCELLED_ON';
/** `{}`: a time. Of a series both texts together have at most 44 units, or the address of the page has no room. */
const TEXTS: Record<Language, Record<MessageKind | SeriesText, string>> = texts;
/** Those without the date of the visit. */
const UNDATED: readonly MessageKind[] = ['ON_THE_WAY', 'LATE', 'DONE'];

/** The news of the visit, or of its series from it on. */
function textOf({ kind, every_weeks: weeks, ends_more }: Told): MessageKind | SeriesText {
  if (kind === 'CANCELLED') return ends_more ? 'CANCELLED_ON' : kind;
  if (weeks === null || (kind !== 'BOOKED' && kind !== 'MOVED')) return kind;
  return `${kind}_EVERY_${weeks as 1 | 2 | 4}`;
}

/** UTF-16 units of two segments of SMS with Arabic letters. */
const MAX_TEXT = 2 * 67;
const MIN_NAME = 8;

/** A message and what its text needs of the visit. */
type Told = Fact & {
  created_at: Instant;
  appointment_name: string;
  partner_name: string;
  /** null: both, Arabic before English. */
  language: Language | null;
  url: string | null;
  /** Of the visit that tells of its series: weeks from one to the next; null: of another. */
  every_weeks: number | null;
  /** Whether visits after it were cancelled with it. */
  ends_more: boolean;
  /** The customer was told the same before. */
  isRepeated: boolean;
};

const clockTime = (at: Instant): string => timeOf(at).slice(0, 5);

/**
 * The SMS, each line a paragraph with its own direction: the partner, the news, the visit's time, and the page or the
 * reference. A slash keeps its place among Arabic letters (`24/11 10:00`), and the year is near enough. Providers drop a text
 * that they have sent before: one that is told again has the time of its planning. It takes two segments at most, for which
 * the partner's name is cut.
 */
export function messageText(told: Told): string {
  const { kind, starts_at, late_minutes, left_at, language, url } = told;
  const time = clockTime(left_at ?? starts_at + (late_minutes ?? 0) * MINUTE);
  const [, month, day] = dateOf(starts_at).split('-');
  const text = textOf(told);
  const news = (language === null ? (['ar', 'en'] as const) : [language]).map((one) =>
    TEXTS[one][text].replace('{}', time),
  );
  const again = told.isRepeated ? ` (${clockTime(told.created_at)})` : '';
  const lines = [
    ...news,
    ...(UNDATED.includes(kind) ? [] : [`${day}/${month} ${clockTime(starts_at)}`]),
    url ?? told.appointment_name,
  ];
  const room = MAX_TEXT - again.length - lines.join('\n').length - 1;
  const name = room < MIN_NAME ? '' : cut(plainLine(told.partner_name), room);
  return [`${name}${again}`.trim(), ...lines].filter((line) => line !== '').join('\n');
}
