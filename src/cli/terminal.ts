import { escaped } from '../base/text.ts';

export type Environment = Readonly<Record<string, string | undefined>>;

/** Where a command runs. Commands touch nothing else of the process. */
export type Terminal = {
  environment: Environment;
  /** To the standard output. What is in a line stays in it, escaped: others wrote the names that are shown. */
  print(...lines: string[]): void;
  /** To the standard error, likewise. */
  printError(line: string): void;
  /** The exit code becomes 1. */
  fail(): void;
  /** Aborted when the person ends the command, or nobody reads its output any more. */
  untilStopped(): AbortSignal;
};

export function printJson({ print }: Terminal, value: unknown): void {
  print(...JSON.stringify(value, null, 2).split('\n'));
}

/** `print` and `printError` of a terminal, from what writes a line to its outputs. */
export function printers(
  out: (line: string) => void,
  err: (line: string) => void,
): Pick<Terminal, 'print' | 'printError'> {
  return {
    print(...lines) {
      for (const line of lines) out(escaped(line));
    },
    printError: (line) => err(escaped(line)),
  };
}

/** The terminal of this process. */
export function processTerminal(environment: Environment): Terminal {
  // A key is shown only once: who redirects it to a full disk must hear of it.
  process.stdout.on('error', ({ code, message }: NodeJS.ErrnoException) => {
    if (code === 'EPIPE') return;
    console.error(`error: the output cannot be written: ${message}`);
    process.exitCode = 1;
  });
  return {
    environment,
    ...printers(
      (line) => console.log(line),
      (line) => console.error(line),
    ),
    fail() {
      process.exitCode = 1;
    },
    untilStopped() {
      const stop = new AbortController();
      // Kept to the end: a terminal's Ctrl-C comes twice, from it and from the bin that hands signals on.
      for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => stop.abort());
      process.stdout.on('error', (error: NodeJS.ErrnoException) => {
        if (error.code !== 'EPIPE') throw error;
        stop.abort(); // whoever read the output has gone
      });
      return stop.signal;
    },
  };
}
