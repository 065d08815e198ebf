import { parseArgs } from 'node:util';
import { LISTEN_ABOUT, LISTEN_NOTES, LISTEN_OPTIONS, type ListenArguments } from '../src/cli/listen.ts';
import { runListen } from '../src/cli/listen-command.ts';
import { processTerminal } from '../src/cli/terminal.ts';

/**
 * `listen` as the single file that partners download from /docs: without packages, for Node 20 or newer.
 * build-downloads.ts bundles it with its imports.
 */

/** The text of `--help`. */
function usage(): string {
  const lines = LISTEN_OPTIONS.map(({ flag, value, about, fallback }) => {
    const written = value === undefined ? `--${flag}` : `--${flag} <${value}>`;
    return `  ${written.padEnd(19)} ${about}${fallback === undefined ? '' : ` (default: ${fallback})`}`;
  });
  return `Usage: node listen.mjs [options]\n\n${LISTEN_ABOUT}\n\nOptions:\n${lines.join('\n')}\n${LISTEN_NOTES}`;
}

const terminal = processTerminal(process.env);
try {
  const { values } = parseArgs({
    options: {
      help: { type: 'boolean', short: 'h' },
      ...Object.fromEntries(
        LISTEN_OPTIONS.map(({ flag, value, fallback }) => [
          flag,
          value === undefined
            ? { type: 'boolean' as const }
            : { type: 'string' as const, ...(fallback !== undefined && { default: fallback }) },
        ]),
      ),
    },
  });
  if (values.help) terminal.print(usage());
  else await runListen(values as unknown as ListenArguments, terminal);
} catch (error) {
  terminal.printError(`error: ${(error as Error).message}`);
  terminal.fail();
}
