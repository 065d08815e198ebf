import type { Queryable } from './connection.ts';

/** Rows that a table without rows, by its statistics, must have got since. */
const MANY_CHANGES = 100;
/** In pages of 8 KiB. Below, PostgreSQL's default estimates do no harm. */
const SMALLEST = 8;
/** Above, a table doubles slowly enough for autovacuum, and its statistics would take longer. */
const LARGEST = 12_800;

/**
 * Analyses tables that have grown much since their last statistics: autovacuum is too slow for that, and the embedded
 * database has none. Returns the analysed tables. Tables that another process is working on are skipped.
 *
 * A cached plan lives as long as the statistics, so one that was made for a nearly empty table would read all of a
 * large one. So it is called every few seconds, and is cheap with nothing to do.
 */
export async function analyzeGrownTables(db: Queryable): Promise<string[]> {
  const due = await db.rows<{ name: string }>({ name: 'list-grown-tables', text: GROWN });
  for (const { name } of due) await db.rows({ text: `analyze (skip_locked) ${name}` });
  await db.rows({ name: 'merge-new-entries', text: MERGE_NEW_ENTRIES });
  return due.map(({ name }) => name);
}

/**
 * Twice as large as when last analysed, never analysed, or empty as a vacuum saw it that did not see the rows that were
 * being written. The size of a partitioned table is that of its partitions.
 */
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
    else size.pages >= ${SMALLEST} and size.pages < ${LARGEST} and (size.reltuples < 0 or size.pages >= 2 * size.relpages
        or size.reltuples = 0 and pg_stat_get_mod_since_analyze(size.oid) >= ${MANY_CHANGES})
    end
  order by size.relkind desc, 1`;

/** New entries of these indexes wait in a list, which every search reads, and the booking that fills it must merge. */
const MERGE_NEW_ENTRIES = `
  select gin_clean_pending_list(i.indexrelid) from pg_index i
  join pg_class c on c.oid = i.indexrelid join pg_am on pg_am.oid = c.relam
  where pg_am.amname = 'gin' and c.relkind = 'i' and c.relnamespace = 'public'::regnamespace
    and i.indisvalid and pg_has_role(c.relowner, 'usage')`;
