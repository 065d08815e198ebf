import { signal } from '@preact/signals';
import { TEXTS } from './texts.ts';

/** The console's two languages, and the texts in the one that is chosen. */

export const LANGUAGES = ['en', 'ar'] as const;
export type Language = (typeof LANGUAGES)[number];
export type TextKey = keyof typeof TEXTS;

const KEPT = 'console.language';

export const language = signal<Language>(firstLanguage());

function firstLanguage(): Language {
  const kept = localStorage.getItem(KEPT) ?? navigator.language;
  return kept.startsWith('ar') ? 'ar' : 'en';
}

export function setLanguage(chosen: Language): void {
  localStorage.setItem(KEPT, chosen);
  language.value = chosen;
}

/** What has a name in each language, in the chosen one; without an Arabic name the English one is shown. */
export const nameOf = ({ nameEn, nameAr }: { nameEn: string; nameAr: string | null }): string =>
  language.value === 'ar' ? (nameAr ?? nameEn) : nameEn;

export const direction = (): 'ltr' | 'rtl' => (language.value === 'ar' ? 'rtl' : 'ltr');

/** The names between braces in a text. */
type Gaps<Text> = Text extends `${string}{${infer Name}}${infer Rest}` ? Name | Gaps<Rest> : never;
type GapsOf<Key extends TextKey> = Gaps<(typeof TEXTS)[Key]['en']>;
/** Texts without gaps. */
export type PlainKey = { [Key in TextKey]: [GapsOf<Key>] extends [never] ? Key : never }[TextKey];
type Filled<Key extends TextKey> = [GapsOf<Key>] extends [never]
  ? []
  : [values: Record<GapsOf<Key>, string | number>];

/** First strong isolate … pop: what is filled in keeps its own direction. */
const isolated = (value: string | number): string => `\u2068${value}\u2069`;

/** The text in the chosen language, its gaps filled. */
export function t<Key extends TextKey>(key: Key, ...[values]: Filled<Key>): string {
  const given: Record<string, string | number> = values ?? {};
  return TEXTS[key][language.value].replace(/\{(\w+)\}/g, (_gap, name: string) =>
    isolated(given[name] ?? ''),
  );
}
