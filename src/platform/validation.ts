import { Ajv, type ErrorObject, type ValidateFunction } from 'ajv';
import type { TSchema } from 'typebox';
import { isCalendarDate, isTimeOfDay, parseOffsetDateTime } from '../clock.ts';
import { type HintedFormat, hintsOf, pathOfFault } from './hints.ts';

/**
 * Turns TypeBox schemas into checks that answer every fault at once, in the wordings of section 7.
 * Nothing is coerced and nothing dropped: values stay as the caller sent them (query integers aside).
 */

/** A named string format: what it accepts and how its fault reads after the field's name. */
export type Format = HintedFormat & {
  check(value: string): boolean;
  message: string;
  /** True: a missing or mistyped value gets this message too (`serviceId must be a UUID`). */
  coversType?: boolean;
};

const UUID_V4 = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/i;

const ANY_UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** Neither NUL nor a lone surrogate: what a database column and a UTF-8 answer can hold. */
export function isCleanText(value: string): boolean {
  return value.isWellFormed() && !value.includes('\0');
}

const CORE_FORMATS = {
  uuid: {
    check: (value) => UUID_V4.test(value),
    message: 'must be a UUID',
    coversType: true,
    hint: (value) => (ANY_UUID.test(value) ? ['is a UUID, but not of version 4'] : []),
  },
  date: {
    check: isCalendarDate,
    message: 'must be a valid ISO 8601 date string',
    coversType: true,
    hint: (value) =>
      /^\d{4}-\d{2}-\d{2}$/.test(value)
        ? ['must be a day of the calendar in the years 2000 to 2100']
        : ['must be YYYY-MM-DD, a Riyadh date without a time, such as 2026-12-01'],
  },
  time: { check: isTimeOfDay, message: 'must be a valid time (HH:MM or HH:MM:SS)' },
  'date-time': {
    check: (value) => parseOffsetDateTime(value) !== null,
    message: 'must be a valid ISO 8601 date and time with offset',
  },
  text: { check: isCleanText, message: 'must not contain NUL characters or lone surrogates' },
} satisfies Record<string, Format>;

export type RequestSchemas = { params?: TSchema; querystring?: TSchema; body?: TSchema };
type RequestParts = { params: unknown; query: unknown; body: unknown };
/** Every fault in the exact wordings, and what helps to mend them. */
export type RequestFaults = { messages: string[]; hints: string[] };
/** Answers the faults of a request, null when it is valid; query integers are parsed in place. */
export type RequestCheck = (request: RequestParts) => RequestFaults | null;

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
  // Said in the OpenAPI document only: what the use case holds to, with words of its own.
  ajv.addKeyword('documented');
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

  ajv.addKeyword({ keyword: 'hints', schemaType: 'object' });

  return (schemas) => {
    const params = schemas.params && ajv.compile(schemas.params);
    const query = schemas.querystring && ajv.compile(schemas.querystring);
    const queryIntegers = integerProperties(schemas.querystring);
    const body = schemas.body && ajv.compile(schemas.body);
    return (request) => {
      let faults: RequestFaults | null = null;
      if (params && !params(request.params)) faults = collect(params, 'params', known, faults);
      if (query) {
        parseIntegers(queryIntegers, request.query as Record<string, unknown>);
        if (!query(request.query)) faults = collect(query, 'query', known, faults);
      }
      if (body && !body(request.body)) faults = collect(body, 'body', known, faults);
      return faults;
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

/** The faults so far and those of one more part of the request, which has just been refused. */
function collect(
  { errors }: ValidateFunction,
  part: 'params' | 'query' | 'body',
  formats: Record<string, Format>,
  found: RequestFaults | null,
): RequestFaults {
  const { messages, hints } = found ?? { messages: [], hints: [] };
  hints.push(...hintsOf(errors ?? [], part, formats));
  const seen = new Set<string>();
  for (const error of errors ?? []) {
    const path = pathOf(error);
    // One message for each faulty field: the first, which is the most basic one.
    if (seen.has(path) && error.keyword !== 'additionalProperties') continue;
    seen.add(path);
    if (messages.length < MOST_MESSAGES) messages.push(messageOf(error, path || part, formats));
  }
  return { messages, hints };
}

function pathOf(error: ErrorObject): string {
  const parent = pathOfFault(error);
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
