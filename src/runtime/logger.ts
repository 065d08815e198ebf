import { type DestinationStream, type Logger, pino, stdSerializers } from 'pino';
import { isDatabaseError } from '../db/unavailable.ts';
import { maskText } from './masking.ts';

export type { Logger } from 'pino';

/**
 * One JSON line for each thing that happened, without secrets and without personal data: request lines
 * carry route patterns, a database error's message and detail (which quote values) are left out, and what callers choose
 * themselves (`requestId`) or errors quote is masked.
 */
export function createLogger(
  level: string,
  destination?: DestinationStream,
  /** What every line has beside its own: the ids of the trace. */
  mixin?: () => object,
): Logger {
  return pino(
    { level, base: null, serializers: { err: serializeError, requestId: maskText }, ...(mixin && { mixin }) },
    destination ?? standardOutput(),
  );
}

/** What waits for a disk that is full, at most (characters): newer lines are lost. */
const MAX_WAITING = 4_194_304;

/** A disk that takes no log is no reason to end: the lines are written when it takes them again. */
function standardOutput(): DestinationStream {
  const output = pino.destination({
    dest: 1,
    sync: false,
    minLength: 8_192,
    periodicFlush: 250,
    maxLength: MAX_WAITING,
  });
  let told = false;
  // Often it is the same disk, or the same reader who has gone: then there is nobody to tell.
  process.stderr.on('error', () => {});
  output.on('error', (err) => {
    if (!told) createLogger('error', process.stderr).error({ err }, 'the log cannot be written');
    told = true;
  });
  output.on('write', () => {
    told = false;
  });
  // What waits when the process ends is written at once, which throws.
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
    // Whatever was thrown: it need not be an error.
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
