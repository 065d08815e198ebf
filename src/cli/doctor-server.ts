import { statfs } from 'node:fs/promises';
import { HOUR, type Instant } from '../base/clock.ts';
import { type BackupReport, type ReportKind, readBackupReports } from '../db/backup-reports.ts';
import type { Queryable } from '../db/connection.ts';
import { readServerLoad, type ServerLoad } from '../db/server-queries.ts';
import type { Config } from '../program/config.ts';
import { listDeliveryRows } from '../webhooks/delivery-queries.ts';

/** `warns`: works, but an operator should know. */
export type Check = { name: string; ok: boolean; warns?: boolean; detail: string };

/** Checks of the server beside the database's connection. Thresholds are those of deploy/monitoring/alerts.yml. */

const MAX_CONNECTIONS_USED = 0.8;
const MAX_SEGMENTS_WAITING = 8;
const MIN_DISK_FREE = 0.1;
/** Hours. */
const FAILED_WITHIN = 24;

/** Checks archiving, standbys, connections and webhooks of a production on PostgreSQL. */
export async function examineProduction(db: Queryable, config: Config, now: Instant): Promise<Check[]> {
  if (config.deployment !== 'production') return [];
  const failingSince = now - FAILED_WITHIN * HOUR;
  const { total } = await listDeliveryRows(db, { failingSince }, { limit: 1, offset: 0 });
  const server =
    config.databaseUrl === null
      ? []
      : [...checkServerLoad(await readServerLoad(db)), ...checkBackups(await readBackupReports(db))];
  return [...server, checkWebhooks(total)];
}

/** Checks of the database server, from what it says of itself. */
export function checkServerLoad({ archive, standbys, connections }: ServerLoad): Check[] {
  return [checkArchive(archive), checkStandbys(standbys), checkConnections(connections)];
}

function checkArchive(archive: ServerLoad['archive']): Check {
  const name = 'archiving';
  if (archive === null)
    return warning(name, 'off: a restore loses everything since the last backup; set archive_mode');
  const { isFailing, waiting } = archive;
  const advice = "read PostgreSQL's log, and check space and credentials of the archive";
  if (isFailing) return { name, ok: false, detail: `archive_command fails: ${advice}` };
  if (waiting > MAX_SEGMENTS_WAITING) return warning(name, `${waiting} segments of WAL wait: ${advice}`);
  return { name, ok: true, detail: 'WAL is archived' };
}

/** `within` in hours. */
const OF_REPORTS: Record<ReportKind, { what: string; within: number; harmless?: true }> = {
  BACKUP: { what: 'backup that was verified', within: 30 },
  ARCHIVE: { what: 'check of the archive without a hole', within: 1 },
  DRILL: { what: 'restore drill', within: 35 * 24, harmless: true },
};

/** From the reports of backups, checks of the archive and drills. */
export function checkBackups(reports: readonly BackupReport[]): Check[] {
  return reports.map(({ kind, age, hasSucceeded, fault }) => {
    const { what, within, harmless = false } = OF_REPORTS[kind];
    const last = hasSucceeded
      ? `the last ${what} was ${Math.floor(age / 3600)} h ago`
      : `there was no ${what} yet`;
    const isGood = fault === null && age <= within * 3600;
    const detail = [fault ?? [], last, isGood && hasSucceeded ? [] : 'see docs/failover.md#backups']
      .flat()
      .join('; ');
    return { name: kind.toLowerCase(), ok: isGood || harmless, warns: !isGood || !hasSucceeded, detail };
  });
}

function checkStandbys({ isConfigured, synchronous }: ServerLoad['standbys']): Check {
  const name = 'standby';
  if (synchronous === null)
    return warning(name, 'cannot be seen: grant pg_read_all_stats to the role in DATABASE_URL');
  if (synchronous > 0) return { name, ok: true, detail: `${synchronous} synchronous` };
  const alone = 'without one the loss of the machine loses bookings: docs/failover.md';
  return isConfigured
    ? { name, ok: false, detail: 'none of synchronous_standby_names is connected: commits wait for it' }
    : warning(name, `none is synchronous: ${alone}`);
}

function checkConnections({ used, max }: ServerLoad['connections']): Check {
  const name = 'connections';
  const detail = `${used} of ${max} are used`;
  if (used <= max * MAX_CONNECTIONS_USED) return { name, ok: true, detail };
  return warning(name, `${detail}: lower DATABASE_POOL, use PgBouncer, or raise max_connections`);
}

function checkWebhooks(failing: number): Check {
  const name = 'webhooks';
  if (failing === 0) return { name, ok: true, detail: `none has failed for ${FAILED_WITHIN} h` };
  const list = `GET /operator/deliveries?failingWithinHours=${FAILED_WITHIN}`;
  return warning(name, `${failing} deliveries fail or were given up within ${FAILED_WITHIN} h: ${list}`);
}

/** Redis is shared by processes that count a partner's requests: without it each of them allows the whole limit. */
export function checkNoRedis({ deployment, roles }: Config): Check[] {
  if (deployment !== 'production' || !roles.has('api')) return [];
  const detail = 'not used: right for one process with the role api; several need REDIS_URL';
  return [warning('Redis', detail)];
}

/** Whether anybody is told at night; a monitoring system of his may do that instead. */
export function checkAlerts({ deployment, alerts, payments }: Config): Check[] {
  const isTold = alerts.webhook !== null || (alerts.phones.length > 0 && payments.notifier.name !== 'none');
  if (isTold || deployment !== 'production') return [];
  const advice = 'set ALERT_PHONES (with NOTIFIER) or ALERT_WEBHOOK_URL, and run partner-booking watch';
  return [warning('alerts', `nobody is told at night: ${advice}, or scrape /metrics`)];
}

/** The disk on which this command runs; the rule DiskAlmostFull looks at those of PostgreSQL. */
export async function examineDisk(): Promise<Check> {
  const { bavail, blocks } = await statfs(process.cwd());
  return checkDisk(bavail / blocks);
}

export function checkDisk(free: number): Check {
  const detail = `${Math.floor(free * 100)} % free on this machine`;
  const name = 'disk';
  return free >= MIN_DISK_FREE ? { name, ok: true, detail } : warning(name, `${detail}: enlarge it`);
}

const warning = (name: string, detail: string): Check => ({ name, ok: true, warns: true, detail });
