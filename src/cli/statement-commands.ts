import type { Command } from 'commander';
import { ApiError } from '../base/errors.ts';
import type { Db } from '../db/connection.ts';
import { checkStatements } from '../statements/check.ts';
import { listAccounts } from '../statements/queries.ts';
import { CreateDraft } from '../statements/schema.ts';
import { issueStatement, makeDraft } from '../statements/statements.ts';
import { numberText } from '../statements/view.ts';
import { checked } from './arguments.ts';
import { CliError, withMigrated } from './session.ts';
import { printJson, type Terminal } from './terminal.ts';

/** `partner-booking statements …`: what partners owe for a month. */
export function statementCommands(statements: Command, terminal: Terminal): void {
  const { environment, print, fail } = terminal;
  const months = [
    ['draft', 'show what would be on the statements of a month'],
    ['issue', 'issue the statements of a month that is over: they never change again'],
  ] as const;
  for (const [name, description] of months)
    statements
      .command(name)
      .description(description)
      .requiredOption('--month <month>', 'such as 2026-11')
      .option('--partner <name>', 'only of this partner')
      .action(async ({ month, partner }: { month: string; partner?: string }) => {
        await withMigrated(environment, async ({ db, now, actor }) => {
          for (const { partner_id: partnerId, name: of } of await accountsOf(db, partner)) {
            const wanted = checked(CreateDraft, { partnerId, month });
            const line = (what: string): void => print(`${of.padEnd(30)}  ${what}`);
            try {
              const draft = await makeDraft(db, now, actor, wanted);
              if (draft.totals.lines === 0) line('nothing');
              else if (name === 'draft') line(told(draft.totals));
              else {
                const { number, month: first, totals } = await issueStatement(db, now, actor, draft.id);
                line(`${told(totals)}  ${numberText(number, first)}`);
              }
            } catch (error) {
              if (!(error instanceof ApiError)) throw error;
              line(`refused: ${error.message}`);
              if (name === 'issue') fail();
            }
          }
        });
      });

  statements
    .command('check')
    .description('check that issued statements and bookings add up; fails when they do not')
    .option('--json', 'print JSON')
    .action(async ({ json }: { json?: true }) => {
      const check = await withMigrated(environment, ({ db, now }) => checkStatements(db, now));
      if (json) printJson(terminal, check);
      else {
        for (const { partnerName, statements: told, owed, later, differences, differing } of check.partners) {
          print(
            `${partnerName.padEnd(30)}  told ${told}, owed ${owed}, of that ${later} later, ${differing} differ`,
          );
          for (const { trackingReference, told: sum, owed: now, isNext } of differences)
            print(
              `  ${trackingReference}  told ${sum}, owed ${now}${isNext ? ', on the next one' : ': WRONG'}`,
            );
        }
        for (const { from, to, restored } of check.gaps)
          print(`${from} to ${to}: ${restored ? 'left out after a restore or a failover' : 'MISSING'}`);
      }
      if (!check.isSound) fail();
    });
}

const told = ({ lines, gross, vat }: { lines: number; gross: string; vat: string }): string =>
  `${lines} lines, ${gross} SAR, of that VAT ${vat}`;

/** Throws CliError. */
async function accountsOf(db: Db, name: string | undefined) {
  const all = await listAccounts(db);
  const wanted =
    name === undefined ? all : all.filter((one) => one.name.toLowerCase() === name.trim().toLowerCase());
  if (wanted.length === 0)
    throw new CliError(`no partner${name === undefined ? '' : ` ${name}`} gets statements`);
  return wanted;
}
