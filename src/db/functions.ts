import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { ClientBase } from 'pg';

/**
 * Functions and triggers of the slices, each in the slice's functions.sql: repeatable migrations. A file is applied
 * whole when its hash differs from the one in the database (docs/decisions/schema-baseline.md).
 */

type FunctionFile = {
  /** The slice. */
  name: string;
  text: string;
  hash: string;
};

/** A row of schema_functions. */
export type AppliedFile = {
  name: string;
  hash: string;
  /** The build that applied it. */
  release: string;
};

export const CREATE_FUNCTIONS_TABLE = `
  create table if not exists schema_functions (
    name text primary key,
    hash text not null,
    -- The objects that the file has created.
    headers text[] not null,
    release text not null
  )`;

/** The files in `folder`/<slice>/, that of `db` first: other slices' triggers call its functions. */
export function readFunctionFiles(folder: string): FunctionFile[] {
  return readdirSync(folder)
    .filter((name) => existsSync(join(folder, name, 'functions.sql')))
    .sort((one, other) => Number(other === 'db') - Number(one === 'db') || (one < other ? -1 : 1))
    .map((name) => {
      const text = readFileSync(join(folder, name, 'functions.sql'), 'utf8');
      return { name, text, hash: createHash('sha256').update(text).digest('hex') };
    });
}

const STATEMENT = /^(?=create (?:or replace )?(?:function|(?:constraint )?trigger)\b)/m;

/** In their order, each with its header. */
export function statementsOf(text: string): { text: string; header: string }[] {
  return text
    .split(STATEMENT)
    .filter((part) => STATEMENT.test(part))
    .map((part) => ({ text: part, header: headerOf(part) }));
}

/**
 * The signature of a statement in one line: a trigger whole, a function up to its language. `create or replace` cannot
 * change it: with another header, the old object is dropped.
 */
function headerOf(statement: string): string {
  const plain = statement.replaceAll(/--.*$/gm, '').replace(/^create (?:or replace )?(?:constraint )?/, '');
  const end = plain.startsWith('function') ? /\blanguage\b/ : /;/;
  return plain.slice(0, plain.search(end)).replaceAll(/\s+/g, ' ').trim();
}

/** Names of slices whose functions are missing in the database, differ, or have no file any more. */
export function changedFiles(files: readonly FunctionFile[], applied: readonly AppliedFile[]): string[] {
  const hashes = new Map(applied.map(({ name, hash }) => [name, hash]));
  const changed = files.filter(({ name, hash }) => hashes.get(name) !== hash).map(({ name }) => name);
  const kept = new Set(files.map(({ name }) => name));
  return [...changed, ...applied.map(({ name }) => name).filter((name) => !kept.has(name))];
}

/**
 * Applies the changed files in the transaction of the caller and returns their slices. Triggers without a statement are
 * dropped first, and functions get another name: a request that has looked one up still calls it. After the commit
 * `dropRetired` drops them. An unchanged trigger is skipped, because replacing it locks its table.
 */
export async function applyFunctions(
  client: ClientBase,
  files: readonly FunctionFile[],
  release: string,
): Promise<string[]> {
  const applied = await client.query<AppliedFile & { headers: string[] }>('select * from schema_functions');
  const before = new Set(applied.rows.flatMap(({ headers }) => headers));
  const now = new Set(files.flatMap(({ text }) => headersOf(text)));
  await client.query(await dropsOfRetired(client));
  const gone = [...before].filter((header) => !now.has(header));
  for (const header of gone.filter(isTrigger))
    await client.query(`drop trigger if exists ${placeOf(header)}`);
  for (const header of gone.filter((header) => !isTrigger(header))) {
    const name = /^function (\w+)/.exec(header)![1]!;
    const rename = `alter function ${name} rename to ${RETIRED}${name}`;
    await client.query(`do $$ begin ${rename}; exception when undefined_function then null; end $$`);
  }

  const { rows } = await client.query<{ place: string }>(
    `select tgname || ' on ' || tgrelid::regclass as place from pg_trigger where not tgisinternal`,
  );
  const existing = new Set(rows.map(({ place }) => place));
  const stays = (header: string): boolean =>
    isTrigger(header) && before.has(header) && existing.has(placeOf(header));
  const changed = changedFiles(files, applied.rows);
  for (const { name, text, hash } of files.filter((file) => changed.includes(file.name))) {
    const toRun = statementsOf(text).filter(({ header }) => !stays(header));
    try {
      await client.query(toRun.map((statement) => statement.text).join(''));
    } catch (error) {
      (error as Error).message = `src/${name}/functions.sql: ${(error as Error).message}`;
      throw error;
    }
    await client.query(
      `insert into schema_functions (name, hash, headers, release) values ($1, $2, $3, $4)
      on conflict (name) do update set hash = excluded.hash, headers = excluded.headers, release = excluded.release`,
      [name, hash, headersOf(text), release],
    );
  }
  await client.query('delete from schema_functions where name <> all ($1)', [files.map(({ name }) => name)]);
  return changed;
}

const RETIRED = 'retired_';
/** Longer than a statement or an idle transaction of the service lasts; between two looks (milliseconds). */
const RUNNING_WITHIN = 15_000;
const LOOK_AGAIN = 50;

/** Drops the functions that were replaced under another header, once no transaction of before their commit runs. */
export async function dropRetired(client: ClientBase): Promise<void> {
  const drops = await dropsOfRetired(client);
  if (drops === '') return;
  let { rows } = await client.query(RUNNING, [null]);
  for (const end = performance.now() + RUNNING_WITHIN; rows.length > 0 && performance.now() < end; ) {
    await sleep(LOOK_AGAIN);
    ({ rows } = await client.query(RUNNING, [rows.map(({ id }) => id)]));
  }
  await client.query(drops);
}

/** Transactions of this database, of those ids. */
const RUNNING = `
  select virtualtransaction as id from pg_locks join pg_stat_activity using (pid)
  where locktype = 'virtualxid' and granted and pid <> pg_backend_pid() and datname = current_database()
    and ($1::text[] is null or virtualtransaction = any ($1))`;

/** Statements that drop them; empty: there are none. */
async function dropsOfRetired(client: ClientBase): Promise<string> {
  const { rows } = await client.query<{ name: string }>(
    `select oid::regprocedure::text as name from pg_proc
    where starts_with(proname, '${RETIRED}') and pronamespace = current_schema()::regnamespace`,
  );
  return rows.map(({ name }) => `drop function ${name};`).join('');
}

const headersOf = (text: string): string[] => statementsOf(text).map(({ header }) => header);

const isTrigger = (header: string): boolean => header.startsWith('trigger ');

/** `teams_version on teams`. The name of a function is enough: none is overloaded (test/functions.test.ts). */
const placeOf = (header: string): string => header.replace(/^trigger (\w+) .*? on (\w+) .*$/, '$1 on $2');
