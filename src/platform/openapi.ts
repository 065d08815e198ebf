import { STATUS_CODES } from 'node:http';
import type { FastifyContextConfig, RouteOptions } from 'fastify';
import Type, { type TSchema } from 'typebox';
import {
  ApiError,
  ERROR_STATUS,
  type ErrorCode,
  type ErrorDetails,
  notFound,
  validationError,
} from '../errors.ts';
import type { Deprecation } from './deprecation.ts';
import { type App, errorEnvelope } from './http.ts';
import {
  type Components,
  exampleOf,
  type JsonSchema,
  keepComponent,
  toJsonSchema,
} from './openapi-schemas.ts';
import type { RequestCheck, RequestSchemas } from './validation.ts';

declare module 'fastify' {
  interface FastifySchema {
    operationId?: string;
    summary?: string;
    /** What a caller's developer must know beyond the summary; the permission or role is added. */
    description?: string;
    tags?: readonly string[];
    /** Refusals beyond those that follow from the interface and from the rest of the schema. */
    errors?: readonly (ErrorCode | (Partial<ErrorExample> & { code: ErrorCode }))[];
    /** What may be missing, as in `Booking not found`; follows from a path parameter like `bookingId`. */
    missing?: readonly string[];
    /** Headers of the answer beyond those that every answer has. */
    responseHeaders?: ResponseHeaders;
    /** The body may be left out. */
    optionalBody?: true;
  }
}

/** An OpenAPI 3.1 document. */
export type OpenApiDocument = {
  openapi: string;
  info: { title: string; version: string; description: string } & Record<string, unknown>;
  jsonSchemaDialect: string;
  servers: { url: string; description: string; 'x-internal': boolean }[];
  security: Record<string, string[]>[];
  tags: { name: string; description: string }[];
  paths: Record<string, Record<string, Operation>>;
  webhooks?: Record<string, Record<string, Operation>>;
  components: {
    schemas: Components;
    responses: Record<string, ResponseObject>;
    headers: Record<string, Parameter>;
    securitySchemes: Record<string, object>;
  };
};

export type Parameter = { name?: string; in?: string; required?: boolean; schema: JsonSchema } & Described;
export type Media = { schema: JsonSchema; example?: unknown; examples?: Record<string, { value: unknown }> };
export type ResponseObject = {
  $ref?: string;
  description?: string;
  headers?: Record<string, { $ref: string }>;
  content?: Record<string, Media>;
};
export type Operation = {
  operationId: string;
  summary: string;
  description: string;
  deprecated?: true;
  tags: readonly string[];
  security?: Record<string, string[]>[];
  parameters?: Parameter[];
  requestBody?: { required: boolean; content: Record<string, Media> };
  responses: Record<string, ResponseObject>;
} & Record<`x-${string}`, unknown>;
type Described = { description?: string };

/** How a refusal reads in the document: when it comes, and a message and details as they are answered. */
export type ErrorExample = { when: string; message: string; details?: ErrorDetails };

/** Headers of the answers: `required`, of every one; `statuses`, of those only. */
export type ResponseHeaders = Record<
  string,
  { schema: TSchema; required?: true; statuses?: readonly number[] }
>;

/** What all routes of an interface have in common. */
export type Interface = {
  /** Where its routes begin; paths in the document are relative to it. */
  prefix: string;
  head: Pick<OpenApiDocument, 'info' | 'servers' | 'security' | 'tags'>;
  securitySchemes: Record<string, object>;
  /** Codes that any route may answer before it runs. */
  guardErrors: readonly ErrorCode[];
  /** Request headers that every route heeds. */
  requestHeaders: Record<string, TSchema>;
  /** Headers of the answers. */
  responseHeaders: ResponseHeaders;
  /** The sentence on who may call it, and the extension that says so to programs. */
  access(config: FastifyContextConfig): { sentence: string; extension: Record<`x-${string}`, string> };
  /** Base address of the documentation in the examples. */
  docsUrl: string;
  errorDetails: TSchema;
  examples: Record<ErrorCode, ErrorExample>;
};

