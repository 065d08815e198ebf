import {
  codesOf,
  jsonOf,
  nameOf,
  type OpenApi,
  refsIn,
  type Schema,
  withoutExamples,
} from './sdk-document.ts';

/**
 * The parts of openapi/operator.json, portal.json or crew.json that pages need: every operation with a JSON response, and
 * the schemas it references.
 */

export type ConsoleOperation = {
  operationId: string;
  method: string;
  path: string;
  /** The role that it requires, in the operator API. */
  role: string;
  /** The session and permissions that it requires, in the portal API. */
  session: string;
  permission: string;
  ids: string[];
  /** The schema of the query; null: none. */
  query: string | null;
  queryRequired: boolean;
  body: string | null;
  bodyRequired: boolean;
  /** The schema of the response, envelope included. */
  response: string;
};

type AccessExtensions = { 'x-role'?: string; 'x-session'?: string; 'x-permission'?: string };

export function consoleDocument(document: OpenApi): {
  operations: ConsoleOperation[];
  codes: string[];
  schemas: Record<string, Schema>;
} {
  const all = Object.fromEntries(
    Object.entries(document.components.schemas).map(([name, schema]) => [name, withoutExamples(schema)]),
  );
  const named = (name: string, schema: Schema): string => {
    if (schema.$ref !== undefined) return nameOf(schema.$ref);
    if (all[name] !== undefined) throw new Error(`${name} is a schema of the document already`);
    all[name] = withoutExamples(schema);
    return name;
  };

  const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).flatMap(([method, operation]): ConsoleOperation[] => {
      const { operationId, parameters = [], requestBody, responses } = operation;
      const access = operation as AccessExtensions;
      const success = ['200', '201', '202'].map((status) => jsonOf(responses[status] ?? {})).find(Boolean);
      // Streams of events are read without a generated type.
      if (!success) return [];
      const prefix = operationId[0]!.toUpperCase() + operationId.slice(1);
      const query = parameters.filter((parameter) => parameter.in === 'query');
      const body = jsonOf(requestBody ?? {});
      return [
        {
          operationId,
          method: method.toUpperCase(),
          path,
          role: access['x-role'] ?? 'admin',
          session: access['x-session'] ?? 'change',
          permission: access['x-permission'] ?? '',
          ids: [...path.matchAll(/\{(\w+)\}/g)].map(([, id]) => id!),
          query: query.length === 0 ? null : named(`${prefix}Query`, querySchema(query)),
          queryRequired: query.some((parameter) => parameter.required),
          body: body === null ? null : named(`${prefix}Request`, body),
          bodyRequired: (requestBody as { required?: boolean } | undefined)?.required ?? false,
          response: named(`${prefix}Response`, success),
        },
      ];
    }),
  );
  operations.sort((one, other) => (one.operationId < other.operationId ? -1 : 1));

  const wanted = new Set<string>(['ErrorDetails']);
  for (const { query, body, response } of operations)
    for (const name of [query, body, response]) if (name !== null) wanted.add(name);
  // Iterating a growing set: it adds the schemas that these reference.
  for (const name of wanted) for (const ref of refsIn(all[name])) wanted.add(ref);
  const schemas = Object.fromEntries([...wanted].sort().map((name) => [name, all[name]!]));
  return { operations, codes: codesOf(document), schemas };
}

type Parameter = { name: string; required?: boolean; description?: string; schema: Schema };

function querySchema(parameters: readonly Parameter[]): Schema {
  const required = parameters.filter((parameter) => parameter.required).map(({ name }) => name);
  return {
    type: 'object',
    properties: Object.fromEntries(
      parameters.map(({ name, description, schema }) => [
        name,
        { ...schema, ...(description && { description }) },
      ]),
    ),
    ...(required.length > 0 && { required }),
    additionalProperties: false,
  };
}
