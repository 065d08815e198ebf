import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { PERSONAL_CERTIFICATIONS } from '../src/certification/table.ts';
import { personalOf } from '../src/db/columns.ts';
import { PERSONAL_TABLES } from '../src/privacy/personal.ts';

/** Writes the tables of docs/privacy.md from the columns of the slices; test/personal-data.test.ts compares them. */

const FILE = fileURLToPath(new URL('../docs/privacy.md', import.meta.url));
const BEGIN = '<!-- Printed by `npm run generate` from the columns of the slices. -->';
const END = '<!-- Until here. -->';

/** All tables with something of customers: certifications stand above the slice that erases, and keep all. */
export const PERSONAL = [...PERSONAL_TABLES, PERSONAL_CERTIFICATIONS].filter(
  ({ columns }) => personalOf(columns).length > 0,
);

/** docs/privacy.md with its tables printed anew. Throws when it has no place for them. */
export function privacyPage(page: string): string {
  const [begin, end] = [page.indexOf(BEGIN), page.indexOf(END)];
  if (begin < 0 || end < begin) throw new Error('docs/privacy.md has no place for its tables');
  const rows = PERSONAL.map(({ table, columns, what, until }) => {
    const names = personalOf(columns).map(([name]) => `\`${name}\``);
    return `| \`${table}\` | ${names.join(', ')} | ${what} | ${until} |`;
  });
  const kept = PERSONAL.flatMap(({ table, columns }) =>
    personalOf(columns).flatMap(([name, how]) =>
      'kept' in how ? [`| \`${table}.${name}\` | ${how.kept} |`] : [],
    ),
  );
  return (
    page.slice(0, begin) +
    [
      BEGIN,
      ['| Table | Columns | What | Kept |', '| --- | --- | --- | --- |', ...rows].join('\n'),
      'Erasing leaves of these, and empties all others:',
      ['| Column | Why it stays |', '| --- | --- |', ...kept].join('\n'),
      '',
    ].join('\n\n') +
    page.slice(end)
  );
}

if (import.meta.main) {
  writeFileSync(FILE, privacyPage(readFileSync(FILE, 'utf8')));
  console.log('the tables of docs/privacy.md are written');
}
