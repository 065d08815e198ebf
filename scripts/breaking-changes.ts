import type { OpenApiDocument, Operation, Parameter, ResponseObject } from '../src/openapi/document.ts';
import type { JsonSchema } from '../src/openapi/schemas.ts';

/**
 * The changes that would break a client of the earlier document (section 9): one sentence for each. New optional
 * request fields, new response fields and new error codes do not.
 */
export function breakingChanges(before: OpenApiDocument, after: OpenApiDocument): string[] {
  const context: Context = { before, after };
  return [
    ...authenticationFaults(before, after),
    ...pathFaults(context, before.paths, after.paths, 'received'),
    ...pathFaults(context, before.webhooks ?? {}, after.webhooks ?? {}, 'sent'),
  ];
}

type Context = { before: OpenApiDocument; after: OpenApiDocument };
type Paths = OpenApiDocument['paths'];
/** A value in a request may become wider, one in a response narrower. */
type Direction = 'received' | 'sent';
type Pair<T> = { was: T; is: T };

const same = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b);

function authenticationFaults(before: OpenApiDocument, after: OpenApiDocument): string[] {
  const schemes = ({ components, security }: OpenApiDocument) => [
    security,
    Object.entries(components.securitySchemes).map(([name, scheme]) => {
      const { description: _, ...rest } = scheme as { description?: string };
      return [name, rest];
    }),
  ];
  const urls = ({ servers }: OpenApiDocument) => servers.map(({ url }) => url);
  return [
    ...(same(schemes(before), schemes(after)) ? [] : ['the authentication is another']),
    ...(same(urls(before), urls(after)) ? [] : ['the base address is another']),
  ];
}

function pathFaults(context: Context, before: Paths, after: Paths, body: Direction): string[] {
  return Object.entries(before).flatMap(([path, methods]) =>
    Object.entries(methods).flatMap(([method, was]) => {
      const name = `${method.toUpperCase()} ${path}`;
      const is = after[path]?.[method];
      if (is === undefined) return [`${name}: removed`];
      return operationFaults(context, { was, is }, body).map((fault) => `${name}: ${fault}`);
    }),
  );
}

function operationFaults(context: Context, { was, is }: Pair<Operation>, direction: Direction): string[] {
  return [
    ...(was.operationId === is.operationId ? [] : [`operationId is ${is.operationId}`]),
    ...(['x-permission', 'x-role'] as const).flatMap((key) =>
      was[key] === is[key] ? [] : [`${key} is ${is[key]}`],
    ),
    ...parameterFaults(context, was.parameters ?? [], is.parameters ?? [], direction),
    ...bodyFaults(context, { was, is }, direction),
    ...Object.entries(was.responses).flatMap(([status, response]) => {
      const later = is.responses[status];
      if (later === undefined) return [`status ${status} is removed`];
      const pair = { was: responseOf(context.before, response), is: responseOf(context.after, later) };
      return responseFaults(context, pair).map((fault) => `status ${status}: ${fault}`);
    }),
  ];
}

function parameterFaults(
  context: Context,
  before: readonly Parameter[],
  after: readonly Parameter[],
  direction: Direction,
): string[] {
  const key = ({ name = '', in: where = '' }: Parameter): string => `${where} ${name}`.toLowerCase();
  const added = after.filter((is) => !before.some((was) => key(was) === key(is)));
  return [
    ...added
      .filter(({ required }) => direction === 'received' && required)
      .map((is) => `${key(is)} is new and required`),
    ...before.flatMap((was) => {
      const is = after.find((each) => key(each) === key(was));
      if (is === undefined) return [`${key(was)} is removed`];
      const demanded = direction === 'received' && !was.required && is.required;
      return [
        ...(demanded ? [`${key(was)} is required`] : []),
        ...schemaFaults(context, { was: was.schema, is: is.schema }, direction, key(was)),
      ];
    }),
  ];
}

