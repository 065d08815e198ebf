import type { Db } from '../src/db/connection.ts';

/** The tables of which a row has the text in any of its columns, in any letter case. */
export async function tablesWith(db: Db, needle: string): Promise<string[]> {
  const tables = await db.rows<{ name: string }>({
    text: `
      select quote_ident(table_name) as name from information_schema.tables
      where table_schema = 'public' and table_type = 'BASE TABLE' order by 1`,
  });
  const found: string[] = [];
  for (const { name } of tables) {
    const row = await db.first({
      text: `select 1 as one from ${name} as t where strpos(lower(t::text), lower($1)) > 0 limit 1`,
      values: [needle],
    });
    if (row !== null) found.push(name);
  }
  return found;
}
