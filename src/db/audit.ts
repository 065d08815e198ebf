import type { ColumnType, Generated, GeneratedAlways, Selectable } from 'kysely';
import { type Instant, toUtcIso } from '../base/clock.ts';
import type { Queryable, Tx } from './connection.ts';
import { rowsOf, type Timestamp, tablesOf } from './tables.ts';

/** A resource as JSON. */
type Resource = ColumnType<unknown, string | null, never>;

export type AuditTable = {
  id: Generated<string>;
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

/** Records an operator's change in the transaction that makes it. */
export async function audit(
  tx: Tx,
  now: Instant,
  { actor, action, target, before, after, groupId }: AuditEntry,
): Promise<void> {
  const query = tables.insertInto('audit_log').values({
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

/** `brokenAt`: the first entry that was tampered with, or null; `head` is null when the log is empty. */
export type AuditVerdict = { entries: number; brokenAt: number | null; head: AuditHead | null };

/**
 * Verifies the whole log: consecutive numbers, each entry's hash, and the hash of the previous entry in each. With
 * `known`, a head that was stored earlier, that entry must exist unchanged.
 */
export async function verifyAudit(db: Queryable, known: AuditHead | null = null): Promise<AuditVerdict> {
  const verdict = await db.first<{ entries: number; broken_at: number | null }>({
    text: `
      select count(*) as entries,
        min(place) filter (where number is distinct from place or hash is distinct from own
          or previous_hash is distinct from before_it) as broken_at
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
  const { entries, broken_at: brokenAt } = verdict!;
  if (brokenAt !== null || known === null) return { entries, brokenAt, head };
  const found = await db.first<{ found: boolean }>({
    text: `select exists (select 1 from audit_log where number = $1 and encode(hash, 'hex') = $2) as found`,
    values: [known.number, known.hash],
  });
  return { entries, brokenAt: found!.found ? null : Math.min(known.number, entries + 1), head };
}
