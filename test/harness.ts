import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import pg from 'pg';
import { type Clock, manualClock, sandboxClock } from '../src/base/clock.ts';
import { connectPostgres, type Db } from '../src/db/connection.ts';
import { openInMemory } from '../src/db/embedded.ts';
import { templateKey } from '../src/db/template.ts';
import { parseConfig } from '../src/program/config.ts';
import { type Service, type ServiceParts, startService } from '../src/program/service.ts';
import { createLogger } from '../src/runtime/logger.ts';
import { afterwards } from './afterwards.ts';
import { SERVER_TAG } from './homes.ts';
import { exchangeFaults } from './openapi-check.ts';
import { closePrism, fetchThroughPrism, usesPrism } from './prism.ts';
import { takeDatabase } from './spare-databases.ts';
import { ensureEmbeddedTemplate, migrateTemplate, TEST_NOW } from './templates.ts';

/**
 * Real services on real databases for the tests. With TEST_DATABASE_URL each test gets a PostgreSQL database cloned
 * from a migrated template; without it, a PGlite in memory that starts from a migrated dump.
 */
export const onPostgres = process.env.TEST_DATABASE_URL !== undefined;

/** Options of a test that needs a server, of a file that runs on the embedded database (homes.ts): why not there. */
export const onServer = (why: string) => ({ skip: !onPostgres && why, tags: [SERVER_TAG] });

/** Options of a test that runs on a server too, as one whose requests are at once; its file runs on the embedded database. */
export const alsoOnServer = { tags: [SERVER_TAG] };

export { TEST_NOW };

export const OPERATOR_TOKEN = 'operator-token-of-the-tests';
export const SECRETS_KEY = '5ec2e7'.padEnd(64, '0');

function throwError(error: Error): never {
  throw error;
}

export { afterwards };

async function withAdmin<T>(work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: process.env.TEST_DATABASE_URL });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

/** With TEST_POOLER_URL services reach their databases through a PgBouncer there; the tests' own statements do not. */
function urlOf(database: string, server = process.env.TEST_DATABASE_URL!): string {
  const url = new URL(server);
  url.pathname = `/${database}`;
  return url.href;
}

/** The migrated template; the first test process creates it. */
async function ensureTemplate(client: pg.Client): Promise<string> {
  const name = `pbs_template_${templateKey()}`;
  await client.query('select pg_advisory_lock(7305)');
  try {
    const found = await client.query('select 1 from pg_database where datname = $1', [name]);
    if (found.rowCount === 0) {
      await client.query(`drop database if exists ${name}_making`);
      await client.query(`create database ${name}_making`);
      const db = connectPostgres(urlOf(`${name}_making`), 2, throwError);
      await migrateTemplate(db);
      await db.close();
      await client.query(`alter database ${name}_making rename to ${name}`);
    }
    return name;
  } finally {
    await client.query('select pg_advisory_unlock(7305)');
  }
}

/** The URL of a new, migrated PostgreSQL database, dropped after the test. */
export async function createPostgresDatabase(t: TestContext): Promise<string> {
  const name = `pbs_test_${randomBytes(8).toString('hex')}`;
  await withAdmin(async (client) => {
    const template = await ensureTemplate(client);
    await client.query(`create database ${name} template ${template} strategy file_copy`);
  });
  afterwards(t, () => withAdmin((client) => client.query(`drop database if exists ${name} with (force)`)));
  return urlOf(name, process.env.TEST_POOLER_URL);
}

/** The URL of a database without tables, with these settings; dropped after the test. */
export async function createEmptyDatabase(t: TestContext, settings: string): Promise<string> {
  const name = `pbs_test_${randomBytes(8).toString('hex')}`;
  await withAdmin((client) => client.query(`create database ${name} template template0 ${settings}`));
  afterwards(t, () => withAdmin((client) => client.query(`drop database if exists ${name} with (force)`)));
  return urlOf(name, process.env.TEST_POOLER_URL);
}

async function createEmbeddedDatabase(): Promise<Db> {
  const template = readFileSync(await ensureEmbeddedTemplate());
  return (await openInMemory(new Blob([template]))).db;
}

/** An empty, migrated database without a service on it, closed after the test. */
export async function openTestDatabase(t: TestContext): Promise<Db> {
  const db = onPostgres
    ? connectPostgres(await createPostgresDatabase(t), 4, throwError)
    : await takeDatabase(createEmbeddedDatabase);
  afterwards(t, () => db.close());
  return db;
}

