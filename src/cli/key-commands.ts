import type { Command } from 'commander';
import type { Instant } from '../base/clock.ts';
import { PERMISSIONS } from '../partners/key-rules.ts';
import { CreateKey, KeyParams, ListKeysQuery, RotateKey } from '../partners/key-schema.ts';
import { changeKey, type IssuedKey, issueKey, rotateKey, searchKeys } from '../partners/keys.ts';
import { keyView } from '../partners/view.ts';
import { checked, listOf, numberOf } from './arguments.ts';
import { partnerOf } from './partner-commands.ts';
import { ALL_ROWS, withMigrated } from './session.ts';
import { printJson, type Terminal } from './terminal.ts';

/** `partner-booking keys …` */
export function keyCommands(keys: Command, terminal: Terminal): void {
  type CreateOptions = { name: string; permissions: string; ip?: string; expiresAt?: string; json?: true };
  keys
    .command('create')
    .description('create a key and show it once')
    .argument('<partner>', 'id or name')
    .requiredOption('--name <name>', 'purpose of the key')
    .requiredOption('--permissions <list>', `"all", or comma-separated: ${PERMISSIONS.join(', ')}`)
    .option('--ip <list>', 'addresses and CIDRs that may use it, comma-separated; default any')
    .option('--expires-at <time>', 'ISO 8601 with offset; default never')
    .option('--json', 'print JSON')
    .action(async (idOrName: string, options: CreateOptions) => {
      const input = checked(CreateKey, {
        name: options.name,
        permissions: options.permissions === 'all' ? [...PERMISSIONS] : listOf(options.permissions),
        ipAllowlist: listOf(options.ip),
        expiresAt: options.expiresAt,
      });
      await withMigrated(terminal.environment, async ({ db, now, actor, config }) => {
        const { id } = await partnerOf(db, idOrName);
        const { deployment } = config;
        const key = { ...input, partnerId: id, deployment };
        printIssued(terminal, await db.transaction((tx) => issueKey(tx, now, actor, key)), now, options.json);
      });
    });

  keys
    .command('list')
    .description("list a partner's keys, newest first; secrets are not stored")
    .argument('<partner>', 'id or name')
    .option('--status <status>', 'ACTIVE or REVOKED')
    .option('--json', 'print JSON')
    .action(async (idOrName: string, { json, ...options }: { status?: string; json?: true }) => {
      const filter = checked(ListKeysQuery, options);
      const { rows, at } = await withMigrated(terminal.environment, async ({ db, now }) => {
        const { id } = await partnerOf(db, idOrName);
        return { rows: (await searchKeys(db, id, filter, ALL_ROWS)).rows, at: now };
      });
      const keys = rows.map((row) => keyView(row, at));
      if (json) printJson(terminal, keys);
      else
        terminal.print(
          ...keys.map((key) => `${key.id}  ${key.status.padEnd(7)}  ${key.prefix}…${key.last4}  ${key.name}`),
        );
    });

  keys
    .command('revoke')
    .description('revoke a key permanently')
    .argument('<key id>')
    .action(async (text: string) => {
      const id = keyId(text);
      await withMigrated(terminal.environment, ({ db, now, actor }) =>
        db.transaction((tx) => changeKey(tx, now, actor, { id, changes: { status: 'REVOKED' } })),
      );
      terminal.print(`revoked key ${id}`);
    });

  keys
    .command('rotate')
    .description('rotate the secret of a key and show the new one once')
    .argument('<key id>')
    .option('--overlap-minutes <minutes>', 'how long the old secret keeps working; default 0')
    .option('--json', 'print JSON')
    .action(async (text: string, options: { overlapMinutes?: string; json?: true }) => {
      const id = keyId(text);
      const input = checked(RotateKey, { overlapMinutes: numberOf(options.overlapMinutes) });
      await withMigrated(terminal.environment, async ({ db, now, actor, config }) => {
        const { deployment } = config;
        const key = { ...input, id, deployment };
        printIssued(
          terminal,
          await db.transaction((tx) => rotateKey(tx, now, actor, key)),
          now,
          options.json,
        );
      });
    });
}

function keyId(text: string): string {
  return checked(KeyParams, { id: text }).id;
}

function printIssued(
  terminal: Terminal,
  { row, key }: IssuedKey,
  now: Instant,
  json: true | undefined,
): void {
  if (json) printJson(terminal, { ...keyView(row, now), key });
  else terminal.print(`key ${row.id} (${row.name}); this is shown once:`, key);
}
