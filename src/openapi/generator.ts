import { STATUS_CODES } from 'node:http';
import type { RouteOptions } from 'fastify';
import type { TSchema } from 'typebox';
import type { ErrorCode } from '../base/errors.ts';
import type { App } from '../http/edge.ts';
import type { Interface, Media, OpenApiDocument, Operation, ResponseObject } from './document.ts';
import {
  DEPRECATION_HEADERS,
  deprecationText,
  headerParameters,
  headersOf,
  parametersOf,
} from './parameters.ts';
import { refusalMedia, refusalSchema, refusalsOf } from './refusal-responses.ts';
import {
  type Components,
  exampleOf,
  type JsonSchema,
  keepComponent,
  pascal,
  toJsonSchema,
} from './schemas.ts';

/** Collects the application's routes; call the result when the application is ready, after all hooks. */
export function collectRoutes(app: App): () => RouteOptions[] {
  const routes: RouteOptions[] = [];
  app.addHook('onRoute', (route) => {
    // HEAD works for every GET and is not documented: HTTP defines its response.
    if (route.method !== 'HEAD') routes.push(route);
  });
  return () => routes;
}

/** The document of the routes under the API's prefix. Throws when one of them is not described. */
export function openApiDocument(routes: readonly RouteOptions[], side: Interface): OpenApiDocument {
  const components: OpenApiDocument['components'] = {
    schemas: {},
    responses: {},
    headers: {},
    securitySchemes: side.securitySchemes,
  };
  const details = toJsonSchema(side.errorDetails, components.schemas);
  const refusal = (codes: readonly ErrorCode[]): JsonSchema => refusalSchema(codes, details);

  const paths: OpenApiDocument['paths'] = {};
  for (const route of routes) {
    if (!route.url.startsWith(`${side.prefix}/`)) continue;
    const path = route.url.slice(side.prefix.length).replace(/:(\w+)/g, '{$1}');
    paths[path] = {
      ...paths[path],
      [String(route.method).toLowerCase()]: operationOf(route, side, components, refusal),
    };
  }
  shareResponses(paths, components.responses);
  return {
    openapi: '3.1.1',
    ...side.head,
    // Prism does not know OpenAPI's default dialect: it would silently check nothing.
    jsonSchemaDialect: 'https://json-schema.org/draft/2020-12/schema',
    paths: sorted(paths),
    components: {
      ...components,
      schemas: sorted(components.schemas),
      responses: sorted(components.responses),
      headers: sorted(components.headers),
    },
  };
}

function operationOf(
  route: RouteOptions,
  side: Interface,
  components: OpenApiDocument['components'],
  refusal: (codes: readonly ErrorCode[]) => JsonSchema,
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
          description: DESCRIPTIONS[status] ?? 'Done',
          headers: headersOf(Number(status), side, components, ownHeaders),
          ...(status !== '304' && {
            content: {
              ...(schema.responseType === undefined
                ? jsonOf(answerSchema(answer, operationId, schemas), schemas)
                : { [schema.responseType]: mediaOf(toJsonSchema(answer, schemas), schemas) }),
              ...(route.config?.csv && CSV),
            },
          }),
        },
      ],
    ),
    ...[...refusalsOf(route, side)].map(([status, examples]): [string, ResponseObject] => [
      String(status),
      {
        description: STATUS_CODES[status]!,
        headers: headersOf(status, side, components, ownHeaders),
        content: { 'application/json': refusalMedia(examples, side.docsUrl, refusal) },
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

const DESCRIPTIONS: Record<string, string> = {
  201: 'Created',
  304: 'Not modified: the response that If-None-Match names is current',
};

/** RFC 4180, with a header line: nested fields as `contact.name`. */
const CSV: Record<string, Media> = {
  'text/csv': {
    schema: {
      type: 'string',
      description: 'All rows as CSV',
      // An optional byte order mark; up to the length of a string in Node.
      pattern: '^\\uFEFF?[A-Za-z]',
      maxLength: 536_870_888,
    },
    example: 'id,name\r\n',
  },
};

function jsonOf(schema: JsonSchema, schemas: Components): Record<string, Media> {
  return { 'application/json': mediaOf(schema, schemas) };
}

function mediaOf(schema: JsonSchema, schemas: Components): Media {
  const example = exampleOf(schema, schemas);
  return { schema, ...(example !== undefined && { example }) };
}

function refTo(name: string, schema: JsonSchema, schemas: Components): JsonSchema {
  if (schema.$ref !== undefined) return schema;
  keepComponent(name, schema, schemas);
  return { $ref: `#/components/schemas/${name}` };
}

function bodySchema(source: TSchema, operationId: string, schemas: Components): JsonSchema {
  return refTo(`${pascal(operationId)}Request`, toJsonSchema(source, schemas), schemas);
}

/** An envelope is named after its data, else after the operation. */
function answerSchema(source: TSchema, operationId: string, schemas: Components): JsonSchema {
  const schema = toJsonSchema(source, schemas);
  const data = schema.properties?.data;
  const nameOf = (ref: string | undefined): string | undefined => ref?.slice(ref.lastIndexOf('/') + 1);
  const [one, many] = [nameOf(data?.$ref), nameOf(data?.items?.$ref)];
  const list = schema.properties?.meta === undefined ? 'List' : 'Page';
  const name = one ?? (many === undefined ? pascal(operationId) : `${many}${list}`);
  return refTo(`${name}Response`, schema, schemas);
}

/** A response that is the same for its status everywhere, or in most places, becomes a component. */
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
