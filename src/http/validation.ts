import { Ajv, type AnySchemaObject, type ErrorObject, type ValidateFunction } from 'ajv';
import type { DataValidationCxt } from 'ajv/dist/types/index.js';
import type { Static, TSchema } from 'typebox';
import { isCalendarDate, isTimeOfDay, parseOffsetDateTime } from '../base/clock.ts';
import { isPlainLine } from '../base/text.ts';
import { type HintedFormat, hintsOf, pathOfFault } from './hints.ts';

/**
 * Compiles TypeBox schemas to checks that return every error at once, in the wordings of section 7. They coerce and
 * drop nothing: values stay as the caller sent them (query integers aside).
 */

/** A named string format: its check, and its message after the field's name. */
export type Format = HintedFormat & {
  check(value: string): boolean;
  message: string;
  /** True: also the message for a missing or mistyped value (`serviceId must be a UUID`). */
  coversType?: boolean;
};

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** Whether it is a UUID, of any version. */
export function isUuid(value: string): boolean {
  return UUID.test(value);
}

/** Whether a UUID is of version 4, in the variant of RFC 9562. */
const isVersion4 = (uuid: string): boolean => uuid[14] === '4' && '89abAB'.includes(uuid[19]!);

/** Neither NUL nor a lone surrogate: valid in a database column and a UTF-8 response. */
function isCleanText(value: string): boolean {
  return value.isWellFormed() && !value.includes('\0');
}

/**
 * White space, controls, and invisible characters: zero width and format characters, variation selectors, the fillers
 * of Hangul (all default-ignorable), and the blank of Braille.
 */
const INVISIBLE = /^[\s\p{Z}\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}\u2800]*$/u;

/** Whether the text has a visible character. */
function isVisible(value: string): boolean {
  return !INVISIBLE.test(value);
}

const CORE_FORMATS = {
  uuid: {
    check: (value) => isUuid(value) && isVersion4(value),
    message: 'must be a UUID',
    coversType: true,
    hint: (value) => (isUuid(value) ? ['is a UUID, but not of version 4'] : []),
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
    hint: (value) =>
      parseOffsetDateTime(value.replace(' ', '+')) !== null ? ['a + in a URL is a blank: write %2B'] : [],
  },
  text: { check: isCleanText, message: 'must not contain NUL characters or lone surrogates' },
} satisfies Record<string, Format>;

/** The number of code points of a text; of a much longer one only a number above `most`. */
const codePoints = (text: string, most: number): number =>
  text.length > 2 * most ? most + 1 : [...text].length;

export type RequestSchemas = { params?: TSchema; querystring?: TSchema; body?: TSchema };
type RequestParts = { params: unknown; query: unknown; body: unknown };
/** Every message in the exact wordings, and hints. */
export type RequestFaults = { messages: readonly string[]; hints: readonly string[] };
/**
 * Returns the errors of a request, null when it is valid; parses query integers and dates in midnight form in place.
 * `rules` are those of the route; they get the body as described at withRules, or undefined where none is taken.
 */
export type RequestCheck = (request: RequestParts, rules?: RouteRules) => RequestFaults | null;
type RouteRules = (body: unknown) => readonly string[] | RequestFaults;

/** A check of a text or a number beyond its type and form; the message follows the field's name. The keyword `rule`. */
export type Rule<T extends string | number> = { check(value: T): boolean; message: string };

/** A value without the parts that failed validation of the form. */
export type WellFormed<T> = T extends readonly (infer Item)[]
  ? readonly (WellFormed<Item> | undefined)[]
  : T extends object
    ? { [Name in keyof T]?: WellFormed<T[Name]> }
    : T;

/** Messages of one refusal; the first ones. */
export const MAX_MESSAGES = 100;

/** Errors after which validation of a part stops; a field can have several, and gets one message. */
const MAX_ERRORS = 4 * MAX_MESSAGES;

