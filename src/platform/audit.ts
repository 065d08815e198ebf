import { type Instant, toUtcIso } from '../clock.ts';
import type { Tx } from './db.ts';

/** Who acted: `operator:first-token`, `cli:root`, ... */
export type Actor = string;

export type AuditEntry = {
  actor: Actor;
  /** `partner.create`, `key.rotate`, ... */
  action: string;
  /** What it was done to: `partner:<id>`. */
  target: string;
  /** The resource as the operator's interface shows it; never a secret. */
  before?: unknown;
  after?: unknown;
};

/** Records an operator's change in the transaction that makes it. */
export async function audit(tx: Tx, now: Instant, entry: AuditEntry): Promise<void> {
  await tx.rows({
    text: 'insert into audit_log (at, actor, action, target, before, after) values ($1, $2, $3, $4, $5, $6)',
    values: [
      toUtcIso(now),
      entry.actor,
      entry.action,
      entry.target,
      entry.before === undefined ? null : JSON.stringify(entry.before),
      entry.after === undefined ? null : JSON.stringify(entry.after),
    ],
  });
}
