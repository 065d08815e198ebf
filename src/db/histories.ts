import type { Queryable, Tx } from './connection.ts';

/** A history of the data (docs/decisions/event-feed.md): what the feed shares with those before it, and where references go on. */
export type History = { id: string; lastPlace: number; lastReference: number };

/** Begins one where the data went back, unless it has begun. */
export async function currentHistory(db: Queryable): Promise<void> {
  await db.rows({ text: 'select current_history()' });
}

/** Begins a history, whatever the server says; the numbers of the next tracking references are as many further on. */
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
