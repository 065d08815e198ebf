import { type BackupReport, readBackupReports } from '../db/backup-reports.ts';
import type { Db } from '../db/connection.ts';
import { readServerLoad } from '../db/server-queries.ts';
import type { Metrics } from '../runtime/metrics.ts';

/** The database server's connections, archive and standbys. What cannot be read, or is not in use, is omitted. */
export function serverMetrics(metrics: Metrics, db: Db): void {
  metrics.gauge('database_connections', 'Connections of the database server', 'state', async () => {
    const { used, max } = (await readServerLoad(db)).connections;
    return { used, max };
  });
  metrics.gauge(
    'database_archive',
    'Archiving of WAL: whether the last try failed, and the segments that wait for it',
    'what',
    async () => {
      const { archive } = await readServerLoad(db);
      return archive === null ? {} : { failing: archive.isFailing ? 1 : 0, waiting: archive.waiting };
    },
  );
  metrics.gauge(
    'database_standbys',
    'Standbys: whether synchronous ones are configured, and how many are connected as such',
    'what',
    async () => {
      const { standbys } = await readServerLoad(db);
      const synchronous = standbys.synchronous === null ? {} : { synchronous: standbys.synchronous };
      return { configured: standbys.isConfigured ? 1 : 0, ...synchronous };
    },
  );
  const ofReports = async (figure: (report: BackupReport) => number): Promise<Record<string, number>> => {
    const reports = await readBackupReports(db);
    return Object.fromEntries(reports.map((report) => [report.kind.toLowerCase(), figure(report)]));
  };
  metrics.gauge(
    'backup_age_seconds',
    'Seconds since the last backup that was verified, check of the archive without a hole, and restore drill',
    'kind',
    () => ofReports(({ age }) => age),
  );
  metrics.gauge('backup_failed', 'Whether the last one of each kind failed', 'kind', () =>
    ofReports(({ fault }) => (fault === null ? 0 : 1)),
  );
}
