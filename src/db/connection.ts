import pg from 'pg';
import { type Connections, trackConnections } from './connections.ts';
import { createGate, type Gate } from './gate.ts';
import { DatabaseUnavailableError, isDatabaseError } from './unavailable.ts';
import { types } from './values.ts';

/** A statement. Named ones are prepared once per connection: name the hot ones. */
export type Statement = {
  name?: string;
  text: string;
  values?: readonly unknown[];
  /** The resource that it may wait for, such as a row: statements with one key get a limited part of the pool. */
  key?: string;
  /** It writes an event outside a transaction, which needs the trace context. */
  writesEvent?: boolean;
  /** The last statement of its transaction: the commit is sent with it, in one round trip. */
  commits?: boolean;
};

export type Queryable = {
  /** The rows. Numerics come as exact decimal strings, timestamps as epoch milliseconds, dates as `YYYY-MM-DD`. */
  rows<Row>(statement: Statement): Promise<Row[]>;
  /** The first row, or null. */
  first<Row>(statement: Statement): Promise<Row | null>;
};

declare const inTransaction: unique symbol;
/** An open transaction: functions that must be atomic require one by type. */
export type Tx = Queryable & { readonly [inTransaction]: true };

export type Db = Queryable & {
  /** Runs the work in one transaction; an error rolls it back. Must not be nested. `key` as in statements. */
  transaction<T>(work: (tx: Tx) => Promise<T>, key?: string): Promise<T>;
  /** Whether the current work is part of a sampled trace. Events name one trace for a whole transaction. */
  isTraced(): boolean;
  /** Runs the work on a separate connection, past a pooler and without time-outs, for session features (migrations). */
  withClient<T>(work: (client: pg.ClientBase) => Promise<T>): Promise<T>;
  /** Opens a connection beside the pool, for watching or listening; null when embedded, which has one connection. */
  open: (() => Promise<pg.Client>) | null;
  /** Closes the socket without the protocol's goodbye, because the peer may be gone. */
  breakOff(client: pg.ClientBase): void;
  /** Refuses all callers at once, waiting ones too, until `reopen`. */
  shut(): void;
  reopen(): void;
  /** Closes every connection that was opened before the moment (`performance.now()`). */
  discard(before: number): void;
  stats(): { total: number; idle: number; waiting: number };
  close(): Promise<void>;
};

/** Time-outs in milliseconds, from the variables DATABASE_…_TIMEOUT. */
export type DatabaseTimeouts = {
  /** For opening a connection. */
  connect: number;
  /** For a free connection of the pool. */
  pool: number;
  /** For the result of a statement, enforced by the client. */
  query: number;
  /** The server enforces these three. */
  statement: number;
  lock: number;
  idleTransaction: number;
  /** Idle time before TCP keep-alive probes. */
  keepAlive: number;
};

/** The most connections for one key: a quarter of the pool. */
const placesForOneKey = (poolSize: number): number => Math.max(1, Math.floor(poolSize / 4));

/** The connection pooler, such as PgBouncer. */
export type Pooler = {
  /** PostgreSQL's URL, past a pooler in transaction mode; null: there is no pooler. */
  directUrl: string | null;
  /** Whether statements may be prepared by name: behind a pooler, the next one may run in another session. */
  prepared: boolean;
};

const NO_POOLER: Pooler = { directUrl: null, prepared: true };

type Run = (statement: Statement) => Promise<unknown[]>;

/**
 * With a callback: for a promise pg assigns one to a property of the query later, and V8 then keeps the query and its
 * rows until a major collection (test/statement-garbage.test.ts).
 */
function queryRows(client: pg.ClientBase, query: pg.QueryConfig): Promise<unknown[]> {
  return new Promise((resolve, reject) => {
    client.query(query, (error, result) => (error ? reject(error) : resolve(result.rows)));
  });
}

const runOn =
  (client: pg.ClientBase, connections: Connections): Run =>
  async ({ name, text, values }) => {
    try {
      const prepared = name !== undefined && connections.prepared ? { name } : {};
      return await connections.inTime(queryRows(client, { ...prepared, text, values: values as unknown[] }));
    } catch (error) {
      throw connections.explain(client, error as Error);
    }
  };

