import { setFlagsFromString } from 'node:v8';
import { printers, type Terminal } from '../src/cli/terminal.ts';
import { runCommand } from '../src/cli.ts';

// Optimizing WebAssembly costs more than such a short process gains.
setFlagsFromString('--liftoff-only');

export type Outcome = { code: number; stdout: string; stderr: string };

export type Command = {
  /** The output so far. */
  outcome: Outcome;
  ended: Promise<Outcome>;
  /** As Ctrl-C. */
  stop(): void;
};

/** Starts a command of the command line in this process, which is faster than a child process. */
export function startCommand(args: readonly string[], environment: Record<string, string>): Command {
  const stop = new AbortController();
  const outcome: Outcome = { code: 0, stdout: '', stderr: '' };
  const terminal: Terminal = {
    environment,
    ...printers(
      (line) => {
        outcome.stdout += `${line}\n`;
      },
      (line) => {
        outcome.stderr += `${line}\n`;
      },
    ),
    fail() {
      outcome.code = 1;
    },
    untilStopped: () => stop.signal,
  };
  const ended = runCommand(args, terminal).then(() => outcome);
  return { outcome, ended, stop: () => stop.abort() };
}

/** Runs a command in this process to its end. */
export function runToEnd(args: readonly string[], environment: Record<string, string>): Promise<Outcome> {
  return startCommand(args, environment).ended;
}
