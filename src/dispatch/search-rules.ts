import { foldedText, spellingsOf, withAsciiDigits } from '../base/text.ts';
import { guessPhone, guessShortAddress } from '../contacts/rules.ts';
import { isUuid } from '../http/validation.ts';

/** Interprets the text of a search box; pure. */

export type SearchTerms = {
  /** Trimmed, without invisible signs, full widths and Arabic digits as ASCII. */
  text: string;
  /** In lower case, as references may be stored (spellingsOf). */
  spellings: string[];
  /** A UUID in lower case. */
  id: string | null;
  /** A whole tracking reference, of `sa 36` SA-0036. */
  trackingReference: string | null;
  /** The prefix of tracking references, of `sa 36` SA-36. */
  trackingStart: string | null;
  phone: PhoneTerms | null;
  /** Of the National Address: RRRD2929. */
  shortAddress: string | null;
  /** A query of word prefixes for to_tsquery; null: no word is long enough. */
  words: string | null;
  /** The longest word when all consist of letters, as common names do; else null. */
  commonWord: string | null;
};

/** E.164 when it is whole; else a prefix and a suffix of a number. */
export type PhoneTerms = { whole: string | null; start: string | null; end: string };

const MIN_PHONE_DIGITS = 4;
const MIN_WORD = 2;
const MAX_WORDS = 8;
/** Articles that names are written with or without. */
const ARTICLES = ['ال', 'al'];

/**
 * The possible meanings of a text: null where it cannot have one. `hidesPhones`: of one who sees phones masked. Then only a
 * whole number is a phone, because parts would reveal the digits one by one.
 */
export function searchTermsOf(q: string, { hidesPhones = false } = {}): SearchTerms {
  const typed = q.replaceAll(/[\u00ad\p{Cf}]/gu, '').trim();
  const text = withAsciiDigits(typed.normalize('NFKC'));
  const words = wordsOf(foldedText(text));
  return {
    text,
    spellings: spellingsOf(typed).map((each) => each.toLowerCase()),
    id: isUuid(text) ? text.toLowerCase() : null,
    ...trackingOf(text),
    shortAddress: guessShortAddress(text),
    phone: hidesPhones ? wholePhoneOf(text) : phoneOf(text),
    words: words.length === 0 ? null : words.map(beginningsOf).join(' & '),
    commonWord: words.some((word) => /\p{N}/u.test(word)) ? null : (longestOf(words) ?? null),
  };
}

/** `SA-0042` of `sa-0042`, `sa 42` and `42`. Of bare digits no prefix: they are a number. */
function trackingOf(text: string): Pick<SearchTerms, 'trackingReference' | 'trackingStart'> {
  const digits = /^(?:sa[\s-]*)?(\d{1,12})$/i.exec(text)?.[1];
  if (digits === undefined) return { trackingReference: null, trackingStart: null };
  const trackingReference = `SA-${digits.padStart(4, '0')}`;
  return { trackingReference, trackingStart: /^sa/i.test(text) ? `SA-${digits}` : trackingReference };
}

function phoneOf(given: string): PhoneTerms | null {
  const text = given.replace(/^tel:\s*/i, '');
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

function wholePhoneOf(text: string): PhoneTerms | null {
  const whole = phoneOf(text)?.whole ?? null;
  return whole === null ? null : { whole, start: null, end: whole };
}

/** Words of two characters or more of a folded text. */
function wordsOf(text: string): string[] {
  const words = [...text.matchAll(/[\p{L}\p{N}][\p{L}\p{M}\p{N}]*/gu)].map(([word]) => word);
  return words.filter((word) => word.length >= MIN_WORD).slice(0, MAX_WORDS);
}

/** The prefix query of a word, with or without an article. */
function beginningsOf(word: string): string {
  return `(${[word, ...ARTICLES.map((article) => article + word)].map((one) => `'${one}':*`).join(' | ')})`;
}

function longestOf(words: readonly string[]): string | undefined {
  return words.toSorted((a, b) => b.length - a.length)[0];
}
