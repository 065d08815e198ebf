import type { Db, Queryable, Statement, Tx } from '../db/connection.ts';
import { inChildSpan, type Span, type Tracing } from './tracing.ts';

/**
 * The database with a span for each statement and transaction of a traced request, delivery or payment. A transaction
 * stores its trace context with its events (events.trace_parent), so that later work on them joins the trace.
 */
export function tracedDb(db: Db, tracing: Tracing): Db {
  const traced = (on: Queryable): Queryable => ({
    rows: (statement) => inChildSpan(tracing, nameOf(statement), CLIENT, () => on.rows(statement)),
    first: (statement) => inChildSpan(tracing, nameOf(statement), CLIENT, () => on.first(statement)),
  });
  const transaction: Db['transaction'] = (work, key) =>
    inChildSpan(tracing, 'transaction', INTERNAL, () =>
      db.transaction(async (tx) => {
        const span = tracing.active();
        if (span !== null) await keepTrace(tx, span);
        return work(traced(tx) as Tx);
      }, key),
    );
  const plain = traced(db);
  return {
    ...db,
    rows: (statement) =>
      statement.writesEvent && tracing.active() !== null
        ? transaction((tx) => tx.rows(statement), statement.key)
        : plain.rows(statement),
    first: plain.first,
    transaction,
    isTraced: () => tracing.active()?.isSampled ?? false,
  };
}

const INTERNAL = { kind: 'internal' } as const;
const CLIENT = { kind: 'client', attributes: { 'db.system.name': 'postgresql' } } as const;

/** For the transaction only. */
async function keepTrace(tx: Tx, { traceparent, isSampled }: Span): Promise<void> {
  if (isSampled) await tx.rows({ name: 'keep-trace', text: KEEP_TRACE, values: [traceparent] });
}

const KEEP_TRACE = `select set_config('partner_booking.trace_parent', $1, true)`;

/** The name of a hot statement, else its first word: never its text. */
function nameOf({ name, text }: Statement): string {
  return name ?? /^\s*(\w+)/.exec(text)?.[1]?.toLowerCase() ?? 'statement';
}
