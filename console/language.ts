import { signal } from '@preact/signals';
import { TEXTS } from './texts.ts';

/** The console's two languages, and the texts in the chosen one. */

export const LANGUAGES = ['en', 'ar'] as const;
export type Language = (typeof LANGUAGES)[number];

const STORAGE_KEY = 'console.language';

export const language = signal<Language>(firstLanguage());

function firstLanguage(): Language {
  const kept = localStorage.getItem(STORAGE_KEY) ?? navigator.language;
  return kept.startsWith('ar') ? 'ar' : 'en';
}

export function setLanguage(chosen: Language): void {
  localStorage.setItem(STORAGE_KEY, chosen);
  language.value = chosen;
}

/** Names in both languages; the English one of teams and zones is `name`. */
export type Named = { nameAr: string | null } & ({ nameEn: string } | { name: string });

/** The name in the chosen language; the English one if there is no Arabic one. */
export function nameOf(of: Named): string {
  const english = 'nameEn' in of ? of.nameEn : of.name;
  return language.value === 'ar' ? (of.nameAr ?? english) : english;
}

/** The customer's name, or that her data was erased: then she has no phone. */
export const customerName = ({ name, phone }: { name: string; phone: string | null }): string =>
  phone === null ? t('erase.erased') : name;

/** The name of the one with the id; empty: there is none. */
export function nameById(all: readonly (Named & { id: string })[], id: string | null | undefined): string {
  const found = all.find((one) => one.id === id);
  return found === undefined ? '' : nameOf(found);
}

/** Parts after each other, with the comma of the chosen language. */
export const listed = (...parts: string[]): string => parts.join(language.value === 'ar' ? '، ' : ', ');

export const direction = (): 'ltr' | 'rtl' => (language.value === 'ar' ? 'rtl' : 'ltr');

/** A text in both languages. */
export type Text = { en: string; ar: string };
type Texts = Record<string, Text>;

/** The names of placeholders in a text. */
type PlaceholderNames<Of> = Of extends `${string}{${infer Name}}${infer Rest}`
  ? Name | PlaceholderNames<Rest>
  : never;
type PlaceholdersOf<All extends Texts, Key extends keyof All> = PlaceholderNames<All[Key]['en']>;
/** Keys of texts without placeholders. */
export type PlainKeyOf<All extends Texts> = {
  [Key in keyof All & string]: [PlaceholdersOf<All, Key>] extends [never] ? Key : never;
}[keyof All & string];
export type PlainKey = PlainKeyOf<typeof TEXTS>;
type Filled<All extends Texts, Key extends keyof All> = [PlaceholdersOf<All, Key>] extends [never]
  ? []
  : [values: Record<PlaceholdersOf<All, Key>, string | number>];

/** First strong isolate … pop: the inserted value keeps its direction. */
const isolated = (value: string | number): string => `\u2068${value}\u2069`;

/** Returns a function that returns a text in the chosen language with its placeholders filled. */
export function translator<const All extends Texts>(texts: All) {
  return function translate<Key extends keyof All & string>(key: Key, ...[values]: Filled<All, Key>): string {
    const given: Record<string, string | number> = values ?? {};
    return texts[key]![language.value].replace(/\{(\w+)\}/g, (_gap, name: string) =>
      isolated(given[name] ?? ''),
    );
  };
}

/** The text in the chosen language with its placeholders filled. */
export const t = translator(TEXTS);
