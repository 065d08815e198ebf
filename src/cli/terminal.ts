export type Environment = Readonly<Record<string, string | undefined>>;

/** Where a command runs. Commands touch nothing else of the process. */
export type Terminal = {
  environment: Environment;
  /** To the standard output. */
  print(...lines: string[]): void;
  /** To the standard error. */
  printError(line: string): void;
  /** The exit code becomes 1. */
  fail(): void;
  /** Aborted when the person ends the command, or nobody reads its output any more. */
  untilStopped(): AbortSignal;
};

export function printJson({ print }: Terminal, value: unknown): void {
  print(JSON.stringify(value, null, 2));
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
    print(...lines) {
      for (const line of lines) console.log(line);
    },
    printError: (line) => console.error(line),
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
