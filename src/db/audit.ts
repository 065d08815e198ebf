import type { ColumnType, Selectable } from 'kysely';
import { type Instant, toUtcIso } from '../base/clock.ts';
import { newId } from '../base/ids.ts';
import { splitTexts } from './audit-texts.ts';
import { col, kept, made, type TableOf } from './columns.ts';
import type { Queryable, Tx } from './connection.ts';
import type { PersonalTable } from './personal.ts';
import { pg } from './statement.ts';
import { rowsOf, tablesOf } from './tables.ts';

/** A resource as JSON. */
type Resource = ColumnType<unknown, string | null, never>;

const STATE = kept(
  pg.nullable(pg.jsonb<Resource>()),
  'COPY',
  'a chain of hashes: texts are beside it, in audit_texts',
);

const AUDIT_LOG = {
  id: made(pg.uuid),
  position: col(pg.bigint, { made: 'always' }),
  at: pg.timestamptz,
  actor: pg.typed<Actor>(pg.text),
  action: pg.text,
  target: pg.text,
  before: STATE,
  after: STATE,
  /** These three are of the chain, set by a trigger. */
  number: col(pg.nullable(pg.bigint), { made: 'always' }),
  previous_hash: col(pg.nullable(pg.bytea), { made: 'always' }),
  hash: col(pg.nullable(pg.bytea), { made: 'always' }),
  /** Groups the entries of one request. */
  group_id: made(pg.nullable(pg.uuid)),
};
export type AuditTable = TableOf<typeof AUDIT_LOG>;

export const PERSONAL_AUDIT: PersonalTable = {
  table: 'audit_log',
  columns: AUDIT_LOG,
  what: 'bookings and appointments with references, without texts, name, phone and address',
  until: 'for good',
};

/** A listed entry, without its position in the log and its hash. */
export type AuditRow = Omit<Selectable<AuditTable>, 'position' | 'number' | 'previous_hash' | 'hash'>;

const tables = tablesOf<{ audit_log: AuditTable }>();

/** The actor: `operator:first-token`, `cli:root`, ... */
export type Actor = string;

export type AuditEntry = {
  actor: Actor;
  /** `partner.create`, `key.rotate`, ... */
  action: string;
  /** The changed resource: `partner:<id>`. */
  target: string;
  /** The resource as in the operator API; never a secret. */
  before?: unknown;
  after?: unknown;
  /** A shared UUID of the entries of one request that changes several resources. */
  groupId?: string | undefined;
};

/** Records an operator's change in the transaction that makes it; texts about a booking beside the log. */
export async function audit(
  tx: Tx,
  now: Instant,
  { actor, action, target, groupId, ...states }: AuditEntry,
): Promise<void> {
  const id = newId(now);
  const { before, after } = await splitTexts(tx, { id, target, ...states });
  const query = tables.insertInto('audit_log').values({
    id,
    at: toUtcIso(now),
    actor,
    action,
    target,
    before: before === undefined ? null : JSON.stringify(before),
    after: after === undefined ? null : JSON.stringify(after),
    group_id: groupId ?? null,
  });
  await rowsOf(tx, query);
}

/** Entries that are verified in one statement. */
const BATCH = 5_000;

/** The newest entry of the log, to be stored elsewhere: an older one proves that none was cut off the end. */
export type AuditHead = { number: number; hash: string };

/**
 * `brokenAt`: the first entry that was tampered with, or null. `textsBrokenAt`: the first entry whose texts were changed,
 * or deleted without an erasure, or null. `rewrittenAt`: the entry that records why the known head is not in the log,
 * or null. `head` is null when the log is empty.
 */
export type AuditVerdict = {
  entries: number;
  brokenAt: number | null;
  textsBrokenAt: number | null;
  rewrittenAt: number | null;
  head: AuditHead | null;
};

/**
 * Verifies the whole log: consecutive numbers, each entry's hash, and the hash of the previous entry in each; also the
 * texts beside it, of which those of erased customers may be missing. With `known`, a head that was stored earlier, that
 * entry must exist unchanged, or have been the last one when a migration computed the chain again. In batches of so many
 * entries.
 */
