import type { Instant } from '../base/clock.ts';
import type { AuditHead } from '../db/audit.ts';
import type { Db, Queryable } from '../db/connection.ts';

/** Rows that are kept for as long as a drill looks back; events are dropped after 90 days. */
const COUNTS = `
  select (select count(*) from bookings where created_at <= $1) as bookings,
    (select count(*) from contacts where created_at <= $1) as customers,
    (select count(*) from payments where created_at <= $1) as payments,
    (select count(*) from events where created_at <= $1 and created_at > $1 - interval '60 days') as events,
    (select count(*) from audit_log where at <= $1) as "audit entries"`;

/** How many rows there were of each kind at that time. */
export async function countUntil(db: Queryable, until: Instant): Promise<Record<string, number>> {
  return (await db.first<Record<string, number>>({
    text: COUNTS.replaceAll('$1', 'to_timestamp($1)'),
    values: [until / 1000],
  }))!;
}

/** Whether the log has this entry unchanged. */
export async function hasEntry(db: Queryable, { number, hash }: AuditHead): Promise<boolean> {
  const found = await db.first({
    text: `select from audit_log where number = $1 and encode(hash, 'hex') = $2`,
    values: [number, hash],
  });
  return found !== null;
}

/** A number of the advisory lock by which two connections find out that their database is the same. */
const LOCK = '7241865325823965';

/** Whether both lead to one database of one server, whatever their addresses. */
export async function isSame(one: Db, other: Db): Promise<boolean> {
  return one.transaction(async (tx) => {
    await tx.rows({ text: `select pg_advisory_xact_lock(${LOCK})` });
    const tried = await other.first<{ free: boolean }>({
      text: `select pg_try_advisory_xact_lock(${LOCK}) as free`,
    });
    return !tried!.free;
  });
}
