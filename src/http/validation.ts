import { Ajv, type AnySchemaObject, type ErrorObject, type ValidateFunction } from 'ajv';
import type { DataValidationCxt } from 'ajv/dist/types/index.js';
import type { Static, TSchema } from 'typebox';
import { isCalendarDate, isTimeOfDay, parseOffsetDateTime } from '../base/clock.ts';
import { isPlainLine } from '../base/text.ts';
import { type HintedFormat, hintsOf, pathOfFault } from './hints.ts';

/**
 * Turns TypeBox schemas into checks that return every fault at once, in the wordings of section 7.
 * Nothing is coerced and nothing dropped: values stay as the caller sent them (query integers aside).
 */

/** A named string format: what it accepts and how its fault reads after the field's name. */
export type Format = HintedFormat & {
  check(value: string): boolean;
  message: string;
  /** True: a missing or mistyped value gets this message too (`serviceId must be a UUID`). */
  coversType?: boolean;
};

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** Is it a UUID, of whichever version? */
export function isUuid(value: string): boolean {
  return UUID.test(value);
}

/** Of a UUID: is it one of version 4, in the variant of RFC 9562? */
const isVersion4 = (uuid: string): boolean => uuid[14] === '4' && '89abAB'.includes(uuid[19]!);

/** Neither NUL nor a lone surrogate: what a database column and a UTF-8 response can hold. */
export function isCleanText(value: string): boolean {
  return value.isWellFormed() && !value.includes('\0');
}

/**
 * White space, controls, and what is drawn as nothing: zero width and format characters, variation selectors, the
 * fillers of Hangul (all default-ignorable), and the blank of Braille.
 */
const INVISIBLE = /^[\s\p{Z}\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}\u2800]*$/u;

