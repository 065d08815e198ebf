import { existsSync, readFileSync, statSync } from 'node:fs';
import { basename } from 'node:path';
import type { Command } from 'commander';
import type { Static } from 'typebox';
import type { Conflicts } from '../catalogue/conflict-schema.ts';
import { lockCatalogue } from '../catalogue/queries.ts';
import { writeWhole } from '../db/data-dir.ts';
import { providersOf } from '../partners/account-rules.ts';
import { applySetup } from '../setup/apply.ts';
import { documentOf, formatted, readContent } from '../setup/content.ts';
import { MAX_MEGABYTES, readDocument, readFiles, SetupRefusal } from '../setup/files.ts';
import { CliError, withMigrated } from './session.ts';
import type { Terminal } from './terminal.ts';

const SCHEMA = new URL('../../docs/setup.schema.json', import.meta.url);

const NOT_IN_FILES =
  'not in such files: keys and secrets, hosts of webhooks, time off, people, what the environment sets (gateway, notifier, sandbox or production)';

/** `partner-booking setup …`: services, zones, teams, prices, partners, policies and schedules as one file. */
export function setupCommands(setup: Command, terminal: Terminal): void {
  const { environment, print, printError } = terminal;
  setup
    .command('export')
    .description('write the set-up of this deployment, with telephones of teams')
    .argument('[file]', 'an earlier one is replaced; left out: the standard output')
    .action(async (file: string | undefined) => {
      if (file !== undefined) assertReplaceable(file);
      const document = await withMigrated(environment, ({ db, now }) =>
        db.transaction(async (tx) => {
          // References lead nowhere while others change.
          await lockCatalogue(tx);
          return documentOf(await readContent(tx, now));
        }),
      );
      if (file === undefined) return print(...formatted(document).trimEnd().split('\n'));
      try {
        writeWhole(file, formatted(document));
      } catch (error) {
        throw new CliError(`${file} cannot be written: ${(error as Error).message}`);
      }
      print(`written to ${file}`, NOT_IN_FILES);
    });

  function applying(name: string, description: string, isCheck: boolean): void {
    setup
      .command(name)
      .description(description)
      .argument('<files...>', 'exported or written: JSON, zones as GeoJSON, teams and prices as CSV')
      .option('--over-changes', 'also over what has changed since a file was exported')
      .action(async (files: string[], { overChanges: isOverChanges = false }: { overChanges?: boolean }) => {
        try {
          const reading = readFiles(files.map(fileAt));
          const { differences, conflicts } = await withMigrated(environment, ({ db, now, actor, config }) => {
            const providers = providersOf(config.payments);
            return applySetup(db, now, { actor, providers, isCheck, isOverChanges }, reading);
          });
          const head =
            differences.length === 0 ? 'nothing differs' : isCheck ? 'this would change:' : 'changed:';
          print(head, ...differences.map((text) => `  ${text}`), ...conflictLines(conflicts), NOT_IN_FILES);
        } catch (error) {
          if (!(error instanceof SetupRefusal)) throw error;
          for (const fault of error.faults) printError(fault);
          throw new CliError(error.message);
        }
      });
  }
  applying('check', 'say what files would change, and which sold visits that hits; changes nothing', true);
  applying('apply', 'create and change what files say, all or nothing; what they leave out stays', false);

  setup
    .command('schema')
    .description('print the JSON schema of such files, by which editors complete and check them')
    .action(() => print(...readFileSync(SCHEMA, 'utf8').trimEnd().split('\n')));
}

/** The sold visits that a change puts out of place, by day and zone and one by one; none: no line. */
function conflictLines({ total, ofSeries, days, rows }: Static<typeof Conflicts>): string[] {
  if (total === 0) return [];
  return [
    `${total} sold visits out of place, ${ofSeries} of them of series; they keep team and time:`,
    ...days.map(({ date, zoneName, appointments }) => `  ${date}  ${zoneName}: ${appointments}`),
    ...rows.map(
      ({ trackingReference, startsAt, team, contact, reasons }) =>
        `  ${trackingReference}  ${startsAt}  ${team.name}  ${contact.name} ${contact.phone}  ${reasons.join(', ')}`,
    ),
    ...(total > rows.length ? [`  and ${total - rows.length} more`] : []),
  ];
}

function fileAt(file: string): { name: string; bytes: Buffer } {
  const most = MAX_MEGABYTES * 2 ** 20;
  try {
    // A larger one is refused by its size, unread.
    return {
      name: basename(file),
      bytes: statSync(file).size > most ? Buffer.alloc(most + 1) : readFileSync(file),
    };
  } catch (error) {
    throw new CliError(`${file} cannot be read: ${(error as Error).message}`);
  }
}

/** Throws CliError when there is something else than a set-up at the path. */
function assertReplaceable(file: string): void {
  if (!existsSync(file)) return;
  try {
    readDocument(file, JSON.parse(readFileSync(file, 'utf8')));
  } catch {
    throw new CliError(`${file} is there and is no set-up: choose another name`);
  }
}
