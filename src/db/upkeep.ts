import type { Queryable } from './connection.ts';

/** Below so many pages of 8 KiB, PostgreSQL's guess about a table that it has no statistics of does no harm. */
const SMALLEST = 8;
/** Beyond, a table doubles slowly enough for autovacuum; and its statistics would take longer. */
const LARGEST = 12_800;

/**
 * Does for tables that grow fast what nobody may have done yet: autovacuum looks once a minute, and the embedded database
 * has none. Answers the tables that were analysed. What another process is at work on is left to it.
 *
 * A plan is kept for as long as the statistics are, so one that was made while a table was nearly empty would read all of
 * a large one. So it is called every few seconds; 1.2 ms of PostgreSQL with nothing to do, at a million bookings.
 */
export async function tendTables(db: Queryable): Promise<string[]> {
  const due = await db.rows<{ name: string }>({ text: GROWN });
  for (const { name } of due) await db.rows({ text: `analyze (skip_locked) ${name}` });
  await db.rows({ text: MERGE_NEW_ENTRIES });
  return due.map(({ name }) => name);
}

/** Twice as large as when they were last analysed, or never. Of one in partitions, its partitions know how many rows. */
const GROWN = `
  with size as (
    select c.oid, c.relpages, c.reltuples, c.relkind, pg_relation_size(c.oid) / 8192 as pages
    from pg_class c
    where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and c.relpersistence <> 't'
  ), part as (
    select i.inhparent, sum(greatest(size.reltuples, 0)) as rows from pg_inherits i join size on size.oid = i.inhrelid
    group by i.inhparent
  )
  select size.oid::regclass::text as name from size left join part on part.inhparent = size.oid
  where case when size.relkind = 'p' then part.rows >= 100 and part.rows >= 2 * size.reltuples
    else size.pages >= ${SMALLEST} and size.pages < ${LARGEST} and (size.reltuples < 0 or size.pages >= 2 * size.relpages)
    end
  order by size.relkind desc, 1`;

/** New entries of these indexes wait in a list, which every search reads, and the booking that fills it must merge. */
const MERGE_NEW_ENTRIES = `
  select gin_clean_pending_list(i.indexrelid) from pg_index i
  join pg_class c on c.oid = i.indexrelid join pg_am on pg_am.oid = c.relam
  where pg_am.amname = 'gin' and c.relkind = 'i' and c.relnamespace = 'public'::regnamespace
    and i.indisvalid and pg_has_role(c.relowner, 'usage')`;