/** Ajv finds all errors or one. Its generated code counts errors in one form only, so it can be patched to stop. */
function stopAtMostErrors(code: string): string {
  const [, name] = /return function (\w+)\(/.exec(code) ?? [];
  return code.replaceAll(
    'errors++;',
    `if (++errors >= ${MAX_ERRORS}) { ${name}.errors = vErrors; return false; }`,
  );
}

/** Whether all errors were found: rules get the parts without them. */
const isComplete = ({ errors }: ValidateFunction): boolean => (errors?.length ?? 0) < MAX_ERRORS;
const MIDNIGHT_FORM = /^(\d{4}-\d{2}-\d{2})T00:00:00(?:\.0{1,9})?Z$/;

type Rules = (input: never, given: readonly string[]) => readonly string[];
const RULES = new WeakMap<object, Rules>();

/**
 * Adds rules over several fields to the schema of a body or a query; they are pure and return messages. They get the
 * valid parts, so that their messages and those of the form are returned together; `given` are the names of all fields.
 */
export function withRules<T extends TSchema>(
  schema: T,
  rules: (input: WellFormed<Static<T>>, given: readonly string[]) => readonly string[],
): T {
  RULES.set(schema, rules as Rules);
  return schema;
}

/** Whether withRules added rules to the schema. */
export function hasRules(schema: object): boolean {
  return RULES.has(schema);
}

type RequestChecker = (schemas: RequestSchemas) => RequestCheck;

const NO_FORMATS: Record<string, Format> = {};
const checkers = new WeakMap<Record<string, Format>, RequestChecker>();

/**
 * Compiles request checks. `formats` adds the slices' own to the core ones. Applications of a process with the same
 * formats share one, so that a schema is compiled once.
 */
export function createRequestChecker(formats = NO_FORMATS): RequestChecker {
  const made = checkers.get(formats) ?? makeRequestChecker(formats);
  checkers.set(formats, made);
  return made;
}

function makeRequestChecker(formats: Record<string, Format>): RequestChecker {
  const known: Record<string, Format> = { ...CORE_FORMATS, ...formats };
  const ajv = new Ajv({
    allErrors: true,
    verbose: true,
    strict: true,
    strictTypes: false,
    allowUnionTypes: true,
    code: { process: stopAtMostErrors },
  });
  for (const [name, format] of Object.entries(known)) ajv.addFormat(name, format.check);
  // For the OpenAPI document only: the use case checks it, with its own messages.
  ajv.addKeyword('documented');
  // A text with a visible character.
  ajv.addKeyword({
    keyword: 'visible',
    type: 'string',
    schemaType: 'boolean',
    validate: (_wanted: boolean, value: string) => isVisible(value),
  });
  // Length after trimming; a required text must have a visible character.
  ajv.addKeyword({
    keyword: 'trimmedLength',
    type: 'string',
    schemaType: 'array',
    validate: ([min, max]: [number, number], value: string) => {
      const length = codePoints(value.trim(), max);
      return length >= min && length <= max && (min === 0 || isVisible(value));
    },
  });

  // `2026-12-01T00:00:00.000Z`, the form of bookings in responses, becomes its date before the format is checked.
  ajv.addKeyword({
    keyword: 'midnightForm',
    type: 'string',
    schemaType: 'boolean',
    before: 'format',
    modifying: true,
    validate: (_wanted: boolean, value: string, _schema?: AnySchemaObject, at?: DataValidationCxt) => {
      const date = MIDNIGHT_FORM.exec(value)?.[1];
      if (date !== undefined && at !== undefined) at.parentData[at.parentDataProperty] = date;
      return true;
    },
  });

  // A name is trimmed.
  ajv.addKeyword({
    keyword: 'isLine',
    type: 'string',
    schemaType: 'boolean',
    validate: (_wanted: boolean, value: string) => isPlainLine(value.trim()),
  });

  ajv.addKeyword({ keyword: 'hints', schemaType: 'object' });
  ajv.addKeyword({
    keyword: 'rule',
    type: ['string', 'number'],
    schemaType: 'object',
    // A wrong type has its message already.
    compile: ({ check }: Rule<string | number>, { type }: AnySchemaObject) => {
      const wanted = [type].flat().includes('string') ? 'string' : 'number';
      return (value: string | number) => typeof value !== wanted || check(value);
    },
  });
  // The meaning of a range's values, for the message about one outside.
  ajv.addKeyword({ keyword: 'meaning', schemaType: 'string' });

  // Compiled with a route's first request: compiling all at the start is a large part of its processor time.
  const compiled = (schema: object | undefined) => {
    let validate: ValidateFunction | undefined;
    return schema && ((): ValidateFunction => (validate ??= ajv.compile(schema)));
  };
  return (schemas) => {
    const compiledParams = compiled(schemas.params);
    const compiledQuery = compiled(schemas.querystring);
    const queryIntegers = integerProperties(schemas.querystring);
    const compiledBody = compiled(schemas.body);
    const queryRules = schemas.querystring && RULES.get(schemas.querystring);
    const bodyRules = schemas.body && RULES.get(schemas.body);
    return (request, routeRules) => {
      const params = compiledParams?.();
      const query = compiledQuery?.();
      const body = compiledBody?.();
      let faults: RequestFaults | null = null;
      if (params && !params(request.params)) faults = collect(params, 'params', known, faults);
      if (query) {
        parseIntegers(queryIntegers, request.query as Record<string, unknown>);
        if (!query(request.query)) faults = collect(query, 'query', known, faults);
      }
      if (body && !body(request.body)) faults = collect(body, 'body', known, faults);
      if (query && queryRules && isComplete(query)) {
        const input = wellFormed(request.query, query.errors ?? []);
        faults = added(faults, input && queryRules(input as never, Object.keys(request.query as object)));
      }
      if (body && (bodyRules ?? routeRules) && isComplete(body)) {
        const input = wellFormed(request.body, body.errors ?? []);
        faults = added(faults, input && bodyRules?.(input as never, Object.keys(request.body as object)));
        faults = added(faults, input && routeRules?.(input));
      }
      if (!body) faults = added(faults, routeRules?.(undefined));
      return faults;
    };
  };
}

/**
 * A copy of the part without everything that failed validation; null when it is no object. Invalid items of a list
 * become undefined, so that the indexes of the others stay. Copies only paths to errors, which are no deeper than the
 * schema: unknown values may be nested arbitrarily deeply.
 */
function wellFormed(part: unknown, errors: readonly ErrorObject[]): object | null {
  if (!isObject(part) || Array.isArray(part)) return null;
  const copies = new Set<unknown>();
  const copyOf = (value: Record<string, unknown>): Record<string, unknown> => {
    if (copies.has(value)) return value;
    const copy = Array.isArray(value) ? [...value] : { ...value };
    copies.add(copy);
    return copy as Record<string, unknown>;
  };
  const result = errors.length === 0 ? part : copyOf(part);
  for (const { keyword, instancePath, params } of errors) {
    // A missing value need not be removed.
    if (keyword === 'required') continue;
    const names = instancePath.slice(1).split('/').filter(Boolean).map(unescaped);
    if (keyword === 'additionalProperties') names.push(params.additionalProperty);
    const last = names.pop()!;
    let parent: Record<string, unknown> | null = result;
    for (const name of names) {
      const child: unknown = parent && Object.hasOwn(parent, name) ? parent[name] : null;
      if (parent && isObject(child)) parent = parent[name] = copyOf(child);
      else parent = null;
    }
    if (Array.isArray(parent)) parent[Number(last)] = undefined;
    else if (parent) delete parent[last];
  }
  return result;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return value !== null && typeof value === 'object';
}

/** Unescapes a name of a JSON pointer. */
function unescaped(name: string): string {
  return name.replaceAll('~1', '/').replaceAll('~0', '~');
}

/** The errors so far and those of rules. */
function added(
  found: RequestFaults | null,
  more: readonly string[] | RequestFaults | null | undefined,
): RequestFaults | null {
  if (more === null || more === undefined) return found;
  const { messages, hints } = 'messages' in more ? more : { messages: more, hints: [] };
  if (messages.length === 0) return found;
  return {
    messages: [...(found?.messages ?? []), ...messages].slice(0, MAX_MESSAGES),
    hints: [...(found?.hints ?? []), ...hints],
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
    // A number beyond exact integers is beyond every range.
    if (typeof value === 'string' && /^[+-]?\d+$/.test(value))
      query[name] = Math.max(-Number.MAX_SAFE_INTEGER, Math.min(Number(value), Number.MAX_SAFE_INTEGER));
  }
}

/** The errors so far and those of one more part of the request. */
function collect(
  { errors }: ValidateFunction,
  part: 'params' | 'query' | 'body',
  formats: Record<string, Format>,
  found: RequestFaults | null,
): RequestFaults {
  const messages = [...(found?.messages ?? [])];
  const hints = [...(found?.hints ?? []), ...hintsOf(errors ?? [], part, formats).map(readable)];
  const seen = new Set<string>();
  for (const error of errors ?? []) {
    const path = pathOf(error);
    // One message for each invalid field: the first, which is the most basic one. An unknown field has one, and may be
    // named like the path of another.
    if (error.keyword !== 'additionalProperties') {
      if (seen.has(path)) continue;
      seen.add(path);
    }
    if (messages.length < MAX_MESSAGES) messages.push(readable(messageOf(error, path || part, formats)));
  }
  return { messages, hints };
}

/** Shortens a message: it may quote the name of an unknown field, of any length. */
export function readable(message: string): string {
  const text = message.replaceAll(/\p{Cc}/gu, '\ufffd').toWellFormed();
  return text.length <= MAX_MESSAGE ? text : `${text.slice(0, MAX_MESSAGE - 1).toWellFormed()}…`;
}
/** UTF-16 code units of a message. */
const MAX_MESSAGE = 1_000;

function pathOf(error: ErrorObject): string {
  const parent = pathOfFault(error);
  const name: string | undefined = error.params.missingProperty ?? error.params.additionalProperty;
  if (name === undefined) return parent;
  // An empty name would be invisible.
  const child = name || '""';
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
  rule?: { message: string };
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
      if (!isVisible(String(error.data))) return `${path} should not be empty`;
      if (codePoints(String(error.data).trim(), min) >= min) return `${path} ${tooLong(max)}`;
      return min === 1
        ? `${path} should not be empty`
        : `${path} must be longer than or equal to ${min} characters`;
    }
    case 'isLine':
      return `${path} must not contain control characters, line breaks or bidirectional controls`;
    case 'visible':
      return `${path} should not be empty`;
    case 'rule':
      return `${path} ${schema.rule?.message}`;
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
