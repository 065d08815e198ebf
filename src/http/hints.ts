import type { ErrorObject } from 'ajv';

/**
 * Hints for refused requests, beside the exact messages of section 7: fields that are no longer accepted, fields and
 * values that were probably meant, expected formats. Computed only after a validation failure.
 */

/** Hints on values of a format: an example of the expected form, or nothing. */
export type HintedFormat = { hint?: (value: string) => string[] };

type ObjectSchema = {
  required?: string[];
  properties?: Record<string, ObjectSchema>;
  items?: ObjectSchema;
  additionalProperties?: unknown;
  /** Whole sentences about fields that callers send although they are not accepted, by field name. */
  hints?: Record<string, string>;
};

const MAX_HINTS = 20;
/** Errors that get hints, so that a body with very many unknown fields is refused quickly. */
const MAX_FAULTS = 100;
/** Longer names are unlikely to be typing errors, and comparing them takes time. */
const MAX_NAME_LENGTH = 40;

/** Hints for the errors in one part of a request, in their order, without duplicates. */
export function hintsOf(
  errors: readonly ErrorObject[],
  part: 'params' | 'query' | 'body',
  formats: Record<string, HintedFormat>,
): string[] {
  const hints = errors.slice(0, MAX_FAULTS).flatMap((error) => hintsFor(error, part, formats));
  return [...new Set(hints)].slice(0, MAX_HINTS);
}

const GZIP = Buffer.from([0x1f, 0x8b]);
const UTF_8_MARK = Buffer.from([0xef, 0xbb, 0xbf]);
const UTF_16_MARKS = [Buffer.from([0xff, 0xfe]), Buffer.from([0xfe, 0xff])];

/** Why a body is not JSON, as far as its first characters or the parser's error show. Does not quote the body. */
export function unreadableHints(body: Buffer, error?: SyntaxError): string[] {
  const begins = (mark: Buffer): boolean => body.subarray(0, mark.length).equals(mark);
  if (begins(GZIP)) return ['send the body as it is: compressed bodies are not read'];
  if (UTF_16_MARKS.some(begins)) return ['send the body in UTF-8, not in UTF-16'];
  if (begins(UTF_8_MARK)) return ['leave out the byte order mark at the beginning of the body'];
  if (error === undefined) return [];
  if (error.message.startsWith('Unexpected end')) return ['the JSON of the body ends too early'];
  const [, line, column] = /\(line (\d+) column (\d+)\)$/.exec(error.message) ?? [];
  return line === undefined ? [] : [`the JSON of the body has a fault in line ${line} at column ${column}`];
}

/** The path of an error: `timeslot.startAt`; empty for the whole part. */
export function pathOfFault(error: ErrorObject): string {
  return error.instancePath.slice(1).replaceAll('/', '.').replaceAll('~1', '/').replaceAll('~0', '~');
}

function hintsFor(error: ErrorObject, part: string, formats: Record<string, HintedFormat>): string[] {
  const schema = error.parentSchema as ObjectSchema & {
    type?: string | string[];
    format?: string;
    meaning?: string;
  };
  const path = pathOfFault(error);
  const inside = path === '' ? '' : `${path}.`;
  switch (error.keyword) {
    case 'additionalProperties':
      return unknownField(error.params.additionalProperty, schema).map((hint) => inside + hint);
    case 'required': {
      const name: string = error.params.missingProperty;
      return [`${name} is missing`, ...misspelt(name, error.data, schema)].map((hint) => inside + hint);
    }
    case 'type':
      if (path === '') return [`the ${part} must be a JSON object: ${expectedBodyHint(schema)}`];
      return [...mistyped(error.data, part, [schema.type ?? []].flat()), ...written(error.data)].map(
        (hint) => `${path}: ${hint}`,
      );
    case 'format':
      return written(error.data).map((hint) => `${path}: ${hint}`);
    case 'enum':
      return nearValue(error.data, error.params.allowedValues).map((hint) => `${path}: ${hint}`);
    case 'minimum':
    case 'maximum':
      return schema.meaning === undefined ? [] : [`${path}: ${schema.meaning}`];
    default:
      return [];
  }

  function written(value: unknown): string[] {
    if (value === null || typeof value === 'object') return [];
    return formats[schema.format ?? '']?.hint?.(String(value)) ?? [];
  }
}

