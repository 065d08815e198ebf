import { setTimeout as pause } from 'node:timers/promises';
import type { ClientBase } from 'pg';
import { DAY, type Instant, toUtcIso } from '../base/clock.ts';
import type { Db, Queryable, Tx } from './connection.ts';
import { isDatabaseError } from './unavailable.ts';

/**
 * Tables that grow without end are parted by time (docs/decisions/partitions.md). The first partition has no lower
 * bound and the last, the open one, no upper: every instant has a place, whatever the clock says and whether or not the
 * job ran. What a partition lacks is copied from the open one, so there is one definition of its columns and indexes.
 */
export type PartitionedTable = {
  name: string;
  /** The column of the bounds. */
  key: string;
  /** Whether that is a timestamptz, or an id that begins with the time (request_batch_id). */
  kind: 'time' | 'id';
  /** Statements that forget what else is kept of dropped partitions, in their transaction; $1 is where those left begin. */
  forget?: readonly string[];
};

export type Step = 'day' | 'month';

/** A table, and the partitions that it needs at a time: ahead of `now`, and of what is not older than `keptSince`. */
export type PartitionPlan = { table: PartitionedTable; step: Step; now: Instant; keptSince: Instant };

export type Partition = {
  name: string;
  /** null: from the beginning. */
  from: Instant | null;
  /** null: it is the open one. */
  until: Instant | null;
};

/** How far ahead of the time there are partitions at least. */
const AHEAD: Readonly<Record<Step, number>> = { day: DAY, month: 35 * DAY };
/** So many missing ones are made; of more, which only a clock that was moved can leave, one is made. */
const MAX_MADE = 12;
/** Bytes of an open partition that is bounded at once; a larger one is read first, while it is in use. */
const READ_AT_ONCE = 16 * 1024 * 1024;
/** Time for reading a large one, during which it refuses what lies behind its bound. */
const MARGIN = 28 * DAY;
/** Milliseconds that a lock is waited for: others wait behind it. */
const MAX_WAIT = 100;
const TRIES = 20;
const TRY_AGAIN_AFTER = 250;
/** One process at a time, of the locks that the database has by number. */
const LOCK = 12;
/** Of a large open partition, while it is being bounded. */
const BOUND_CHECK = 'partition_bound';

/** The first moment of a day or month (UTC) after the instant. */
export function nextStart(step: Step, after: Instant): Instant {
  const date = new Date(after);
  return step === 'day'
    ? Date.UTC(date.getUTCFullYear(), date.getUTCMonth(), date.getUTCDate() + 1)
    : Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 1);
}

/** Where the open partition that begins at `from` is to end. */
export function boundFor(step: Step, from: Instant | null, now: Instant): Instant {
  let bound = nextStart(step, from ?? now);
  for (let made = 1; bound <= now && made < MAX_MADE; made++) bound = nextStart(step, bound);
  return bound <= now ? nextStart(step, now) : nextStart(step, from ?? now);
}

/** The partitions of the table, the oldest first. */
export async function listPartitions(db: Queryable, { name, kind }: PartitionedTable): Promise<Partition[]> {
  const milliseconds = (bound: string) => {
    const value = `nullif(nullif(trim(both '''' from bounds[${bound}]), 'MINVALUE'), 'MAXVALUE')`;
    return kind === 'id'
      ? `(${value}::bigint / ${IDS_PER_MILLISECOND})::float8`
      : `extract(epoch from ${value}::timestamptz)::float8 * 1000`;
  };
  return db.rows<Partition>({
    text: `
      select name, ${milliseconds('1')} as "from", ${milliseconds('2')} as until
      from (
        select c.relname as name,
          regexp_match(pg_get_expr(c.relpartbound, c.oid), 'FROM \\((.*)\\) TO \\((.*)\\)') as bounds
        from pg_inherits i join pg_class c on c.oid = i.inhrelid
        where i.inhparent = $1::regclass
      ) part
      order by "from" nulls first`,
    values: [name],
  });
}

const IDS_PER_MILLISECOND = 1000;

function literal({ kind }: PartitionedTable, bound: Instant): string {
  return kind === 'id' ? String(bound * IDS_PER_MILLISECOND) : `'${toUtcIso(bound)}'`;
}

/** `_20261201` for the first moment of that day. */
const suffix = (bound: Instant): string => `_${toUtcIso(bound).slice(0, 10).replaceAll('-', '')}`;

function range(table: PartitionedTable, from: Instant | null, until: Instant | null): string {
  return `for values from (${from === null ? 'minvalue' : literal(table, from)})
    to (${until === null ? 'maxvalue' : literal(table, until)})`;
}

/**
 * Makes the partitions that the time needs next, and drops those in which everything is older than `keptSince`; returns
 * how many were made and dropped. Any number of processes may call it at once. A lock is held for milliseconds and waited
 * for a tenth of a second. Throws what the database says when it is not to be had, and changes nothing then.
 */
