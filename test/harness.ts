import assert from 'node:assert/strict';
import { createHash, randomBytes } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { type Clock, manualClock } from '../src/clock.ts';
import { parseConfig } from '../src/config.ts';
import { connectPostgres, type Db } from '../src/platform/db.ts';
import { openInMemory } from '../src/platform/embedded.ts';
import { createLogger } from '../src/platform/logger.ts';
import { migrate } from '../src/platform/migrate.ts';
import { type Service, type ServiceParts, startService } from '../src/service.ts';

/**
 * Real services on real databases for the tests. With TEST_DATABASE_URL each test gets a PostgreSQL database
 * cloned from a migrated template; without it, a PGlite in memory that starts from a migrated dump.
 */
export const onPostgres = process.env.TEST_DATABASE_URL !== undefined;

/** Sunday 2026-11-22, 08:00 in Riyadh. */
export const TEST_NOW = Date.parse('2026-11-22T05:00:00Z');

export const OPERATOR_TOKEN = 'operator-token-of-the-tests';

const MIGRATIONS = fileURLToPath(new URL('../migrations', import.meta.url));

/** Changes whenever a migration does, so that an old template is never used. */
function fingerprint(): string {
  const digest = createHash('sha256');
  for (const file of readdirSync(MIGRATIONS).sort()) digest.update(readFileSync(join(MIGRATIONS, file)));
  return digest.digest('hex').slice(0, 16);
}

function throwError(error: Error): never {
  throw error;
}

const cleanups = new WeakMap<TestContext, (() => unknown)[]>();

/** Runs after the test, the last one first: services are stopped before their databases are dropped. */
export function afterwards(t: TestContext, work: () => unknown): void {
  const known = cleanups.get(t);
  if (known) {
    known.push(work);
    return;
  }
  const stack = [work];
  cleanups.set(t, stack);
  t.after(async () => {
    for (const next of stack.reverse()) await next();
  });
}

async function withAdmin<T>(work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: process.env.TEST_DATABASE_URL });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

function urlOf(database: string): string {
  const url = new URL(process.env.TEST_DATABASE_URL!);
  url.pathname = `/${database}`;
  return url.href;
}

/** The migrated template; made once, whichever test process comes first. */
async function ensureTemplate(client: pg.Client): Promise<string> {
  const name = `pbs_template_${fingerprint()}`;
  await client.query('select pg_advisory_lock(7305)');
  try {
    const found = await client.query('select 1 from pg_database where datname = $1', [name]);
    if (found.rowCount === 0) {
      await client.query(`drop database if exists ${name}_making`);
      await client.query(`create database ${name}_making`);
      const db = connectPostgres(urlOf(`${name}_making`), 2, throwError);
      await migrate(db);
      await db.close();
      await client.query(`alter database ${name}_making rename to ${name}`);
    }
    return name;
  } finally {
    await client.query('select pg_advisory_unlock(7305)');
  }
}

/** The URL of a fresh, migrated PostgreSQL database that goes with the test. */
export async function createPostgresDatabase(t: TestContext): Promise<string> {
  const name = `pbs_test_${randomBytes(8).toString('hex')}`;
  await withAdmin(async (client) => {
    const template = await ensureTemplate(client);
    await client.query(`create database ${name} template ${template}`);
  });
  afterwards(t, () => withAdmin((client) => client.query(`drop database if exists ${name} with (force)`)));
  return urlOf(name);
}

async function createEmbeddedDatabase(): Promise<Db> {
  const file = join(tmpdir(), `pbs-template-${fingerprint()}.tar`);
  if (!existsSync(file)) {
    const { db, dump } = await openInMemory();
    await migrate(db);
    const blob = await dump();
    await db.close();
    const unfinished = `${file}.${process.pid}`;
    writeFileSync(unfinished, Buffer.from(await blob.arrayBuffer()));
    renameSync(unfinished, file);
  }
  return (await openInMemory(new Blob([readFileSync(file)]))).db;
}