function bodyFaults(context: Context, { was, is }: Pair<Operation>, direction: Direction): string[] {
  const [before, after] = [was.requestBody, is.requestBody];
  if (before === undefined) return after?.required ? ['a body is required'] : [];
  if (after === undefined) return ['the body is removed'];
  const demanded = direction === 'received' && !before.required && after.required;
  return [...(demanded ? ['the body is required'] : []), ...contentFaults(context, before, after, direction)];
}

function responseFaults(context: Context, { was, is }: Pair<ResponseObject>): string[] {
  const later = Object.keys(is.headers ?? {}).map((name) => name.toLowerCase());
  return [
    ...Object.keys(was.headers ?? {})
      .filter((name) => !later.includes(name.toLowerCase()))
      .map((name) => `header ${name} is removed`),
    ...contentFaults(context, was, is, 'sent'),
  ];
}

type WithContent = Pick<ResponseObject, 'content'>;

function contentFaults(context: Context, was: WithContent, is: WithContent, direction: Direction): string[] {
  return Object.entries(was.content ?? {}).flatMap(([type, media]) => {
    const later = is.content?.[type];
    if (later === undefined) return [`${type} is removed`];
    return schemaFaults(context, { was: media.schema, is: later.schema }, direction, '');
  });
}

function responseOf(document: OpenApiDocument, response: ResponseObject): ResponseObject {
  return response.$ref === undefined ? response : document.components.responses[nameIn(response.$ref)]!;
}

const nameIn = (ref: string): string => ref.slice(ref.lastIndexOf('/') + 1);

/** The schema with its reference resolved; siblings of the reference narrow its properties. */
function resolved(document: OpenApiDocument, { $ref, ...beside }: JsonSchema): JsonSchema {
  if ($ref === undefined) return beside;
  return merged(resolved(document, document.components.schemas[nameIn($ref)]!), beside);
}

function merged(schema: JsonSchema, beside: JsonSchema): JsonSchema {
  const properties = { ...schema.properties };
  for (const [name, narrower] of Object.entries(beside.properties ?? {})) {
    properties[name] = merged(properties[name] ?? {}, narrower);
  }
  return { ...schema, ...beside, ...(schema.properties && { properties }) };
}

// ---------------------------------------------------------------------------
// Schemas

/** The value by which clients tell errors apart: it may get new codes, and lose none. */
const CODE = '/error/code';

function schemaFaults(context: Context, pair: Pair<JsonSchema>, direction: Direction, at: string): string[] {
  const was = resolved(context.before, pair.was);
  const is = resolved(context.after, pair.is);
  const faults = [
    ...choiceFaults(was, is, at === CODE ? 'code' : direction),
    ...limitFaults(was, is, direction),
    ...(was.format === is.format ? [] : [`format is ${is.format ?? 'gone'}`]),
    ...optionFaults(context, { was, is }, direction, at),
  ].map((fault) => (at === '' ? fault : `${at}: ${fault}`));
  return [
    ...faults,
    ...propertyFaults(context, { was, is }, direction, at),
    ...(was.items && is.items
      ? schemaFaults(context, { was: was.items, is: is.items }, direction, `${at}/items`)
      : []),
  ];
}

const typesOf = ({ type }: JsonSchema): string[] => (type === undefined ? [] : [type].flat());
const valuesOf = (schema: JsonSchema): unknown[] | undefined =>
  'const' in schema ? [schema.const] : schema.enum;

function choiceFaults(was: JsonSchema, is: JsonSchema, direction: Direction | 'code'): string[] {
  const [types, laterTypes] = [typesOf(was), typesOf(is)];
  const [values, laterValues] = [valuesOf(was), valuesOf(is)];
  const missing = <T>(from: readonly T[], others: readonly T[]): T[] =>
    from.filter((each) => !others.includes(each));

  const lost = direction === 'sent' ? missing(laterTypes, types) : missing(types, laterTypes);
  const typed =
    lost.length > 0 ? [`type is ${laterTypes.join(' or ') || 'gone'}, was ${types.join(' or ')}`] : [];
  if (direction === 'sent') {
    if (values === undefined) return typed;
    if (laterValues === undefined) return [...typed, 'any value can come'];
    return [...typed, ...missing(laterValues, values).map((value) => `${value} can come`)];
  }
  if (laterValues === undefined) return typed;
  if (values === undefined) return [...typed, `only ${laterValues.join(', ')} is allowed`];
  return [...typed, ...missing(values, laterValues).map((value) => `${value} is removed`)];
}

