import { type CalendarDate, dateOf, type Instant, timeOf } from '../base/clock.ts';
import { plainLine } from '../base/text.ts';

export type PaymentLinkText = {
  language: 'ar' | 'en' | 'both';
  partnerName: string;
  /** ar null: there is none. */
  serviceName: { en: string; ar: string | null };
  /** The visit in Riyadh: `YYYY-MM-DD`, `HH:MM`. */
  date: CalendarDate;
  time: string;
  /** SAR, exact: `150.00`. */
  amount: string;
  url: string;
  expiresAt: Instant;
  /**
   * The time of the operator's request to send the link again; null: the first message. Providers drop a text that they
   * have sent to the same number before, so a repeated message contains this time.
   */
  againAt: Instant | null;
};

/** Four segments of SMS; a repeated message may take a fifth. */
const MAX_TEXT = 4 * 67;
/** Names are cut to MAX_NAME, and further, down to the second limit, when the text is too long. */
const MAX_NAME = 32;
const MIN_NAME = 12;
const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

/**
 * The SMS with the payment link: the sender, then Arabic before English. Names and URL stand on lines of their own: a
 * line is a paragraph with its own direction, so texts of both directions are never mixed.
 */
export function paymentLinkMessage(parts: PaymentLinkText): string {
  const { language, date, time, amount, url, expiresAt, againAt } = parts;
  const until = { date: dateOf(expiresAt), time: timeOf(expiresAt).slice(0, 5) };
  // Without the year of the end: links end within days.
  const lines = {
    ar: `موعدك ${arabicDate(date)} الساعة ${time}، المبلغ ${amount} ر.س. ادفع قبل ${arabicDate(until.date).slice(0, 5)} ${until.time}`,
    en: `Visit ${englishDate(date)} ${time}, ${amount} SAR. Pay by ${englishDate(until.date).slice(0, -5)} ${until.time}`,
  };
  const languages = language === 'both' ? (['ar', 'en'] as const) : [language];
  const services = languages.map((one) => plainLine(parts.serviceName[one] ?? parts.serviceName.en));
  const areSame = new Set(services).size === 1;
  const reminder = language === 'en' ? 'Reminder' : 'تذكير';
  const again = againAt === null ? [] : [`${reminder} ${timeOf(againAt)}`];

  const texts = [...languages.map((one) => lines[one]), url];
  const names = [plainLine(parts.partnerName), ...(areSame ? services.slice(0, 1) : services)];
  const room = MAX_TEXT - texts.join('').length - (texts.length + names.length - 1);
  const [partner, ...shown] = fitted(names, room);
  const said = areSame
    ? [...texts.slice(0, -1), shown[0]]
    : languages.flatMap((one, index) => [lines[one], shown[index]]);
  return [...again, partner, ...said, url].join('\n');
}

/** The names, cut to fit into the room together; unused room of short ones is left to the others. */
function fitted(names: readonly string[], room: number): string[] {
  const result = [...names];
  const byLength = names.map((_name, index) => index).sort((a, b) => names[a]!.length - names[b]!.length);
  let left = room;
  for (const [place, index] of byLength.entries()) {
    const share = Math.floor(left / (byLength.length - place));
    result[index] = cut(names[index]!, Math.max(share, MIN_NAME));
    left -= result[index].length;
  }
  return result;
}

/**
 * `24/11/2026`: after Arabic letters digits keep their order across a slash or a colon, but not across a hyphen,
 * where `2026-11-24` would be shown backwards (Unicode Bidirectional Algorithm, W2 and W4).
 */
export function arabicDate(date: CalendarDate): string {
  return date.split('-').reverse().join('/');
}

/** `24 Nov 2026`. */
export function englishDate(date: CalendarDate): string {
  const [year, month, day] = date.split('-');
  return `${Number(day)} ${MONTHS[Number(month) - 1]} ${year}`;
}

/** The name, cut between letters to a number of UTF-16 units. */
export function cut(name: string, places: number): string {
  const letters = [...name];
  if (letters.length <= MAX_NAME && name.length <= places) return name;
  const kept = letters.slice(0, MAX_NAME - 3);
  while (kept.join('').length > places - 3) kept.pop();
  return `${kept.join('').trimEnd()}...`;
}
