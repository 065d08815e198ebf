import { readFileSync } from 'node:fs';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import { isCalendarDate, parseOffsetDateTime } from '../src/base/clock.ts';
import type { OpenApiDocument, Operation, Parameter, ResponseObject } from '../src/openapi/document.ts';
import type { JsonSchema } from '../src/openapi/schemas.ts';

/**
 * Validates exchanges against the committed OpenAPI documents. Every response must be documented to the last field and
 * header; an accepted request must be valid by the document.
 */
export type Exchange = {
  method: string;
  url: string;
  requestHeaders: Record<string, string>;
  /** As sent; undefined: none. */
  requestBody: unknown;
  status: number;
  headers: Headers;
  text: string;
};

export type Side = 'partner' | 'operator' | 'portal' | 'crew';
export type DocumentedOperation = { method: string; path: string; pointer: string; operation: Operation };

const FILES = {
  partner: '../openapi/partner.json',
  operator: '../openapi/operator.json',
  portal: '../openapi/portal.json',
  crew: '../openapi/crew.json',
};
const PREFIXES = { partner: '/v1', operator: '/operator', portal: '/portal/api', crew: '/crew/api' };

/** Headers of HTTP itself, not of this service. */
const PLAIN_HEADERS = [
  'content-type',
  'content-length',
  'transfer-encoding',
  'date',
  'connection',
  'keep-alive',
  'strict-transport-security',
];

type Checker = {
  document: OpenApiDocument;
  operations: DocumentedOperation[];
  find(method: string, path: string): DocumentedOperation | undefined;
  /** The validation errors of a value by the schema at the pointer. */
  faults(pointer: string, value: unknown): string[];
};

const checkers = new Map<Side, Checker>();

/** The committed document; read once. */
export function checkerOf(side: Side): Checker {
  let checker = checkers.get(side);
  if (checker === undefined) {
    checker = createChecker(JSON.parse(readFileSync(new URL(FILES[side], import.meta.url), 'utf8')));
    checkers.set(side, checker);
  }
  return checker;
}

export function createChecker(document: OpenApiDocument): Checker {
  const ajv = new Ajv2020({ strict: false, validateSchema: false, allErrors: true });
  ajv.addFormat('uuid', /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/i);
  // In requests also the midnight form; a date in a response has at most 10 characters.
  ajv.addFormat('date', (text) => isCalendarDate(text.replace(/T00:00:00(\.0{1,9})?Z$/, '')));
  ajv.addFormat('date-time', (text) => parseOffsetDateTime(text) !== null);
  ajv.addFormat('uri', (text) => URL.canParse(text));
  for (const format of ['int32', 'int64'])
    ajv.addFormat(format, { type: 'number', validate: Number.isInteger });
  ajv.addSchema({ ...(closed(document) as object), envelope: closed(envelopeOf(document)) }, 'document');

  const compiled = new Map<string, ValidateFunction>();
  const operations = Object.entries(document.paths)
    .flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, operation]) => ({
        method: method.toUpperCase(),
        path,
        pointer: `#/paths/${escaped(path)}/${method}`,
        operation,
        pattern: new RegExp(`^${path.replaceAll(/\{\w+\}/g, '[^/]+')}$`),
      })),
    )
    // /bookings/cancellation-reasons comes before /bookings/{bookingId}.
    .sort((a, b) => a.path.split('{').length - b.path.split('{').length);
  return {
    document,
    operations,
    find: (method, path) =>
      operations.find((each) => each.method === method.toUpperCase() && each.pattern.test(path)),
    faults(pointer, value) {
      let validate = compiled.get(pointer);
      if (validate === undefined) {
        validate = ajv.compile({ $ref: `document${pointer}` });
        compiled.set(pointer, validate);
      }
      if (validate(value)) return [];
      return (validate.errors ?? []).map(({ instancePath, message, params }) =>
        `${instancePath} ${message} ${JSON.stringify(params)}`.trim(),
      );
    },
  };
}

