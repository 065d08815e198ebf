import { createRequire } from 'node:module';
import pg from 'pg';

/**
 * Runs named statements with less than pg's own query does for everybody: what a statement returns is described by the
 * database once in a process instead of at every run, and rows are made by a function that was compiled for them. It
 * stands on what pg calls Submittable and on three of its internals, so the version of pg is exact in package.json;
 * test/prepared.test.ts holds it against pg's own query.
 */

/** How values leave the database. */
export const types = new pg.TypeOverrides();
types.setTypeParser(pg.types.builtins.INT8, Number);
types.setTypeParser(pg.types.builtins.DATE, (value) => value);
types.setTypeParser(pg.types.builtins.TIMESTAMPTZ, parseTimestamp);

const UTC_SECONDS = 'YYYY-MM-DD HH:MM:SS+00'.length;

/** Epoch milliseconds of PostgreSQL's `2026-11-21 12:00:00.123+00`, whatever the session's time zone. */
export function parseTimestamp(value: string): number {
  // Whole seconds in UTC, which starts and ends of appointments are: a tenth of the time. Date.UTC reads the year 50 as 1950.
  if (value.length === UTC_SECONDS && value.endsWith('+00') && !value.startsWith('00')) {
    return Date.UTC(
      twoDigits(value, 0) * 100 + twoDigits(value, 2),
      twoDigits(value, 5) - 1,
      twoDigits(value, 8),
      twoDigits(value, 11),
      twoDigits(value, 14),
      twoDigits(value, 17),
    );
  }
  const parts = /^(\d{4,}-\d\d-\d\d) (\d\d:\d\d:\d\d(?:\.\d+)?)([+-]\d\d)(?::?(\d\d))?$/.exec(value);
  if (!parts) throw new RangeError(`timestamp out of the supported range`);
  return Date.parse(`${parts[1]}T${parts[2]}${parts[3]}:${parts[4] ?? '00'}`);
}

function twoDigits(text: string, at: number): number {
  return (text.charCodeAt(at) - 48) * 10 + text.charCodeAt(at + 1) - 48;
}

const { prepareValue } = createRequire(import.meta.url)('pg/lib/utils.js') as {
  prepareValue(value: unknown): unknown;
};

type Row = Record<string, unknown>;
type Field = { name: string; dataTypeID: number };
type MakeRow = (columns: readonly (string | null)[]) => Row;

/** pg's connection, as far as it is used here. */
type Wire = {
  parsedStatements: Record<string, string | undefined>;
  stream: { cork?(): void; uncork?(): void };
  parse(message: { name: string; text: string }): void;
  bind(message: {
    portal: string;
    statement: string;
    values: readonly unknown[];
    valueMapper(value: unknown): unknown;
  }): void;
  describe(message: { type: 'P'; name: string }): void;
  execute(message: { portal: string; rows: number }): void;
  sync(): void;
};

/** By the text of the statement. */
const rowMakers = new Map<string, MakeRow>();

function compileRows(fields: readonly Field[]): MakeRow {
  const parsers = fields.map(({ dataTypeID }) => types.getTypeParser(dataTypeID, 'text'));
  const members = fields.map(
    ({ name }, index) =>
      `${JSON.stringify(name)}: columns[${index}] === null ? null : parsers[${index}](columns[${index}])`,
  );
  return new Function('parsers', `return (columns) => ({ ${members.join(', ')} })`)(parsers) as MakeRow;
}

const noRows: MakeRow = () => ({});

export type NamedStatement = { name: string; text: string; values?: readonly unknown[] | undefined };
export type AnyStatement = Omit<NamedStatement, 'name'> & { name?: string | undefined };

const asIs = (value: unknown): unknown => value;

/** What is wrong when the connection has prepared another text under the name. */
function nameTaken({ name, text }: AnyStatement, wire: Wire): Error | null {
  const prepared = name === undefined ? undefined : wire.parsedStatements[name];
  if (prepared === undefined || prepared === text) return null;
  return new Error(`Prepared statements must be unique: ${name} was used for another text`);
}

/** Without the `sync` behind the last one. What is returned is described unless that is known. */
function send(
  { name = '', text }: AnyStatement,
  parameters: readonly unknown[],
  isDescribed: boolean,
  wire: Wire,
): void {
  if (name === '' || wire.parsedStatements[name] === undefined) wire.parse({ name, text });
  wire.bind({ portal: '', statement: name, values: parameters, valueMapper: asIs });
  if (!isDescribed) wire.describe({ type: 'P', name: '' });
  wire.execute({ portal: '', rows: 0 });
}

