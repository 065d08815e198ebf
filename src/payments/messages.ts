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

const MAX_NAME = 32;
const MIN_NAME = 8;

/** Two segments of SMS, in letters: of the 7-bit alphabet (GSM 03.38, without its extension table), or in UTF-16 units. */
const ALPHABET = /^[\n\r @£$¥èéùìòÇØøÅåΔ_ΦΓΛΩΠΨΣΘΞÆæßÉ!"#¤%&'()*+,./0-9:;<=>?¡A-ZÄÖÑÜ§¿a-zäöñüà-]*$/;
const roomOf = (text: string): number => (ALPHABET.test(text) ? 306 : 134) - text.length;

/**
 * The SMS with the payment link, two segments at the most: the sender, the visit and its service as far as there is room, amount
 * and end, and the link. Each line is a paragraph with its own direction, so no line has letters of both; a slash keeps
 * its place among Arabic letters (`24/11 09:00`), and the year is near enough.
 */
export function paymentLinkMessage(parts: PaymentLinkText): string {
  const { language, date, time, amount, url, expiresAt, againAt } = parts;
  const [, month, day] = date.split('-');
  const visit = `${day}/${month} ${time}`;
  const [, untilMonth, untilDay] = dateOf(expiresAt).split('-');
  const until = `${untilDay}/${untilMonth} ${timeOf(expiresAt).slice(0, 5)}`;
  const service = cut(
    plainLine((language === 'ar' && parts.serviceName.ar) || parts.serviceName.en),
    MAX_NAME,
  );
  const lines = {
    ar: { visit: [`موعدك ${visit}`, service], pay: [`ادفع ${amount} ر.س قبل ${until}`] },
    en: { visit: [`Visit ${visit}`, service], pay: [`Pay ${amount} SAR by ${until}`] },
    both: { visit: ['موعدك', 'Visit', visit], pay: ['ادفع قبل', 'Pay by', until, `${amount} SAR`] },
  }[language];
  const sentAt = againAt === null ? '' : timeOf(againAt);
  const repeated = `${language === 'en' ? 'Reminder' : 'تذكير'} ${sentAt}`;
  const needed = [...lines.pay, url].join('\n');
  // The word is left out of a text that would be too long with it.
  const again = againAt === null ? [] : [roomOf(`${repeated}\n${needed}`) < 0 ? sentAt : repeated];
  const partner = plainLine(parts.partnerName);
  const compose = (name: string | null, shown: readonly string[]): string =>
    [...again, ...(name === null ? [] : [name]), ...shown, needed].join('\n');
  const roomFor = (shown: readonly string[]): number => roomOf(compose(partner, shown)) + partner.length;
  const shorter = language === 'both' ? [] : lines.visit.slice(0, 1);
  // The sender before the visit: more than the beginning of its name.
  const shown = [lines.visit, shorter].find((some) => roomFor(some) >= MIN_NAME) ?? [];
  const room = roomFor(shown);
  return compose(room < MIN_NAME ? null : cut(partner, room), shown);
}

/** The name, cut between letters to a number of UTF-16 units. */
export function cut(name: string, places: number): string {
  const letters = [...name];
  if (letters.length <= MAX_NAME && name.length <= places) return name;
  const kept = letters.slice(0, MAX_NAME - 3);
  while (kept.join('').length > places - 3) kept.pop();
  return `${kept.join('').trimEnd()}...`;
}
