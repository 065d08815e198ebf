import { type DestinationStream, type Logger, pino, stdSerializers } from 'pino';
import { isDatabaseError } from '../db/unavailable.ts';

export type { Logger } from 'pino';

/**
 * One JSON line for each thing that happened, without secrets and without personal data: request lines
 * carry route patterns, and a database error's message and detail (which quote values) are left out.
 */
export function createLogger(
  level: string,
  destination?: DestinationStream,
  /** What every line has beside its own: the ids of the trace. */
  mixin?: () => object,
): Logger {
  return pino(
    { level, base: null, serializers: { err: serializeError }, ...(mixin && { mixin }) },
    destination ?? pino.destination({ dest: 1, sync: false, minLength: 8_192, periodicFlush: 250 }),
  );
}

function serializeError(error: Error): object {
  if (!isDatabaseError(error)) return stdSerializers.err(error);
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
