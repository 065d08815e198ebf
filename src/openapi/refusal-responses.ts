import type { RouteOptions } from 'fastify';
import { ApiError, ERROR_STATUS, type ErrorCode, notFound, validationError } from '../base/errors.ts';
import { errorEnvelope } from '../http/error-envelope.ts';
import type { RequestCheck, RequestSchemas } from '../http/validation.ts';
import type { ErrorExample, Interface, Media } from './document.ts';
import { type JsonSchema, pascal } from './schemas.ts';

/**
 * The envelope of errors with these codes, without references: generators drop siblings of a reference, and with them
 * the codes of the operation.
 */
export function refusalSchema(codes: readonly ErrorCode[], details: JsonSchema): JsonSchema {
  return {
    type: 'object',
    required: ['success', 'error'],
    properties: {
      success: { type: 'boolean', const: false },
      error: {
        type: 'object',
        required: ['code', 'message', 'details', 'requestId'],
        properties: {
          code: {
            type: 'string',
            enum: [...codes],
            description: 'Machine-readable error code: branch on it',
          },
          message: {
            type: 'string',
            maxLength: 1000,
            pattern: '^[^\\u0000]*$',
            description: 'Human-readable explanation; the wording may change',
          },
          details,
          requestId: {
            type: 'string',
            maxLength: 128,
            pattern: '^[!-~]+$',
            description: 'The X-Request-Id of the response; quote it to support',
          },
        },
      },
    },
  };
}

type NamedExample = ErrorExample & { code: ErrorCode };

/** The errors of the route by status, with an example of each code as the service sends it. */
export function refusalsOf(route: RouteOptions, side: Interface): Map<number, NamedExample[]> {
  const schema = route.schema ?? {};
  const check = (route.config as { check?: RequestCheck } | undefined)?.check;
  const found = new Map<number, NamedExample[]>();
  const add = (
    code: ErrorCode,
    example: Partial<ErrorExample> = {},
    status: number = ERROR_STATUS[code],
  ): void => {
    const known = found.get(status) ?? [];
    known.push({ code, ...side.examples[code], ...example });
    found.set(status, known);
  };

  add('VALIDATION_ERROR', validationExample(schema as RequestSchemas, check));
  // A route that needs no credentials names its own refusal of what it is sent.
  const own = (schema.errors ?? []).map((error) => (typeof error === 'string' ? error : error.code));
  for (const code of side.guardErrors) if (code !== 'UNAUTHORIZED' || !own.includes(code)) add(code);
  for (const what of missingResources(schema)) {
    const { code, message, details } = notFound(what);
    add(code, { message, details });
  }
  if (schema.body !== undefined) add('VALIDATION_ERROR', TOO_LARGE, 413);
  for (const error of schema.errors ?? []) {
    const { code, ...example } = typeof error === 'string' ? { code: error } : error;
    add(code, example);
  }
  add('INTERNAL_ERROR');
  return new Map([...found].map(([status, examples]) => [status, examples]));
}

const TOO_LARGE: ErrorExample = {
  when: 'The body is larger than 1 MiB',
  message: 'The request body is too large',
  details: {
    message: ['body must not be larger than 1048576 bytes'],
    statusCode: 413,
    error: 'Payload Too Large',
  },
};

const NOT_HTTP = 'The request is not valid HTTP';

/** Returns the result of the route's own check for a request with every possible error. */
function validationExample(schemas: RequestSchemas, check: RequestCheck | undefined): Partial<ErrorExample> {
  const names = (source: unknown): string[] =>
    Object.keys((source as JsonSchema | undefined)?.properties ?? {});
  const filled = (source: unknown): Record<string, string> =>
    Object.fromEntries(names(source).map((name) => [name, '-']));
  const query = names(schemas.querystring).includes('limit') ? { limit: '101' } : {};
  const faults =
    check?.({ params: filled(schemas.params), query, body: {} }) ??
    check?.({ params: {}, query: {}, body: undefined });
  if (faults) {
    const { details } = validationError(faults.messages, faults.hints);
    return { when: 'All faults of the request, one message for each field', details };
  }
  const { details } = validationError([NOT_HTTP]);
  return { when: 'The request could not be read', message: NOT_HTTP, details };
}

function missingResources(schema: NonNullable<RouteOptions['schema']>): readonly string[] {
  if (schema.missing !== undefined) return schema.missing;
  const names = Object.keys((schema.params as JsonSchema | undefined)?.properties ?? {});
  return names.map((name) => {
    if (!/.Id$/.test(name)) throw new Error(`${schema.operationId}: say in \`missing\` what is not found`);
    return pascal(name.slice(0, -2));
  });
}

/** The media type object of errors with their named examples. */
export function refusalMedia(
  examples: readonly NamedExample[],
  docsUrl: string,
  schemaOf: (codes: readonly ErrorCode[]) => JsonSchema,
): Media {
  const codes = [...new Set(examples.map(({ code }) => code))];
  const times = new Map<string, number>();
  const named = examples.map(({ code, when, message, details = {} }) => {
    const count = (times.get(code) ?? 0) + 1;
    times.set(code, count);
    const error = new ApiError(code, message, details);
    const value = errorEnvelope(error, '5f0c6a6e-3c1b-4b5e-9a53-0d5a2f1c7b10', docsUrl);
    return [count === 1 ? code : `${code}_${count}`, { summary: when, value }];
  });
  return { schema: schemaOf(codes), examples: Object.fromEntries(named) };
}
