import assert from 'node:assert/strict';
import { globSync } from 'node:fs';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import type { ClientBase } from 'pg';
import { type HotStatement, hotStatement, pg } from '../src/db/statement.ts';
import { startTestService } from './harness.ts';

/**
 * Hot statements are plain SQL, and nothing but this compares the types that the code claims with those of the
 * database: every one is prepared, and PostgreSQL says what it takes and returns.
 */
type AnyStatement = HotStatement<
  Record<string, { readonly type: string }>,
  Record<string, { readonly type: string }>
>;
type Described = { takes: number[]; returns: { name: string; dataTypeID: number }[] };

const ROOT = fileURLToPath(new URL('..', import.meta.url));

async function hotStatements(): Promise<AnyStatement[]> {
  const found: AnyStatement[] = [];
  for (const path of globSync('src/**/*queries.ts', { cwd: ROOT })) {
    const module: Record<string, unknown> = await import(`../${path}`);
    found.push(...Object.values(module).flat().filter(isHot));
  }
  return found;
}

const isHot = (value: unknown): value is AnyStatement =>
  typeof value === 'object' && value !== null && 'takes' in value && 'returns' in value && 'text' in value;

/** Prepares the statement and reads its description; it is never run. */
async function describe(client: ClientBase, statement: AnyStatement): Promise<Described> {
  const settings = client as unknown as { pipeline: boolean };
  // A pipeline takes pg's own queries only.
  settings.pipeline = false;
  try {
    return await describeAlone(client, statement);
  } finally {
    settings.pipeline = true;
  }
}

function describeAlone(client: ClientBase, statement: AnyStatement): Promise<Described> {
  // biome-ignore lint/suspicious/noExplicitAny: the protocol below pg's own interface
  const connection = (client as any).connection;
  const described: Described = { takes: [], returns: [] };
  return new Promise((resolve, reject) => {
    const submittable = {
      submit() {
        connection.parse({ text: statement.text, name: '', types: [] }, true);
        connection.describe({ type: 'S', name: '' }, true);
        connection.sync();
        connection.once('parameterDescription', (message: { dataTypeIDs: number[] }) => {
          described.takes = message.dataTypeIDs;
        });
      },
      handleRowDescription: (message: { fields: Described['returns'] }) => {
        described.returns = message.fields;
      },
      handleError: (error: Error) => reject(new Error(`${statement.name}: ${error.message}`)),
      handleReadyForQuery: () => resolve(described),
      handlePortalSuspended() {},
      handleEmptyQuery() {},
      handleCommandComplete() {},
      handleDataRow() {},
    };
    client.query(submittable as never);
  });
}

/** The names of PostgreSQL's types by their numbers. */
async function typeNames(client: ClientBase): Promise<Map<number, string>> {
  const { rows } = await client.query<{ oid: number; typname: string }>(
    'select oid::int as oid, typname from pg_type',
  );
  return new Map(rows.map((row) => [Number(row.oid), row.typname]));
}

/** The differences between the statement's declaration and the database's description. */
async function faultsOf(
  client: ClientBase,
  nameOf: Map<number, string>,
  statement: AnyStatement,
): Promise<string[]> {
  const described = await describe(client, statement);
  const claimed = Object.entries(statement.takes).map(([name, { type }]) => `${name} ${type}`);
  const taken = described.takes.map(
    (oid, index) => `${Object.keys(statement.takes)[index]} ${nameOf.get(oid)}`,
  );
  const promised = Object.entries(statement.returns)
    .map(([name, { type }]) => `${name} ${type}`)
    .sort();
  const returned = described.returns.map((field) => `${field.name} ${nameOf.get(field.dataTypeID)}`).sort();
  return [
    ...differences(`${statement.name} takes`, claimed, taken),
    ...differences(`${statement.name} returns`, promised, returned),
  ];
}

function differences(what: string, claimed: readonly string[], real: readonly string[]): string[] {
  return [
    ...claimed.filter((one) => !real.includes(one)).map((one) => `${what} not ${one}`),
    ...real.filter((one) => !claimed.includes(one)).map((one) => `${what} ${one}`),
  ];
}

test('parameters and columns of every hot statement match its types', async (t) => {
  const { deps } = await startTestService(t);
  const statements = await hotStatements();
  assert.ok(statements.length > 0);
  assert.equal(new Set(statements.map(({ name }) => name)).size, statements.length, 'names are unique');
  const faults = await deps.db.withClient(async (client) => {
    const all: string[] = [];
    const names = await typeNames(client);
    for (const statement of statements) all.push(...(await faultsOf(client, names, statement)));
    return all;
  });
  assert.deepEqual(faults, []);
});

test('a wrong type, a missing column and a surplus one are found', async (t) => {
  const { deps } = await startTestService(t);
  const wrong = hotStatement({
    name: 'wrong',
    takes: { id: pg.uuid, limit: pg.text },
    returns: { id: pg.uuid, name: pg.int, gone: pg.text },
    text: 'select id, name, created_at from partners where id = :id limit (:limit)::bigint',
  });
  const faults = await deps.db.withClient(async (client) =>
    faultsOf(client, await typeNames(client), wrong as AnyStatement),
  );
  assert.deepEqual(faults, [
    'wrong takes not limit text',
    'wrong takes limit int8',
    'wrong returns not gone text',
    'wrong returns not name int4',
    'wrong returns created_at timestamptz',
    'wrong returns name text',
  ]);
});

test('parameters are named, each declared and used', () => {
  const { text: numbered } = hotStatement({
    name: 'named',
    takes: { from: pg.text, to: pg.text },
    returns: {},
    text: `select :to::text, :from, ':'`,
  });
  assert.equal(numbered, `select $2::text, $1, ':'`);
  const define = (sql: string) => () =>
    hotStatement({ name: 'bad', takes: { id: pg.uuid }, returns: {}, text: sql });
  assert.throws(define('select :id, :other'), /parameter other is not declared/);
  assert.throws(define('select 1'), /parameter id is not used/);
});
