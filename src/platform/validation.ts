import { Ajv, type ErrorObject, type ValidateFunction } from 'ajv';
import type { TSchema } from 'typebox';
import { isCalendarDate, isTimeOfDay, parseOffsetDateTime } from '../clock.ts';

/**
 * Turns TypeBox schemas into checks that answer every fault at once, in the wordings of section 7.
 * Nothing is coerced and nothing dropped: values stay as the caller sent them (query integers aside).
 */

/** A named string format: what it accepts and how its fault reads after the field's name. */
export type Format = {
  check(value: string): boolean;
  message: string;
  /** True: a missing or mistyped value gets this message too (`serviceId must be a UUID`). */
  coversType?: boolean;
};

const UUID_V4 = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/i;

/** Neither NUL nor a lone surrogate: what a database column and a UTF-8 answer can hold. */
export function isCleanText(value: string): boolean {
  return value.isWellFormed() && !value.includes('\0');
}

const CORE_FORMATS = {
  uuid: { check: (value) => UUID_V4.test(value), message: 'must be a UUID', coversType: true },
  date: { check: isCalendarDate, message: 'must be a valid ISO 8601 date string', coversType: true },
  time: { check: isTimeOfDay, message: 'must be a valid time (HH:MM or HH:MM:SS)' },
  'date-time': {
    check: (value) => parseOffsetDateTime(value) !== null,
    message: 'must be a valid ISO 8601 date and time with offset',
  },
  text: { check: isCleanText, message: 'must not contain NUL characters or lone surrogates' },
} satisfies Record<string, Format>;

export type RequestSchemas = { params?: TSchema; querystring?: TSchema; body?: TSchema };
type RequestParts = { params: unknown; query: unknown; body: unknown };
/** Answers the faults of a request, none when it is valid; query integers are parsed in place. */
export type RequestCheck = (request: RequestParts) => string[];

const MOST_MESSAGES = 100;

/** Compiles request checks. `formats` adds the slices' own to the core ones. */
export function createRequestChecker(
  formats: Record<string, Format> = {},
): (schemas: RequestSchemas) => RequestCheck {
  const known: Record<string, Format> = { ...CORE_FORMATS, ...formats };
  const ajv = new Ajv({
    allErrors: true,
    verbose: true,
    strict: true,
    strictTypes: false,
    allowUnionTypes: true,
  });
  for (const [name, format] of Object.entries(known)) ajv.addFormat(name, format.check);
  // A length that counts after trimming.
  ajv.addKeyword({
    keyword: 'trimmedLength',
    type: 'string',
    schemaType: 'array',
    validate: ([min, max]: [number, number], value: string) => {
      const length = [...value.trim()].length;
      return length >= min && length <= max;
    },
  });

  return (schemas) => {
    const params = schemas.params && ajv.compile(schemas.params);
    const query = schemas.querystring && ajv.compile(schemas.querystring);
    const queryIntegers = integerProperties(schemas.querystring);
    const body = schemas.body && ajv.compile(schemas.body);
    return (request) => {
      const messages: string[] = [];
      if (params) collect(params, request.params, 'params', known, messages);
      if (query) {
        parseIntegers(queryIntegers, request.query as Record<string, unknown>);
        collect(query, request.query, 'query', known, messages);
      }
      if (body) collect(body, request.body, 'body', known, messages);
      return messages;
    };
  };
}

function integerProperties(schema: TSchema | undefined): string[] {
  const properties =
    (schema as { properties?: Record<string, { type?: string }> } | undefined)?.properties ?? {};
  return Object.keys(properties).filter((name) => properties[name]?.type === 'integer');
}

function parseIntegers(names: string[], query: Record<string, unknown>): void {
  for (const name of names) {
    const value = query[name];
    if (typeof value === 'string' && /^[+-]?\d{1,15}$/.test(value)) query[name] = Number(value);
  }
}

function collect(
  validate: ValidateFunction,
  value: unknown,
  root: string,
  formats: Record<string, Format>,
  messages: string[],
): void {
  if (validate(value)) return;
  const seen = new Set<string>();
  for (const error of validate.errors ?? []) {
    const path = pathOf(error);
    // One message for each faulty field: the first, which is the most basic one.
    if (seen.has(path) && error.keyword !== 'additionalProperties') continue;
    seen.add(path);
    if (messages.length < MOST_MESSAGES) messages.push(messageOf(error, path || root, formats));
  }
}

