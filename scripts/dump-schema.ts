import { spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { connectPostgres } from '../src/db/connection.ts';
import { migrate } from '../src/db/migrate.ts';

/**
 * Writes schema.sql: what the migrations make of an empty database, for people to read and for reviews to
 * show. `--check` compares instead, and exits 1 when docs/schema.sql is not what the migrations make.
 */
const FILE = fileURLToPath(new URL('../docs/schema.sql', import.meta.url));
const SERVER =
  process.env.SCHEMA_DATABASE_URL ??
  process.env.TEST_DATABASE_URL ??
  'postgres://root@127.0.0.1:5432/postgres';
const HEADER = '-- What the migrations make of an empty database. Written by: npm run generate\n\n';
const SHOWN_LINES = 20;

/** Work on a database of its own, made for it and dropped after it. */
async function withOwnDatabase<T>(work: (url: string) => Promise<T>): Promise<T> {
  const name = `pbs_schema_${randomBytes(6).toString('hex')}`;
  const admin = new pg.Client({ connectionString: SERVER });
  await admin.connect();
  try {
    await admin.query(`create database ${name} template template0 encoding 'UTF8'`);
    try {
      const url = new URL(SERVER);
      url.pathname = `/${name}`;
      return await work(url.href);
    } finally {
      await admin.query(`drop database if exists ${name} with (force)`);
    }
  } finally {
    await admin.end();
  }
}

async function migratedSchema(url: string): Promise<string> {
  const db = connectPostgres(url, 2, (error) => {
    throw error;
  });
  try {
    await migrate(db);
  } finally {
    await db.close();
  }
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
 * Takes out what depends on the version of pg_dump or of the server: its comments, settings and psql
 * commands. Bodies of functions stay as they are.
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

/** The first lines on which the two part, as a hint. */
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
  const made = await withOwnDatabase(migratedSchema);
  if (!process.argv.includes('--check')) {
    writeFileSync(FILE, made);
    console.log('docs/schema.sql is written');
  } else {
    const written = existsSync(FILE) ? readFileSync(FILE, 'utf8') : '';
    if (written === made) {
      console.log('docs/schema.sql is what the migrations make');
    } else {
      console.error('docs/schema.sql is not what the migrations make. Write it anew: npm run generate');
      console.error(difference(written, made));
      process.exitCode = 1;
    }
  }
} catch (error) {
  console.error(`schema.sql cannot be made: ${(error as Error).message}`);
  process.exitCode = 1;
}
