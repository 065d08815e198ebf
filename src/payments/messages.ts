import { type CalendarDate, dateOf, type Instant, timeOf } from '../clock.ts';

export type PaymentLinkText = {
  language: 'ar' | 'en' | 'both';
  serviceName: string;
  /** The visit, Riyadh: `YYYY-MM-DD`, `HH:MM`. */
  date: CalendarDate;
  time: string;
  /** SAR, exact: `150.00`. */
  amount: string;
  url: string;
  expiresAt: Instant;
  /**
   * When it was asked to send the link once more; null: it is sent for the first time. Providers drop a text that
   * the same number has had already, so what is sent again on purpose says when.
   */
  againAt: Instant | null;
};

/** Longer names would cost a further segment of SMS. */
const MOST_OF_A_NAME = 32;
const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

/**
 * The SMS that brings the customer the payment link, Arabic first. Name and URL stand on lines of their own:
 * a line is a paragraph with a direction of its own, so neither text is mixed with one of the other direction.
 */
export function paymentLinkMessage(parts: PaymentLinkText): string {
  const { language, date, time, amount, url, expiresAt, againAt } = parts;
  const until = { date: dateOf(expiresAt), time: timeOf(expiresAt).slice(0, 5) };
  const lines = {
    ar: `موعدك ${arabicDate(date)} الساعة ${time}، المبلغ ${amount} ر.س. ادفع قبل ${arabicDate(until.date)} ${until.time}`,
    en: `Visit ${englishDate(date)} ${time}, ${amount} SAR. Pay by ${englishDate(until.date)} ${until.time}`,
  };
  const texts = language === 'both' ? [lines.ar, lines.en] : [lines[language]];
  const reminder = language === 'en' ? 'Reminder' : 'تذكير';
  const again = againAt === null ? [] : [`${reminder} ${timeOf(againAt)}`];
  return [...again, ...texts, oneLine(parts.serviceName), url].join('\n');
}

/**
 * `24/11/2026`: after Arabic letters digits keep their order across a slash or a colon, but not across a hyphen,
 * where `2026-11-24` would be shown backwards (Unicode Bidirectional Algorithm, W2 and W4).
 */
function arabicDate(date: CalendarDate): string {
  return date.split('-').reverse().join('/');
}

/** `24 Nov 2026`. */
function englishDate(date: CalendarDate): string {
  const [year, month, day] = date.split('-');
  return `${Number(day)} ${MONTHS[Number(month) - 1]} ${year}`;
}

function oneLine(name: string): string {
  const letters = [...name.replace(/[\s\p{Cc}]+/gu, ' ').trim()];
  return letters.length <= MOST_OF_A_NAME
    ? letters.join('')
    : `${letters
        .slice(0, MOST_OF_A_NAME - 3)
        .join('')
        .trimEnd()}...`;
}

/** The 7-bit alphabet of GSM 03.38; what stands in its extension table takes two places. */
const GSM =
  '@£$¥èéùìòÇ\nØø\rÅåΔ_ΦΓΛΩΠΨΣΘΞÆæßÉ !"#¤%&\'()*+,-./0123456789:;<=>?¡ABCDEFGHIJKLMNOPQRSTUVWXYZÄÖÑÜ§¿' +
  'abcdefghijklmnopqrstuvwxyzäöñüà';
const GSM_EXTENSION = '^{}\\[~]|€';

/** How many SMS the text is charged as: 160 (153) places of 7 bits, or 70 (67) of UCS-2 with any other letter. */
export function smsSegments(text: string): number {
  const letters = [...text];
  const isGsm = letters.every((letter) => GSM.includes(letter) || GSM_EXTENSION.includes(letter));
  const places = isGsm
    ? letters.length + letters.filter((letter) => GSM_EXTENSION.includes(letter)).length
    : text.length;
  const [alone, inParts] = isGsm ? [160, 153] : [70, 67];
  return places <= alone ? 1 : Math.ceil(places / inParts);
}
