import { guessPhone } from '../contacts/rules.ts';
import { isUuid } from '../http/validation.ts';

/** Interprets the text of a search box; pure. */

export type Wanted = {
  /** Trimmed, Arabic digits as ASCII. */
  text: string;
  /** A UUID in lower case. */
  id: string | null;
  /** A whole tracking reference, of `sa 36` SA-0036. */
  trackingReference: string | null;
  /** The prefix of tracking references, of `sa 36` SA-36. */
  trackingStart: string | null;
  phone: WantedPhone | null;
  /** A query of word prefixes for to_tsquery; null: no word is long enough. */
  words: string | null;
  /** The longest word when all consist of letters, as common names do; else null. */
  commonWord: string | null;
};

/** E.164 when it is whole; else a prefix and a suffix of a number. */
export type WantedPhone = { whole: string | null; start: string | null; end: string };

const MIN_PHONE_DIGITS = 4;
const MIN_WORD = 2;
const MAX_WORDS = 8;
/** Removed by search_text: a word of these alone would be empty. */
const MARKS = /[\u0640\u064b-\u0652\u0670]/g;
/** Articles that names are written with or without. */
const ARTICLES = ['ال', 'al'];

/**
 * The possible meanings of a text: null where it cannot have one. `hidesPhones`: of one who sees phones masked. Then only a
 * whole number is a phone, because parts would reveal the digits one by one.
 */
export function wantedOf(q: string, { hidesPhones = false } = {}): Wanted {
  const text = withAsciiDigits(q).trim();
  const words = wordsOf(text);
  return {
    text,
    id: isUuid(text) ? text.toLowerCase() : null,
    ...trackingOf(text),
    phone: hidesPhones ? wholePhoneOf(text) : phoneOf(text),
    words: words.length === 0 ? null : words.map(beginningsOf).join(' & '),
    commonWord: words.some((word) => /\p{N}/u.test(word)) ? null : (longestOf(words) ?? null),
  };
}

/** `٠٥٠` and `۰۵۰` as `050`. */
function withAsciiDigits(text: string): string {
  return text.replaceAll(/[\u0660-\u0669\u06f0-\u06f9]/g, (digit) => String(digit.charCodeAt(0) & 0xf));
}

/** `SA-0042` of `sa-0042`, `sa 42` and `42`. Of bare digits no prefix: they are a number. */
function trackingOf(text: string): Pick<Wanted, 'trackingReference' | 'trackingStart'> {
  const digits = /^(?:sa[\s-]*)?(\d{1,12})$/i.exec(text)?.[1];
  if (digits === undefined) return { trackingReference: null, trackingStart: null };
  const trackingReference = `SA-${digits.padStart(4, '0')}`;
  return { trackingReference, trackingStart: /^sa/i.test(text) ? `SA-${digits}` : trackingReference };
}

function phoneOf(text: string): WantedPhone | null {
  const digits = text.replaceAll(/[\s().+-]/g, '');
  if (!/^[\d\s().+-]+$/.test(text) || digits.length < MIN_PHONE_DIGITS || digits.length > 16) return null;
  const isInternational = /^(?:00)?966/.test(digits) || text.startsWith('+');
  const isNational = /^0[1-9]/.test(digits);
  const rest = isInternational ? digits.replace(/^(?:00)?966/, '') : digits.replace(/^0/, '');
  return {
    whole: guessPhone(text),
    start: isInternational || isNational || /^5/.test(digits) ? `+966${rest.replace(/^0+/, '')}` : null,
    end: digits,
  };
}

function wholePhoneOf(text: string): WantedPhone | null {
  const whole = phoneOf(text)?.whole ?? null;
  return whole === null ? null : { whole, start: null, end: whole };
}

/** Words of two characters or more, without the marks that search_text removes. */
function wordsOf(text: string): string[] {
  const unmarked = text.replaceAll(MARKS, '');
  const words = [...unmarked.matchAll(/[\p{L}\p{N}][\p{L}\p{M}\p{N}]*/gu)].map(([word]) => word);
  return words.filter((word) => word.length >= MIN_WORD).slice(0, MAX_WORDS);
}

/** The prefix query of a word, with or without an article. */
function beginningsOf(word: string): string {
  return `(${[word, ...ARTICLES.map((article) => article + word)].map((one) => `'${one}':*`).join(' | ')})`;
}

function longestOf(words: readonly string[]): string | undefined {
  return words.toSorted((a, b) => b.length - a.length)[0];
}
