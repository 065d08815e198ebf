import { readFileSync } from 'node:fs';
import type { Command } from 'commander';
import { openTrackingKey } from '../customers/key-queries.ts';
import { exportErasures, type Replayed, replayErasure } from '../privacy/replay.ts';
import { ErasureLine } from '../privacy/request-schema.ts';
import { createPhoneHash } from '../privacy/rules.ts';
import { openSecrets } from '../program/secrets.ts';
import { checked } from './arguments.ts';
import { explain } from './explain.ts';
import { CliError, type Session, withMigrated } from './session.ts';
import type { Terminal } from './terminal.ts';

/** `partner-booking privacy …` */
export function privacyCommands(privacy: Command, { environment, print }: Terminal): void {
  privacy
    .command('export')
    .description('print the erasures, a line of JSON each, to be kept in another place than the backups')
    .action(() =>
      withMigrated(environment, async ({ db }) => {
        for await (const line of exportErasures(db)) print(JSON.stringify(line));
      }),
    );

  privacy
    .command('replay')
    .description('after a restore, before the service starts: erase again who was erased; may be repeated')
    .argument('<file>', 'what "privacy export" has printed')
    .action(async (file: string) => {
      const lines = readLines(file);
      await withMigrated(environment, async (session) => print(await replayErasures(session, lines, print)));
    });
}

/** Repeats the erasures, and returns their counts in one line. Throws CliError. */
export async function replayErasures(
  session: Session,
  lines: readonly ErasureLine[],
  print: (line: string) => void,
): Promise<string> {
  const keepsBodies = session.config.deployment === 'sandbox';
  const deps = { db: session.db, phoneHash: await openPhoneHash(session), keepsBodies };
  const counts: Record<Replayed, number> = { ERASED: 0, KNOWN: 0, MISSING: 0, OPEN_BOOKINGS: 0 };
  for (const line of lines) {
    const outcome = await replayErasure(deps, session.now, session.actor, line);
    counts[outcome]++;
    if (outcome === 'OPEN_BOOKINGS')
      print(`contact ${line.contactId} has open bookings: a privacy request to erase it is open and due`);
  }
  return (
    `${counts.ERASED} erased again, ${counts.KNOWN} were erased still, ${counts.MISSING} are not in the database, ` +
    `${counts.OPEN_BOOKINGS} have open bookings`
  );
}

async function openPhoneHash({ db, config }: Session) {
  const { sealer, fault } = openSecrets(config);
  const problem = await fault(db);
  if (problem !== null) throw new CliError(problem);
  const { hash, useKey } = createPhoneHash();
  useKey(await openTrackingKey(db, sealer));
  return hash;
}

/** The lines of a file, all of them checked. Throws CliError. */
function readLines(file: string): ErasureLine[] {
  const lines = readFileSync(file, 'utf8').split('\n');
  return lines.flatMap((text, index) => {
    if (text.trim() === '') return [];
    try {
      return [checked(ErasureLine, JSON.parse(text))];
    } catch (error) {
      throw new CliError(`line ${index + 1} of ${file}: ${explain(error as Error)}`);
    }
  });
}
