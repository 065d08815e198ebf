import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** Writes sdk/src/contract.ts from openapi.json; sdk/test/contract.test.ts compares the two. */
export const DOCUMENT = fileURLToPath(new URL('../openapi.json', import.meta.url));
export const CONTRACT = fileURLToPath(new URL('../sdk/src/contract.ts', import.meta.url));

type Schema = {
  $ref?: string;
  type?: string | string[];
  const?: unknown;
  enum?: unknown[];
  anyOf?: Schema[];
  items?: Schema;
  properties?: Record<string, Schema>;
  required?: string[];
  additionalProperties?: boolean | Schema;
  description?: string;
};
type Content = { content?: Record<string, { schema: Schema }> };
type Operation = {
  operationId: string;
  summary: string;
  description?: string;
  deprecated?: boolean;
  parameters?: { name: string; in: string; required?: boolean; description?: string; schema: Schema }[];
  requestBody?: Content & { required?: boolean };
  responses: Record<string, Content & { $ref?: string; headers?: Record<string, unknown> }>;
};
export type Document = {
  paths: Record<string, Record<string, Operation>>;
  webhooks: Record<string, { post: Operation }>;
  components: {
    schemas: Record<string, Schema>;
    responses?: Record<string, Content & { $ref?: string; headers?: Record<string, unknown> }>;
  };
};

/** What says how a value must look, not what its type is. */
const NO_MATTER = new Set([
  'title',
  'examples',
  'example',
  'default',
  'format',
  'pattern',
  'minLength',
  'maxLength',
  'minimum',
  'maximum',
  'exclusiveMinimum',
  'exclusiveMaximum',
  'multipleOf',
  'minItems',
  'maxItems',
  'uniqueItems',
  'description',
  'deprecated',
]);
const UNDERSTOOD = new Set([
  '$ref',
  'type',
  'const',
  'enum',
  'anyOf',
  'items',
  'properties',
  'required',
  'additionalProperties',
]);

const HEAD = `// Printed from openapi.json by \`npm run sdk:contract\`; do not edit.

import type { CallOptions, FollowOptions } from './call-options.ts';
`;

/** A page of a list by number, and a page of the feed: the rest of an answer whose data is a list with \`meta\`. */
const OF_PAGES = `/** One page of a list. \`asOf\`, where there is one, given back with later pages keeps new rows out of them. */
export type Page<Item> = { data: Item[]; meta: PageMeta; asOf?: string };

/** One page of the event feed. */
export type FeedPage = { data: FeedEvent[]; meta: FeedMeta };
`;

/** The document says which events and which payloads there are; this says which belongs to which. */
const FEED_EVENT = `/** One event of the feed: \`event\` tells what \`payload\` is. */
export type FeedEvent = {
  [Name in RawFeedEvent['event']]: Omit<RawFeedEvent, 'event' | 'payload'> & {
    event: Name;
    payload: PayloadOf<Name>;
  };
}[RawFeedEvent['event']];
`;

