-- compatible since: 0.1.0
-- How the last backup, check of the archive and restore drill ended, written by who made them: a row survives a failover.
create table backup_reports (
  kind text primary key check (kind in ('BACKUP', 'ARCHIVE', 'DRILL')),
  at timestamptz not null,
  -- The last one without a fault; null: none yet.
  succeeded_at timestamptz,
  -- null: the last one succeeded.
  fault text
);
