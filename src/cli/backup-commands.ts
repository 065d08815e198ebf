import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import type { Command } from 'commander';
import { MINUTE } from '../base/clock.ts';
import { verifyAudit } from '../db/audit.ts';
import { reportBackup } from '../db/backup-reports.ts';
import { migrate } from '../db/migrate.ts';
import { exportErasures } from '../privacy/replay.ts';
import { startStopwatch } from '../runtime/stopwatch.ts';
import { numberOf } from './arguments.ts';
import { countUntil, hasEntry, isSame } from './drill-queries.ts';
import { explain } from './explain.ts';
import { replayErasures } from './privacy-commands.ts';
import { CliError, type Session, withDatabase, withMigrated } from './session.ts';
import type { Environment, Terminal } from './terminal.ts';

type DrillOptions = { restore?: string; remove?: string; url: string; within: string };

/** Seconds. Counting and verifying take longer than a request may. */
const TIMEOUTS = { DATABASE_STATEMENT_TIMEOUT: '3600', DATABASE_QUERY_TIMEOUT: '3600' };

/** `partner-booking backup-report` and `drill` */
export function backupCommands(program: Command, terminal: Terminal): void {
  const { environment, print } = terminal;
  program
    .command('backup-report')
    .description(
      'tell doctor and the alerts how a backup ended that deploy/pgbackrest/backup.py did not make',
    )
    .option('--fault <text>', 'it failed, or could not be verified')
    .action(async ({ fault = null }: { fault?: string | null }) => {
      await withMigrated(environment, ({ db }) => reportBackup(db, 'BACKUP', fault));
      print(fault === null ? 'a verified backup was made now' : `the last backup failed: ${fault}`);
    });
  program
    .command('drill')
    .description(
      'restore a backup elsewhere, migrate it, verify it, and compare it with the running database, at DATABASE_URL',
    )
    .requiredOption(
      '--url <url>',
      'the restored database, which is changed; parts that are missing are those of DATABASE_URL',
    )
    .option('--restore <command>', 'restores and starts it; without: it is there')
    .option('--remove <command>', 'stops and removes it, also after a failure')
    .option('--within <minutes>', 'what was written earlier than this must have been restored', '5')
    .action(async (options: DrillOptions) => {
      const within = numberOf(options.within)!;
      if (!Number.isSafeInteger(within)) throw new CliError('--within must be a number of minutes');
      const elapsed = startStopwatch();
      await withMigrated({ ...environment, ...TIMEOUTS }, async (running) => {
        let fault: string | null = null;
        try {
          await drill(terminal, running, options, running.now - within * MINUTE);
        } catch (error) {
          fault = explain(error as Error);
        } finally {
          if (options.remove !== undefined) await shell(options.remove, environment);
        }
        await reportBackup(running.db, 'DRILL', fault);
        if (fault !== null) throw new CliError(`the drill failed: ${fault}`);
      });
      print(`ok: the drill took ${seconds(elapsed())}`);
    });
}

async function drill(
  { environment, print }: Terminal,
  running: Session,
  { restore, url }: DrillOptions,
  until: number,
): Promise<void> {
  const before = await countUntil(running.db, until);
  if (restore !== undefined) {
    const elapsed = startStopwatch();
    await shell(restore, environment);
    print(`restored in ${seconds(elapsed())}`);
  }
  const target = urlOf(url, running.config.databaseUrl);
  // Each may be set as a file too.
  const ofRunning = { DATABASE_URL_FILE: undefined, DATABASE_DIRECT_URL_FILE: undefined };
  const elsewhere = {
    ...environment,
    ...TIMEOUTS,
    ...ofRunning,
    DATABASE_URL: target,
    DATABASE_DIRECT_URL: target,
  };
  await withDatabase(elsewhere, async (db) => {
    if (await isSame(running.db, db)) throw new CliError('--url is the running database');
    const ran = await migrate(db);
    print(ran.length === 0 ? 'its migrations are up to date' : `migrated: ${ran.join(', ')}`);
  });
  await withMigrated(elsewhere, async (restored) => {
    const { entries, brokenAt, textsBrokenAt, head } = await verifyAudit(restored.db);
    const broken = brokenAt ?? textsBrokenAt;
    if (broken !== null) throw new CliError(`the audit log is not as it was written, at entry ${broken}`);
    if (head !== null && !(await hasEntry(running.db, head)))
      throw new CliError(`the audit log is another one: entry ${head.number} is not in the running one`);
    print(`the audit log is as it was written: ${entries} entries`);
    const after = await countUntil(restored.db, until);
    const erasures = await Array.fromAsync(exportErasures(running.db));
    print(await replayErasures(restored, erasures, print));
    for (const [what, count] of Object.entries(before)) print(`${after[what]} of ${count} ${what}`);
    const missing = Object.keys(before).filter((what) => after[what] !== before[what]);
    if (missing.length > 0)
      throw new CliError(`not all was restored of ${missing.join(', ')}: is there a hole in the archive?`);
  });
}

/** The restored server has the roles and databases of the running one: parts that are missing are those of DATABASE_URL. */
function urlOf(given: string, running: string | null): string {
  if (!URL.canParse(given) || running === null)
    throw new CliError('--url must be a URL, beside the running database at DATABASE_URL');
  const [url, own] = [new URL(given), new URL(running)];
  if (url.username === '') Object.assign(url, { username: own.username, password: own.password });
  if (url.pathname.length < 2) url.pathname = own.pathname;
  return url.href;
}

/** Runs a command of a shell; its output is shown only when it fails. Throws CliError. */
async function shell(command: string, environment: Environment): Promise<void> {
  try {
    await promisify(execFile)('sh', ['-c', command], { env: environment });
  } catch (error) {
    const { stderr, stdout, code } = error as Error & { stderr: string; stdout: string; code: number };
    throw new CliError(`${command} (${code}): ${(stderr || stdout).trim().split('\n').slice(-3).join(' ')}`);
  }
}

const seconds = (milliseconds: number): string => `${(milliseconds / 1_000).toFixed(1)} s`;