/** The source text of the types, the operations and their table. Throws for what it would print wrongly. */
export function contractText(document: Document): string {
  const { schemas } = document.components;
  const wanted = new Set<string>();

  function typeOf(schema: Schema, indent: string): string {
    for (const keyword of Object.keys(schema)) {
      if (!UNDERSTOOD.has(keyword) && !NO_MATTER.has(keyword) && !keyword.startsWith('x-'))
        throw new Error(`the keyword ${keyword} cannot be printed as a type`);
    }
    if (schema.$ref !== undefined) {
      const name = schema.$ref.replace('#/components/schemas/', '');
      if (schemas[name] === undefined) throw new Error(`${schema.$ref} is not in the document`);
      wanted.add(name);
      return name;
    }
    if ('const' in schema) return literal(schema.const);
    if (schema.enum) return schema.enum.map(literal).join(' | ');
    if (schema.anyOf) return schema.anyOf.map((part) => typeOf(part, indent)).join(' | ');
    if (Array.isArray(schema.type))
      return schema.type.map((type) => typeOf({ ...schema, type }, indent)).join(' | ');
    switch (schema.type) {
      case 'string':
      case 'boolean':
      case 'null':
        return schema.type;
      case 'integer':
      case 'number':
        return 'number';
      case 'array': {
        const item = typeOf(schema.items ?? {}, indent);
        return / [|&] /.test(item) && !item.startsWith('{') ? `(${item})[]` : `${item}[]`;
      }
      case 'object':
        return objectOf(schema, indent);
      case undefined:
        return 'unknown';
      default:
        throw new Error(`the type ${schema.type} is not known`);
    }
  }

  /** Requests are closed objects in the document, and may say undefined for what they leave out. */
  function objectOf(schema: Schema, indent: string): string {
    const properties = Object.entries(schema.properties ?? {});
    if (properties.length === 0)
      return schema.additionalProperties === false ? 'Record<string, never>' : 'Record<string, unknown>';
    const closed = schema.additionalProperties === false;
    const inner = `${indent}  `;
    const lines = properties.flatMap(([name, property]) => [
      ...comment(property.description, inner),
      field(name, typeOf(property, inner), schema.required?.includes(name) ?? false, closed, inner),
    ]);
    return `{\n${lines.join('\n')}\n${indent}}`;
  }

  const resolve = (schema: Schema): Schema =>
    schema.$ref === undefined ? schema : schemas[schema.$ref.replace('#/components/schemas/', '')]!;

  const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) =>
      readOperation({ method: method.toUpperCase(), path, operation, typeOf, resolve }),
    ),
  );
  operations.sort((one, other) => (one.name < other.name ? -1 : 1));
  for (const { name, queryName } of operations) {
    if (queryName !== null && schemas[queryName] !== undefined)
      throw new Error(`${name}: ${queryName} is a schema of the document already`);
  }

  const events = Object.entries(document.webhooks).map(([event, { post }]) => ({
    event,
    delivery: typeOf(jsonOf(post.requestBody ?? {})!, ''),
  }));
  wanted.add('ErrorDetails');
  const parts = [
    HEAD,
    `export type ErrorCode =\n${codesOf(document)
      .map((code) => `  | '${code}'`)
      .join('\n')};\n`,
    `export type EventName =\n${events.map(({ event }) => `  | '${event}'`).join('\n')};\n`,
    `/** What a webhook brings: \`event\` tells what \`payload\` is. */\nexport type WebhookEvent =\n${events
      .map(({ delivery }) => `  | ${delivery}`)
      .join('\n')};\n`,
    "/** What an event carries. */\nexport type PayloadOf<Name extends EventName> = Extract<WebhookEvent, { event: Name }>['payload'];\n",
    FEED_EVENT,
    OF_PAGES,
    ...operations.flatMap(({ query }) => query ?? []),
    `/** One method for each operation of the document, and one for each list that goes through all of its pages. */
export type Operations = {\n${operations.flatMap(({ signatures }) => signatures).join('\n')}\n};\n`,
    `/** How each operation is called; the client is made of it. */\nexport const OPERATIONS = {\n${operations
      .map(({ name, row }) => `  ${name}: ${row},`)
      .join('\n')}\n} as const satisfies Record<string, OperationRow>;\n`,
    OPERATION_ROW,
  ];
  // Printing a schema may want others.
  const printed = new Map<string, string>();
  for (let before = -1; before !== printed.size; ) {
    before = printed.size;
    for (const name of [...wanted]) {
      if (printed.has(name)) continue;
      const ours = name === 'FeedEvent' ? 'RawFeedEvent' : name;
      const about = comment(schemas[name]!.description, '').map((line) => `${line}\n`);
      const exported = name === 'FeedEvent' ? '' : 'export ';
      printed.set(name, `${about.join('')}${exported}type ${ours} = ${typeOf(schemas[name]!, '')};\n`);
    }
  }
  const sorted = [...printed].sort(([one], [other]) => (one < other ? -1 : 1)).map(([, text]) => text);
  return [...parts, ...sorted].join('\n');
}

const OPERATION_ROW = `export type OperationRow = {
  method: 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE';
  /** With \`{name}\` for each argument that comes before the input. */
  path: string;
  /** What the argument after those of the path is; \`nothing\`: there is none, and \`{}\` is sent with a POST. */
  takes: 'body' | 'query' | 'nothing';
  answers: 'data' | 'page' | 'feed';
  /** The method that goes through all pages. */
  iterate?: string;
};

export type OperationName = keyof typeof OPERATIONS;
`;

type Read = {
  name: string;
  queryName: string | null;
  query: string | null;
  signatures: string[];
  row: string;
};