export async function keepPartitions(
  db: Db,
  { table, step, now, keptSince }: PartitionPlan,
): Promise<{ made: number; dropped: number }> {
  const partitions = await listPartitions(db, table);
  const made = isAhead(partitions.at(-1)!, step, now) ? 0 : await makePartitions(db, table, step, now);
  const dropped =
    partitions[0]!.until === null || partitions[0]!.until > keptSince
      ? 0
      : await dropPartitions(db, table, keptSince);
  return { made, dropped };
}

const isAhead = ({ from }: Partition, step: Step, now: Instant): boolean =>
  from !== null && from > now + AHEAD[step];

/** What the worker has left undone with the partitions of a table. */
export type PartitionState = {
  /** Milliseconds for which the next partition has been missing; 0: it is there, or nothing was ever written. */
  late: number;
  /** Bytes in the open partition that should have had one of their own; 0 while its time has not come. */
  openBytes: number;
  /** Milliseconds for which a partition has been there that should have been dropped; 0: there is none. */
  overdue: number;
};

/** How the partitions are, beside what they should be; null when the table is in none, as before its migration. */
export async function readPartitionState(
  db: Queryable,
  { table, step, now, keptSince }: PartitionPlan,
): Promise<PartitionState | null> {
  const partitions = await listPartitions(db, table);
  const open = partitions.at(-1);
  if (open === undefined) return null;
  const size = await sizeOf(db, open);
  // One that never got a bound takes the rows of now, if there are any.
  const begins = open.from ?? (size === 0 ? Number.POSITIVE_INFINITY : now);
  const held = await oldOf(db, partitions, keptSince);
  return {
    late: Math.max(0, now + AHEAD[step] - begins),
    openBytes: begins <= now ? size : 0,
    overdue: held.length === 0 ? 0 : keptSince - held[0]!.until!,
  };
}

/** Makes the partitions that the time needs next; returns how many. */
export async function makePartitions(
  db: Db,
  table: PartitionedTable,
  step: Step,
  now: Instant,
  readAtOnce = READ_AT_ONCE,
): Promise<number> {
  for (let made = 0; ; made++) {
    const open = (await listPartitions(db, table)).at(-1)!;
    if (isAhead(open, step, now)) return made;
    let bound = boundFor(step, open.from, now);
    if ((await sizeOf(db, open)) > readAtOnce) bound = await proveBound(db, table, step, open, now);
    if (!(await retried(() => closePartition(db, table, open, bound)))) return made;
  }
}

async function sizeOf(db: Queryable, { name }: Partition): Promise<number> {
  const found = await db.first<{ size: number }>({
    text: 'select pg_relation_size($1::regclass)::float8 as size',
    values: [name],
  });
  return found!.size;
}

/** Several statements that one process at a time may run, for one table at a time. */
async function alone<T>(db: Db, work: (tx: Tx) => Promise<T>): Promise<T> {
  return db.transaction(async (tx) => {
    await tx.rows({ text: `set local lock_timeout = ${MAX_WAIT}` });
    // Waited for: the worker begins with all tables at once, and what it left undone would be for its next turn.
    await tx.rows({ text: `select pg_advisory_xact_lock(${LOCK}, 0)` });
    return work(tx);
  });
}

async function retried<T>(work: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries++) {
    try {
      return await work();
    } catch (error) {
      const isBusy = isDatabaseError(error) && (error.code === '55P03' || error.code === '40P01');
      if (!isBusy || tries === TRIES) throw error;
      await pause(TRY_AGAIN_AFTER);
    }
  }
}

/**
 * Gives the open partition an upper bound, and the table a new open one behind it. Rows that lie behind the bound,
 * because a clock was moved, move with it. False: another process has changed the partitions, or is about to.
 */
async function closePartition(
  db: Db,
  table: PartitionedTable,
  open: Partition,
  bound: Instant,
): Promise<boolean> {
  const next = `${table.name}${suffix(bound)}`;
  return alone(db, async (tx) => {
    if (!(await isStill(tx, table, open))) return false;
    await createLike(tx, next, open.name);
    await tx.rows({ text: `lock table only ${table.name} in access exclusive mode` });
    await tx.rows({ text: `alter table ${table.name} detach partition ${open.name}` });
    await moveRowsBehind(tx, table, open.name, bound, next);
    await tx.rows({
      text: `alter table ${table.name} attach partition ${open.name} ${range(table, open.from, bound)}`,
    });
    await tx.rows({ text: `alter table ${open.name} drop constraint if exists ${BOUND_CHECK}` });
    await tx.rows({
      text: `alter table ${table.name} attach partition ${next} ${range(table, bound, null)}`,
    });
    return true;
  });
}

async function isStill(tx: Tx, table: PartitionedTable, partition: Partition): Promise<boolean> {
  return (await listPartitions(tx, table)).some(
    ({ name, from, until }) =>
      name === partition.name && from === partition.from && until === partition.until,
  );
}

/** A table with the columns, checks, indexes and settings of the partition. */
async function createLike(tx: Tx, name: string, partition: string): Promise<void> {
  const options = await tx.first<{ settings: string | null }>({
    text: `select array_to_string(reloptions, ', ') as settings from pg_class where oid = $1::regclass`,
    values: [partition],
  });
  const settings = options?.settings == null ? '' : `with (${options.settings})`;
  await tx.rows({ text: `create table ${name} (like ${partition} including all) ${settings}` });
  await tx.rows({ text: `alter table ${name} drop constraint if exists ${BOUND_CHECK}` });
}

