import type { Command } from 'commander';
import { createPlanCache } from '../availability/plan.ts';
import { migrate } from '../db/migrate.ts';
import { countSecrets, openSecrets, sealAllAnew } from '../secrets.ts';
import { CliError, withDatabase, withMigrated } from './session.ts';
import type { Terminal } from './terminal.ts';

/** `partner-booking migrate` and `seed` */
export function databaseCommands(program: Command, { environment, print }: Terminal): void {
  program
    .command('migrate')
    .description('migrate the database to the current version')
    .action(async () => {
      const ran = await withDatabase(environment, (db) => migrate(db));
      print(ran.length === 0 ? 'nothing to do: the database is up to date' : `migrated: ${ran.join(', ')}`);
    });
  program
    .command('seed')
    .description('fill an empty database')
    .command('demo')
    .description('demo data of Riyadh; prints the keys of the demo partners, only this time')
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
      else print(`demo key PARTNER  ${keys.partner}`, `demo key PLATFORM ${keys.platform}`);
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
        const count = await sealAllAnew(db, sealer);
        return { count, left: (await countSecrets(db, sealer)).lost };
      });
      print(`${count} encrypted under SECRETS_KEY`);
      if (left > 0 && !options.acceptLoss)
        throw new CliError(`${left} are under another key: set it as SECRETS_KEY_PREVIOUS`);
    });
}