export async function verifyAudit(
  db: Queryable,
  known: AuditHead | null = null,
  batchSize = BATCH,
): Promise<AuditVerdict> {
  const { entries, brokenAt } = await verifyChain(db, batchSize);
  const head = await db.first<AuditHead>({
    text: `
      select number, encode(hash, 'hex') as hash from audit_log where number is not null
      order by number desc limit 1`,
  });
  const textsBrokenAt = await findBrokenTexts(db, head?.number ?? 0, batchSize);
  const verdict = { entries, brokenAt, textsBrokenAt, rewrittenAt: null, head };
  if (brokenAt !== null || known === null) return verdict;
  const found = await db.first<{ number: number; action: string }>({
    text: `
      select number, action from audit_log
      where (number = $1 and encode(hash, 'hex') = $2)
        or (action = 'audit.rechain' and after ->> 'previousHead' = $1 || ':' || $2)
      order by number limit 1`,
    values: [known.number, known.hash],
  });
  if (found === null) return { ...verdict, brokenAt: Math.min(known.number, entries + 1) };
  return { ...verdict, rewrittenAt: found.number === known.number ? null : found.number };
}

/** The whole log, in batches: each statement ends within the time-outs, however long the log is. */
async function verifyChain(
  db: Queryable,
  batchSize: number,
): Promise<Pick<AuditVerdict, 'entries' | 'brokenAt'>> {
  const rest = await db.first<{ unnumbered: number; rechained: number | null }>({
    text: `
      select count(*) filter (where number is null) as unnumbered,
        min((after ->> 'brokenAt')::bigint) filter (where action = 'audit.rechain') as rechained
      from audit_log`,
  });
  const broken = rest!.rechained === null ? [] : [rest!.rechained];
  let last = { number: Number.MIN_SAFE_INTEGER, position: 0, hash: null as string | null };
  let entries = 0;
  for (;;) {
    const batch = (await db.first<typeof last & { entries: number; broken_at: number | null }>({
      text: `
        select count(*) as entries, (array_agg(number order by place desc))[1] as number,
          (array_agg(position order by place desc))[1] as position,
          encode((array_agg(hash order by place desc))[1], 'hex') as hash,
          min(place) filter (where number is distinct from place or hash is distinct from own
            or previous_hash is distinct from before_it) as broken_at
        from (
          select (entry).number, (entry).position, (entry).hash, (entry).previous_hash, audit_hash(entry) as own,
            $3 + row_number() over chain as place,
            case when row_number() over chain = 1 then decode($4, 'hex') else lag((entry).hash) over chain end as before_it
          from (
            select a as entry from audit_log a where (number, position) > ($1, $2) order by number, position limit $5
          ) batch window chain as (order by (entry).number, (entry).position)
        ) entries`,
      values: [last.number, last.position, entries, last.hash, batchSize],
    }))!;
    if (batch.entries === 0) break;
    entries += batch.entries;
    if (batch.broken_at !== null) broken.push(batch.broken_at);
    last = batch;
  }
  if (rest!.unnumbered > 0) broken.push(entries + 1);
  return { entries: entries + rest!.unnumbered, brokenAt: broken.length === 0 ? null : Math.min(...broken) };
}

/** The number of the first entry whose texts are not as they were written; null: all are, or were erased. */
async function findBrokenTexts(db: Queryable, newest: number, batchSize: number): Promise<number | null> {
  for (let after = 0; after < newest; after += batchSize) {
    const found = await db.first<{ number: number | null }>({
      text: `
        select min(a.number) as number
        from audit_log a
        left join audit_texts t on t.entry_id = a.id
        where a.number > $1 and a.number <= $2 and (a.after ? 'textsHash' or t.entry_id is not null)
          and case when t.entry_id is null then not exists (
            select from bookings b join contacts c on c.id = b.contact_id
            where c.erasure_id is not null and b.id = substring(coalesce(a.after ->> 'bookingId', a.target)
              from '[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$')::uuid)
          else a.after ->> 'textsHash' is distinct from encode(audit_texts_hash(t.salt, t.before, t.after), 'hex') end`,
      values: [after, after + batchSize],
    });
    if (found!.number !== null) return found!.number;
  }
  return null;
}