export type TestService = Service & {
  url: string;
  clock: Clock & { advance(milliseconds: number): void; set(now: number): void };
  /** Everything logged so far. */
  logged(): string;
  /** Calls `/v1` as the holder of the key. */
  v1(
    key: string | null,
    method: string,
    path: string,
    body?: unknown,
    headers?: Record<string, string>,
  ): Promise<Answer>;
  /** Calls `/operator` with the operator token. */
  operator(method: string, path: string, body?: unknown): Promise<Answer>;
};

// biome-ignore lint/suspicious/noExplicitAny: tests look into answers freely
export type Answer = { status: number; headers: Headers; body: any; text: string };

/** One HTTP call over a real socket. */
export async function call(
  base: string,
  method: string,
  path: string,
  body?: unknown,
  headers: Record<string, string> = {},
): Promise<Answer> {
  const response = await fetch(base + path, {
    method,
    headers: { ...(body !== undefined && { 'content-type': 'application/json' }), ...headers },
    ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  });
  const text = await response.text();
  const json = response.headers.get('content-type')?.startsWith('application/json');
  const answer = json ? JSON.parse(text) : null;
  // Whatever a test is about: no error leaves without the address of its explanation.
  if (answer?.success === false) assert.match(answer.error.details.docUrl, anchorOf(answer.error.code), text);
  return { status: response.status, headers: response.headers, body: answer, text };
}

function anchorOf(code: string): RegExp {
  return new RegExp(`^https?://[^#]+/docs/errors#${code.toLowerCase().replaceAll('_', '-')}$`);
}

/** The details of an error of a test service: what is given, and where the code is explained. */
export function documented(code: string, details: Record<string, unknown> = {}): Record<string, unknown> {
  const anchor = code.toLowerCase().replaceAll('_', '-');
  return { ...details, docUrl: `http://127.0.0.1:0/docs/errors#${anchor}` };
}

export type TestOptions = {
  /** Environment variables beside the tests' own. */
  env?: Record<string, string>;
  /** Start over this PostgreSQL database instead of a fresh one. */
  databaseUrl?: string;
  clock?: TestService['clock'];
  /** Start without a clock of the tests: it runs with real time and is moved through /operator/clock. */
  sandboxClock?: boolean;
  timeouts?: ServiceParts['timeouts'];
  outbound?: ServiceParts['outbound'];
};

/**
 * A running service on a fresh database, stopped after the test. Its clock stands at TEST_NOW until moved; with
 * `sandboxClock` it is `deps.clock`, and the one of the answer moves nothing.
 */
export async function startTestService(t: TestContext, options: TestOptions = {}): Promise<TestService> {
  const clock = options.clock ?? manualClock(TEST_NOW);
  const lines: string[] = [];
  const logger = createLogger(options.env?.LOG_LEVEL ?? 'info', { write: (line) => void lines.push(line) });
  const env: Record<string, string> = {
    PORT: '0',
    OPERATOR_TOKEN,
    DEPLOYMENT: 'sandbox',
    DATA_DIR: join(tmpdir(), 'pbs-tests-keep-nothing'),
    SEED: 'none',
    ...options.env,
  };
  let db: Db | undefined;
  if (onPostgres) env.DATABASE_URL = options.databaseUrl ?? (await createPostgresDatabase(t));
  else db = await createEmbeddedDatabase();

  const service = await startService(parseConfig(env), {
    ...(!options.sandboxClock && { clock }),
    logger,
    ...(db && { db }),
    ...(options.timeouts && { timeouts: options.timeouts }),
    ...(options.outbound && { outbound: options.outbound }),
  });
  afterwards(t, () => service.close());
  const url = service.url!;
  return {
    ...service,
    url,
    clock,
    logged: () => lines.join(''),
    v1: (key, method, path, body, headers) =>
      call(`${url}/v1`, method, path, body, { ...(key !== null && { 'x-api-key': key }), ...headers }),
    operator: (method, path, body) =>
      call(`${service.operatorUrl}/operator`, method, path, body, {
        authorization: `Bearer ${OPERATOR_TOKEN}`,
      }),
  };
}
