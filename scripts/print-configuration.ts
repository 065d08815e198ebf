import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { SECRETS } from '../src/program/config.ts';
import variables from '../src/program/variables.json' with { type: 'json' };

/**
 * Writes docs/configuration.md from src/program/variables.json; test/configuration-doc.test.ts compares
 * them.
 */
const FILE = fileURLToPath(new URL('../docs/configuration.md', import.meta.url));

/** The text of docs/configuration.md. */
export function configurationPage(): string {
  const rows = Object.entries(variables).map(
    ([name, { fallback, meaning }]) => `| \`${name}\` | ${fallback} | ${meaning} |`,
  );
  return `${[
    '# Configuration',
    'Printed from `src/program/variables.json` by `npm run generate`; do not edit it by hand.',
    'The service is configured by environment variables. If any are wrong or missing, it does not start, and one line names\nthem all. [.env.example](../.env.example) is a file to copy; [production](decisions/production.md) is stricter than a sandbox.',
    `A secret may be a file: \`NAME_FILE\` names it for each of ${SECRETS.map((name) => `\`${name}\``).join(', ')}. Where neither is\nset, the credential of systemd of that name is read (\`LoadCredential=NAME:/path\`). A line end after it does not matter.`,
    ['| Variable | Default | Meaning |', '| --- | --- | --- |', ...rows].join('\n'),
  ].join('\n\n')}\n`;
}

if (import.meta.main) {
  writeFileSync(FILE, configurationPage());
  console.log('docs/configuration.md is written');
}