/** Gathers the application's routes; ask for them once it is ready, when every hook has had its say. */
export function collectRoutes(app: App): () => RouteOptions[] {
  const routes: RouteOptions[] = [];
  app.addHook('onRoute', (route) => void routes.push(route));
  return () => routes;
}

/** The document of the routes under the interface's prefix. Throws when one of them is not described. */
export function openApiDocument(routes: readonly RouteOptions[], side: Interface): OpenApiDocument {
  const components: OpenApiDocument['components'] = {
    schemas: {},
    responses: {},
    headers: {},
    securitySchemes: side.securitySchemes,
  };
  keepComponent('Error', errorSchema(side, components.schemas), components.schemas);

  const paths: OpenApiDocument['paths'] = {};
  for (const route of routes) {
    if (!route.url.startsWith(`${side.prefix}/`)) continue;
    const path = route.url.slice(side.prefix.length).replace(/:(\w+)/g, '{$1}');
    paths[path] = {
      ...paths[path],
      [String(route.method).toLowerCase()]: operationOf(route, side, components),
    };
  }
  shareResponses(paths, components.responses);
  return {
    openapi: '3.1.1',
    ...side.head,
    jsonSchemaDialect: 'https://spec.openapis.org/oas/3.1/dialect/base',
    paths: sorted(paths),
    components: {
      ...components,
      schemas: sorted(components.schemas),
      responses: sorted(components.responses),
      headers: sorted(components.headers),
    },
  };
}

function errorSchema(side: Interface, schemas: Components): JsonSchema {
  return {
    type: 'object',
    description: 'Every refusal. Branch on `code`; the message is for people and may change.',
    required: ['success', 'error'],
    properties: {
      success: { type: 'boolean', const: false },
      error: {
        type: 'object',
        required: ['code', 'message', 'details', 'requestId'],
        properties: {
          code: {
            type: 'string',
            maxLength: 100,
            pattern: '^[A-Z_]+$',
            description: 'What was refused, and why',
          },
          message: {
            type: 'string',
            maxLength: 1000,
            pattern: '^[^\\u0000]*$',
            description: 'The same for people',
          },
          details: toJsonSchema(side.errorDetails, schemas),
          requestId: {
            type: 'string',
            maxLength: 128,
            pattern: '^[!-~]+$',
            description: 'The X-Request-Id of the answer; quote it to support',
          },
        },
      },
    },
  };
}

function operationOf(
  route: RouteOptions,
  side: Interface,
  components: OpenApiDocument['components'],
): Operation {
  const schema = route.schema ?? {};
  const { operationId, summary, tags, description, deprecated } = schema;
  if (operationId === undefined || summary === undefined || tags === undefined) {
    throw new Error(`${route.method} ${route.url}: operationId, summary and tags must be given`);
  }
  const { schemas } = components;
  const { sentence, extension } = side.access(route.config ?? {});
  const ownHeaders = { ...schema.responseHeaders, ...(deprecated && DEPRECATION_HEADERS) };
  const parameters = [
    ...parametersOf('path', schema.params, schemas),
    ...parametersOf('query', schema.querystring, schemas),
    ...headerParameters(side.requestHeaders, [], schemas),
    ...parametersOf('header', schema.headers, schemas),
  ];
  const responses: [string, ResponseObject][] = [
    ...Object.entries((schema.response ?? {}) as Record<string, TSchema>).map(
      ([status, answer]): [string, ResponseObject] => [
        status,
        {
          description: status === '201' ? 'Created' : 'Done',
          headers: headersOf(Number(status), side, components, ownHeaders),
          content: jsonOf(answerSchema(answer, operationId, schemas), schemas),
        },
      ],
    ),
    ...[...refusalsOf(route, side)].map(([status, examples]): [string, ResponseObject] => [
      String(status),
      {
        description: STATUS_CODES[status]!,
        headers: headersOf(status, side, components, ownHeaders),
        content: { 'application/json': refusalMedia(examples, side.docsUrl) },
      },
    ]),
  ];
  return {
    operationId,
    summary,
    description: [description, deprecated && deprecationText(deprecated), sentence]
      .filter((text) => text !== undefined)
      .join('\n\n'),
    ...(deprecated && { deprecated: true as const }),
    tags,
    ...extension,
    parameters,
    ...(schema.body !== undefined && {
      requestBody: {
        required: schema.optionalBody !== true,
        content: jsonOf(bodySchema(schema.body as TSchema, operationId, schemas), schemas),
      },
    }),
    responses: Object.fromEntries(responses.sort(([a], [b]) => Number(a) - Number(b))),
  };
}

