import type { Db, Tx } from './connection.ts';

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
