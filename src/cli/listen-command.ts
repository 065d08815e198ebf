import type { Command } from 'commander';
import { systemClock } from '../base/clock.ts';
import {
  LISTEN_ABOUT,
  LISTEN_NOTES,
  LISTEN_OPTIONS,
  type ListenArguments,
  listen,
  listenOptions,
} from './listen.ts';
import type { Terminal } from './terminal.ts';

/** Arguments as typed; the key may be in the environment. */
type Typed = Omit<ListenArguments, 'key'> & { key?: string | undefined };

/** `partner-booking listen`, the only command for partners. They get it as a separate file: scripts/listen-file.ts. */
export function listenCommand(program: Command, terminal: Terminal): void {
  const command = program.command('listen').description(LISTEN_ABOUT).addHelpText('after', LISTEN_NOTES);
  for (const { flag, value, about, fallback } of LISTEN_OPTIONS)
    command.option(value === undefined ? `--${flag}` : `--${flag} <${value}>`, about, fallback);
  command.action((typed: Typed) => runListen(typed, terminal));
}

/** Runs until the terminal stops. Throws ListenError. */
export async function runListen(typed: Typed, terminal: Terminal): Promise<void> {
  const { environment, print, printError } = terminal;
  const options = listenOptions({ ...typed, key: typed.key ?? environment.PARTNER_BOOKING_KEY });
  await listen(options, { event: print, note: printError }, systemClock, terminal.untilStopped());
}
