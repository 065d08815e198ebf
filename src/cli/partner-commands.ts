import type { Command } from 'commander';
import type { Db } from '../db/connection.ts';
import { isUuid } from '../http/validation.ts';
import { listPartners } from '../partners/account-queries.ts';
import { providersOf } from '../partners/account-rules.ts';
import { CreatePartner, ListPartnersQuery, UpdatePartner } from '../partners/account-schema.ts';
import { changePartner, createPartner, readPartner, readPartnerByName } from '../partners/accounts.ts';
import { partnerView } from '../partners/view.ts';
import { checked, listOf, numberOf } from './arguments.ts';
import { ALL_ROWS, withMigrated } from './session.ts';
import { printJson, type Terminal } from './terminal.ts';

/** `partner-booking partners …` */
export function partnerCommands(partners: Command, terminal: Terminal): void {
  type CreateOptions = {
    name: string;
    paymentResponsibility?: string;
    rateLimit?: string;
    allowedDomains?: string;
    sandboxDomains?: string;
    webhookDomains?: string;
    httpWebhooks?: true;
    language?: string;
    json?: true;
  };
  partners
    .command('create')
    .description('create a partner')
    .requiredOption('--name <name>', 'unique name')
    .option('--payment-responsibility <who>', 'who collects the money: PARTNER or PLATFORM')
    .option('--rate-limit <requests>', 'requests per key in any 60 seconds; default no limit')
    .option('--allowed-domains <list>', 'domains requests may come from, comma-separated')
    .option('--sandbox-domains <list>', 'sandbox domains, comma-separated')
    .option('--webhook-domains <list>', 'domains webhooks may go to, comma-separated')
    .option('--http-webhooks', 'allow webhook URLs without TLS')
    .option('--language <language>', 'language of service names in its responses: en or ar; default en')
    .option('--json', 'print JSON')
    .action(async (options: CreateOptions) => {
      const input = checked(CreatePartner, {
        name: options.name,
        paymentResponsibility: options.paymentResponsibility,
        rateLimitPerMinute: numberOf(options.rateLimit),
        allowedDomains: listOf(options.allowedDomains),
        sandboxDomains: listOf(options.sandboxDomains),
        allowedWebhookDomains: listOf(options.webhookDomains),
        requireHttpsWebhooks: options.httpWebhooks && false,
        language: options.language,
      });
      const partner = await withMigrated(terminal.environment, ({ db, now, actor, config }) =>
        db.transaction((tx) =>
          createPartner(tx, now, actor, { ...input, providers: providersOf(config.payments) }),
        ),
      );
      if (options.json) printJson(terminal, partnerView(partner));
      else terminal.print(`created partner ${partner.id} (${partner.name})`);
    });

  partners
    .command('list')
    .description('list partners, newest first')
    .option('--search <text>', 'part of the name')
    .option('--status <status>', 'ACTIVE or SUSPENDED')
    .option('--json', 'print JSON')
    .action(async ({ json, ...options }: { search?: string; status?: string; json?: true }) => {
      const filter = checked(ListPartnersQuery, options);
      const { rows } = await withMigrated(terminal.environment, ({ db }) =>
        listPartners(db, filter, ALL_ROWS),
      );
      if (json) printJson(terminal, rows.map(partnerView));
      else terminal.print(...rows.map((row) => `${row.id}  ${row.status.padEnd(9)}  ${row.name}`));
    });

  const statusCommand = (name: string, status: 'SUSPENDED' | 'ACTIVE', description: string, done: string) =>
    partners
      .command(name)
      .description(description)
      .argument('<partner>', 'id or name')
      .action(async (idOrName: string) => {
        const partner = await change(terminal, idOrName, { status });
        terminal.print(`${done} partner ${partner.id} (${partner.name})`);
      });
  statusCommand('suspend', 'SUSPENDED', 'suspend a partner: its keys stop working', 'suspended');
  statusCommand('resume', 'ACTIVE', 'end the suspension of a partner: its keys work again', 'resumed');

  partners
    .command('language')
    .description('set the language of service names in responses to a partner')
    .argument('<partner>', 'id or name')
    .argument('<language>', 'en or ar')
    .action(async (idOrName: string, text: string) => {
      const partner = await change(terminal, idOrName, checked(UpdatePartner, { language: text }));
      terminal.print(
        `names of services are in ${partner.language} for partner ${partner.id} (${partner.name})`,
      );
    });

  customersCommand(partners, terminal);
}

/** Page and messages for a partner's customers. */
function customersCommand(partners: Command, terminal: Terminal): void {
  type Options = {
    page?: boolean;
    colour?: string;
    textEn?: string;
    textAr?: string;
    number?: string;
    messages?: string;
  };
  /** An empty text removes it. */
  const orNull = (text: string | undefined): string | null | undefined => (text === '' ? null : text);
  partners
    .command('customers')
    .description("set the customers' page and messages of a partner; without an option, only print them")
    .argument('<partner>', 'id or name')
    .option('--page', 'its customers have a page for each booking')
    .option('--no-page', 'they have none')
    .option('--colour <colour>', "the page's colour, such as #0b6b46; empty: neutral")
    .option('--text-en <text>', 'how customers reach the partner, in English; empty: none')
    .option('--text-ar <text>', 'the same in Arabic')
    .option('--number <number>', "the partner's telephone for customers; empty: none")
    .option(
      '--messages <list>',
      'kinds of messages, comma-separated: BOOKED, DAY_BEFORE, ON_THE_WAY, LATE, DONE; empty: none',
    )
    .action(async (idOrName: string, options: Options) => {
      const changes = checked(UpdatePartner, {
        trackingPage: options.page,
        pageColour: orNull(options.colour),
        contactTextEn: orNull(options.textEn),
        contactTextAr: orNull(options.textAr),
        contactNumber: orNull(options.number),
        customerMessages: options.messages === '' ? [] : listOf(options.messages),
      });
      const partner = await change(terminal, idOrName, changes);
      const view = partnerView(partner);
      const shown = {
        page: view.trackingPage ? 'yes' : 'no',
        colour: view.pageColour,
        'text-en': view.contactTextEn,
        'text-ar': view.contactTextAr,
        number: view.contactNumber,
        messages: view.customerMessages.join(', ') || null,
      };
      terminal.print(
        `customers of partner ${partner.id} (${partner.name})`,
        ...Object.entries(shown).map(([name, value]) => `  ${name.padEnd(9)} ${value ?? '-'}`),
      );
    });
}

function change({ environment }: Terminal, idOrName: string, changes: UpdatePartner) {
  return withMigrated(environment, async ({ db, now, actor, config }) => {
    const { id } = await partnerOf(db, idOrName);
    return db.transaction((tx) =>
      changePartner(tx, now, actor, { id, providers: providersOf(config.payments), changes }),
    );
  });
}

/** The partner of this id or name. Throws RESOURCE_NOT_FOUND. */
export function partnerOf(db: Db, idOrName: string) {
  return isUuid(idOrName) ? readPartner(db, idOrName) : readPartnerByName(db, idOrName);
}
