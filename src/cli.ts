import { Command, CommanderError } from 'commander';
import { readBuild } from './base/build.ts';
import { auditCommands } from './cli/audit-commands.ts';
import { backupCommands } from './cli/backup-commands.ts';
import { customerCommands } from './cli/customer-commands.ts';
import { databaseCommands, secretsCommands } from './cli/database-commands.ts';
import { doctorCommand } from './cli/doctor.ts';
import { explain } from './cli/explain.ts';
import { keyCommands } from './cli/key-commands.ts';
import { listenCommand } from './cli/listen-command.ts';
import { partnerCommands } from './cli/partner-commands.ts';
import { privacyCommands } from './cli/privacy-commands.ts';
import { scheduleCommands } from './cli/schedule-commands.ts';
import { setupCommands } from './cli/setup-commands.ts';
import { statementCommands } from './cli/statement-commands.ts';
import { processTerminal, type Terminal } from './cli/terminal.ts';
import { watchCommand } from './cli/watch-command.ts';

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
  customerCommands(program.command('customers').description('weekly customers of partners'), terminal);
  scheduleCommands(program.command('schedules').description('hours of teams on certain dates'), terminal);
  setupCommands(program.command('setup').description('the set-up of the company as a file'), terminal);
  statementCommands(program.command('statements').description('what partners owe for a month'), terminal);
  auditCommands(program.command('audit').description('the audit log of operators'), terminal);
  privacyCommands(program.command('privacy').description('erasures of customers'), terminal);
  backupCommands(program, terminal);
  secretsCommands(program.command('secrets').description('secrets encrypted in the database'), terminal);
  doctorCommand(program, terminal);
  listenCommand(program, terminal);
  watchCommand(program, terminal);
  return program;
}

const linesOf = (text: string): string[] => text.replace(/\n$/, '').split('\n');

/** Runs one command to its end, given as its arguments. Prints errors in one line each. */
export async function runCommand(args: readonly string[], terminal: Terminal): Promise<void> {
  try {
    await createProgram(terminal, readBuild()).parseAsync(args, { from: 'user' });
  } catch (error) {
    // Commander has printed help, the version, or the error in the arguments.
    if (error instanceof CommanderError && error.exitCode === 0) return;
    if (!(error instanceof CommanderError)) terminal.printError(`error: ${explain(error as Error)}`);
    terminal.fail();
  }
}

if (import.meta.main) await runCommand(process.argv.slice(2), processTerminal(process.env));
