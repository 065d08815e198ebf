import { setTimeout as pause } from 'node:timers/promises';
import { DAY, type Instant, toUtcIso } from '../base/clock.ts';
import type { Db, Queryable, Tx } from './connection.ts';
import { isDatabaseError } from './unavailable.ts';

/**
 * Tables that grow without end are partitioned by time (docs/decisions/schema-baseline.md): days or months (UTC) are created
 * ahead and dropped whole, and the default partition takes all other rows. New partitions copy its columns, checks,
 * indexes and settings.
 */
export type PartitionedTable = {
  name: string;
  /** The timestamptz of the bounds. */
  key: string;
  /** Statements that drop other data of dropped partitions, in their transaction; $1 is their upper bound. */
  forget?: readonly string[];
};

export type Step = 'day' | 'month';

/** A table, and the partitions that it needs at a time: ahead of `now`, and since `keptSince`. */
export type PartitionPlan = { table: PartitionedTable; step: Step; now: Instant; keptSince: Instant };

export type Range = { from: Instant; until: Instant };
export type Partition = Range & { name: string };

/** The minimum of partitions ahead of time (milliseconds). */
const AHEAD: Readonly<Record<Step, number>> = { day: 3 * DAY, month: 35 * DAY };
/** Milliseconds to wait for a lock: other statements queue behind it. */
const MAX_WAIT = 100;
const TRIES = 20;
const TRY_AGAIN_AFTER = 250;
/** One process at a time, by an advisory lock. */
const LOCK = 12;

const defaultOf = ({ name }: PartitionedTable): string => `${name}_default`;

/** The partitions of the table without the default one, the oldest first. */
export function listPartitions(db: Queryable, { name }: PartitionedTable): Promise<Partition[]> {
  const milliseconds = (bound: number) =>
    `extract(epoch from replace(bounds[${bound}], 'MINVALUE', '''-infinity''')::timestamptz)::float8 * 1000`;
  return db.rows<Partition>({
    name: 'list-partitions',
    text: `
      select name, ${milliseconds(1)} as "from", ${milliseconds(2)} as until
      from (
        select c.relname as name,
          regexp_match(pg_get_expr(c.relpartbound, c.oid), 'FROM \\((.*)\\) TO \\((.*)\\)') as bounds
        from pg_inherits i join pg_class c on c.oid = i.inhrelid
        where i.inhparent = $1::regclass
      ) part
      where bounds is not null order by "from"`,
    values: [name],
  });
}

/** The start of the day or month (UTC) of the instant, or of a later one. */
export function startOf(step: Step, at: Instant, later = 0): Instant {
  const date = new Date(at);
  return step === 'day'
    ? Date.UTC(date.getUTCFullYear(), date.getUTCMonth(), date.getUTCDate() + later)
    : Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + later, 1);
}

/** The range for a new partition of an instant: its day or month, without parts in existing partitions. */
export function gapAround(partitions: readonly Range[], step: Step, at: Instant): Range {
  return {
    from: Math.max(startOf(step, at), ...partitions.map(({ until }) => until).filter((end) => end <= at)),
    until: Math.min(
      startOf(step, at, 1),
      ...partitions.map(({ from }) => from).filter((start) => start > at),
    ),
  };
}

/** The end of gapless partitions from `now` on. */
function coveredUntil(partitions: readonly Range[], now: Instant): Instant {
  return partitions.reduce((at, { from, until }) => (from <= at && at < until ? until : at), now);
}

/**
 * Creates the next partitions and those of rows in the default one, and drops partitions that end before `keptSince`;
 * returns how many were created and dropped. Any number of processes may call it at once. Throws the error of the
 * database when it does not get a lock.
 */
export async function keepPartitions(
  db: Db,
  { table, step, now, keptSince }: PartitionPlan,
): Promise<{ made: number; dropped: number }> {
  const made = await makePartitions(db, table, step, now);
  return { made, dropped: await dropPartitions(db, table, keptSince) };
}

/** Creates the next partitions, and those of rows in the default one; returns how many. */
export async function makePartitions(
  db: Db,
  table: PartitionedTable,
  step: Step,
  now: Instant,
): Promise<number> {
  for (let made = 0; ; ) {
    const partitions = await listPartitions(db, table);
    const covered = coveredUntil(partitions, now);
    const missing = covered <= now + AHEAD[step] ? covered : await findUnplaced(db, table);
    if (missing === null) return made;
    if (await alone(db, (tx) => makePartition(tx, table, gapAround(partitions, step, missing)))) made++;
  }
}

/** The time of a row in the default partition; null: it is empty. */
async function findUnplaced(db: Queryable, table: PartitionedTable): Promise<Instant | null> {
  const row = await db.first<{ at: Instant }>({
    text: `select ${table.key} as at from ${defaultOf(table)} limit 1`,
  });
  return row?.at ?? null;
}

