import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { VARIABLES } from '../src/program/config.ts';

/**
 * Writes docs/configuration.md from the variables of src/program/config.ts; test/configuration-doc.test.ts compares
 * them.
 */
const FILE = fileURLToPath(new URL('../docs/configuration.md', import.meta.url));

/** The text of docs/configuration.md. */
export function configurationPage(): string {
  const rows = Object.entries(VARIABLES).map(
    ([name, [fallback, meaning]]) => `| \`${name}\` | ${fallback} | ${meaning} |`,
  );
  return `${[
    '# Configuration',
    'Printed from `src/program/config.ts` by `npm run generate`; do not edit it by hand.',
    'The service is configured by environment variables. If any are wrong or missing, it does not start, and one line names\nthem all. [.env.example](../.env.example) is a file to copy; [production](decisions/production.md) is stricter than a sandbox.',
    ['| Variable | Default | Meaning |', '| --- | --- | --- |', ...rows].join('\n'),
  ].join('\n\n')}\n`;
}

if (import.meta.main) {
  writeFileSync(FILE, configurationPage());
  console.log('docs/configuration.md is written');
}