function readOperation({
  method,
  path,
  operation,
  typeOf,
  resolve,
}: {
  method: string;
  path: string;
  operation: Operation;
  typeOf(schema: Schema, indent: string): string;
  resolve(schema: Schema): Schema;
}): Read {
  const name = operation.operationId;
  const parameters = operation.parameters ?? [];
  const args = [...path.matchAll(/\{(\w+)\}/g)].map(([, parameter]) => `${parameter}: string`);

  const fields = parameters.filter((parameter) => parameter.in === 'query');
  const queryName = fields.length > 0 ? `${name[0]!.toUpperCase()}${name.slice(1)}Query` : null;
  const query = queryName && `export type ${queryName} = {\n${fields.flatMap(queryField).join('\n')}\n};\n`;
  function queryField({ name: field_, required, description, schema }: (typeof fields)[number]): string[] {
    return [
      ...comment(description, '  '),
      field(field_, typeOf(schema, '  '), required === true, true, '  '),
    ];
  }
  const body = jsonOf(operation.requestBody ?? {});
  const bodyFields = body === null ? [] : Object.keys(resolve(body).properties ?? {});
  if (body !== null && queryName !== null) throw new Error(`${name}: a body and a query are too much`);

  let takes = 'nothing';
  if (queryName !== null) {
    takes = 'query';
    args.push(fields.some(({ required }) => required) ? `query: ${queryName}` : `query?: ${queryName}`);
  } else if (body !== null && bodyFields.length > 0) {
    takes = 'body';
    // A change of nothing is a mistake; a confirmation without a reference is not.
    const optional = method === 'POST' && (resolve(body).required ?? []).length === 0;
    args.push(`${optional ? 'body?' : 'body'}: ${typeOf(body, '  ')}`);
  }

  const success = jsonOf(operation.responses['200'] ?? {});
  const envelope = success === null ? undefined : resolve(success).properties;
  if (envelope?.data === undefined) throw new Error(`${name}: its answer is in no envelope`);
  const about = operationComment(operation);
  const signature = (method_: string, all: string[], answer: string): string =>
    `  ${method_}(${all.join(', ')}): ${answer};`;
  const row = (answers: string, iterate?: string): string =>
    `{ method: '${method}', path: '${path}', takes: '${takes}', answers: '${answers}'${iterate ? `, iterate: '${iterate}'` : ''} }`;

  const options = 'options?: CallOptions';
  if (envelope.meta === undefined) {
    const answer = `Promise<${typeOf(envelope.data, '  ')}>`;
    return {
      name,
      queryName,
      query,
      signatures: [...about, signature(name, [...args, options], answer)],
      row: row('data'),
    };
  }

  const iterate = name.replace(/^list/, 'iterate');
  if (iterate === name) throw new Error(`${name}: a list is called listSomething`);
  typeOf(envelope.meta, '');
  const item = typeOf(envelope.data.items ?? {}, '  ');
  const byCursor = fields.some((parameter) => parameter.name === 'after');
  return {
    name,
    queryName,
    query,
    signatures: [
      ...about,
      signature(name, [...args, options], byCursor ? 'Promise<FeedPage>' : `Promise<Page<${item}>>`),
      `  /** What \`${name}\` lists, from there on through all pages; 100 on a page unless told otherwise. */`,
      signature(
        iterate,
        [...args, byCursor ? 'options?: FollowOptions' : options],
        `AsyncGenerator<${item}, void, undefined>`,
      ),
    ],
    row: row(byCursor ? 'feed' : 'page', iterate),
  };
}

function jsonOf({ content }: Content): Schema | null {
  return content?.['application/json']?.schema ?? null;
}

/** Every code that an operation may be refused with, sorted. */
function codesOf({ paths, components }: Document): string[] {
  const codes = new Set<string>();
  const operations = Object.values(paths).flatMap((methods) => Object.values(methods));
  for (const [status, response] of operations.flatMap(({ responses }) => Object.entries(responses))) {
    if (Number(status) < 400) continue;
    const name = response.$ref?.replace('#/components/responses/', '');
    const schema = jsonOf(name === undefined ? response : (components.responses?.[name] ?? {}));
    const code = schema?.properties?.error?.properties?.code;
    const told = code?.enum ?? (code?.const === undefined ? [] : [code.const]);
    if (told.length === 0) throw new Error(`a response ${status} names no code`);
    for (const one of told) codes.add(String(one));
  }
  return [...codes].sort();
}

const literal = (value: unknown): string =>
  typeof value === 'string' ? `'${value.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'` : String(value);

function field(
  name: string,
  type: string,
  required: boolean,
  mayBeUndefined: boolean,
  indent: string,
): string {
  return `${indent}${name}${required ? '' : '?'}: ${type}${!required && mayBeUndefined ? ' | undefined' : ''};`;
}

function comment(text: string | undefined, indent: string): string[] {
  if (text === undefined || text === '') return [];
  const lines = text.replaceAll('*/', '* /').split('\n');
  if (lines.length === 1) return [`${indent}/** ${lines[0]} */`];
  return [`${indent}/**`, ...lines.map((line) => `${indent} * ${line}`.trimEnd()), `${indent} */`];
}

function operationComment({ summary, description, deprecated }: Operation): string[] {
  const text = [`${summary}.`, description, deprecated ? '@deprecated' : undefined];
  return comment(text.filter((part) => part !== undefined && part !== '').join('\n\n'), '  ');
}

if (import.meta.main) {
  writeFileSync(CONTRACT, contractText(JSON.parse(readFileSync(DOCUMENT, 'utf8'))));
  console.log('sdk/src/contract.ts is written');
}
