import type { ColumnType, Generated, GeneratedAlways, Selectable } from 'kysely';
import { type Instant, toUtcIso } from '../base/clock.ts';
import { newId } from '../base/ids.ts';
import { splitTexts } from './audit-texts.ts';
import type { Queryable, Tx } from './connection.ts';
import { rowsOf, type Timestamp, tablesOf } from './tables.ts';

/** A resource as JSON. */
type Resource = ColumnType<unknown, string | null, never>;

export type AuditTable = {
  id: string;
  position: GeneratedAlways<number>;
  at: Timestamp;
  actor: Actor;
  action: string;
  target: string;
  before: Resource;
  after: Resource;
  /** Groups the entries of one request. */
  group_id: Generated<string | null>;
};

/** A listed entry, without its position in the log and its hash. */
export type AuditRow = Omit<Selectable<AuditTable>, 'position'>;

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
 * entry must exist unchanged, or have been the last one when a migration computed the chain again.
 */
export async function verifyAudit(db: Queryable, known: AuditHead | null = null): Promise<AuditVerdict> {
  const chain = await db.first<{ entries: number; broken_at: number | null }>({
    text: `
      select count(*) as entries, least(
        min(place) filter (where number is distinct from place or hash is distinct from own
          or previous_hash is distinct from before_it),
        (select min((after ->> 'brokenAt')::bigint) from audit_log where action = 'audit.rechain')
      ) as broken_at
      from (
        select number, hash, previous_hash, audit_hash(a) as own, row_number() over chain as place,
          lag(hash) over chain as before_it
        from audit_log a window chain as (order by number nulls last, position)
      ) entries`,
  });
  const head = await db.first<AuditHead>({
    text: `
      select number, encode(hash, 'hex') as hash from audit_log where number is not null
      order by number desc limit 1`,
  });
  const { entries, broken_at: brokenAt } = chain!;
  const verdict = { entries, brokenAt, textsBrokenAt: await findBrokenTexts(db), rewrittenAt: null, head };
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

/** The number of the first entry whose texts are not as they were written; null: all are, or were erased. */
async function findBrokenTexts(db: Queryable): Promise<number | null> {
  const found = await db.first<{ number: number | null }>({
    text: `
      select min(a.number) as number
      from audit_log a
      left join audit_texts t on t.entry_id = a.id
      left join bookings b on t.entry_id is null and b.id = substring(coalesce(a.after ->> 'bookingId', a.target)
        from '[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$')::uuid
      left join contacts c on c.id = b.contact_id
      where (a.after ? 'textsHash' or t.entry_id is not null)
        and case when t.entry_id is null then c.erasure_id is null
          else a.after ->> 'textsHash' is distinct from encode(audit_texts_hash(t.salt, t.before, t.after), 'hex') end`,
  });
  return found!.number;
}