function expectedBodyHint({ required = [] }: ObjectSchema): string {
  return required.length === 0
    ? 'send {} when there is nothing to say'
    : `it needs ${required.map((name) => `"${name}"`).join(', ')}`;
}

function unknownField(name: string, { hints = {}, properties = {} }: ObjectSchema): string[] {
  if (Object.hasOwn(hints, name)) return [hints[name]!];
  const home = Object.keys(properties).find((parent) => {
    const child = properties[parent]!;
    return Object.hasOwn(child.properties ?? child.items?.properties ?? {}, name);
  });
  if (home !== undefined) return [`${name} belongs inside ${home}`];
  const meant = Object.keys(properties).find((known) => isNearly(name, known));
  return meant === undefined ? [] : [`${name}: did you mean ${meant}?`];
}

/** Unknown fields that probably are misspelt names of the missing one, where unknown fields are allowed (queries). */
function misspelt(missing: string, sent: unknown, schema: ObjectSchema): string[] {
  const { properties = {}, additionalProperties } = schema;
  if (additionalProperties === false) return [];
  return Object.keys(sent as object)
    .slice(0, 100)
    .filter((name) => !Object.hasOwn(properties, name) && isNearly(name, missing))
    .map((name) => `${name}: did you mean ${missing}?`);
}

/** The accepted value that was probably meant. */
function nearValue(sent: unknown, accepted: readonly unknown[]): string[] {
  if (typeof sent !== 'string') return [];
  const near = accepted.filter((value) => typeof value === 'string' && isNearly(sent, value)) as string[];
  const costs = near.map((value) => distance(plain(sent), plain(value)));
  return near.length === 0 ? [] : [`did you mean ${near[costs.indexOf(Math.min(...costs))]}?`];
}

/** Hints for a number sent as text, text sent as a number, and a repeated query parameter. */
function mistyped(value: unknown, part: string, wanted: string[]): string[] {
  if (part === 'query' && Array.isArray(value)) return ['was sent more than once'];
  if (typeof value === 'number' && wanted.includes('string'))
    return [`must be in quotation marks: "${value}", not ${value}`];
  if (typeof value !== 'string') return [];
  const isNumber = wanted.includes('integer')
    ? /^-?\d{1,15}$/.test(value)
    : wanted.includes('number') && /^-?\d{1,15}(\.\d{1,15})?$/.test(value);
  return isNumber ? [`must be without quotation marks: ${value}, not "${value}"`] : [];
}

/** Whether names are equal up to case, blanks, `_`, `-` and one typing error (two in longer names). */
export function isNearly(name: string, known: string): boolean {
  if (name.length > MAX_NAME_LENGTH) return false;
  const [a, b] = [plain(name), plain(known)];
  return distance(a, b) <= (Math.max(a.length, b.length) < 6 ? 1 : 2);
}

function plain(name: string): string {
  return name.toLowerCase().replaceAll(/[ _-]/g, '');
}

/** Edit distance: insertions, deletions, substitutions and swaps of neighbours. */
function distance(a: string, b: string): number {
  let older: number[] = [];
  let last = Array.from({ length: b.length + 1 }, (_, column) => column);
  for (let row = 1; row <= a.length; row++) {
    const current = [row];
    for (let column = 1; column <= b.length; column++) {
      const same = a[row - 1] === b[column - 1];
      let least = Math.min(last[column]! + 1, current[column - 1]! + 1, last[column - 1]! + (same ? 0 : 1));
      if (row > 1 && column > 1 && a[row - 1] === b[column - 2] && a[row - 2] === b[column - 1])
        least = Math.min(least, older[column - 2]! + 1);
      current.push(least);
    }
    older = last;
    last = current;
  }
  return last[b.length]!;
}