/** Does the text say anything that can be seen? */
export function isVisible(value: string): boolean {
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

/** How many code points a text has; of a much longer one only that it has more than `most`. */
const codePoints = (text: string, most: number): number =>
  text.length > 2 * most ? most + 1 : [...text].length;

export type RequestSchemas = { params?: TSchema; querystring?: TSchema; body?: TSchema };
type RequestParts = { params: unknown; query: unknown; body: unknown };
/** Every fault in the exact wordings, and hints to fix them. */
export type RequestFaults = { messages: readonly string[]; hints: readonly string[] };
/**
 * Returns the faults of a request, null when it is valid; query integers and dates in midnight form are parsed in place. `rules` are those of the
 * route; they get the body as described at withRules.
 */
export type RequestCheck = (request: RequestParts, rules?: RouteRules) => RequestFaults | null;
type RouteRules = (body: unknown) => readonly string[] | RequestFaults;

/** What a text or a number must be beyond its form; the message follows the field's name. The keyword `rule`. */
export type Rule<T extends string | number> = { check(value: T): boolean; message: string };

/** What is left of a value when all that the form found a fault in is taken out of it. */
export type WellFormed<T> = T extends readonly (infer Item)[]
  ? readonly (WellFormed<Item> | undefined)[]
  : T extends object
    ? { [Name in keyof T]?: WellFormed<T[Name]> }
    : T;

/** Messages of one refusal; those of the first faults. */
export const MAX_MESSAGES = 100;

/** Errors after which a part of the request is looked at no further; a field can have several, and gets one message. */
const MAX_ERRORS = 4 * MAX_MESSAGES;

/** Ajv finds all errors or one. It counts them in one way only, so the code that it generates can be made to stop. */
function stopAtMostErrors(code: string): string {
  const [, name] = /return function (\w+)\(/.exec(code) ?? [];
  return code.replaceAll(
    'errors++;',
    `if (++errors >= ${MAX_ERRORS}) { ${name}.errors = vErrors; return false; }`,
  );
}

/** Whether all errors were looked for: rules are asked about what is free of them. */
const isComplete = ({ errors }: ValidateFunction): boolean => (errors?.length ?? 0) < MAX_ERRORS;
const MIDNIGHT_FORM = /^(\d{4}-\d{2}-\d{2})T00:00:00(?:\.0{1,9})?Z$/;

type Rules = (input: never, given: readonly string[]) => readonly string[];
const RULES = new WeakMap<object, Rules>();

/**
 * Gives the schema of a body or a query rules over several of its fields, pure and with the messages of faults. They
 * are asked about what is well-formed, so that their faults and those of the form are returned together; `given` are
 * the names of all fields.
 */
export function withRules<T extends TSchema>(
  schema: T,
  rules: (input: WellFormed<Static<T>>, given: readonly string[]) => readonly string[],
): T {
  RULES.set(schema, rules as Rules);
  return schema;
}

/** Has the schema rules of withRules? */
export function hasRules(schema: object): boolean {
  return RULES.has(schema);
}

type RequestChecker = (schemas: RequestSchemas) => RequestCheck;

const NO_FORMATS: Record<string, Format> = {};
const checkers = new WeakMap<Record<string, Format>, RequestChecker>();

/**
 * Compiles request checks. `formats` adds the slices' own to the core ones. One for all applications of a process with these
 * formats: a schema is compiled once.
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
  // Said in the OpenAPI document only: what the use case holds to, with words of its own.
  ajv.addKeyword('documented');
  // A text in which something can be seen.
  ajv.addKeyword({
    keyword: 'visible',
    type: 'string',
    schemaType: 'boolean',
    validate: (_wanted: boolean, value: string) => isVisible(value),
  });
  // A length that counts after trimming; a text that must not be empty must say something that can be seen.
  ajv.addKeyword({
    keyword: 'trimmedLength',
    type: 'string',
    schemaType: 'array',
    validate: ([min, max]: [number, number], value: string) => {
      const length = codePoints(value.trim(), max);
      return length >= min && length <= max && (min === 0 || isVisible(value));
    },
  });

  // `2026-12-01T00:00:00.000Z`, as bookings are answered, becomes the date it stands for before its form is looked at.
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

  // A name: what is around it is trimmed.
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
    // A text where a number is wanted, or the other way round, has its fault already.
    compile: ({ check }: Rule<string | number>, { type }: AnySchemaObject) => {
      const wanted = [type].flat().includes('string') ? 'string' : 'number';
      return (value: string | number) => typeof value !== wanted || check(value);
    },
  });
  // What the values of a range stand for, said when one is outside.
  ajv.addKeyword({ keyword: 'meaning', schemaType: 'string' });

  // Compiled with a route's first request: all of them together are a fifth of a start's processor time (0.65 of 3.4 s).
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
      return faults;
    };
  };
}

/**
 * A part of the request without all that the form found a fault in; null when it is no object. What a list loses
 * becomes undefined, so that the places of the others stay. Copied is only what leads to a fault, which is no deeper than
 * the schema: a value that nobody asked for may be nested as deeply as a body is long.
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
    // What is missing need not be taken out.
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

/** A name in a JSON pointer as it is in the object. */
function unescaped(name: string): string {
  return name.replaceAll('~1', '/').replaceAll('~0', '~');
}

/** The faults so far and those that rules found. */
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
    // Beyond what a number tells apart, it is beyond what any of them may be.
    if (typeof value === 'string' && /^[+-]?\d+$/.test(value))
      query[name] = Math.max(-Number.MAX_SAFE_INTEGER, Math.min(Number(value), Number.MAX_SAFE_INTEGER));
  }
}

/** The faults so far and those of one more part of the request, which has just been refused. */
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
    // One message for each faulty field: the first, which is the most basic one. A field that should not be there has one, and
    // may be called like the path of another.
    if (error.keyword !== 'additionalProperties') {
      if (seen.has(path)) continue;
      seen.add(path);
    }
    if (messages.length < MAX_MESSAGES) messages.push(readable(messageOf(error, path || part, formats)));
  }
  return { messages, hints };
}

/** Names of unknown fields stand in messages: any text of any length may be one. */
export function readable(message: string): string {
  const text = message.replaceAll(/\p{Cc}/gu, '\ufffd').toWellFormed();
  return text.length <= MAX_MESSAGE ? text : `${text.slice(0, MAX_MESSAGE - 1).toWellFormed()}…`;
}
/** Of a message, in UTF-16 code units. */
const MAX_MESSAGE = 1_000;

function pathOf(error: ErrorObject): string {
  const parent = pathOfFault(error);
  const name: string | undefined = error.params.missingProperty ?? error.params.additionalProperty;
  if (name === undefined) return parent;
  // An empty one could not be seen.
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
