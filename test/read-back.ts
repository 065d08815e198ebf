import assert from 'node:assert/strict';
import { isDeepStrictEqual } from 'node:util';
import type { OpenApiDocument } from '../src/openapi/document.ts';
import type { DocumentedOperation } from './openapi-check.ts';

/**
 * Whether what a body takes is what a later read answers. The fields are those of an OpenAPI document; one that no read
 * has says so in its description, or in that of what it lies in.
 */

const UNREAD = /Not in later responses: \S/;

// biome-ignore lint/suspicious/noExplicitAny: tests look into answers freely
export type Any = any;

/** What a later read answers; `shown` is the same in the form of the body, where this differs. */
export type Read = { data: Any; shown?: Any };
/** A request, and the read after it; `answered` is the `data` of its response. */
export type Write = { path: string; body: Any; read(answered: Any): Promise<Read> };
/** The requests of an operation, each sent when the next is asked for. A yield returns the `data` of the response. */
export type Writes<Context> = (context: Context) => AsyncGenerator<Write, void, Any>;

/** What has to be seen of a field: different values, and null where it may be null. */
export type Field = { values: number; nullable: boolean; isUnread: boolean };

/** The fields of a body by their path, `apply[].teamId`, and its parts that may be null. */
export function fieldsOf(document: OpenApiDocument, { operation }: DocumentedOperation): Map<string, Field> {
  const found = new Map<string, Field>();
  const content = operation.requestBody?.content['application/json'];
  if (content !== undefined) collect(document, content.schema, { path: '', isUnread: false }, found);
  return found;
}

type Place = { path: string; isUnread: boolean };

function collect(document: OpenApiDocument, schema: Any, place: Place, found: Map<string, Field>): void {
  if (schema.$ref !== undefined) {
    const target = document.components.schemas[schema.$ref.slice(schema.$ref.lastIndexOf('/') + 1)];
    assert.ok(target, schema.$ref);
    const { $ref: _, ...beside } = schema;
    collect(document, { ...target, ...beside }, place, found);
    return;
  }
  const { path } = place;
  const isUnread = place.isUnread || UNREAD.test(schema.description ?? '');
  const parts: Any[] = schema.anyOf ?? schema.oneOf ?? [];
  const inner = Object.entries(schema.properties ?? {});
  for (const part of parts) if (part.type !== 'null') collect(document, part, { path, isUnread }, found);
  for (const [name, part] of inner)
    collect(document, part, { path: path === '' ? name : `${path}.${name}`, isUnread }, found);
  if (schema.items !== undefined) collect(document, schema.items, { path: `${path}[]`, isUnread }, found);

  const isLeaf = [...parts, ...inner].length === 0 && schema.items === undefined;
  const nullable =
    [schema.type].flat().includes('null') ||
    schema.enum?.includes(null) === true ||
    parts.some(({ type }) => type === 'null');
  if (path === '' || (!isLeaf && !nullable)) return;
  const choices: unknown[] = schema.const === undefined ? (schema.enum ?? [1, 2]) : [schema.const];
  const values = isLeaf ? Math.min(2, choices.filter((each) => each !== null).length) : 0;
  found.set(path, { values, nullable, isUnread });
}

type Steps = (string | number)[];
type Sent = { field: string; at: Steps; value: unknown };

/** The leaves of a body, and its lists by their lengths. */
function leavesOf(value: Any, field = '', at: Steps = []): Sent[] {
  if (Array.isArray(value))
    return [
      { field: '', at: [...at, 'length'], value: value.length },
      ...value.flatMap((each, index) => leavesOf(each, `${field}[]`, [...at, index])),
    ];
  if (typeof value !== 'object' || value === null) return [{ field, at, value }];
  return Object.entries(value).flatMap(([name, each]) =>
    leavesOf(each, field === '' ? name : `${field}.${name}`, [...at, name]),
  );
}

/** Where the two differ in what both have. */
function differences(answered: Any, read: Any, at = 'data'): string[] {
  const isPair = [answered, read].every((each) => typeof each === 'object' && each !== null);
  if (!isPair || Array.isArray(answered) !== Array.isArray(read)) {
    if (answered === read) return [];
    return [`${at}: answered ${JSON.stringify(answered)}, and read ${JSON.stringify(read)}`];
  }
  if (Array.isArray(answered) && answered.length !== read.length)
    return [`${at}: answered ${answered.length}, and read ${read.length}`];
  return Object.keys(answered)
    .filter((name) => name in read)
    .flatMap((name) => differences(answered[name], read[name], `${at}.${name}`));
}

/** The values of each field that were read back; of one that no read has, those that were read all the same. */
export type Seen = Map<string, Set<string>>;

/** Enters what was read back; returns the faults of the read. */
export function compare(
  fields: Map<string, Field>,
  { body, answered }: { body: unknown; answered: unknown },
  { data, shown = data }: Read,
  seen: Seen,
): string[] {
  const faults = differences(answered, data);
  for (const { field, at, value } of leavesOf(body)) {
    const found = at.reduce((inner: Any, step) => inner?.[step], shown);
    const known = field === '' ? undefined : fields.get(field);
    if (field !== '' && known === undefined) faults.push(`${at.join('.')} is no field of the document`);
    const isEqual = isDeepStrictEqual(found, value);
    // Of a list that no read has.
    if (field === '' && found === undefined) continue;
    if (!isEqual && known?.isUnread !== true)
      faults.push(`${at.join('.')}: sent ${JSON.stringify(value)}, and read ${JSON.stringify(found)}`);
    if (isEqual && field !== '') seen.set(field, (seen.get(field) ?? new Set()).add(JSON.stringify(value)));
    else if (known?.isUnread) seen.set(field, (seen.get(field) ?? new Set()).add('another'));
  }
  return faults;
}

/** What is missing of an operation's fields after its requests. */
export function missing(fields: Map<string, Field>, seen: Seen): string[] {
  return [...fields].flatMap(([field, { values, nullable, isUnread }]) => {
    const found = seen.get(field) ?? new Set();
    const others = [...found].filter((value) => value !== 'null').length;
    if (isUnread)
      return found.size >= 2 && !found.has('another')
        ? [`${field} is read back, and its description denies it`]
        : [];
    return [
      ...(others < values ? [`${field}: ${others} of ${values} values were read back`] : []),
      ...(nullable && !found.has('null') ? [`${field}: null was not read back`] : []),
    ];
  });
}
