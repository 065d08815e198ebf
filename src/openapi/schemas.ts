/**
 * Converts TypeBox schemas to the JSON Schema (2020-12) of OpenAPI 3.1. A schema with a `title` becomes a component of
 * that name; the service's own keywords and formats become standard ones.
 */
export type JsonSchema = {
  $ref?: string;
  title?: string;
  type?: string | string[];
  format?: string;
  description?: string;
  examples?: unknown[];
  default?: unknown;
  const?: unknown;
  enum?: unknown[];
  properties?: Record<string, JsonSchema>;
  required?: string[];
  additionalProperties?: boolean;
  items?: JsonSchema;
  anyOf?: JsonSchema[];
  minLength?: number;
  maxLength?: number;
  minItems?: number;
  maxItems?: number;
  uniqueItems?: boolean;
  minimum?: number;
  maximum?: number;
  multipleOf?: number;
  pattern?: string;
};

export type Components = Record<string, JsonSchema>;

/** The service's string formats in standard keywords. */
const FORMATS: Record<string, JsonSchema> = {
  uuid: { format: 'uuid', maxLength: 36 },
  date: { format: 'date', maxLength: 10 },
  'date-time': { format: 'date-time', maxLength: 40 },
  // The standard's `time` has seconds and an offset.
  time: { pattern: '^([01]\\d|2[0-3]):[0-5]\\d(:[0-5]\\d)?$', maxLength: 8 },
  text: { pattern: '^[^\\u0000]*$' },
  phone: { pattern: '^\\+966\\d{5,14}$', maxLength: 18 },
  shortAddress: { pattern: '^ *([A-Za-z]{4}[0-9]{4})? *$', maxLength: 20 },
  spelledPhone: { pattern: '^[^\\u0000]*$', minLength: 9, maxLength: 100 },
};

const INT32 = 2 ** 31;

/**
 * The schema in standard keywords; schemas with a title go into `components` and are referenced. Throws when two
 * different schemas have the same title.
 */
export function toJsonSchema(source: object, components: Components): JsonSchema {
  const { title, ...schema } = source as JsonSchema;
  const plain = standard(schema, components);
  if (title === undefined) return plain;
  keepComponent(title, plain, components);
  return { $ref: `#/components/schemas/${title}` };
}

/** Adds a schema to the components. Throws when another one has the name. */
export function keepComponent(name: string, schema: JsonSchema, components: Components): void {
  const known = components[name];
  if (known !== undefined && JSON.stringify(known) !== JSON.stringify(schema)) {
    throw new Error(`two different schemas are called ${name}`);
  }
  components[name] = schema;
}

/** Keywords of validation.ts beside the standard ones. */
type OwnKeywords = {
  trimmedLength?: [number, number];
  visible?: true;
  midnightForm?: true;
  isLine?: true;
  documented?: JsonSchema;
  hints?: object;
  meaning?: string;
  notInFiles?: true;
  rule?: object;
};

function standard(schema: JsonSchema, components: Components): JsonSchema {
  const {
    format,
    trimmedLength,
    visible: _visible,
    midnightForm,
    isLine: _isLine,
    documented,
    hints: _,
    meaning: _meaning,
    notInFiles: _notInFiles,
    rule: _rule,
    ...rest
  } = schema as JsonSchema & OwnKeywords;
  const result: JsonSchema = { ...rest };
  if (format !== undefined) Object.assign(result, FORMATS[format] ?? { format }, limitsOf(rest));
  if (trimmedLength !== undefined) {
    const [minLength, maxLength] = trimmedLength;
    Object.assign(result, { minLength, maxLength, pattern: '^[^\\u0000]*[^\\s\\u0000][^\\u0000]*$' });
  }
  if (midnightForm) result.maxLength = 30;
  Object.assign(result, documented);
  if (rest.enum !== undefined && rest.type === undefined) result.type = typesOf(rest.enum);
  if ([rest.type].flat().includes('integer')) {
    const largest = Math.max(Math.abs(rest.minimum ?? INT32), Math.abs(rest.maximum ?? INT32));
    result.format = largest < INT32 ? 'int32' : 'int64';
  }
  if (rest.items !== undefined) result.items = toJsonSchema(rest.items, components);
  if (rest.properties !== undefined) {
    result.properties = mapValues(rest.properties, (property) => toJsonSchema(property, components));
  }
  if (rest.anyOf !== undefined) result.anyOf = rest.anyOf.map((option) => toJsonSchema(option, components));
  return withTypeList(result);
}

/** The schema's own bounds, which take precedence over its format's. */
function limitsOf({ maxLength }: JsonSchema): JsonSchema {
  return maxLength === undefined ? {} : { maxLength };
}

function typesOf(values: readonly unknown[]): string | string[] {
  const types = [...new Set(values.map((value) => (value === null ? 'null' : typeof value)))];
  return types.length === 1 ? types[0]! : types;
}

/** `anyOf: [{ type: x, … }, { type: null }]` as the equivalent `type: [x, null]`, which generators support. */
function withTypeList(schema: JsonSchema): JsonSchema {
  const [value, nothing, ...others] = schema.anyOf ?? [];
  const isPlain =
    typeof value?.type === 'string' && value.properties === undefined && value.$ref === undefined;
  if (!isPlain || nothing?.type !== 'null' || others.length > 0) return schema;
  const { anyOf: _, ...outer } = schema;
  return { ...value, ...outer, type: [value.type as string, 'null'] };
}

/** A valid value, made of the examples in the schema; undefined when a part has none. */
export function exampleOf(schema: JsonSchema, components: Components): unknown {
  if (schema.examples !== undefined) return schema.examples[0];
  if (schema.$ref !== undefined) {
    const name = schema.$ref.slice(schema.$ref.lastIndexOf('/') + 1);
    return exampleOf(components[name]!, components);
  }
  if ('const' in schema) return schema.const;
  if (schema.enum !== undefined) return schema.enum[0];
  if (schema.anyOf !== undefined) return exampleOf(schema.anyOf[0]!, components);
  if (schema.properties !== undefined) {
    return mapValues(schema.properties, (property) => exampleOf(property, components));
  }
  if (schema.items !== undefined) {
    const item = exampleOf(schema.items, components);
    return item === undefined ? [] : [item];
  }
  return schema.type === 'null' ? null : undefined;
}

/** The record with mapped values. */
function mapValues<From, To>(
  record: Record<string, From>,
  change: (value: From, key: string) => To,
): Record<string, To> {
  return Object.fromEntries(Object.entries(record).map(([key, value]) => [key, change(value, key)]));
}

/** `bookingId` → `BookingId`. */
export const pascal = (name: string): string => name[0]!.toUpperCase() + name.slice(1);
