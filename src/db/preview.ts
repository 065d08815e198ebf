import type { Db, Queryable, Statement, Tx } from './connection.ts';

/** The result of the work in a transaction, which a preview rolls back. */
export async function unlessPreview<T>(db: Db, isPreview: boolean, work: (tx: Tx) => Promise<T>): Promise<T> {
  const preview: { result?: T } = {};
  const attempt = async (tx: Tx): Promise<T> => {
    const result = await work(tx);
    if (!isPreview) return result;
    preview.result = result;
    throw preview;
  };
  return db.transaction(attempt).catch((error: unknown) => {
    if (error === preview) return preview.result!;
    throw error;
  });
}

/** The result of the work, which may have transactions: all of it is rolled back. It must use no other connection. */
export function rolledBack<T>(db: Db, work: (db: Db) => Promise<T>): Promise<T> {
  return unlessPreview(db, true, (tx) => {
    const inner = (statement: Statement): Statement => ({ ...statement, commits: false });
    const within: Queryable = {
      rows: (statement) => tx.rows(inner(statement)),
      first: (statement) => tx.first(inner(statement)),
    };
    const transaction: Db['transaction'] = async (nested) => {
      await within.rows({ text: 'savepoint rolled_back' });
      try {
        return await nested(within as Tx);
      } catch (error) {
        await within.rows({ text: 'rollback to savepoint rolled_back' });
        throw error;
      }
    };
    return work({ ...db, ...within, transaction });
  });
}