// ---------------------------------------------------------------------------
// Parameters and headers

function parametersOf(where: string, source: unknown, schemas: Components): Parameter[] {
  if (source === undefined) return [];
  const { properties = {}, required = [] } = source as JsonSchema;
  return Object.entries(properties).map(([name, property]) => ({
    name: where === 'header' ? headerName(name) : name,
    in: where,
    required: where === 'path' || required.includes(name),
    ...describedApart(toJsonSchema(property, schemas)),
  }));
}

function headerParameters(
  headers: Record<string, TSchema>,
  required: string[],
  schemas: Components,
): Parameter[] {
  return parametersOf('header', { properties: headers, required }, schemas);
}

/** Headers are described by their own description, not by their schema's. */
function describedApart({ description, ...schema }: JsonSchema): Described & { schema: JsonSchema } {
  return { ...(description !== undefined && { description }), schema };
}

function headerName(name: string): string {
  return name
    .split('-')
    .map((part) => part[0]!.toUpperCase() + part.slice(1))
    .join('-');
}

function headersOf(
  status: number,
  side: Interface,
  components: OpenApiDocument['components'],
  own: ResponseHeaders = {},
): Record<string, { $ref: string }> {
  return Object.fromEntries(
    Object.entries({ ...side.responseHeaders, ...own })
      .filter(([, { statuses }]) => statuses?.includes(status) ?? true)
      .map(([name, { schema, required = false }]) => {
        components.headers[name] = { required, ...describedApart(toJsonSchema(schema, components.schemas)) };
        return [name, { $ref: `#/components/headers/${name}` }];
      }),
  );
}

const DEPRECATION_HEADERS: ResponseHeaders = {
  Deprecation: {
    required: true,
    schema: Type.String({
      maxLength: 20,
      pattern: '^@\\d+$',
      description:
        'Since when the operation should not be used any more: @ and seconds since 1970 (RFC 9745)',
      examples: ['@1796072400'],
    }),
  },
  Sunset: {
    required: true,
    schema: Type.String({
      maxLength: 40,
      pattern: '^[A-Z][a-z]{2}, \\d\\d [A-Z][a-z]{2} \\d{4} \\d\\d:\\d\\d:\\d\\d GMT$',
      description: 'From when on the operation may be gone: an HTTP date (RFC 8594)',
      examples: ['Sun, 28 Feb 2027 21:00:00 GMT'],
    }),
  },
  Link: {
    schema: Type.String({
      maxLength: 2_048,
      pattern: '^<[^>]+>; rel="deprecation"',
      description: 'Where it is told what to use instead',
      examples: ['<https://booking.example/docs/changes>; rel="deprecation"; type="text/html"'],
    }),
  },
};

function deprecationText({ since, sunset, link }: Deprecation): string {
  const where = link === undefined ? '' : ` ${link} says what to use instead.`;
  return `Deprecated since ${since}; may be gone from ${sunset} on.${where}`;
}

// ---------------------------------------------------------------------------
// Bodies and answers

function jsonOf(schema: JsonSchema, schemas: Components): Record<string, Media> {
  const example = exampleOf(schema, schemas);
  return { 'application/json': { schema, ...(example !== undefined && { example }) } };
}

const pascal = (name: string): string => name[0]!.toUpperCase() + name.slice(1);