/** All messages in one packet. */
function together(wire: Wire, work: () => void): void {
  wire.stream.cork?.();
  try {
    work();
    wire.sync();
  } finally {
    wire.stream.uncork?.();
  }
}

const ignore = (): void => {};

/** Prepares the statement unless the connection has it, and runs it; its rows. Rejects as `client.query` does. */
export function runPrepared(client: pg.ClientBase, statement: NamedStatement): Promise<Row[]> {
  const { name, text } = statement;
  return new Promise((resolve, reject) => {
    const rows: Row[] = [];
    let makeRow = rowMakers.get(text);
    /** A row that could not be read; told when the statement has ended. */
    let unreadable: Error | null = null;
    const query = {
      name,
      text,
      callback(error: Error | null): void {
        if (error === null) resolve(rows);
        else reject(error);
      },
      submit(wire: Wire): Error | null {
        const taken = nameTaken(statement, wire);
        if (taken !== null) return taken;
        const parameters = (statement.values ?? []).map(prepareValue);
        together(wire, () => send(statement, parameters, makeRow !== undefined, wire));
        return null;
      },
      handleRowDescription({ fields }: { fields: readonly Field[] }): void {
        makeRow = compileRows(fields);
        rowMakers.set(text, makeRow);
      },
      handleDataRow({ fields }: { fields: readonly (string | null)[] }): void {
        try {
          rows.push(makeRow!(fields));
        } catch (error) {
          unreadable ??= error as Error;
        }
      },
      handleCommandComplete(): void {
        // Nothing was described: the statement returns no rows.
        if (makeRow === undefined) rowMakers.set(text, noRows);
      },
      handleEmptyQuery(): void {},
      handlePortalSuspended: ignore,
      handleCopyInResponse: ignore,
      handleCopyData: ignore,
      handleError(error: Error): void {
        query.callback(error);
      },
      handleReadyForQuery(): void {
        query.callback(unreadable);
      },
    };
    client.query(query as unknown as pg.Submittable);
  });
}

/**
 * Runs statements one after the other in one round trip and on one session, each with a snapshot of its own; the rows of
 * each. Those without a name are parsed anew. When one fails, those after it are not run.
 */
export function runTogether(client: pg.ClientBase, statements: readonly AnyStatement[]): Promise<Row[][]> {
  return new Promise((resolve, reject) => {
    const found: Row[][] = statements.map(() => []);
    const makers = statements.map(({ name, text }) => (name === undefined ? undefined : rowMakers.get(text)));
    let unreadable: Error | null = null;
    /** Whose answer is being read. */
    let at = 0;
    const query = {
      // What was parsed is noted by pg under these: the server parses the next one after the answer to the one before.
      get name() {
        return statements[at]?.name;
      },
      get text() {
        return statements[at]?.text;
      },
      callback(error: Error | null): void {
        if (error === null) resolve(found);
        else reject(error);
      },
      submit(wire: Wire): Error | null {
        for (const statement of statements) {
          const taken = nameTaken(statement, wire);
          if (taken !== null) return taken;
        }
        const parameters = statements.map(({ values }) => (values ?? []).map(prepareValue));
        together(wire, () => {
          for (const [index, statement] of statements.entries())
            send(statement, parameters[index]!, makers[index] !== undefined, wire);
        });
        return null;
      },
      handleRowDescription({ fields }: { fields: readonly Field[] }): void {
        makers[at] = compileRows(fields);
        const { name, text } = statements[at]!;
        if (name !== undefined) rowMakers.set(text, makers[at]!);
      },
      handleDataRow({ fields }: { fields: readonly (string | null)[] }): void {
        try {
          found[at]!.push(makers[at]!(fields));
        } catch (error) {
          unreadable ??= error as Error;
        }
      },
      handleCommandComplete(): void {
        at++;
      },
      handleEmptyQuery(): void {
        at++;
      },
      handlePortalSuspended: ignore,
      handleCopyInResponse: ignore,
      handleCopyData: ignore,
      handleError(error: Error): void {
        query.callback(error);
      },
      handleReadyForQuery(): void {
        query.callback(unreadable);
      },
    };
    client.query(query as unknown as pg.Submittable);
  });
}