/**
 * Locks the table and the tables that its foreign keys refer to, as strongly as the statements will need it. They would
 * take weaker locks first, and raise them: a transaction that has read a booking and goes on to change it would be
 * ended by the database as part of a deadlock, at once.
 */
async function lockWhole(tx: Tx, { name }: PartitionedTable): Promise<void> {
  const { referred } = (await tx.first<{ referred: string | null }>({
    text: `
      select string_agg(distinct confrelid::regclass::text, ', ') as referred from pg_constraint
      where conrelid = $1::regclass and contype = 'f'`,
    values: [name],
  }))!;
  // Referred ones first, as requests do.
  const tables = referred === null ? name : `${referred}, ${name}`;
  await tx.rows({ text: `lock table ${tables} in access exclusive mode` });
}

/** Creates a partition, and moves rows of its range from the default one. False: another process did. */
async function makePartition(tx: Tx, table: PartitionedTable, { from, until }: Range): Promise<boolean> {
  const others = await listPartitions(tx, table);
  if (others.some((other) => other.from < until && from < other.until)) return false;
  await lockWhole(tx, table);
  const rest = defaultOf(table);
  const made = `${table.name}_${toUtcIso(from).slice(0, 10).replaceAll('-', '')}`;
  const [start, end] = [`'${toUtcIso(from)}'`, `'${toUtcIso(until)}'`];
  const options = await tx.first<{ settings: string | null }>({
    text: `select array_to_string(reloptions, ', ') as settings from pg_class where oid = $1::regclass`,
    values: [rest],
  });
  // Generated columns are not inserted.
  const written = await tx.first<{ columns: string }>({
    text: `
      select string_agg(quote_ident(attname), ', ') as columns from pg_attribute
      where attrelid = $1::regclass and attnum > 0 and not attisdropped and attgenerated = ''`,
    values: [rest],
  });
  const { columns } = written!;
  const settings = options?.settings == null ? '' : `with (${options.settings})`;
  for (const text of [
    `create table ${made} (like ${rest} including all) ${settings}`,
    // Detached, so that triggers do not treat the move as a change.
    `alter table ${table.name} detach partition ${rest}`,
    `with moved as (delete from ${rest} where ${table.key} >= ${start} and ${table.key} < ${end} returning *)
      insert into ${made} (${columns}) select ${columns} from moved`,
    `alter table ${table.name} attach partition ${made} for values from (${start}) to (${end})`,
    `alter table ${table.name} attach partition ${rest} default`,
  ])
    await tx.rows({ text });
  return true;
}

/** Drops partitions that end before `keptSince`; returns how many. */
export async function dropPartitions(db: Db, table: PartitionedTable, keptSince: Instant): Promise<number> {
  const oldOf = async (queryable: Queryable) =>
    (await listPartitions(queryable, table)).filter(({ until }) => until <= keptSince);
  if ((await oldOf(db)).length === 0) return 0;
  return alone(db, async (tx) => {
    const old = await oldOf(tx);
    if (old.length === 0) return 0;
    await tx.rows({ text: `drop table ${old.map(({ name }) => name).join(', ')}` });
    for (const text of table.forget ?? [])
      await tx.rows({ text, values: text.includes('$1') ? [toUtcIso(old.at(-1)!.until)] : [] });
    return old.length;
  });
}

/** A transaction that one process runs at a time; retried while others hold a lock. */
async function alone<T>(db: Db, work: (tx: Tx) => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries++) {
    try {
      return await db.transaction(async (tx) => {
        await tx.rows({ text: `set local lock_timeout = ${MAX_WAIT}` });
        await tx.rows({ text: `select pg_advisory_xact_lock(${LOCK}, 0)` });
        return work(tx);
      });
    } catch (error) {
      const isBusy = isDatabaseError(error) && (error.code === '55P03' || error.code === '40P01');
      if (!isBusy || tries === TRIES) throw error;
      await pause(TRY_AGAIN_AFTER);
    }
  }
}

/** The lag of the worker with the partitions of a table. */
export type PartitionState = {
  /** Milliseconds since the next partition was needed; 0: it exists, or nothing was ever written. */
  late: number;
  /** Milliseconds since a partition should have been dropped; 0: none. */
  overdue: number;
};

/** Compares the partitions with the plan. */
export async function readPartitionState(
  db: Queryable,
  { table, step, now, keptSince }: PartitionPlan,
): Promise<PartitionState> {
  const partitions = await listPartitions(db, table);
  const isUnused = partitions.length === 0 && (await findUnplaced(db, table)) === null;
  return {
    late: isUnused ? 0 : Math.max(0, now + AHEAD[step] - coveredUntil(partitions, now)),
    overdue: Math.max(0, keptSince - (partitions[0]?.until ?? keptSince)),
  };
}