function refTo(name: string, schema: JsonSchema, schemas: Components): JsonSchema {
  if (schema.$ref !== undefined) return schema;
  keepComponent(name, schema, schemas);
  return { $ref: `#/components/schemas/${name}` };
}

function bodySchema(source: TSchema, operationId: string, schemas: Components): JsonSchema {
  return refTo(`${pascal(operationId)}Request`, toJsonSchema(source, schemas), schemas);
}

/** An envelope is named after what it carries, else after the operation. */
function answerSchema(source: TSchema, operationId: string, schemas: Components): JsonSchema {
  const schema = toJsonSchema(source, schemas);
  const data = schema.properties?.data;
  const nameOf = (ref: string | undefined): string | undefined => ref?.slice(ref.lastIndexOf('/') + 1);
  const [one, many] = [nameOf(data?.$ref), nameOf(data?.items?.$ref)];
  const list = schema.properties?.meta === undefined ? 'List' : 'Page';
  const name = one ?? (many === undefined ? pascal(operationId) : `${many}${list}`);
  return refTo(`${name}Response`, schema, schemas);
}

// ---------------------------------------------------------------------------
// Refusals

type NamedExample = ErrorExample & { code: ErrorCode };

/** What the route may refuse, by status, with an example of each code as it is really answered. */
function refusalsOf(route: RouteOptions, side: Interface): Map<number, NamedExample[]> {
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
  for (const code of side.guardErrors) add(code);
  for (const what of whatMayBeMissing(schema)) {
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

/** Asks the route's own check what it says to a request that has everything wrong that can be. */
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

function whatMayBeMissing(schema: NonNullable<RouteOptions['schema']>): readonly string[] {
  if (schema.missing !== undefined) return schema.missing;
  const names = Object.keys((schema.params as JsonSchema | undefined)?.properties ?? {});
  return names.map((name) => {
    if (!/.Id$/.test(name)) throw new Error(`${schema.operationId}: say in \`missing\` what is not found`);
    return pascal(name.slice(0, -2));
  });
}

function refusalMedia(examples: readonly NamedExample[], docsUrl: string): Media {
  const codes = [...new Set(examples.map(({ code }) => code))];
  const times = new Map<string, number>();
  const named = examples.map(({ code, when, message, details = {} }) => {
    const count = (times.get(code) ?? 0) + 1;
    times.set(code, count);
    const error = new ApiError(code, message, details);
    const value = errorEnvelope(error, '5f0c6a6e-3c1b-4b5e-9a53-0d5a2f1c7b10', docsUrl);
    return [count === 1 ? code : `${code}_${count}`, { summary: when, value }];
  });
  return {
    // A sibling of $ref narrows it: generators see one type of error, validators the codes of this operation.
    schema: {
      $ref: '#/components/schemas/Error',
      properties: { error: { properties: { code: { enum: codes } } } },
    },
    examples: Object.fromEntries(named),
  };
}

/** A refusal that reads the same wherever its status occurs, or in most places, becomes a component. */
function shareResponses(
  paths: OpenApiDocument['paths'],
  shared: OpenApiDocument['components']['responses'],
): void {
  const operations = Object.values(paths).flatMap((methods) => Object.values(methods));
  const statuses = new Set(operations.flatMap(({ responses }) => Object.keys(responses)));
  for (const status of [...statuses].filter((each) => Number(each) >= 400)) {
    const having = operations.filter(({ responses }) => responses[status] !== undefined);
    const groups = Map.groupBy(having, ({ responses }) => JSON.stringify(responses[status]));
    const [[text, most]] = [...groups].sort(([, a], [, b]) => b.length - a.length) as [[string, Operation[]]];
    if (most.length <= having.length / 2) continue;
    const name = STATUS_CODES[status]!.replaceAll(/[^A-Za-z]/g, '');
    shared[name] = JSON.parse(text);
    for (const { responses } of most) responses[status] = { $ref: `#/components/responses/${name}` };
  }
}

function sorted<T>(record: Record<string, T>): Record<string, T> {
  return Object.fromEntries(Object.entries(record).sort(([a], [b]) => (a < b ? -1 : 1)));
}
