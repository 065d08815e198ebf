import pg from 'pg';

/** A statement. Named ones are prepared once per connection: give a name to the hot ones. */
export type Statement = { name?: string; text: string; values?: readonly unknown[] };

export type Queryable = {
  /** The rows. Numerics come as exact decimal strings, timestamps as epoch milliseconds, dates as `YYYY-MM-DD`. */
  rows<Row>(statement: Statement): Promise<Row[]>;
  /** The first row, or null. */
  first<Row>(statement: Statement): Promise<Row | null>;
};

declare const inTransaction: unique symbol;
/** A transaction that is open: what must be atomic demands one by type. */
export type Tx = Queryable & { readonly [inTransaction]: true };

export type Db = Queryable & {
  /** Runs the work in one transaction; anything thrown rolls it back. Never ask for a second one inside. */
  transaction<T>(work: (tx: Tx) => Promise<T>): Promise<T>;
  /** A connection of one's own, for what is neither a statement nor a transaction (migrations). */
  withClient<T>(work: (client: pg.ClientBase) => Promise<T>): Promise<T>;
  stats(): { total: number; idle: number; waiting: number };
  close(): Promise<void>;
};

/** Client option: how values leave the database. */
export const types = new pg.TypeOverrides();
types.setTypeParser(pg.types.builtins.INT8, Number);
types.setTypeParser(pg.types.builtins.DATE, (value) => value);
types.setTypeParser(pg.types.builtins.TIMESTAMPTZ, parseTimestamp);

/** Epoch milliseconds of PostgreSQL's `2026-11-21 12:00:00.123+00`, whatever the session's time zone. */
export function parseTimestamp(value: string): number {
  const parts = /^(\d{4,}-\d\d-\d\d) (\d\d:\d\d:\d\d(?:\.\d+)?)([+-]\d\d)(?::?(\d\d))?$/.exec(value);
  if (!parts) throw new RangeError(`timestamp out of the supported range`);
  return Date.parse(`${parts[1]}T${parts[2]}${parts[3]}:${parts[4] ?? '00'}`);
}

type Run = (statement: Statement) => Promise<pg.QueryResult>;

const runOn =
  (client: pg.ClientBase): Run =>
  (statement) =>
    client.query({ ...statement, values: statement.values as unknown[] });

/**
 * Not pool.query: that throws the connection away after any error, a refused row included. With PGlite the
 * next statement would then run into the end of its only connection.
 */
const runOnPool =
  (pool: pg.Pool): Run =>
  async (statement) => {
    const client = await pool.connect();
    let broken: Error | undefined;
    try {
      return await runOn(client)(statement);
    } catch (error) {
      if (!isDatabaseError(error) || error.severity === 'FATAL') broken = error as Error;
      throw error;
    } finally {
      client.release(broken);
    }
  };

function queryable(run: Run): Queryable {
  return {
    rows: async <Row>(statement: Statement) => (await run(statement)).rows as Row[],
    first: async <Row>(statement: Statement) => ((await run(statement)).rows[0] as Row | undefined) ?? null,
  };
}

/** The database over a pool; `onError` hears of connections that broke while idle. */
export function createDb(
  pool: pg.Pool,
  onError: (error: Error) => void,
  closeMore = async (): Promise<void> => {},
): Db {
  pool.on('error', onError);
  return {
    ...queryable(runOnPool(pool)),
    async transaction(work) {
      const client = await pool.connect();
      let broken: Error | undefined;
      try {
        await client.query('begin');
        const result = await work(queryable(runOn(client)) as Tx);
        await client.query('commit');
        return result;
      } catch (error) {
        // A connection on which even the rollback fails must not go back into the pool.
        await client.query('rollback').catch((rollbackError: Error) => {
          broken = rollbackError;
        });
        throw error;
      } finally {
        client.release(broken);
      }
    },
    async withClient(work) {
      const client = await pool.connect();
      try {
        return await work(client);
      } finally {
        client.release();
      }
    },
    stats: () => ({ total: pool.totalCount, idle: pool.idleCount, waiting: pool.waitingCount }),
    async close() {
      if (pool.ended) return;
      await pool.end();
      await closeMore();
    },
  };
}

/** PostgreSQL 15 or newer at the URL. */
export function connectPostgres(url: string, poolSize: number, onError: (error: Error) => void): Db {
  const pool = new pg.Pool({
    connectionString: url,
    types,
    max: poolSize,
    connectionTimeoutMillis: 10_000,
    idleTimeoutMillis: 30_000,
    application_name: 'partner-booking',
  });
  return createDb(pool, onError);
}

const SQLSTATE = {
  uniqueViolation: '23505',
  foreignKeyViolation: '23503',
  exclusionViolation: '23P01',
  deadlock: '40P01',
  serialization: '40001',
} as const;

/** An error that the database reported. By its fields: PGlite and pg have classes of their own. */
export type DatabaseError = Error & { code: string; severity: string } & Partial<
    Record<'schema' | 'table' | 'constraint' | 'routine', string>
  >;

export function isDatabaseError(error: unknown): error is DatabaseError {
  return (
    error instanceof Error &&
    'severity' in error &&
    'code' in error &&
    /^[0-9A-Z]{5}$/.test(String(error.code))
  );
}

/** Did the statement fail for this reason (and, when named, on this constraint)? */
export function isDbError(error: unknown, reason: keyof typeof SQLSTATE, constraint?: string): boolean {
  return (
    isDatabaseError(error) &&
    error.code === SQLSTATE[reason] &&
    (constraint === undefined || error.constraint === constraint)
  );
}
