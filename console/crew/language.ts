import { signal } from '@preact/signals';
import ar from './texts/ar.json' with { type: 'json' };
import bn from './texts/bn.json' with { type: 'json' };
import en from './texts/en.json' with { type: 'json' };
import fil from './texts/fil.json' with { type: 'json' };
import hi from './texts/hi.json' with { type: 'json' };
import ur from './texts/ur.json' with { type: 'json' };

/** The crew's languages, and the texts in the chosen one. */

export const LANGUAGES = {
  ar: { name: 'العربية', dir: 'rtl', texts: ar },
  en: { name: 'English', dir: 'ltr', texts: en },
  ur: { name: 'اردو', dir: 'rtl', texts: ur },
  hi: { name: 'हिन्दी', dir: 'ltr', texts: hi },
  bn: { name: 'বাংলা', dir: 'ltr', texts: bn },
  fil: { name: 'Filipino', dir: 'ltr', texts: fil },
} as const satisfies Record<string, { name: string; dir: 'ltr' | 'rtl'; texts: Record<TextKey, string> }>;
export type CrewLanguage = keyof typeof LANGUAGES;
export type TextKey = keyof typeof en;

const STORAGE_KEY = 'crew.language';
const isKnown = (name: string | null): name is CrewLanguage =>
  name !== null && Object.keys(LANGUAGES).includes(name);

/** The first of the telephone's languages that is known, `tl` as Filipino; otherwise English. */
function firstLanguage(kept: string | null, preferred: readonly string[]): CrewLanguage {
  if (isKnown(kept)) return kept;
  const names = preferred.map((one) => one.toLowerCase().split('-')[0]!.replace(/^tl$/, 'fil'));
  return names.find(isKnown) ?? 'en';
}

export const language = signal<CrewLanguage>(firstLanguage(keptLanguage(), navigator.languages));

function keptLanguage(): string | null {
  try {
    return localStorage.getItem(STORAGE_KEY);
  } catch {
    // Storage is refused.
    return null;
  }
}

export function setLanguage(chosen: CrewLanguage): void {
  language.value = chosen;
  try {
    localStorage.setItem(STORAGE_KEY, chosen);
  } catch {
    // Storage is refused or full: the next opening asks the telephone's languages again.
  }
}

/** Whether names are shown in Arabic. */
export const readsArabic = (): boolean => language.value === 'ar' || language.value === 'ur';

/** The Riyadh date `YYYY-MM-DD` in words, with the digits of clocks and door plates. */
export function dateText(date: string): string {
  const locale = `${language.value === 'en' ? 'en-GB' : language.value}-u-ca-gregory-nu-latn`;
  const form = { weekday: 'long', day: 'numeric', month: 'long', timeZone: 'UTC' } as const;
  return new Intl.DateTimeFormat(locale, form).format(new Date(date));
}

/** The time in Riyadh. */
export function timeText(at: number): string {
  const form = { timeZone: 'Asia/Riyadh', hour: '2-digit', minute: '2-digit' } as const;
  return new Intl.DateTimeFormat('en-GB', form).format(at);
}

/** The text in the chosen language, with its gaps filled. */
export function t(key: TextKey, values: Record<string, string | number> = {}): string {
  return LANGUAGES[language.value].texts[key].replace(
    /\{(\w+)\}/g,
    (_gap, name: string) => `\u2068${values[name] ?? ''}\u2069`,
  );
}