/** The envelope of an error with a code of no operation. */
function envelopeOf({ components }: OpenApiDocument): JsonSchema {
  const schema = structuredClone(components.responses.Unauthorized!.content!['application/json']!.schema);
  Object.assign(schema.properties!.error!.properties!, { code: { type: 'string', pattern: '^[A-Z_]+$' } });
  return schema;
}

/**
 * The document with every object closed: published, it allows future fields, but a field in a response of this version
 * must be documented.
 */
function closed(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(closed);
  if (value === null || typeof value !== 'object') return value;
  const copy = Object.fromEntries(Object.entries(value).map(([key, part]) => [key, closed(part)]));
  const isObject = copy.type === 'object' && typeof copy.properties === 'object';
  return isObject && !('additionalProperties' in copy) ? { ...copy, additionalProperties: false } : copy;
}

const escaped = (part: string): string =>
  encodeURIComponent(part.replaceAll('~', '~0').replaceAll('/', '~1')).replaceAll('%7E', '~');

/** The errors of a received webhook, by the document's `webhooks`. */
export function deliveryFaults({
  headers,
  json,
}: {
  headers: Record<string, string>;
  json: unknown;
}): string[] {
  const checker = checkerOf('partner');
  const event = headers['x-service-event'] ?? '';
  const operation = checker.document.webhooks?.[event]?.post;
  if (operation === undefined) return [`the event ${event} is not documented`];
  const pointer = `#/webhooks/${escaped(event)}/post`;
  const parameters = operation.parameters ?? [];
  const faults = parameters.flatMap((parameter, index) => {
    const text = headers[parameter.name!.toLowerCase()];
    if (text === undefined) return parameter.required ? [`header ${parameter.name} is missing`] : [];
    return checker
      .faults(`${pointer}/parameters/${index}/schema`, read(text, parameter))
      .map((fault) => `header ${parameter.name}: ${fault}`);
  });
  const known = new Set([...PLAIN_HEADERS, 'host', ...parameters.map(({ name }) => name!.toLowerCase())]);
  const strange = Object.keys(headers).filter((name) => !known.has(name));
  return [
    ...faults,
    ...strange.map((name) => `header ${name} is not documented`),
    ...checker.faults(`${pointer}/requestBody/content/application~1json/schema`, json),
  ];
}

/** The errors of an exchange, by the document; none for other servers and probes. */
export function exchangeFaults(exchange: Exchange): string[] {
  const { pathname, searchParams } = new URL(exchange.url);
  const side = (['partner', 'operator', 'portal', 'crew'] as const).find((each) =>
    pathname.startsWith(`${PREFIXES[each]}/`),
  );
  if (side === undefined) return [];
  const checker = checkerOf(side);
  const path = pathname.slice(PREFIXES[side].length);
  return faultsAgainst(checker, exchange, path, searchParams);
}

export function faultsAgainst(
  checker: Checker,
  exchange: Exchange,
  path: string,
  query: URLSearchParams,
): string[] {
  const [type = ''] = (exchange.headers.get('content-type') ?? '').split(';');
  const isJson = type === 'application/json' || exchange.text === '';
  const body = isJson && exchange.text !== '' ? JSON.parse(exchange.text) : undefined;
  // HEAD responds as GET does, without the body.
  const found = checker.find(exchange.method === 'HEAD' ? 'GET' : exchange.method, path);
  // Unknown or disabled routes: no operation, but the envelope.
  if (found === undefined || body?.error?.message === 'Route not found') {
    if (exchange.status < 400) return ['an operation that is not documented'];
    return exchange.method === 'HEAD' ? [] : checker.faults('#/envelope', body);
  }
  const response = responseAt(checker.document, found, exchange.status);
  if (response === undefined) return [`status ${exchange.status} is not documented`];
  return [
    ...headerFaults(checker, response, exchange.headers),
    ...cachingFaults(found, exchange),
    ...(exchange.method === 'HEAD' || (response.value.content === undefined && exchange.text === '')
      ? []
      : checker.faults(
          `${response.pointer}/content/${escaped(isJson ? 'application/json' : type)}/schema`,
          isJson ? body : exchange.text,
        )),
    ...(exchange.status < 300 ? requestFaults(checker, found, exchange, path, query) : []),
  ];
}

