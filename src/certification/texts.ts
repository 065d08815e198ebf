import type { Language } from '../http/bilingual-pages.ts';
import type { PointId } from './rules.ts';
import texts from './texts.json' with { type: 'json' };

/** Texts of certifications and of their page, in both languages. */

export const { page: PAGE_TEXTS } = texts;
export const POINTS: Record<
  Language,
  Record<PointId, { title: string; does: string; waitsFor: string }>
> = texts.points;

export type Found = keyof typeof texts.found;

/** In the place of a status when there was no response. */
export const NO_RESPONSE = 'not at all';

/** Replaces the placeholders of a sentence. */
export function fillPlaceholders(sentence: string, gaps: Readonly<Record<string, string | number>>): string {
  return sentence.replaceAll(/\{(\w+)\}/g, (gap, name: string) => String(gaps[name] ?? gap));
}

const PATTERNS = Object.entries(texts.found).map(([english, arabic]) => {
  const pattern = english.replaceAll(/[.*+?^$()[\]\\|]/g, '\\$&').replaceAll(/\{(\w+)\}/g, '(?<$1>.+)');
  return { pattern: new RegExp(`^${pattern}$`), arabic };
});

/** The sentence in Arabic; an unknown one unchanged. */
export function foundInArabic(found: string): string {
  for (const { pattern, arabic } of PATTERNS) {
    const match = pattern.exec(found);
    if (match === null) continue;
    const gaps = Object.entries(match.groups ?? {}).map(([name, value]) => [
      name,
      value === NO_RESPONSE ? 'بلا استجابة' : value,
    ]);
    return fillPlaceholders(arabic, Object.fromEntries(gaps));
  }
  return found;
}
