import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { withSchemaDatabase } from './schema-database.ts';

/**
 * Writes docs/schema.sql: the dump of an empty database after migrations and functions, for readers and reviews.
 * `--check` compares instead, and exits 1 when it differs.
 */
const FILE = fileURLToPath(new URL('../docs/schema.sql', import.meta.url));
const HEADER = '-- The schema after all migrations and functions. Written by: npm run generate\n\n';
const SHOWN_LINES = 20;

function schemaOf(url: string): string {
  const options = ['--schema-only', '--no-owner', '--no-privileges', '--no-comments'];
  const dump = spawnSync('pg_dump', [...options, `--dbname=${url}`], {
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
  });
  if (dump.error) throw new Error(`pg_dump cannot be started: ${dump.error.message}`);
  if (dump.status !== 0) throw new Error(`pg_dump: ${dump.stderr.trim()}`);
  return normalise(dump.stdout);
}

/**
 * Removes everything that depends on the version of pg_dump or of the server: comments, settings and psql commands.
 * Bodies of functions stay.
 */
function normalise(dump: string): string {
  // Every second piece is a dollar-quoted body.
  const pieces = dump.split(/(\$(\w*)\$[\s\S]*?\$\2\$)/);
  let text = '';
  for (let at = 0; at < pieces.length; at += 3) {
    text += (pieces[at] ?? '')
      .replace(/^--.*\n/gm, '')
      .replace(/^SET .*;\n/gm, '')
      .replace(/^SELECT pg_catalog\.set_config\(.*\n/gm, '')
      .replace(/^\\.*\n/gm, '')
      .replace(/\n{3,}/g, '\n\n');
    text += pieces[at + 1] ?? '';
  }
  return `${HEADER}${text.trim()}\n`;
}

/** The first different lines, as a hint. */
function difference(written: string, made: string): string {
  const old = written.split('\n');
  const now = made.split('\n');
  let first = 0;
  while (old[first] === now[first]) first++;
  const inOld = new Set(old);
  const inNow = new Set(now);
  const gone = old.slice(first).filter((line) => !inNow.has(line));
  const came = now.slice(first).filter((line) => !inOld.has(line));
  const lines = [...gone.map((line) => `- ${line}`), ...came.map((line) => `+ ${line}`)];
  const more = lines.length > SHOWN_LINES ? [`... and ${lines.length - SHOWN_LINES} lines more`] : [];
  return [`from line ${first + 1}:`, ...lines.slice(0, SHOWN_LINES), ...more].join('\n');
}

try {
  const made = await withSchemaDatabase(async (url) => schemaOf(url));
  if (!process.argv.includes('--check')) {
    writeFileSync(FILE, made);
    console.log('docs/schema.sql is written');
  } else {
    const written = existsSync(FILE) ? readFileSync(FILE, 'utf8') : '';
    if (written === made) {
      console.log('docs/schema.sql is what migrations and functions make');
    } else {
      console.error('docs/schema.sql is not what migrations and functions make. Update it: npm run generate');
      console.error(difference(written, made));
      process.exitCode = 1;
    }
  }
} catch (error) {
  console.error(`schema.sql cannot be made: ${(error as Error).message}`);
  process.exitCode = 1;
}