/**
 * Starts a transaction. `begin` is sent together with the first statement, and the commit together with one that
 * `commits` (pg's pipeline): a change of one row takes two round trips instead of four.
 */
function beginOn(run: Run): { run: Run; commit(): Promise<void>; rollback(): Promise<void> } {
  let begun: Promise<unknown> | null = null;
  let isOver = false;
  const begin = (): Promise<unknown> => {
    begun ??= run({ text: 'begin' });
    return begun;
  };
  /** Rejects with the first error, after all have finished. */
  async function together(statements: readonly Statement[]): Promise<unknown[]> {
    const opening = begun === null ? [begin()] : [];
    const answers = await Promise.allSettled([...opening, ...statements.map(run)]);
    for (const answer of answers) if (answer.status === 'rejected') throw answer.reason;
    return (answers[opening.length] as PromiseFulfilledResult<unknown[]>).value;
  }
  return {
    run(statement) {
      if (isOver) throw new Error('the transaction is over: no statement may follow the one that commits');
      if (!statement.commits) return together([statement]);
      isOver = true;
      // After an error of the statement the server turns the commit into a rollback.
      return together([statement, { text: 'commit' }]);
    },
    async commit() {
      if (isOver || begun === null) return;
      isOver = true;
      await run({ text: 'commit' });
    },
    async rollback() {
      if (isOver || begun === null) return;
      isOver = true;
      await run({ text: 'rollback' });
    },
  };
}

/** Whether the connection must be closed. One whose server became a standby would refuse every write from now on. */
function endsConnection(error: unknown): boolean {
  return !isDatabaseError(error) || error.severity === 'FATAL' || error.code === SQLSTATE.readOnlyTransaction;
}

function queryable(run: Run): Queryable {
  return {
    rows: async <Row>(statement: Statement) => (await run(statement)) as Row[],
    first: async <Row>(statement: Statement) => ((await run(statement))[0] as Row | undefined) ?? null,
  };
}

/**
 * Connections outside the pool: `open` makes one, `openDirect` one past a pooler too; null: the pool's is the only one.
 * `closeMore` closes further resources.
 */
type ExtraConnections = {
  open: (() => Promise<pg.Client>) | null;
  openDirect: (() => Promise<pg.Client>) | null;
  closeMore?: () => Promise<void>;
};

/** The database over a pool. */
export function createDb(
  pool: pg.Pool,
  connections: Connections,
  gate: Gate,
  { open, openDirect, closeMore = async () => {} }: ExtraConnections,
): Db {
  pool.on('connect', (client) => connections.add(client));
  pool.on('error', () => {}); // the client's own listener reports it

  /**
   * Not pool.query, which closes the connection after any error, a violated constraint included. Here the caller marks
   * a broken connection with `spoil`.
   */
  async function borrow<T>(
    given: string | undefined,
    work: (client: pg.PoolClient, spoil: (error: unknown) => void) => Promise<T>,
  ): Promise<T> {
    const key = given?.toLowerCase(); // ids are the same in both cases
    const wait = gate.enter(key);
    if (wait !== undefined) await wait;
    try {
      const client = await pool.connect().catch((error: Error) => {
        throw notOpened(error);
      });
      let broken: Error | undefined;
      try {
        return await work(client, (error) => {
          broken = error as Error;
        });
      } finally {
        client.release(broken);
      }
    } finally {
      gate.leave(key);
    }
  }

  return {
    ...queryable((statement) =>
      borrow(statement.key, async (client, spoil) => {
        try {
          return await runOn(client, connections)(statement);
        } catch (error) {
          if (endsConnection(error)) spoil(error);
          throw error;
        }
      }),
    ),
    transaction: (work, key) =>
      borrow(key, async (client, spoil) => {
        const transaction = beginOn(runOn(client, connections));
        try {
          const result = await work(queryable(transaction.run) as Tx);
          await transaction.commit();
          return result;
        } catch (error) {
          // A rollback would wait behind a statement without a result: the server rolls back by itself.
          if (connections.isBroken(client)) spoil(error);
          else await transaction.rollback().catch(spoil);
          if (isDatabaseError(error) && endsConnection(error)) spoil(error);
          throw error;
        }
      }),
    isTraced: () => false,
    async withClient(work) {
      if (openDirect === null) return borrow(undefined, work);
      const client = await openDirect();
      try {
        await client.query(WITHOUT_TIMEOUTS);
        return await work(client);
      } catch (error) {
        throw connections.explain(client, error as Error);
      } finally {
        connections.end(client);
      }
    },
    open,
    breakOff: connections.breakOff,
    shut: gate.shut,
    reopen: gate.reopen,
    discard: connections.discard,
    stats: () => ({ total: pool.totalCount, idle: pool.idleCount, waiting: gate.waiting() }),
    async close() {
      if (pool.ended) return;
      // The pool waits for the statements; connections end after it.
      connections.mute();
      await pool.end();
      await closeMore();
    },
  };
}

