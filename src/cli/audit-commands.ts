import type { Command } from 'commander';
import { type AuditHead, verifyAudit } from '../db/audit.ts';
import { CliError, withMigrated } from './session.ts';
import type { Terminal } from './terminal.ts';

/** `partner-booking audit …` */
export function auditCommands(audit: Command, { environment, print }: Terminal): void {
  audit
    .command('verify')
    .description('check that no entry of the audit log was changed or removed; show its newest entry')
    .option(
      '--head <head>',
      'what an earlier run showed: it must still be there, so nothing was cut off the end',
    )
    .action(async (options: { head?: string }) => {
      const known = options.head === undefined ? null : auditHead(options.head);
      const { entries, brokenAt, textsBrokenAt, rewrittenAt, head } = await withMigrated(
        environment,
        ({ db }) => verifyAudit(db, known),
      );
      if (brokenAt !== null)
        throw new CliError(`the audit log is not as it was written, from entry ${brokenAt} on`);
      if (textsBrokenAt !== null)
        throw new CliError(
          `the texts of entry ${textsBrokenAt} of the audit log are not as they were written`,
        );
      if (rewrittenAt !== null)
        print(
          `--head is of before a migration removed personal data and computed the hashes anew: entry ${rewrittenAt}`,
        );
      print(`ok: ${entries} entries${head === null ? '' : `, head ${head.number}:${head.hash}`}`);
    });
}

function auditHead(text: string): AuditHead {
  const [, number, hash] = /^(\d{1,15}):([0-9a-f]{64})$/.exec(text) ?? [];
  if (number === undefined || hash === undefined)
    throw new CliError(
      '--head must be what "audit verify" showed: a number, a colon and 64 hexadecimal digits',
    );
  return { number: Number(number), hash };
}