function pathOf(error: ErrorObject): string {
  const parent = error.instancePath.slice(1).replaceAll('/', '.').replaceAll('~1', '/').replaceAll('~0', '~');
  const child = error.params.missingProperty ?? error.params.additionalProperty;
  if (child === undefined) return parent;
  return parent === '' ? child : `${parent}.${child}`;
}

type FieldSchema = {
  type?: string | string[];
  format?: string;
  minLength?: number;
  trimmedLength?: [number, number];
  enum?: unknown[];
  anyOf?: { const?: unknown }[];
  const?: unknown;
};

function messageOf(error: ErrorObject, path: string, formats: Record<string, Format>): string {
  const schema = error.parentSchema as FieldSchema & { properties?: Record<string, FieldSchema> };
  switch (error.keyword) {
    case 'additionalProperties':
      return `property ${path} should not exist`;
    case 'required':
      return `${path} ${missingMessage(schema.properties?.[error.params.missingProperty] ?? {}, formats)}`;
    case 'type':
      return `${path} ${typeMessage(schema, formats)}`;
    case 'format':
      return `${path} ${formats[error.params.format]?.message ?? 'is not valid'}`;
    case 'trimmedLength': {
      const [min, max] = schema.trimmedLength ?? [0, 0];
      if ([...String(error.data).trim()].length >= min) return `${path} ${tooLong(max)}`;
      return min === 1
        ? `${path} should not be empty`
        : `${path} must be longer than or equal to ${min} characters`;
    }
    case 'minLength':
      return error.params.limit === 1
        ? `${path} should not be empty`
        : `${path} must be longer than or equal to ${error.params.limit} characters`;
    case 'maxLength':
      return `${path} ${tooLong(error.params.limit)}`;
    case 'minimum':
      return `${path} must not be less than ${error.params.limit}`;
    case 'maximum':
      return `${path} must not be greater than ${error.params.limit}`;
    case 'minItems':
      return `${path} must contain at least ${error.params.limit} elements`;
    case 'maxItems':
      return `${path} must contain no more than ${error.params.limit} elements`;
    case 'uniqueItems':
      return `All ${path}'s elements must be unique`;
    case 'multipleOf':
      return `${path} must be a multiple of ${error.params.multipleOf}`;
    case 'enum':
    case 'const':
    case 'anyOf':
      return `${path} ${choiceMessage(schema)}`;
    default:
      return `${path} ${error.message ?? 'is not valid'}`;
  }
}

function missingMessage(schema: FieldSchema, formats: Record<string, Format>): string {
  const plainText = schema.format === undefined || schema.format === 'text';
  const wantsContent = (schema.minLength ?? schema.trimmedLength?.[0] ?? 0) > 0;
  return plainText && wantsContent ? 'should not be empty' : typeMessage(schema, formats);
}

function typeMessage(schema: FieldSchema, formats: Record<string, Format>): string {
  const format = schema.format === undefined ? undefined : formats[schema.format];
  if (format?.coversType) return format.message;
  if (schema.enum ?? schema.anyOf ?? schema.const) return choiceMessage(schema);
  const types = [schema.type ?? 'value'].flat();
  const nullable = types.includes('null') ? ' or null' : '';
  switch (types[0]) {
    case 'string':
      return `must be a string${nullable}`;
    case 'integer':
      return `must be an integer number${nullable}`;
    case 'number':
      return `must be a number${nullable}`;
    case 'boolean':
      return `must be a boolean value${nullable}`;
    case 'array':
      return `must be an array${nullable}`;
    default:
      return `must be an object${nullable}`;
  }
}

function choiceMessage(schema: FieldSchema): string {
  const values = schema.enum ?? schema.anyOf?.map((option) => option.const) ?? [schema.const];
  return `must be one of the following values: ${values.join(', ')}`;
}

function tooLong(max: number): string {
  return `must be shorter than or equal to ${max} characters`;
}
