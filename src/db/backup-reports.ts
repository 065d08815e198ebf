import type { Queryable } from './connection.ts';

/** Reports of deploy/pgbackrest/backup.py and of restore drills, on the leader whichever machine that is. */

export type ReportKind = 'BACKUP' | 'ARCHIVE' | 'DRILL';

/** `age`: seconds since the last success, or since the database was made; `fault` of the last one, or null. */
export type BackupReport = { kind: ReportKind; age: number; hasSucceeded: boolean; fault: string | null };

/** Adds the outcome of one; `fault` null: it succeeded. */
export async function reportBackup(db: Queryable, kind: ReportKind, fault: string | null): Promise<void> {
  await db.rows({ text: 'select report_backup($1, $2)', values: [kind, fault] });
}

/** The last report of each kind; of the archive only where something checks it. */
export function readBackupReports(db: Queryable): Promise<BackupReport[]> {
  return db.rows<BackupReport>({
    name: 'read-backup-reports',
    text: `
      select kinds.kind, r.succeeded_at is not null as "hasSucceeded", r.fault,
        extract(epoch from clock_timestamp() - coalesce(r.succeeded_at, (select min(run_on) from schema_migrations)))::float8 as age
      from unnest(array['BACKUP', 'ARCHIVE', 'DRILL']) kinds (kind) left join backup_reports r on r.kind = kinds.kind
      where kinds.kind <> 'ARCHIVE' or r.kind is not null`,
  });
}