/**
 * Disables time-outs of the role or the database, as behind a pooler. Only existing settings: `transaction_timeout`
 * came with version 17.
 */
const WITHOUT_TIMEOUTS = `
  select set_config(name, '0', false) from pg_settings
  where name in ('statement_timeout', 'lock_timeout', 'idle_in_transaction_session_timeout', 'transaction_timeout')`;

function notOpened(error: Error): Error {
  return new DatabaseUnavailableError('no connection to the database could be opened', { cause: error });
}

/**
 * The settings of every session of the service. A pooler in transaction mode does not pass them on: then the role must
 * have them.
 */
function sessionSettings({ statement, lock, idleTransaction }: DatabaseTimeouts): pg.ClientConfig {
  return {
    statement_timeout: statement,
    lock_timeout: lock,
    idle_in_transaction_session_timeout: idleTransaction,
  };
}

/** Without time-outs (scripts, migrations) a statement may take what it takes. */
type PostgresOptions = { timeouts?: DatabaseTimeouts; pooler?: Pooler };

/** PostgreSQL 15 or newer at the URL. */
export function connectPostgres(
  url: string,
  poolSize: number,
  onError: (error: Error) => void,
  { timeouts, pooler: { directUrl, prepared } = NO_POOLER }: PostgresOptions = {},
): Db {
  const connections = trackConnections(onError, prepared, timeouts?.query ?? null);
  const common = {
    connectionString: url,
    types,
    pipeline: true,
    application_name: 'partner-booking',
    keepAlive: true,
    keepAliveInitialDelayMillis: timeouts?.keepAlive ?? 10_000,
    connectionTimeoutMillis: timeouts?.connect ?? 10_000,
  };
  // Times are read in this form, whatever the database or the role has.
  const direct = { ...common, options: '-c DateStyle=ISO', connectionString: directUrl ?? url };
  // A pooler may refuse options.
  const pooled = directUrl === null ? direct : common;
  const pool = new pg.Pool({
    ...pooled,
    max: poolSize,
    idleTimeoutMillis: 30_000,
    ...(timeouts !== undefined && directUrl === null && sessionSettings(timeouts)),
  });
  const openAt = (config: pg.ClientConfig) => async (): Promise<pg.Client> => {
    const client = new pg.Client(config);
    connections.add(client);
    try {
      await client.connect();
    } catch (error) {
      connections.breakOff(client);
      throw notOpened(error as Error);
    }
    return client;
  };
  return createDb(
    pool,
    connections,
    createGate({
      places: poolSize,
      placesForOneKey: placesForOneKey(poolSize),
      maxWait: timeouts?.pool ?? 10_000,
    }),
    { open: openAt(pooled), openDirect: openAt(direct) },
  );
}

const SQLSTATE = {
  uniqueViolation: '23505',
  foreignKeyViolation: '23503',
  exclusionViolation: '23P01',
  deadlock: '40P01',
  serialization: '40001',
  readOnlyTransaction: '25006',
} as const;

/** Whether the statement failed for this reason (and, when given, on this constraint). */
export function isDbError(error: unknown, reason: keyof typeof SQLSTATE, constraint?: string): boolean {
  return (
    isDatabaseError(error) &&
    error.code === SQLSTATE[reason] &&
    (constraint === undefined || error.constraint === constraint)
  );
}