const LIMITS = [
  { key: 'maxLength', narrower: (was: number, is: number) => is < was },
  { key: 'minLength', narrower: (was: number, is: number) => is > was },
  { key: 'maxItems', narrower: (was: number, is: number) => is < was },
  { key: 'minItems', narrower: (was: number, is: number) => is > was },
  { key: 'maximum', narrower: (was: number, is: number) => is < was },
  { key: 'minimum', narrower: (was: number, is: number) => is > was },
] as const;

/** Limits of requests must not become stricter, limits of responses not looser. */
function limitFaults(was: JsonSchema, is: JsonSchema, direction: Direction): string[] {
  // A list of values is stricter than any limit: each value must fit the earlier one.
  const values = direction === 'sent' ? valuesOf(is) : undefined;
  if (values !== undefined) return values.flatMap((value) => valueFaults(was, value));
  const [from, to] = direction === 'received' ? [was, is] : [is, was];
  const faults = LIMITS.flatMap(({ key, narrower }) => {
    const [loose, tight] = [from[key], to[key]];
    const broken = tight !== undefined && (loose === undefined || narrower(loose, tight));
    return broken ? [`${key} is ${is[key] ?? 'gone'}, was ${was[key] ?? 'none'}`] : [];
  });
  const words = (['pattern', 'multipleOf'] as const).flatMap((key) =>
    to[key] === undefined || from[key] === to[key] ? [] : [`${key} is ${is[key] ?? 'gone'}`],
  );
  return [...faults, ...words];
}

/** Values outside the limits of `was`, which a client could not read. */
function valueFaults(
  { maxLength, minLength, pattern, maximum, minimum }: JsonSchema,
  value: unknown,
): string[] {
  const outside =
    typeof value === 'string'
      ? value.length > (maxLength ?? Number.POSITIVE_INFINITY) ||
        value.length < (minLength ?? 0) ||
        (pattern !== undefined && !new RegExp(pattern, 'u').test(value))
      : typeof value === 'number' &&
        (value > (maximum ?? Number.POSITIVE_INFINITY) || value < (minimum ?? Number.NEGATIVE_INFINITY));
  return outside ? [`${value} is beyond the limits there were`] : [];
}

/** Every alternative of one side must have a counterpart on the other that is no breaking change. */
function optionFaults(
  context: Context,
  { was, is }: Pair<JsonSchema>,
  direction: Direction,
  at: string,
): string[] {
  if (was.anyOf === undefined && is.anyOf === undefined) return [];
  const [before, after] = [was.anyOf ?? [was], is.anyOf ?? [is]];
  const fits = (one: JsonSchema, other: JsonSchema): boolean =>
    schemaFaults(context, { was: one, is: other }, direction, at).length === 0;
  const lost =
    direction === 'received'
      ? before.filter((one) => !after.some((other) => fits(one, other)))
      : after.filter((other) => !before.some((one) => fits(one, other)));
  return lost.length === 0 ? [] : ['its alternatives are others'];
}

function propertyFaults(
  context: Context,
  { was, is }: Pair<JsonSchema>,
  direction: Direction,
  at: string,
): string[] {
  const [before, after] = [was.properties ?? {}, is.properties ?? {}];
  const newlyRequired = (is.required ?? []).filter((name) => !was.required?.includes(name));
  const noLonger = (was.required ?? []).filter((name) => name in after && !is.required?.includes(name));
  return [
    ...(direction === 'received' ? newlyRequired.map((name) => `${at}/${name}: is required`) : []),
    ...(direction === 'sent' ? noLonger.map((name) => `${at}/${name}: may be absent`) : []),
    ...Object.entries(before).flatMap(([name, property]) => {
      const later = after[name];
      if (later === undefined) return [`${at}/${name}: removed`];
      return schemaFaults(context, { was: property, is: later }, direction, `${at}/${name}`);
    }),
  ];
}
