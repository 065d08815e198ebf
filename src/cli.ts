import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { Command, CommanderError } from 'commander';
import { auditCommands } from './cli/audit-commands.ts';
import { databaseCommands, secretsCommands } from './cli/database-commands.ts';
import { doctorCommand } from './cli/doctor.ts';
import { explain } from './cli/explain.ts';
import { keyCommands } from './cli/key-commands.ts';
import { listenCommand } from './cli/listen-command.ts';
import { partnerCommands } from './cli/partner-commands.ts';
import { privacyCommands } from './cli/privacy-commands.ts';
import { scheduleCommands } from './cli/schedule-commands.ts';
import { processTerminal, type Terminal } from './cli/terminal.ts';

/**
 * The operator's command line: the use cases of the operator API, directly on the database. Only `listen` is for
 * partners, and uses HTTP.
 */
function createProgram(terminal: Terminal, version: string): Command {
  const program = new Command('partner-booking')
    .description('Partner Booking Service. Reads the same environment variables as the service.')
    .version(version, '--version', 'show the version and the commit')
    .exitOverride()
    .configureOutput({
      writeOut: (text) => terminal.print(...linesOf(text)),
      writeErr: (text) => {
        for (const line of linesOf(text)) terminal.printError(line);
      },
    });

  program
    .command('serve')
    .description('start the service')
    .action(async () => {
      // Imported only when needed: the other commands do not need the HTTP side.
      const { main } = await import('./main.ts');
      await main();
    });
  databaseCommands(program, terminal);
  partnerCommands(
    program.command('partners').description('create, list, suspend and resume partners'),
    terminal,
  );
  keyCommands(
    program.command('keys').description("create, list, revoke and rotate partners' keys"),
    terminal,
  );
  scheduleCommands(program.command('schedules').description('hours of teams on certain dates'), terminal);
  auditCommands(program.command('audit').description('the audit log of operators'), terminal);
  privacyCommands(program.command('privacy').description('erasures of customers'), terminal);
  secretsCommands(program.command('secrets').description('secrets encrypted in the database'), terminal);
  doctorCommand(program, terminal);
  listenCommand(program, terminal);
  return program;
}

const linesOf = (text: string): string[] => text.replace(/\n$/, '').split('\n');

/** `0.1.0 (a1b2c3d4e5f6)`: two deployments of one version may be of different commits. */
function readVersion(): string {
  const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'));
  const commit = readCommit();
  return commit === '' ? version : `${version} (${commit.slice(0, 12)})`;
}

/** The commit of the image (the file `commit`) or of the checkout; empty: not known. */
export function readCommit(): string {
  const root = fileURLToPath(new URL('..', import.meta.url));
  try {
    if (existsSync(`${root}commit`)) return readFileSync(`${root}commit`, 'utf8').trim();
    // Not one of a repository around a folder without its own.
    if (!existsSync(`${root}.git`)) return '';
    // The checkout may belong to another user than the service's.
    const asked = ['-c', `safe.directory=${root.replace(/\/$/, '')}`, '-C', root, 'rev-parse', 'HEAD'];
    return execFileSync('git', asked, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim();
  } catch {
    return '';
  }
}

/** Runs one command to its end, given as its arguments. Prints errors in one line each. */
export async function runCommand(args: readonly string[], terminal: Terminal): Promise<void> {
  try {
    // Only this option needs it, and git is a process.
    const version = args.includes('--version') ? readVersion() : '';
    await createProgram(terminal, version).parseAsync(args, { from: 'user' });
  } catch (error) {
    // Commander has printed help, the version, or the error in the arguments.
    if (error instanceof CommanderError && error.exitCode === 0) return;
    if (!(error instanceof CommanderError)) terminal.printError(`error: ${explain(error as Error)}`);
    terminal.fail();
  }
}

if (import.meta.main) await runCommand(process.argv.slice(2), processTerminal(process.env));
