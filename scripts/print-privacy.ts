import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { PERSONAL_CERTIFICATIONS } from '../src/certification/table.ts';
import { personalOf } from '../src/db/columns.ts';
import { PERSONAL_TABLES } from '../src/privacy/personal.ts';
import ARABIC from './privacy-arabic.json' with { type: 'json' };

/**
 * Writes the tables of docs/privacy.md and docs/privacy.ar.md from the columns of the slices; test/personal-data.test.ts
 * compares them. The slices say what a column holds in English; the dictionary has the Arabic of each text.
 */

const DOCS = fileURLToPath(new URL('../docs/', import.meta.url));
export const PRIVACY_PAGES = { en: `${DOCS}privacy.md`, ar: `${DOCS}privacy.ar.md` } as const;
type Language = keyof typeof PRIVACY_PAGES;
const BEGIN = '<!-- Printed by `npm run generate` from the columns of the slices. -->';
const END = '<!-- Until here. -->';

/** All tables with something of customers: certifications stand above the slice that erases, and keep all. */
export const PERSONAL = [...PERSONAL_TABLES, PERSONAL_CERTIFICATIONS].filter(
  ({ columns }) => personalOf(columns).length > 0,
);

const isCode = (text: string): boolean => /^`[^`]+`$/.test(text);

/** The text in the language. Throws when the dictionary lacks it. */
function said(text: string, language: Language): string {
  if (language === 'en' || isCode(text)) return text;
  const arabic = (ARABIC as Record<string, string>)[text];
  if (arabic === undefined) throw new Error(`scripts/privacy-arabic.json has no Arabic of: ${text}`);
  return arabic;
}

/** The page with its tables printed anew. Throws when it has no place for them, or a text has no Arabic. */
export function privacyPage(page: string, language: Language): string {
  const [begin, end] = [page.indexOf(BEGIN), page.indexOf(END)];
  if (begin < 0 || end < begin) throw new Error(`${PRIVACY_PAGES[language]} has no place for its tables`);
  const say = (text: string): string => said(text, language);
  const head = (...names: string[]): string[] => [
    `| ${names.map(say).join(' | ')} |`,
    `| ${names.map(() => '---').join(' | ')} |`,
  ];
  const rows = PERSONAL.map(({ table, columns, what, until }) => {
    const names = personalOf(columns).map(([name]) => `\`${name}\``);
    return `| \`${table}\` | ${names.join(language === 'ar' ? '، ' : ', ')} | ${say(what)} | ${say(until)} |`;
  });
  const kept = PERSONAL.flatMap(({ table, columns }) =>
    personalOf(columns).flatMap(([name, how]) =>
      'kept' in how ? [`| \`${table}.${name}\` | ${say(how.kept)} |`] : [],
    ),
  );
  return (
    page.slice(0, begin) +
    [
      BEGIN,
      [...head('Table', 'Columns', 'What', 'Kept'), ...rows].join('\n'),
      say('Erasing leaves of these, and empties all others:'),
      [...head('Column', 'Why it stays'), ...kept].join('\n'),
      '',
    ].join('\n\n') +
    page.slice(end)
  );
}

if (import.meta.main) {
  for (const language of ['en', 'ar'] as const) {
    const file = PRIVACY_PAGES[language];
    writeFileSync(file, privacyPage(readFileSync(file, 'utf8'), language));
  }
  console.log('the tables of docs/privacy.md and docs/privacy.ar.md are written');
}