export type TestService = Service & {
  url: string;
  clock: Clock & { advance(milliseconds: number): void; set(now: number): void };
  /** The log so far. */
  logged(): string;
  /** Calls `/v1` with the key. */
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

/** One HTTP call over a real socket; request and response must conform to the OpenAPI documents. */
export async function call(
  base: string,
  method: string,
  path: string,
  body?: unknown,
  headers: Record<string, string> = {},
): Promise<Answer> {
  const init = {
    method,
    headers: { ...(body !== undefined && { 'content-type': 'application/json' }), ...headers },
    ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  };
  const response =
    (usesPrism ? await fetchThroughPrism(base + path, init) : null) ?? (await fetch(base + path, init));
  const text = await textOf(response);
  const { status, headers: answered } = response;
  const faults = exchangeFaults({
    method,
    url: base + path,
    requestHeaders: headers,
    requestBody: body,
    status,
    headers: answered,
    text,
  });
  if (faults.length > 0) {
    assert.fail(`${method} ${path} answered ${status} against its document: ${faults.join('; ')}\n${text}`);
  }
  const json = response.headers.get('content-type')?.startsWith('application/json');
  const answer = json && text !== '' ? JSON.parse(text) : null;
  // Every error must have the address of its documentation.
  if (answer?.success === false) assert.match(answer.error.details.docUrl, anchorOf(answer.error.code), text);
  return { status: response.status, headers: response.headers, body: answer, text };
}

/** The whole body; of an endless stream the first chunk. */
async function textOf(response: Response): Promise<string> {
  if (!response.headers.get('content-type')?.startsWith('text/event-stream')) return response.text();
  const reader = response.body!.getReader();
  const { value } = await reader.read();
  await reader.cancel();
  return new TextDecoder().decode(value);
}

function anchorOf(code: string): RegExp {
  return new RegExp(`^https?://[^#]+/docs/errors#${code.toLowerCase().replaceAll('_', '-')}$`);
}

/** The details of an error of a test service: the given ones, and the address of the code's documentation. */
export function documented(code: string, details: Record<string, unknown> = {}): Record<string, unknown> {
  const anchor = code.toLowerCase().replaceAll('_', '-');
  return { ...details, docUrl: `http://127.0.0.1:0/docs/errors#${anchor}` };
}

export type TestOptions = {
  /** Environment variables in addition to the tests' own. */
  env?: Record<string, string>;
  /** Use this PostgreSQL database instead of a new one. */
  databaseUrl?: string;
  clock?: TestService['clock'];
  /** Start without a manual clock: it runs with real time and is moved through /operator/clock. */
  sandboxClock?: boolean;
  /** Start with a sandbox's clock that runs from TEST_NOW on, so that fixed dates stay ahead; it ignores the database's. */
  sandboxFromTestNow?: boolean;
  timeouts?: ServiceParts['timeouts'];
  outbound?: ServiceParts['outbound'];
  tracing?: ServiceParts['tracing'];
  maxAuthFailures?: number;
};

/** The clock, whose moves are seen by the workers at once instead of at their next poll. */
function wakesWorkers(clock: TestService['clock'], { deps }: Service): TestService['clock'] {
  return {
    ...clock,
    advance(milliseconds) {
      clock.advance(milliseconds);
      deps.wakeups.wake();
    },
    set(now) {
      clock.set(now);
      deps.wakeups.wake();
    },
  };
}

function sandboxFromTestNow(): ReturnType<typeof sandboxClock> {
  const past = Date.now() - TEST_NOW;
  return { ...sandboxClock(() => Date.now() - past), setSkew() {} };
}

/**
 * A running service on a new database, stopped after the test. Its clock stands at TEST_NOW until moved; with
 * `sandboxClock` it is `deps.clock`, and the returned one has no effect.
 */
export async function startTestService(t: TestContext, options: TestOptions = {}): Promise<TestService> {
  const clock = options.clock ?? manualClock(TEST_NOW);
  const lines: string[] = [];
  const logger = createLogger(options.env?.LOG_LEVEL ?? 'info', { write: (line) => void lines.push(line) });
  const env: Record<string, string> = {
    PORT: '0',
    OPERATOR_TOKEN,
    SECRETS_KEY,
    DEPLOYMENT: 'sandbox',
    DRAIN_SECONDS: '0',
    DATA_DIR: join(tmpdir(), 'pbs-tests-keep-nothing'),
    SEED: 'none',
    ...(options.env?.DEPLOYMENT === 'production' && { PUBLIC_URL: 'http://127.0.0.1:0' }),
    ...options.env,
  };
  let db: Db | undefined;
  if (onPostgres) {
    env.DATABASE_URL = options.databaseUrl ?? (await createPostgresDatabase(t));
    if (process.env.TEST_POOLER_URL !== undefined) {
      env.DATABASE_DIRECT_URL ??= urlOf(new URL(env.DATABASE_URL).pathname.slice(1));
      env.DATABASE_PREPARED ??= 'false';
    }
  } else db = await takeDatabase(createEmbeddedDatabase);

  const service = await startService(parseConfig(env), {
    ...(options.sandboxFromTestNow ? { clock: sandboxFromTestNow() } : !options.sandboxClock && { clock }),
    logger,
    ...(db && { db }),
    ...(options.timeouts && { timeouts: options.timeouts }),
    ...(options.outbound && { outbound: options.outbound }),
    ...(options.tracing && { tracing: options.tracing }),
    ...(options.maxAuthFailures && { maxAuthFailures: options.maxAuthFailures }),
  });
  afterwards(t, () => service.close());
  afterwards(t, () => closePrism([service.url, service.operatorUrl]));
  const url = service.url!;
  return {
    ...service,
    url,
    clock: wakesWorkers(clock, service),
    logged: () => lines.join(''),
    v1: (key, method, path, body, headers) =>
      call(`${url}/v1`, method, path, body, { ...(key !== null && { 'x-api-key': key }), ...headers }),
    operator: (method, path, body) =>
      call(`${service.operatorUrl}/operator`, method, path, body, {
        authorization: `Bearer ${OPERATOR_TOKEN}`,
      }),
  };
}
