import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import Negotiator from 'negotiator';
import type { CalendarDate } from '../base/clock.ts';
import { type Html, html, trustedHtml } from './html.ts';

/** Pages in Arabic and English that are whole when they arrive: nothing is loaded, inline parts are allowed by their hash. */

export type Language = 'ar' | 'en';

export const DIRECTIONS = { ar: 'rtl', en: 'ltr' } as const satisfies Record<Language, string>;
export const LANGUAGE_NAMES: Record<Language, string> = { ar: 'العربية', en: 'English' };
export const otherThan = (language: Language): Language => (language === 'ar' ? 'en' : 'ar');

/**
 * Arabic or English: `?lang=` when it is valid, else the first by quality in Accept-Language, else the usual one.
 * `*` stands for any language that the header does not refuse with `q=0`.
 */
export function chooseLanguage(
  lang: string | undefined,
  acceptLanguage: string | undefined,
  usual: Language = 'ar',
): Language {
  if (lang === 'ar' || lang === 'en') return lang;
  const negotiator = new Negotiator({ headers: { 'accept-language': acceptLanguage } });
  const chosen = negotiator.language([usual, otherThan(usual)]);
  return chosen === 'ar' || chosen === 'en' ? chosen : usual;
}

/** A style sheet or script of a page, and its hash for the content security policy. */
export type Inline = { text: Html; hash: string };

export const inlined = (text: string): Inline => ({
  text: trustedHtml(text),
  hash: `'sha256-${createHash('sha256').update(text).digest('base64')}'`,
});

/** The file as an inline part, read at its first use. */
export function inlinedFile(file: URL): () => Inline {
  let read: Inline | null = null;
  return () => {
    read ??= inlined(readFileSync(file, 'utf8'));
    return read;
  };
}

/** Headers of a page at an address that is a secret; `policy` beside the style sheet. */
export function pageHeaders(
  language: Language,
  style: Inline,
  policy: readonly string[] = [`form-action 'none'`],
): Record<string, string> {
  return {
    'content-type': 'text/html; charset=utf-8',
    'content-language': language,
    'cache-control': 'no-store',
    'content-security-policy': [
      `default-src 'none'`,
      `style-src ${style.hash}`,
      ...policy,
      `base-uri 'none'`,
      `frame-ancestors 'none'`,
    ].join('; '),
    'referrer-policy': 'no-referrer',
    'x-content-type-options': 'nosniff',
    'x-robots-tag': 'noindex',
    vary: 'accept-language',
  };
}

/** Gregorian in both languages, with the same digits as in messages. */
const DATES: Record<Language, Intl.DateTimeFormat> = {
  ar: dateFormat('ar-SA-u-ca-gregory-nu-latn'),
  en: dateFormat('en-GB-u-ca-gregory-nu-latn'),
};

function dateFormat(locale: string): Intl.DateTimeFormat {
  return new Intl.DateTimeFormat(locale, {
    weekday: 'long',
    day: 'numeric',
    month: 'long',
    year: 'numeric',
    timeZone: 'UTC', // a calendar date is formatted as UTC midnight, so that no time zone shifts it
  });
}

/** The date with its weekday. Throws RangeError. */
export function dateText(date: CalendarDate, language: Language): Html {
  return html`<time datetime="${date}">${DATES[language].format(Date.parse(`${date}T00:00:00Z`))}</time>`;
}

/**
 * Text whose direction does not affect its neighbours. Control characters become spaces. Embeddings, overrides
 * and isolates are removed: an unclosed one would reach beyond its <bdi> and reverse the text after it.
 */
export function isolated(text: string): Html {
  return html`<bdi>${text.replace(/\p{Cc}/gu, ' ').replace(/[\u202A-\u202E\u2066-\u2069]/g, '')}</bdi>`;
}
