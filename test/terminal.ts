import { setFlagsFromString } from 'node:v8';
import { printers, type Terminal } from '../src/cli/terminal.ts';
import { runCommand } from '../src/cli.ts';

// Better code for WebAssembly costs more than such a short life gets back.
setFlagsFromString('--liftoff-only');

export type Outcome = { code: number; stdout: string; stderr: string };

export type Command = {
  /** What it has printed so far. */
  outcome: Outcome;
  ended: Promise<Outcome>;
  /** As Ctrl-C does. */
  stop(): void;
};

/** Starts a command of the command line in this process. A program of its own costs a second of processor time. */
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
