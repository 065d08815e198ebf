import type { Instant } from '../base/clock.ts';
import { orNotFound } from '../base/errors.ts';
import { type Actor, audit } from './audit.ts';
import type { Db, Queryable, Tx } from './connection.ts';
import { conflictOnUse, type Uses } from './constraint-errors.ts';
import { changesTo } from './tables.ts';

/** The author of a change; `groupId` joins the entries of one request. */
export type Author = { actor: Actor; groupId?: string | undefined };

/** The fields of a new resource; with the `id`, in lower case, that it has in another deployment. */
export type New<Input> = Input & { id?: string };

/** `before` is absent for a new row, `after` for a removed one. `verb`: of the action, if it is another. */
type Change<Row> = Author & { before?: Row; after?: Row; verb?: string };

/** Records changes of a kind of resource in the audit log: `category.update` of `category:<id>`. */
export function auditOf<Row>(kind: string, viewOf: (row: Row, now: Instant) => { id: string }) {
  return async (tx: Tx, now: Instant, { before, after, verb, ...author }: Change<Row>): Promise<void> => {
    const usual = before === undefined ? 'create' : after === undefined ? 'delete' : 'update';
    const views = {
      ...(before !== undefined && { before: viewOf(before, now) }),
      ...(after !== undefined && { after: viewOf(after, now) }),
    };
    const target = `${kind}:${(views.after ?? views.before)!.id}`;
    await audit(tx, now, { ...author, action: `${kind}.${verb ?? usual}`, target, ...views });
  };
}

/** Statements for one row, as `stampedRows` has them. */
type Rows<Row, New, Changes> = {
  find(db: Queryable, id: string): Promise<Row | null>;
  insert(tx: Tx, now: Instant, columns: New): Promise<Row>;
  update(tx: Tx, now: Instant, id: string, columns: Changes): Promise<Row>;
  remove(tx: Tx, id: string): Promise<void>;
};

/** `name` as in refusals: `Category`; `written` turns errors of a write into refusals. */
type Kind<Row> = {
  kind: string;
  name: string;
  view: (row: Row, now: Instant) => { id: string };
  written?: (write: Promise<Row>) => Promise<Row>;
};

/** The rows of a resource; each change has its audit entry in the same transaction. */
export function auditedRows<Row extends { id: string }, New, Changes extends object>(
  rows: Rows<Row, New, Changes>,
  { kind, name, view, written = (write) => write }: Kind<Row>,
) {
  const record = auditOf(kind, view);
  /** Throws RESOURCE_NOT_FOUND. */
  const read = (db: Queryable, id: string): Promise<Row> => orNotFound(rows.find(db, id), name);
  return {
    read,
    async create(tx: Tx, now: Instant, author: Author, columns: New): Promise<Row> {
      const after = await written(rows.insert(tx, now, columns));
      await record(tx, now, { ...author, after });
      return after;
    },
    /** The row after the change; `before` itself when nothing differs, and then nothing is written. */
    async change<Columns extends Changes>(
      tx: Tx,
      now: Instant,
      author: Author,
      {
        before,
        columns,
      }: { before: Row & { readonly [Name in keyof Columns]-?: unknown }; columns: Columns },
    ): Promise<Row> {
      const changed = changesTo(before, columns);
      if (changed === null) return before;
      const after = await written(rows.update(tx, now, before.id, changed as Changes));
      await record(tx, now, { ...author, before, after });
      return after;
    },
    /** Takes the lock first. Throws RESOURCE_NOT_FOUND, and CONFLICT while `uses` says that others refer to it. */
    remove(
      db: Db,
      now: Instant,
      actor: Actor,
      {
        id,
        lock,
        uses = async () => ({}),
      }: { id: string; lock: (tx: Tx, id: string) => Promise<unknown>; uses?: () => Promise<Uses> },
    ): Promise<{ id: string }> {
      const removal = () =>
        db.transaction(async (tx) => {
          await lock(tx, id);
          const before = await read(tx, id);
          await rows.remove(tx, before.id);
          await record(tx, now, { actor, before });
          return { id: before.id };
        });
      return conflictOnUse(`The ${name.toLowerCase()}`, removal, uses);
    },
  };
}
