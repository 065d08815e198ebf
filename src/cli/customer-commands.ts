import { appendFileSync, readFileSync, writeFileSync } from 'node:fs';
import { basename } from 'node:path';
import type { Command } from 'commander';
import { createPlanCache } from '../availability/plan.ts';
import { systemClock } from '../base/clock.ts';
import { ApiError } from '../base/errors.ts';
import { BYTE_ORDER_MARK, csvLine } from '../http/csv.ts';
import { openSecrets } from '../program/secrets.ts';
import { openImport, readCustomers } from '../series/import.ts';
import { explain } from './explain.ts';
import { partnerOf } from './partner-commands.ts';
import { CliError, type Session, withMigrated } from './session.ts';
import type { Terminal } from './terminal.ts';

type Options = { partner: string; report?: string; check?: true; tell?: true };

/** `partner-booking customers …` */
export function customerCommands(customers: Command, terminal: Terminal): void {
  customers
    .command('import')
    .description(
      'weekly customers of a partner from a CSV file, each with her address and series; may be repeated',
    )
    .argument('<file>', 'CSV as spreadsheets save it (docs/setting-up.md)')
    .requiredOption('--partner <partner>', 'id or name')
    .option('--check', 'only say what would come of each row')
    .option('--report <file>', 'where the outcome of each row goes; default: beside the file, as .report.csv')
    .option('--tell', 'customers have the message that they are booked; else they know already')
    .action((file: string, options: Options) =>
      withMigrated(terminal.environment, (session) => importFile(session, terminal, { ...options, file })),
    );
}

const COLUMNS = ['row', 'outcome', 'contact', 'series', 'booked', 'unplaced', 'reasons', 'refusal'];

/** Throws CliError for a file of which nothing is imported, and as openImport does. */
async function importFile(
  { db, config, actor, now }: Session,
  { print, printError, fail }: Terminal,
  { file, partner: named, report = reportOf(file), check, tell }: Options & { file: string },
): Promise<void> {
  const { customers, faults } = readCustomers(basename(file), bytesOf(file));
  for (const fault of faults) printError(fault);
  if (faults.length > 0) throw new CliError('nothing was imported: correct the file, and run it again');
  const { payment_responsibility: paymentResponsibility, ...partner } = await partnerOf(db, named);
  const secrets = openSecrets(config);
  await secrets.check(db, printError);
  const bring = await openImport(
    { db, plans: createPlanCache(db), sealer: secrets.sealer },
    { partner: { ...partner, paymentResponsibility }, actor, isCheck: check === true, tells: tell === true },
  );
  const totals = { made: 0, matched: 0, refused: 0, booked: 0, unplaced: 0 };
  writeFileSync(report, BYTE_ORDER_MARK + csvLine(COLUMNS));
  const ahead = now - systemClock.now();
  for (const customer of customers) {
    const came = { refusal: '', ...(await bring(systemClock.now() + ahead, customer).catch(refused)) };
    const { outcome, contactId, seriesId, booked, unplaced, refusal } = came;
    const reasons = unplaced.join('; ');
    const cells = [customer.row, outcome, contactId, seriesId, booked, unplaced.length, reasons, refusal];
    appendFileSync(report, csvLine(cells));
    totals[outcome]++;
    totals.booked += booked;
    totals.unplaced += unplaced.length;
    if (refusal + reasons !== '')
      print(`row ${customer.row}: ${outcome}: ${refusal || `not booked: ${reasons}`}`);
  }
  const { made, matched, booked, unplaced } = totals;
  print(
    `${check ? 'would be ' : ''}${made} made, ${matched} matched, ${totals.refused} refused; ${booked} visits booked, ` +
      `${unplaced} not; the rows are in ${report}`,
  );
  if (totals.refused > 0) fail();
}

const reportOf = (file: string): string => `${file.replace(/\.csv$/i, '')}.report.csv`;

function refused(error: Error) {
  if (!(error instanceof ApiError)) throw error;
  const nothing = { contactId: null, seriesId: null, booked: 0, unplaced: [] as string[] };
  return { outcome: 'refused' as const, ...nothing, refusal: explain(error) };
}

function bytesOf(file: string): Buffer {
  try {
    return readFileSync(file);
  } catch (error) {
    throw new CliError(`${file} cannot be read: ${(error as Error).message}`);
  }
}
