import { type DestinationStream, type Logger, pino, stdSerializers } from 'pino';
import { isDatabaseError } from '../db/unavailable.ts';
import { maskText } from './masking.ts';

export type { Logger } from 'pino';

/**
 * One JSON line for each event, without secrets and personal data: request lines carry route patterns, a database
 * error's message and detail (which quote values) are omitted, and values of callers (`requestId`) or in errors are
 * masked.
 */
export function createLogger(
  level: string,
  destination?: DestinationStream,
  /** Fields of every line: the ids of the trace. */
  mixin?: () => object,
): Logger {
  return pino(
    { level, base: null, serializers: { err: serializeError, requestId: maskText }, ...(mixin && { mixin }) },
    destination ?? standardOutput(),
  );
}

/** Characters that wait while the disk is full; newer lines are lost. */
const MAX_WAITING = 4_194_304;

/** Writes to the standard output that were refused, and lines that were dropped, since the start of the process. */
const losses = { refused_writes: 0, dropped_lines: 0 };
export const readLogLosses = (): Readonly<typeof losses> => losses;

/** A disk that refuses the log does not end the process: the lines are written when it accepts them again. */
function standardOutput(): DestinationStream {
  const output = pino.destination({
    dest: 1,
    sync: false,
    minLength: 8_192,
    periodicFlush: 250,
    maxLength: MAX_WAITING,
  });
  let told = false;
  // Often the same disk, or the same closed pipe: then it cannot be reported.
  process.stderr.on('error', () => {});
  output.on('drop', () => {
    losses.dropped_lines++;
  });
  output.on('error', (err) => {
    losses.refused_writes++;
    if (!told) createLogger('error', process.stderr).error({ err }, 'the log cannot be written');
    told = true;
  });
  output.on('write', () => {
    told = false;
  });
  // Pending lines are written at exit, which can throw.
  const flushSync = output.flushSync.bind(output);
  output.flushSync = () => {
    try {
      flushSync();
    } catch (error) {
      output.emit('error', error);
    }
  };
  return output;
}

function serializeError(error: Error): object {
  if (!isDatabaseError(error)) {
    const told = stdSerializers.err(error);
    // A thrown value need not be an error.
    if (error instanceof Error)
      Object.assign(told, { message: maskText(told.message), stack: maskText(told.stack) });
    return told;
  }
  const { code, severity, schema, table, constraint, routine, stack = '' } = error;
  return {
    type: 'DatabaseError',
    code,
    severity,
    schema,
    table,
    constraint,
    routine,
    stack: stack.slice(stack.indexOf('\n')),
  };
}
