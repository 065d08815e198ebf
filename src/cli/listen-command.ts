import type { Command } from 'commander';
import { systemClock } from '../clock.ts';
import type { ListenArguments } from './listen.ts';
import type { Terminal } from './terminal.ts';

/** `partner-booking listen`, the one command for partners. */
export function listenCommand(program: Command, terminal: Terminal): void {
  program
    .command('listen')
    .description("show a partner's events as they arrive, and forward them signed like webhooks")
    .option(
      '--key <key>',
      "a key of the partner; set PARTNER_BOOKING_KEY to keep it out of the shell's history",
    )
    .option('--url <url>', 'base URL of the service', 'http://127.0.0.1:3000/v1')
    .option('--forward <url>', 'POST each event to this URL, one after the other, signed like a webhook')
    .option('--secret <secret>', 'the secret to sign with; default a new one, which is shown')
    .option('--events <list>', 'only these events, comma-separated; default all')
    .option('--since <cursor>', 'a cursor that an earlier run ended with, or "beginning"', 'latest')
    .option('--json', 'events as one JSON object on each line')
    .addHelpText(
      'after',
      `
Needs no database: it reads GET /partners/events with the permission partner_bookings_read, every second, which counts
towards the rate limit of the key. Events go to the standard output, all else to the standard error.
A forward is tried once: what fails is shown and passed over. The delivery id of a forwarded event is the event's id.`,
    )
    .action(async (options: Omit<ListenArguments, 'key'> & { key?: string }) => {
      const { listen, listenOptions } = await import('./listen.ts');
      const { environment, print, printError } = terminal;
      const given = listenOptions({ ...options, key: options.key ?? environment.PARTNER_BOOKING_KEY });
      await listen(given, { event: print, note: printError }, systemClock, terminal.untilStopped());
    });
}