/** A large one has none: its bound lies behind its last row. */
async function moveRowsBehind(
  tx: Tx,
  table: PartitionedTable,
  from: string,
  bound: Instant,
  to: string,
): Promise<void> {
  const isProven = await tx.first({
    text: `select 1 from pg_constraint where conrelid = $1::regclass and conname = $2`,
    values: [from, BOUND_CHECK],
  });
  if (isProven !== null) return;
  await tx.rows({
    text: `
      with moved as (delete from ${from} where ${table.key} >= ${literal(table, bound)} returning *)
      insert into ${to} select * from moved`,
  });
}

/**
 * Attaching a table reads all of it under a lock, unless a check proves the bound. So a large one gets that check first,
 * and is read while it is in use. Returns the bound: behind its last row, and so far ahead that nothing is refused while
 * it is read. Another run goes on where one has ended, at every point.
 */
async function proveBound(
  db: Db,
  table: PartitionedTable,
  step: Step,
  open: Partition,
  now: Instant,
): Promise<Instant> {
  return db.withClient(async (client) => {
    const bound = await retried(async () => {
      await client.query('begin');
      try {
        await client.query(`set local lock_timeout = ${MAX_WAIT}`);
        await client.query(`select pg_advisory_xact_lock(${LOCK}, 0)`);
        const checked = await checkBound(client, table, step, open, now);
        await client.query('commit');
        return checked;
      } catch (error) {
        await client.query('rollback');
        throw error;
      }
    });
    await client.query(`alter table ${open.name} validate constraint ${BOUND_CHECK}`);
    return bound;
  });
}

async function checkBound(
  client: ClientBase,
  table: PartitionedTable,
  step: Step,
  { name, from }: Partition,
  now: Instant,
): Promise<Instant> {
  const one = async <Row>(text: string): Promise<Row | undefined> => (await client.query(text)).rows[0];
  const begun = await one<{ bound: number }>(`
    select obj_description(oid, 'pg_constraint')::float8 as bound from pg_constraint
    where conrelid = '${name}'::regclass and conname = '${BOUND_CHECK}'`);
  if (begun !== undefined) return begun.bound;
  const { key, kind } = table;
  const last =
    kind === 'id' ? `max(${key}) / ${IDS_PER_MILLISECOND}` : `extract(epoch from max(${key})) * 1000`;
  const newest = await one<{ last: number | null }>(`select (${last})::float8 as last from ${name}`);
  const bound = nextStart(step, Math.max(now + MARGIN, newest?.last ?? 0));
  const isFrom = from === null ? '' : `${key} >= ${literal(table, from)} and `;
  await client.query(`
    alter table ${name}
    add constraint ${BOUND_CHECK} check (${isFrom}${key} < ${literal(table, bound)}) not valid`);
  await client.query(`comment on constraint ${BOUND_CHECK} on ${name} is '${bound}'`);
  return bound;
}

/**
 * Drops the partitions in which everything is older than `keptSince`; returns how many. What is stamped with such a time
 * later has a place in a new first one.
 */
export async function dropPartitions(db: Db, table: PartitionedTable, keptSince: Instant): Promise<number> {
  if ((await oldOf(db, await listPartitions(db, table), keptSince)).length === 0) return 0;
  return retried(() =>
    alone(db, async (tx) => {
      const partitions = await listPartitions(tx, table);
      if ((await oldOf(tx, partitions, keptSince)).length === 0) return 0;
      const old = partitions.filter((one) => isOld(one, keptSince));
      const { from } = partitions[old.length]!;
      const first = `${table.name}_before${suffix(from!)}`;
      await tx.rows({ text: `lock table only ${table.name} in access exclusive mode` });
      // Before the new first one is made: the old one has the same name when it is all that is old, after a clock went back.
      await tx.rows({ text: `drop table ${old.map(({ name }) => name).join(', ')}` });
      await createLike(tx, first, partitions.at(-1)!.name);
      await tx.rows({
        text: `alter table ${table.name} attach partition ${first} ${range(table, null, from)}`,
      });
      for (const text of table.forget ?? [])
        await tx.rows({ text, values: text.includes('$1') ? [toUtcIso(from!)] : [] });
      return old.length;
    }),
  );
}

const isOld = ({ until }: Partition, keptSince: Instant): boolean => until !== null && until <= keptSince;

/** Those in which everything is older than `keptSince`, the oldest first; not a first one that is empty. */
async function oldOf(db: Queryable, partitions: Partition[], keptSince: Instant): Promise<Partition[]> {
  const [first, ...more] = partitions.filter((one) => isOld(one, keptSince));
  if (first === undefined) return [];
  return (await isEmpty(db, first)) ? more : [first, ...more];
}

async function isEmpty(db: Queryable, { name }: Partition): Promise<boolean> {
  return (await db.first({ text: `select 1 from ${name} limit 1` })) === null;
}
