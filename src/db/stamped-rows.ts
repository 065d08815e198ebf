import type { Compilable, Generated, Insertable, Selectable, Updateable } from 'kysely';
import { type Instant, toUtcIso } from '../base/clock.ts';
import type { Queryable, Tx } from './connection.ts';
import { firstOf, firstOrThrow, rowsOf, type Timestamp, tablesOf } from './tables.ts';

type Stamps = { created_at: Timestamp; updated_at: Timestamp };
type Stamped = Stamps & { id: Generated<string> };

/** Statements for one row of a table that has an id and the times of creation and last change. */
export type StampedRows<Table extends Stamped> = {
  /** The new row. Throws constraint errors. */
  insert(tx: Tx, now: Instant, columns: Omit<Insertable<Table>, keyof Stamps>): Promise<Selectable<Table>>;
  /** The row after the change. Throws constraint errors, and when there is no such row: it must exist. */
  update(tx: Tx, now: Instant, id: string, columns: Updateable<Table>): Promise<Selectable<Table>>;
  /** Throws foreign-key errors while something refers to the row. */
  remove(tx: Tx, id: string): Promise<void>;
  /** null: there is none. */
  find(db: Queryable, id: string): Promise<Selectable<Table> | null>;
  /**
   * Locks it against other changes of the row, not against new references: a booking being written refers to its
   * partner, and a change of the partner's services waits for that booking (a deadlock otherwise).
   */
  lock(tx: Tx, id: string): Promise<Selectable<Table> | null>;
};

const tables = tablesOf<Record<string, Stamped>>();

/** The statements of the table. */
export function stampedRows<Table extends Stamped>(name: string): StampedRows<Table> {
  // The common columns are known here; the others, by `Table`, to the callers.
  const whole = <Row>(query: Compilable<Row>) => query as unknown as Compilable<Selectable<Table>>;
  const row = (id: string) => tables.selectFrom(name).selectAll().where('id', '=', id);
  return {
    insert(tx, now, columns) {
      const at = toUtcIso(now);
      const values = { ...columns, created_at: at, updated_at: at };
      return firstOrThrow(tx, whole(tables.insertInto(name).values(values).returningAll()));
    },
    update(tx, now, id, columns) {
      const query = tables.updateTable(name).set({ ...columns, updated_at: toUtcIso(now) });
      return firstOrThrow(tx, whole(query.where('id', '=', id).returningAll()));
    },
    async remove(tx, id) {
      await rowsOf(tx, tables.deleteFrom(name).where('id', '=', id));
    },
    find: (db, id) => firstOf(db, whole(row(id))),
    lock: (tx, id) => firstOf(tx, whole(row(id).forNoKeyUpdate())),
  };
}
