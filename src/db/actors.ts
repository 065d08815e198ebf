import { type RawBuilder, sql } from 'kysely';

const ID = '([0-9a-f-]{36})$';

/** SQL: the name that the token or the crew of the actor in the column has now; null: of none, or of one that was removed. */
export const actorName = (column: string): RawBuilder<string | null> => {
  const idOf = (kind: string) => sql`substring(${sql.ref(column)} from ${sql.lit(`^${kind}:${ID}`)})::uuid`;
  return sql<string | null>`coalesce(
    (select t.name from operator_tokens t where t.id = ${idOf('operator-token')}),
    (select t.name from teams t where t.id = ${idOf('crew')}))`;
};
