import Type, { type TSchema } from 'typebox';
import type { Deprecation } from '../http/deprecation.ts';
import type { Described, Interface, OpenApiDocument, Parameter, ResponseHeaders } from './document.ts';
import { type Components, type JsonSchema, toJsonSchema } from './schemas.ts';

/** Parameters of requests and response headers. */

/** The properties of an object schema as parameters; path parameters are always required. */
export function parametersOf(where: string, source: unknown, schemas: Components): Parameter[] {
  if (source === undefined) return [];
  const { properties = {}, required = [] } = source as JsonSchema;
  return Object.entries(properties).map(([name, property]) => {
    const { examples, ...schema } = toJsonSchema(property, schemas);
    const isRequired = where === 'path' || required.includes(name);
    return {
      name: where === 'header' ? headerName(name) : name,
      in: where,
      required: isRequired,
      // Pages that send requests use the example as value: an optional filter would empty every list.
      ...describedApart({ ...schema, ...(isRequired && examples !== undefined && { examples }) }),
    };
  });
}

/** Header parameters. */
export function headerParameters(
  headers: Record<string, TSchema>,
  required: string[],
  schemas: Components,
): Parameter[] {
  return parametersOf('header', { properties: headers, required }, schemas);
}

/** The header has the description, not its schema. */
function describedApart({ description, ...schema }: JsonSchema): Described & { schema: JsonSchema } {
  return { ...(description !== undefined && { description }), schema };
}

function headerName(name: string): string {
  return name
    .split('-')
    .map((part) => part[0]!.toUpperCase() + part.slice(1))
    .join('-');
}

/** References to the headers of responses with this status: the API's, and the operation's own. */
export function headersOf(
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

export const DEPRECATION_HEADERS: ResponseHeaders = {
  Deprecation: {
    required: true,
    schema: Type.String({
      maxLength: 20,
      pattern: '^@\\d+$',
      description: 'When the operation was deprecated: @ and seconds since 1970 (RFC 9745)',
      examples: ['@1796072400'],
    }),
  },
  Sunset: {
    required: true,
    schema: Type.String({
      maxLength: 40,
      pattern: '^[A-Z][a-z]{2}, \\d\\d [A-Z][a-z]{2} \\d{4} \\d\\d:\\d\\d:\\d\\d GMT$',
      description: 'When the operation may be removed: an HTTP date (RFC 8594)',
      examples: ['Sun, 28 Feb 2027 21:00:00 GMT'],
    }),
  },
  Link: {
    schema: Type.String({
      maxLength: 2_048,
      pattern: '^<[^>]+>; rel="deprecation"',
      description: 'Documentation of the replacement',
      examples: ['<https://booking.example/docs/changes>; rel="deprecation"; type="text/html"'],
    }),
  },
};

/** The end of the description of a deprecated operation. */
export function deprecationText({ since, sunset, link }: Deprecation): string {
  const where = link === undefined ? '' : ` ${link} says what to use instead.`;
  return `Deprecated since ${since}; may be gone from ${sunset} on.${where}`;
}
