import type { Command } from 'commander';
import { createPlanCache } from '../availability/plan.ts';
import { readBuild } from '../base/build.ts';
import { audit } from '../db/audit.ts';
import { beginHistory } from '../db/histories.ts';
import { migrate } from '../db/migrate.ts';
import { planMigrations, readAppliedBuilds } from '../db/migration-plan.ts';
import { countSecrets, openSecrets, resealAll } from '../program/secrets.ts';
import { numberOf } from './arguments.ts';
import { CliError, withDatabase, withMigrated } from './session.ts';
import type { Terminal } from './terminal.ts';

/** More would leave too few numbers for references. */
const MAX_SKIPPED = 1_000_000_000;

/** `partner-booking migrate`, `after-restore` and `seed` */
export function databaseCommands(program: Command, { environment, print }: Terminal): void {
  program
    .command('migrate')
    .description('migrate the database to the current version')
    .option('--plan', 'only show the steps, what they keep from working, and for how long')
    .action(async ({ plan }: { plan?: true }) => {
      const done = await withDatabase(environment, async (db) => {
        const steps = await planMigrations(db);
        for (const { name, refuses, text } of steps) if (plan || refuses !== null) print(`${name}: ${text}`);
        const from = await readAppliedBuilds(db);
        const ran = plan ? steps.map(({ name }) => name) : await migrate(db);
        return { from: from.join(', ') || 'an empty database', ran };
      });
      if (done.ran.length === 0) print('nothing to do: the database is up to date');
      else if (plan) print(`from ${done.from} to ${readBuild()}`);
      else print(`from ${done.from} to ${readBuild()}`, `migrated: ${done.ran.join(', ')}`);
    });
  program
    .command('after-restore')
    .description('after a restore that no server can tell from a restart: run it before the service starts')
    .option('--skip-references <number>', 'tracking references that may have been given out since', '1000000')
    .addHelpText(
      'after',
      `
For a folder or a volume that was copied back, rows restored into the same tables, and a backup without the table histories.
The feed then refuses cursors of events that were lost, and no tracking reference is given out twice. After a promotion, a
restore to a point in time or a restored dump the service does the same by itself.`,
    )
    .action(async (options: { skipReferences: string }) => {
      const skipped = numberOf(options.skipReferences)!;
      if (!Number.isSafeInteger(skipped) || skipped < 0 || skipped > MAX_SKIPPED)
        throw new CliError(`--skip-references must be a whole number from 0 to ${MAX_SKIPPED}`);
      const history = await withMigrated(environment, ({ db, now, actor }) =>
        db.transaction(async (tx) => {
          const begun = await beginHistory(tx, skipped);
          const target = `history:${begun.id}`;
          await audit(tx, now, { actor, action: 'history.begin', target, after: begun });
          return begun;
        }),
      );
      print(
        `history ${history.id} begins: cursors behind position ${history.lastPlace} of the feed are refused`,
        `the next tracking reference is SA-${String(history.lastReference + 1).padStart(4, '0')}`,
      );
    });
  program
    .command('seed')
    .description('fill an empty database')
    .command('demo')
    .description(
      'demo data of Riyadh; prints the keys of the demo partners and the link of a crew, only this time',
    )
    .action(async () => {
      const { DEMO_AGE, seedDemo } = await import('./demo.ts');
      const { seedDay } = await import('./demo-day.ts');
      const keys = await withMigrated(environment, async ({ db, now, config: { deployment } }) => {
        if (deployment === 'production') throw new CliError('demo data is for a sandbox: set DEPLOYMENT');
        const keys = await seedDemo(db, now - DEMO_AGE, deployment);
        if (keys !== null) await seedDay({ db, plans: createPlanCache(db) }, now);
        return keys;
      });
      if (keys === null) print('nothing to do: the database holds data already');
      else
        print(
          `demo key PARTNER  ${keys.partner}`,
          `demo key PLATFORM ${keys.platform}`,
          `demo crew page    /crew#link=${keys.crew}`,
        );
    });
}

/** `partner-booking secrets …` */
export function secretsCommands(commands: Command, { environment, print }: Terminal): void {
  commands
    .command('rotate')
    .description('encrypt everything under SECRETS_KEY: secrets under the previous key, and unencrypted ones')
    .option('--accept-loss', 'accept that secrets that no key opens are lost, and start with SECRETS_KEY')
    .action(async (options: { acceptLoss?: true }) => {
      const { count, left } = await withMigrated(environment, async ({ db, config }) => {
        const secrets = openSecrets(config);
        await secrets.check(db, print, options);
        const { sealer } = secrets;
        const count = await resealAll(db, sealer);
        return { count, left: (await countSecrets(db, sealer)).lost };
      });
      print(`${count} encrypted under SECRETS_KEY`);
      if (left > 0 && !options.acceptLoss)
        throw new CliError(`${left} are under another key: set it as SECRETS_KEY_PREVIOUS`);
    });
}