type Located<T> = { value: T; pointer: string };

function responseAt(
  document: OpenApiDocument,
  { operation, pointer }: DocumentedOperation,
  status: number,
): Located<ResponseObject> | undefined {
  const value = operation.responses[status];
  if (value?.$ref === undefined) return value && { value, pointer: `${pointer}/responses/${status}` };
  const name = value.$ref.slice(value.$ref.lastIndexOf('/') + 1);
  return { value: document.components.responses[name]!, pointer: value.$ref };
}

function headerFaults(checker: Checker, { value }: Located<ResponseObject>, headers: Headers): string[] {
  const documented = Object.keys(value.headers ?? {});
  const faults = documented.flatMap((name) => {
    const header = checker.document.components.headers[name]!;
    const text = headers.get(name);
    if (text === null) return header.required === true ? [`header ${name} is missing`] : [];
    return checker
      .faults(`#/components/headers/${escaped(name)}/schema`, read(text, header))
      .map((fault) => `header ${name}: ${fault}`);
  });
  const known = new Set([...PLAIN_HEADERS, ...documented.map((name) => name.toLowerCase())]);
  const strange = [...headers.keys()].filter((name) => !known.has(name));
  return [...faults, ...strange.map((name) => `header ${name} is not documented`)];
}

/** A response whose tag If-None-Match can name may be kept by its caller, and no other one. */
function cachingFaults({ operation }: DocumentedOperation, { headers }: Exchange): string[] {
  const isNamed = operation.responses['304'] !== undefined && headers.has('etag');
  const [is, wanted] = [headers.get('cache-control'), isNamed ? 'private, no-cache' : 'no-store'];
  return is === null || is === wanted ? [] : [`header Cache-Control is ${is} instead of ${wanted}`];
}

/** The value of a header or parameter, which is text on the wire. */
function read(text: string, { schema }: Parameter): unknown {
  return schema.type === 'integer' && /^[+-]?\d+$/.test(text) ? Number(text) : text;
}

function requestFaults(
  checker: Checker,
  { path: template, pointer, operation }: DocumentedOperation,
  exchange: Exchange,
  path: string,
  query: URLSearchParams,
): string[] {
  const names = [...template.matchAll(/\{(\w+)\}/g)].map(([, name]) => name!);
  const inPath = new RegExp(`^${template.replaceAll(/\{\w+\}/g, '([^/]+)')}$`).exec(path)!.slice(1);
  const sent: Record<string, (name: string) => string | null | undefined> = {
    path: (name) => decodeURIComponent(inPath[names.indexOf(name)]!),
    query: (name) => query.get(name),
    header: (name) => new Headers(exchange.requestHeaders).get(name),
  };
  const faults = (operation.parameters ?? []).flatMap((parameter, index) => {
    // A malformed request id is replaced, not refused.
    if (parameter.name === 'X-Request-Id') return [];
    const text = sent[parameter.in!]!(parameter.name!) ?? null;
    if (text === null) return parameter.required ? [`${parameter.name} is accepted without`] : [];
    return checker
      .faults(`${pointer}/parameters/${index}/schema`, read(text, parameter))
      .map((fault) => `accepted ${parameter.name}: ${fault}`);
  });
  if (operation.requestBody === undefined) return faults;
  if (exchange.requestBody === undefined || exchange.requestBody === '') {
    return operation.requestBody.required ? [...faults, 'the body is accepted without'] : faults;
  }
  const text = exchange.requestBody;
  // Lengths in the document apply after trimming, as names are stored.
  const body = JSON.parse(typeof text === 'string' ? text : JSON.stringify(text), (_key, value) =>
    typeof value === 'string' ? value.trim() : value,
  );
  return [
    ...faults,
    ...checker
      .faults(`${pointer}/requestBody/content/application~1json/schema`, body)
      .map((fault) => `accepted body: ${fault}`),
  ];
}
