import type { Queryable, Tx } from './connection.ts';

/**
 * A history of the data (docs/decisions/event-feed.md): the last place of the feed that it shares with earlier ones,
 * and the last reference before it.
 */
export type History = { id: string; lastPlace: number; lastReference: number };

/** Starts one after a loss of commits, unless it has started. */
export async function currentHistory(db: Queryable): Promise<void> {
  await db.rows({ text: 'select current_history()' });
}

/** Starts a history, whatever the server's origin is; the next tracking references skip that many numbers. */
export async function beginHistory(tx: Tx, skippedReferences: number): Promise<History> {
  const begun = await tx.first<{ id: string }>({
    text: 'select begin_history(true, $1) as id',
    values: [skippedReferences],
  });
  const history = await tx.first<History>({
    text: `select id, last_place as "lastPlace", last_reference as "lastReference" from histories where id = $1`,
    values: [begun!.id],
  });
  return history!;
}
