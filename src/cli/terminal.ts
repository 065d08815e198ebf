import { escaped } from '../base/text.ts';

export type Environment = Readonly<Record<string, string | undefined>>;

/** The environment of a command, which uses nothing else of the process. */
export type Terminal = {
  environment: Environment;
  /** Prints to the standard output. Control characters in a line are escaped: others chose the printed names. */
  print(...lines: string[]): void;
  /** To the standard error, likewise. */
  printError(line: string): void;
  /** Sets the exit code to 1. */
  fail(): void;
  /** Aborted when the user ends the command, or the reader of its output is gone. */
  untilStopped(): AbortSignal;
};

export function printJson({ print }: Terminal, value: unknown): void {
  print(...JSON.stringify(value, null, 2).split('\n'));
}

/** `print` and `printError` of a terminal, over functions that write a line to its outputs. */
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
  // A key is printed only once: an output that fails, such as a full disk, must be reported.
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
      // Never removed: Ctrl-C arrives twice, from the terminal and from the bin that forwards signals.
      for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => stop.abort());
      process.stdout.on('error', (error: NodeJS.ErrnoException) => {
        if (error.code !== 'EPIPE') throw error;
        stop.abort(); // the reader of the output is gone
      });
      return stop.signal;
    },
  };
}
