import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { GUIDES, readGuide } from './guides.ts';
import { renderGuide, sectionsOf } from './render.ts';

/** A section of a guide in the index of the search: `id` is its address. */
export type SearchEntry = { id: string; guide: string; title: string; text: string; language: string };

/** Every section of every guide, for the search in the reader's browser. */
export async function searchEntries(publicUrl: string): Promise<SearchEntry[]> {
  const guides = await Promise.all(
    GUIDES.map(async (guide) => ({
      guide,
      sections: sectionsOf(await renderGuide(await readGuide(guide, publicUrl), guide.source)),
    })),
  );
  return guides.flatMap(({ guide: { name, title, language }, sections }) =>
    sections.map((section) => ({
      id: `/docs/${name}${section.depth === 1 ? '' : `#${section.id}`}`,
      guide: title,
      title: section.title,
      text: section.text,
      language,
    })),
  );
}

/** The search library, a module for browsers. */
export async function readMiniSearch(): Promise<string> {
  const source = await readFile(fileURLToPath(import.meta.resolve('minisearch')), 'utf8');
  return source.replace(/\n\/\/# sourceMappingURL=.*/, '');
}
